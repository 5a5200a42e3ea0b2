-- A building as nobody surveys it: rooms without anything and with sixty assets, names of 200
-- letters, twelve photos of a note, and a room without number, outline, and area.
PRAGMA foreign_keys = ON;
BEGIN;
CREATE TEMP TABLE long AS SELECT
  'Istituto comprensivo statale "Maria Montessori" – plesso della scuola secondaria di primo grado con palestra, auditorium e mensa, via della Repubblica e dei Caduti di tutte le guerre, Valdorsa Superiore' AS name,
  'f0000000-0000-4000-8000-000000000001' AS project;
INSERT INTO projects (id, name, state, schema_version_id, plan_version_id, org_id, client, address, created_at, updated_at, sync_state)
  SELECT l.project, l.name, p.state, p.schema_version_id, p.plan_version_id, p.org_id, l.name, l.name, p.created_at, p.updated_at, 'synced'
  FROM projects p, long l WHERE p.name LIKE 'Scuola%';
INSERT INTO project_members (id, project_id, profile_id, role, sync_state)
  SELECT printf('f0000000-0000-4000-8000-0000000000%02d', 10 + row_number() OVER (ORDER BY m.id)), l.project, m.profile_id, m.role, 'synced'
  FROM project_members m JOIN projects p ON p.id = m.project_id, long l WHERE p.name LIKE 'Scuola%';
INSERT INTO levels (id, project_id, name, number, building_name, origin_point, north_angle, boundary, sync_state)
  SELECT 'f0000000-0000-4000-8000-000000000101', l.project, l.name, 0, l.name, v.origin_point, v.north_angle, v.boundary, 'synced'
  FROM levels v JOIN projects p ON p.id = v.project_id, long l WHERE p.name LIKE 'Scuola%' AND v.number = 0;
INSERT INTO families (id, project_id, schema_version_id, name, icon_name, parameter_schema, photo_min, photo_max, sort_order, sync_state)
  SELECT 'f0000000-0000-4000-8000-000000000201', l.project, f.schema_version_id, l.name, f.icon_name, f.parameter_schema, f.photo_min, f.photo_max, 0, 'synced'
  FROM families f, long l WHERE f.name = 'Lighting' ORDER BY f.id LIMIT 1;
INSERT INTO types (id, family_id, name, parameters, created_at, sync_state)
  SELECT 'f0000000-0000-4000-8000-000000000301', 'f0000000-0000-4000-8000-000000000201', l.name,
    json_set(t.parameters, '$.model', substr(l.name, 1, 80)), t.created_at, 'synced'
  FROM types t, long l WHERE t.name = 'Lumora 30W wall light' ORDER BY t.id LIMIT 1;
CREATE TEMP TABLE room (n, number, polygon, area, assets, photos, is_long);
INSERT INTO room VALUES
  (1, NULL, NULL, NULL, 0, 0, 0),
  (2, '0002', '[[0.0,11.2],[14.2,11.2],[14.2,19.6],[0.0,19.6],[0.0,11.2]]', 119.28, 60, 12, 1),
  (3, '0003', '[[15.0,11.2],[15.4,11.2],[15.4,11.6],[15.0,11.6],[15.0,11.2]]', 0.16, 1, 0, 1);
INSERT INTO rooms (id, level_id, name, number, area, polygon, lifecycle_state, sync_state)
  SELECT printf('f0000000-0000-4000-8000-0000000004%02d', n), 'f0000000-0000-4000-8000-000000000101', CASE WHEN is_long THEN l.name ELSE 'Atrio' END, number, area, polygon,
    CASE WHEN n = 2 THEN 'Approved' ELSE 'Empty' END, 'synced'
  FROM room, long l;
WITH RECURSIVE number(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 60)
INSERT INTO instances (id, type_id, room_id, plan_point, plan_version_id, parameters, photo_ids, created_at, sync_state)
  SELECT printf('f0000000-0000-4000-8000-00000005%02d%02d', room.n, number.n), 'f0000000-0000-4000-8000-000000000301', printf('f0000000-0000-4000-8000-0000000004%02d', room.n),
    CASE WHEN number.n % 7 > 0 THEN json_array(round(1 + number.n % 10 * 1.3, 2), round(12 + number.n / 10 * 1.2, 2)) END, p.plan_version_id,
    json_object('mounting', 'ceiling', 'ceiling_height', 3.2, 'working', json('true'), 'condition', 'danneggiato', 'defect', l.name), '[]', p.created_at, 'synced'
  FROM room JOIN number ON number.n <= assets, projects p, long l WHERE p.id = l.project;
INSERT INTO photos (id, project_id, filename, filepath, upload_status, uploaded_at, size, sha256, width_px, height_px, taken_at, sync_state)
  SELECT printf('f0000000-0000-4000-8000-0000000006%02d', n), l.project, n || '-' || filename, filepath, upload_status, uploaded_at, size, sha256, width_px, height_px, taken_at, 'synced'
  FROM (SELECT row_number() OVER (ORDER BY id) AS n, * FROM photos WHERE filepath IS NOT NULL LIMIT 12), long l;
INSERT INTO room_notes (id, room_id, empty_room, room_is_blocked, description, main_photo, photos, created_at, sync_state)
  SELECT printf('f0000000-0000-4000-8000-0000000007%02d', room.n), printf('f0000000-0000-4000-8000-0000000004%02d', room.n), 0, 1, l.name || '. ' || l.name,
    'f0000000-0000-4000-8000-000000000601', (SELECT json_group_array(id) FROM photos WHERE id LIKE 'f0000000-%'), '2026-03-09T08:21:24.494Z', 'synced'
  FROM room, long l WHERE room.photos > 0;
DROP TABLE temp.long;
DROP TABLE temp.room;
COMMIT;
