-- Fills a new Anagrafica replica with :rows instances of two families, one in list form and one in JSON Schema, each with eight
-- parameters of the instance, all of them given and sound.
BEGIN;
INSERT INTO projects (id, name, state, sync_state, content_stamp)
VALUES ('00000000-0000-7000-8000-000000000001', 'Banco di prova', 'Active', 'synced', 1);
INSERT INTO project_members (id, project_id, profile_id, role, sync_state, content_stamp)
SELECT '00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-000000000001', id, 'UFFICIO', 'synced', 1 FROM profiles LIMIT 1;
INSERT INTO levels (id, project_id, name, number, sync_state, content_stamp)
VALUES ('00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000001', 'Piano 1', 0, 'synced', 1);
INSERT INTO rooms (id, level_id, name, number, lifecycle_state, sync_state, content_stamp)
VALUES ('00000000-0000-7000-8000-000000000004', '00000000-0000-7000-8000-000000000003', 'Sala', '0001', 'Complete', 'synced', 1);
INSERT INTO families (id, project_id, name, parameter_schema, photo_min, photo_max, sync_state, content_stamp)
VALUES ('00000000-0000-7000-8000-000000000010', '00000000-0000-7000-8000-000000000001', 'Lista',
        '[{"key":"mounting","label":{"it":"Montaggio","en":"Mounting"},"type":"enum","scope":"instance","required":true,"options":["ceiling","wall","recessed"]},
          {"key":"height","type":"decimal","scope":"instance","unit":"m","min":2,"max":12,"step":0.05,"requiredWhen":"mounting = ''ceiling''"},
          {"key":"working","type":"boolean","scope":"instance","required":true},
          {"key":"condition","type":"enum","scope":"instance","required":true,"options":["nuovo","buono","usurato","danneggiato"]},
          {"key":"serial","type":"text","scope":"instance","required":true,"minLength":6,"maxLength":14,"pattern":"EST[0-9]{6}"},
          {"key":"checked","type":"date","scope":"instance"},
          {"key":"count","type":"integer","scope":"instance","min":1,"max":400},
          {"key":"tags","type":"list","scope":"instance","options":["a","b","c"]},
          {"key":"maker","type":"text","scope":"type","required":true},{"key":"power","type":"decimal","scope":"type","min":0.5,"max":400}]',
        0, 5, 'synced', 1),
       ('00000000-0000-7000-8000-000000000011', '00000000-0000-7000-8000-000000000001', 'JSON Schema',
        '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","required":["mounting","working","condition","serial","maker"],
          "additionalProperties":false,"properties":{
          "mounting":{"title":"Montaggio","enum":["ceiling","wall","recessed"]},
          "height":{"type":"number","x-unit":"m","minimum":2,"maximum":12,"multipleOf":0.05},
          "working":{"type":"boolean"},"condition":{"$ref":"#/$defs/condition"},
          "serial":{"type":"string","minLength":6,"maxLength":14,"pattern":"^EST[0-9]{6}$"},"checked":{"type":"string","format":"date"},
          "count":{"type":"integer","minimum":1,"maximum":400},"tags":{"type":"array","items":{"enum":["a","b","c"]},"uniqueItems":true},
          "maker":{"type":"string","x-scope":"type"},"power":{"type":"number","x-scope":"type","minimum":0.5,"maximum":400}},
          "$defs":{"condition":{"enum":["nuovo","buono","usurato","danneggiato"]}}}',
        0, 5, 'synced', 1);
INSERT INTO types (id, family_id, name, parameters, sync_state, content_stamp)
VALUES ('00000000-0000-7000-8000-000000000020', '00000000-0000-7000-8000-000000000010', 'Tipo A', '{"maker":"ACME","power":30}', 'synced', 1),
       ('00000000-0000-7000-8000-000000000021', '00000000-0000-7000-8000-000000000011', 'Tipo B', '{"maker":"ACME","power":30}', 'synced', 1);
WITH RECURSIVE asset(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM asset WHERE n < :rows)
INSERT INTO instances (id, type_id, room_id, plan_point, parameters, photo_ids, created_at, sync_state, content_stamp)
SELECT printf('00000000-0000-7000-9000-%012x', n), printf('00000000-0000-7000-8000-00000000002%d', n % 2),
       '00000000-0000-7000-8000-000000000004', '[1.5,2.5]',
       printf('{"mounting":"%s","height":%d.%02d,"working":%s,"condition":"buono","serial":"EST%06d","checked":"2026-0%d-1%d","count":%d,"tags":["a","%s"]}',
              CASE n % 3 WHEN 0 THEN 'ceiling' WHEN 1 THEN 'wall' ELSE 'recessed' END, 2 + n % 9, n % 20 * 5,
              CASE n % 7 WHEN 0 THEN 'false' ELSE 'true' END, n % 1000000, 1 + n % 9, n % 10, 1 + n % 400, CASE n % 2 WHEN 0 THEN 'b' ELSE 'c' END),
       '[]', '2026-05-11T15:00:00Z', 'synced', 1
FROM asset;
COMMIT;
