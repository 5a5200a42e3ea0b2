-- A project of pits as nobody digs them: no strata and forty, 0.30 m and 30 m, names of 200 letters,
-- twelve photos, forty field tests, thirty readings of the water, results at both ends of their
-- range, and a pit of which nothing is known but its code.
PRAGMA foreign_keys = ON;
BEGIN;
CREATE TEMP TABLE long AS SELECT
  'Mejoramiento y rehabilitación del servicio de transitabilidad vehicular de la carretera departamental, tramo Santa Rosa de Quives – Huamantanga – Puente Capulí, distritos de Santa Rosa y Huamantanga, Lima' AS name,
  'Consorcio Supervisor de Infraestructura Vial Departamental Santa Rosa de Quives – Huamantanga, Ingenieros Consultores Asociados Sociedad Anónima Cerrada, Sucursal del Perú, con sede en Lima y Huaral, Perú' AS client,
  'Grava mal graduada con limo y arena, color pardo amarillento con vetas grises, húmeda, medianamente densa, no plástica; partículas subangulosas a subredondeadas de T.M. 3", con bolonería aislada de hasta 12" (8 % en volumen), estructura estratificada, sin olor, cementación débil, reacción fuerte al HCl, con raíces finas en los primeros centímetros. ' AS soil;
INSERT INTO projects (id, code, name, client, location, description, status, utm_zone, datum, road_class, created_at, updated_at, org_id, sync_state)
  SELECT 'e0000000-0000-4000-8000-000000000001', 'EXT-2025', l.name, l.client, l.client, l.name, p.status, '18S', 'WGS84', 'CARRETERA_2', p.created_at, p.updated_at, p.org_id, 'synced'
  FROM projects p, long l WHERE p.code = 'CHU-2025';
INSERT INTO project_members (id, project_id, profile_id, role, sync_state)
  SELECT printf('e0000000-0000-4000-8000-0000000000%02d', 10 + row_number() OVER (ORDER BY m.id)), 'e0000000-0000-4000-8000-000000000001', m.profile_id, m.role, 'synced'
  FROM project_members m JOIN projects p ON p.id = m.project_id WHERE p.code = 'CHU-2025';
CREATE TEMP TABLE pit (n, code, chainage, depth, water, state, strata, rich);
INSERT INTO pit VALUES
  (1, 'E-01', NULL, NULL, NULL, 'BORRADOR', 0, 0),
  (2, 'E-02', '0+250', 2.0, 0.0, 'APROBADO', 40, 1),
  (3, 'E-03', '0+500', 0.3, NULL, 'APROBADO', 1, 0),
  (4, 'E-04', '0+750', 30.0, 17.35, 'APROBADO', 12, 1),
  (5, 'E-05', '1+250', 3.0, NULL, 'OBSERVADO', 3, 2),
  (6, 'E-06', '1+500', 1.8, 1.8, 'EN_REVISION', 1, 0);
INSERT INTO calicatas (id, project_id, code, title, location, progresiva, easting, northing, altitude_m, depth_m, groundwater_depth_m, description, observations,
    status, side, excavation_method, start_date, end_date, logged_by, reviewed_by, water_status, created_at, updated_at, sync_state)
  SELECT printf('e0000000-0000-4000-8000-0000000001%02d', n), 'e0000000-0000-4000-8000-000000000001', pit.code,
    CASE rich WHEN 0 THEN pit.code ELSE l.name END, CASE rich WHEN 2 THEN l.client END, chainage,
    CASE WHEN n > 1 THEN 294000 + 250 * n END, CASE WHEN n > 1 THEN 8713000 + 40 * n END, CASE WHEN n > 1 THEN 900 + 7 * n END, depth, water,
    CASE rich WHEN 2 THEN l.soil END, CASE rich WHEN 2 THEN l.soil || l.soil || l.soil || l.name END,
    state, CASE WHEN n > 1 THEN 'DERECHO' END, CASE WHEN n > 1 THEN 'MANUAL' END, CASE WHEN n > 1 THEN '2025-03-03' END, CASE WHEN n > 1 THEN '2025-03-04' END,
    CASE WHEN n > 1 THEN c.logged_by END, CASE WHEN n > 1 THEN c.reviewed_by END, CASE WHEN water IS NULL AND n > 1 THEN 'dry' WHEN water IS NOT NULL THEN 'found' END,
    c.created_at, c.updated_at, 'synced'
  FROM pit, long l, (SELECT * FROM calicatas WHERE code = 'C-01' AND reviewed_by IS NOT NULL ORDER BY id LIMIT 1) c;
