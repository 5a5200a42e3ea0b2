-- Samples of the strata, a laboratory's results, readings of the water and field tests for the pits of bench_data.sql, with
-- pits 250 m apart, for the reports that show them.
BEGIN;
UPDATE calicatas SET progresiva = printf('%d+%03d', number * 250 / 1000, number * 250 % 1000), altitude_m = 100 + abs(number % 60 - 30)
FROM (SELECT id AS pit, row_number() OVER (ORDER BY id) - 1 AS number FROM calicatas) WHERE id = pit;
UPDATE projects SET road_class = 'CARRETERA_2';

INSERT INTO calicata_samples (id, calicata_id, corte_id, code, kind, depth_from_m, depth_to_m, mass_kg, taken_at, laboratory, sync_state, content_stamp)
SELECT replace(id, '-a000-', '-c000-'), calicata_id, id, printf('M-%d', number), 'Mab', depth_from_m + 0.1, depth_to_m - 0.1, 40, '2025-05-11T15:00:00Z',
       'Laboratorio de prueba', 'synced', 1
FROM calicata_cortes WHERE number <= 3;

INSERT INTO calicata_lab_results (id, calicata_id, sample_id, laboratory, report_number, tested_at, passing_75_mm, passing_19_mm, passing_9_5_mm,
                                  passing_4_75_mm, passing_2_mm, passing_0_425_mm, passing_0_15_mm, passing_0_075_mm, liquid_limit, plastic_limit,
                                  plasticity_index, non_plastic, moisture_pct, sucs, aashto, group_index, cbr_95_pct, sync_state, content_stamp)
SELECT replace(s.id, '-c000-', '-d000-'), s.calicata_id, s.id, 'Laboratorio de prueba', printf('L-%06d', row_number() OVER (ORDER BY s.id)), '2025-05-20',
       100, 97, 93, 100 - k.gravel_pct, (100 - k.gravel_pct) * 0.3 + k.fines_pct * 0.7, (100 - k.gravel_pct) * 0.15 + k.fines_pct * 0.85,
       k.fines_pct + 2, k.fines_pct, k.liquid_limit, k.plastic_limit, k.plasticity_index, k.liquid_limit IS NULL, 8.5, k.sucs, k.aashto, 0,
       CASE k.number WHEN 1 THEN 22.5 END, 'synced', 1
FROM calicata_samples s JOIN calicata_cortes k ON k.id = s.corte_id;

WITH RECURSIVE reading(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM reading WHERE n < 1)
INSERT INTO calicata_water_readings (id, calicata_id, read_at, water_status, depth_m, sync_state, content_stamp)
SELECT printf('%s-e%03d-%s', substr(c.id, 1, 18), n, substr(c.id, 25)), c.id, printf('2025-05-1%dT15:00:00Z', n + 1), c.water_status, c.groundwater_depth_m, 'synced', 1
FROM calicatas c, reading;

WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 5)
INSERT INTO calicata_field_tests (id, calicata_id, kind, depth_from_m, depth_to_m, blows, tested_at, sync_state, content_stamp)
SELECT printf('%s-f%03d-%s', substr(c.id, 1, 18), n, substr(c.id, 25)), c.id, 'DPL', n * 0.1, n * 0.1 + 0.1, 5 + n * 3, '2025-05-11', 'synced', 1
FROM calicatas c, step;
COMMIT;
