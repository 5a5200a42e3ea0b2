-- Fills a new InGe+ replica with :pits calicatas and :rows cortes of one project: real-looking texts of the usual lengths.
-- Ids are made from running numbers, so that every run makes the same replica.
BEGIN;
INSERT INTO projects (id, code, name, client, location, status, utm_zone, datum, sync_state, content_stamp)
VALUES ('00000000-0000-7000-8000-000000000001', 'BENCH-01', 'Mejoramiento de la carretera de prueba', 'Cliente de prueba',
        'Tramo km 0+000 – km 400+000', 'ACTIVO', '18S', 'WGS84', 'synced', 1);
INSERT INTO project_members (id, project_id, profile_id, role, sync_state, content_stamp)
SELECT '00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-000000000001', id, role, 'synced', 1 FROM profiles LIMIT 1;

WITH RECURSIVE pit(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM pit WHERE n < :pits)
INSERT INTO calicatas (id, project_id, code, title, location, progresiva, side, easting, northing, altitude_m, depth_m,
                       groundwater_depth_m, water_status, description, status, start_date, end_date, created_at, updated_at,
                       sync_state, content_stamp)
SELECT printf('00000000-0000-7000-9000-%012x', n), '00000000-0000-7000-8000-000000000001', printf('C-%07d', n),
       printf('Calicata C-%07d', n), 'Margen de la vía, a 3 m del eje', printf('%d+%03d', n * 2 / 1000, n * 2 % 1000),
       CASE n % 3 WHEN 0 THEN 'IZQUIERDO' WHEN 1 THEN 'DERECHO' ELSE 'EJE' END,
       300000 + n % 450 * 20 + (n % 100) / 100.0, 8600000 + n / 450 % 450 * 20 + (n % 97) / 100.0, 100 + n % 3500 + (n % 10) / 10.0, 2.5,
       CASE n % 4 WHEN 0 THEN 1.8 END, CASE n % 4 WHEN 0 THEN 'found' ELSE 'dry' END,
       'Excavación a cielo abierto en terreno de cultivo; paredes estables.', 'APROBADO', '2025-05-10', '2025-05-11',
       '2025-05-11T15:00:00Z', '2025-05-12T15:00:00Z', 'synced', 1
FROM pit;

WITH RECURSIVE layer(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM layer WHERE n < :rows - 1)
INSERT INTO calicata_cortes (id, calicata_id, number, depth_from_m, depth_to_m, description, sucs, aashto, color, moisture,
                             consistency, compactness, plasticity, gravel_pct, sand_pct, fines_pct, liquid_limit, plastic_limit,
                             plasticity_index, moisture_pct, created_at, updated_at, sync_state, content_stamp)
SELECT printf('00000000-0000-7000-a000-%012x', n), printf('00000000-0000-7000-9000-%012x', n / 5 + 1), n % 5 + 1,
       (n % 5) * 0.5, (n % 5 + 1) * 0.5,
       CASE n % 4
           WHEN 0 THEN 'Arena limosa, color beige claro, seca, medianamente densa, con gravas subredondeadas de T.M. 1½" y raíces hasta 0.20 m.'
           WHEN 1 THEN 'Grava pobremente graduada con limo y arena, húmeda, densa, bolonería aislada de 6" a 8".'
           WHEN 2 THEN 'Arcilla de baja plasticidad, color marrón, húmeda, firme, sin olor.'
           ELSE 'Limo arenoso, color marrón claro, ligeramente húmedo, de consistencia firme.'
       END,
       CASE n % 4 WHEN 0 THEN 'SM' WHEN 1 THEN 'GP-GM' WHEN 2 THEN 'CL' ELSE 'ML' END,
       CASE n % 4 WHEN 0 THEN 'A-2-4' WHEN 1 THEN 'A-1-a' WHEN 2 THEN 'A-6' ELSE 'A-4' END,
       CASE n % 3 WHEN 0 THEN 'beige claro' WHEN 1 THEN 'marrón' ELSE 'gris' END,
       CASE n % 2 WHEN 0 THEN 'seco' ELSE 'húmedo' END,
       CASE WHEN n % 4 IN (2, 3) THEN 'firme' END, CASE n % 4 WHEN 0 THEN 'medianamente densa' WHEN 1 THEN 'densa' END,
       CASE n % 4 WHEN 2 THEN 'baja' ELSE 'nula' END,
       CASE n % 4 WHEN 0 THEN 15 WHEN 1 THEN 55 WHEN 2 THEN 2 ELSE 5 END, CASE n % 4 WHEN 0 THEN 60 WHEN 1 THEN 37 WHEN 2 THEN 28 ELSE 40 END,
       CASE n % 4 WHEN 0 THEN 25 WHEN 1 THEN 8 WHEN 2 THEN 70 ELSE 55 END,
       CASE n % 4 WHEN 2 THEN 32.5 END, CASE n % 4 WHEN 2 THEN 19.5 END, CASE n % 4 WHEN 2 THEN 13 END,
       4 + (n % 60) / 10.0, '2025-05-11T15:00:00Z', '2025-05-12T15:00:00Z', 'synced', 1
FROM layer;

-- A photo for each pit, taken where the pit is (around 304500 8604500 in zone 18S a plane is within metres of the projection),
-- so that validation has its usual work and finds nothing.
WITH RECURSIVE pit(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM pit WHERE n < :pits),
     spot(n, x, y) AS (SELECT n, n % 450 * 20 - 4500, n / 450 % 450 * 20 - 4500 FROM pit)
INSERT INTO calicata_photos (id, calicata_id, kind, filename, mime_type, bytes, latitude, longitude, taken_at, sync_state, content_stamp)
SELECT printf('00000000-0000-7000-b000-%012x', n), printf('00000000-0000-7000-9000-%012x', n), 'pit', printf('C-%07d.jpg', n),
       'image/jpeg', 41000, -12.617427544 + x * -6.188315e-08 + y * 9.038494e-06, -76.799830662 + x * 9.203128e-06 + y * 6.314702e-08,
       '2025-05-11T15:00:00Z', 'synced', 1
FROM spot;
COMMIT;