WITH RECURSIVE number(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 40)
INSERT INTO calicata_cortes (id, calicata_id, number, depth_from_m, depth_to_m, description, sucs, aashto, color, moisture, compactness, gravel_pct, sand_pct,
    fines_pct, liquid_limit, plastic_limit, plasticity_index, moisture_pct, sample_code, sample_depth_m, created_at, updated_at, sync_state)
  SELECT printf('e0000000-0000-4000-8000-00000002%02d%02d', pit.n, number.n), printf('e0000000-0000-4000-8000-0000000001%02d', pit.n), number.n,
    round(depth * (number.n - 1) / strata, 3), round(depth * number.n / strata, 3),
    CASE WHEN rich = 2 THEN l.soil || l.soil WHEN rich = 1 AND number.n % 5 = 1 THEN l.soil WHEN rich = 1 THEN 'Arena limosa, húmeda' END,
    CASE WHEN rich > 0 THEN substr('GP-GMSC-SMSW-SMCL-MLGW-GC', 1 + 5 * (number.n % 5), 5) ELSE 'SM' END,
    CASE WHEN rich > 0 THEN 'A-2-4(0)' END, NULL, NULL, NULL,
    CASE WHEN rich > 0 THEN 38.4 END, CASE WHEN rich > 0 THEN 41.3 END, CASE WHEN rich > 0 THEN 20.3 END, CASE WHEN rich > 0 THEN 28 END,
    CASE WHEN rich > 0 THEN 19 END, CASE WHEN rich > 0 THEN 9 END, CASE WHEN rich > 0 THEN 12.5 END,
    CASE WHEN rich > 0 THEN 'M-' || number.n END, CASE WHEN rich > 0 THEN round(depth * (number.n - 0.5) / strata, 3) END, '2025-03-03T15:00:00Z', '2025-03-03T15:00:00Z', 'synced'
  FROM pit JOIN number ON number.n <= strata, long l;
-- Twelve photos of one pit, with captions of 200 letters; one photo without anything of another.
INSERT INTO calicata_photos (id, calicata_id, entity_type, kind, filename, storage_path, local_path, mime_type, bytes, sha256, width_px, height_px,
    latitude, longitude, depth_m, taken_at, author, caption, created_at, updated_at, sync_state)
  SELECT printf('e0000000-0000-4000-8000-0000000003%02d', n), 'e0000000-0000-4000-8000-000000000105', 'calicatas', kind, n || '-' || filename, storage_path || n,
    local_path, mime_type, bytes, sha256, width_px, height_px, -11.6 - n / 1e4, -76.8, n / 4.0, printf('2025-03-03T1%d:17:47Z', n % 10), l.client, l.name, created_at, updated_at, 'synced'
  FROM (SELECT row_number() OVER (ORDER BY id) AS n, * FROM calicata_photos WHERE local_path IS NOT NULL LIMIT 12), long l;
INSERT INTO calicata_photos (id, calicata_id, entity_type, kind, filename, created_at, updated_at, sync_state)
  VALUES ('e0000000-0000-4000-8000-000000000399', 'e0000000-0000-4000-8000-000000000106', 'calicatas', 'pit', 'x.jpg', '2025-03-03T15:00:00Z', '2025-03-03T15:00:00Z', 'synced');
-- Samples: two in one stratum, forty of a pit, one with remarks of 200 letters, one of 0.30 m.
CREATE TEMP TABLE sample (n, pit, code, kind, top, bottom, rich);
WITH RECURSIVE number(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 40)
INSERT INTO sample SELECT n, 2, 'M-' || n, 'Mab', round(2.0 * (n - 1) / 40, 3), round(2.0 * n / 40, 3), 0 FROM number;
INSERT INTO sample VALUES
  (41, 3, 'M-1', 'Mab', 0.0, 0.3, 1), (42, 4, 'M-1', 'Mab', 0.2, 1.2, 0), (43, 4, 'M-2', 'Mib', 1.3, 1.6, 2), (44, 4, 'M-3', 'Mit', 29.0, 30.0, 0),
  (45, 5, 'M-1', 'Mac', 0.0, 3.0, 2), (46, 6, 'MAB-123A', NULL, 0.5, 0.51, 0);
INSERT INTO calicata_samples (id, calicata_id, code, kind, depth_from_m, depth_to_m, mass_kg, laboratory, remarks, created_at, updated_at, sync_state)
  SELECT printf('e0000000-0000-4000-8000-0000000004%02d', n), printf('e0000000-0000-4000-8000-0000000001%02d', pit), code, kind, top, bottom,
    CASE rich WHEN 2 THEN 1999.99 WHEN 1 THEN 0.01 END, CASE WHEN rich > 0 THEN substr(l.client, 1, 200) END, CASE rich WHEN 2 THEN substr(l.soil, 1, 200) END,
    '2025-03-03T15:00:00Z', '2025-03-03T15:00:00Z', 'synced'
  FROM sample, long l;
-- Results: not plastic, a liquid limit of 180, nothing and all that passes, no limits at all, and
-- one of which only the sample is known.
INSERT INTO calicata_lab_results (id, calicata_id, sample_id, laboratory, report_number, tested_at, passing_75_mm, passing_19_mm, passing_4_75_mm, passing_2_mm,
    passing_0_425_mm, passing_0_075_mm, liquid_limit, plastic_limit, plasticity_index, non_plastic, organic, moisture_pct, specific_gravity, sucs, aashto, group_index,
    max_dry_density, optimum_moisture_pct, cbr_95_pct, cbr_100_pct, swell_pct, remarks, created_at, updated_at, sync_state)
  SELECT printf('e0000000-0000-4000-8000-0000000005%02d', n), printf('e0000000-0000-4000-8000-0000000001%02d', pit), printf('e0000000-0000-4000-8000-0000000004%02d', n),
    CASE WHEN rich > 0 THEN substr(l.client, 1, 200) END, CASE WHEN n = 46 THEN NULL WHEN rich = 2 THEN substr(upper(l.name), 1, 60) ELSE 'L-' || n END,
    CASE WHEN n < 46 THEN '2025-03-20' END, CASE WHEN n < 46 THEN 100.0 END, CASE WHEN n < 46 THEN 100.0 END,
    CASE n WHEN 42 THEN 100.0 WHEN 43 THEN 0.0 WHEN 46 THEN NULL ELSE 88.8 END, CASE n WHEN 42 THEN 100.0 WHEN 43 THEN 0.0 WHEN 46 THEN NULL ELSE 77.7 END,
    CASE n WHEN 42 THEN 100.0 WHEN 43 THEN 0.0 WHEN 46 THEN NULL ELSE 55.5 END, CASE n WHEN 42 THEN 100.0 WHEN 43 THEN 0.0 WHEN 46 THEN NULL ELSE 22.2 END,
    CASE WHEN n = 42 THEN 180.0 WHEN n % 3 = 1 THEN 38.0 END, CASE WHEN n = 42 THEN 80.0 WHEN n % 3 = 1 THEN 19.0 END, CASE WHEN n = 42 THEN 100.0 WHEN n % 3 = 1 THEN 19.0 END,
    CASE WHEN n < 46 THEN n % 3 = 0 AND n <> 42 END, n = 42, CASE WHEN n < 46 THEN CASE n WHEN 42 THEN 900.0 ELSE 12.3 END END, CASE WHEN rich > 0 THEN 2.655 END,
    CASE n WHEN 42 THEN 'OH' WHEN 43 THEN 'GP' WHEN 46 THEN NULL ELSE 'SC-SM' END, CASE n WHEN 42 THEN 'A-7-5' WHEN 43 THEN 'A-1-a' WHEN 46 THEN NULL ELSE 'A-2-4' END,
    CASE n WHEN 42 THEN 130 WHEN 46 THEN NULL ELSE 0 END, CASE WHEN rich > 0 THEN 2.999 END, CASE WHEN rich > 0 THEN 99.9 END, CASE WHEN rich > 0 THEN 0.1 END,
    CASE WHEN rich > 0 THEN 300.0 END, CASE WHEN rich > 0 THEN 0.01 END, CASE rich WHEN 2 THEN l.soil END, '2025-03-20T15:00:00Z', '2025-03-20T15:00:00Z', 'synced'
  FROM sample, long l;
-- Thirty readings of the water of one pit; forty tests of another: DPL every 0.10 m, SPT with
-- refusal, densities; one test in the pit of 0.30 m.
WITH RECURSIVE number(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 30)
INSERT INTO calicata_water_readings (id, calicata_id, read_at, water_status, depth_m, remarks, created_at, updated_at, sync_state)
  SELECT printf('e0000000-0000-4000-8000-0000000006%02d', n), 'e0000000-0000-4000-8000-000000000104', printf('2025-03-%02dT15:00:00Z', n),
    CASE n % 7 WHEN 0 THEN 'dry' ELSE 'found' END, CASE n % 7 WHEN 0 THEN NULL ELSE 17 + n / 40.0 END, CASE WHEN n % 10 = 1 THEN substr(l.name, 1, 200) END,
    '2025-03-03T15:00:00Z', '2025-03-03T15:00:00Z', 'synced'
  FROM number, long l;
WITH RECURSIVE number(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 41)
INSERT INTO calicata_field_tests (id, calicata_id, kind, depth_from_m, depth_to_m, blows, n_value, refusal, wet_density, dry_density, moisture_pct, compaction_pct,
    tested_at, remarks, created_at, updated_at, sync_state)
  SELECT printf('e0000000-0000-4000-8000-0000000007%02d', n), printf('e0000000-0000-4000-8000-0000000001%02d', CASE n WHEN 41 THEN 3 ELSE 5 END),
    CASE WHEN n <= 30 THEN 'DPL' WHEN n <= 35 THEN 'SPT' ELSE 'densidad' END,
    CASE WHEN n <= 30 THEN round((n - 1) / 10.0, 2) WHEN n <= 35 THEN round((n - 31) * 0.6, 2) WHEN n = 41 THEN 0.0 ELSE round((n - 36) * 0.7, 2) END,
    CASE WHEN n <= 30 THEN round(n / 10.0, 2) WHEN n <= 35 THEN round((n - 31) * 0.6 + 0.45, 2) WHEN n = 41 THEN 0.3 END,
    CASE WHEN n <= 30 THEN n * 3 END, CASE WHEN n BETWEEN 31 AND 35 THEN (n - 30) * 40 END, CASE WHEN n <= 35 THEN n = 35 END,
    CASE WHEN n > 35 THEN 2.999 END, CASE WHEN n > 35 THEN 2.888 END, CASE WHEN n > 35 THEN 3.8 END, CASE WHEN n > 35 THEN 100.0 END,
    '2025-03-04', CASE WHEN n % 10 = 1 THEN substr(l.name, 1, 200) END, '2025-03-04T15:00:00Z', '2025-03-04T15:00:00Z', 'synced'
  FROM number, long l;
DROP TABLE temp.sample;
DROP TABLE temp.long;
DROP TABLE temp.pit;
COMMIT;
