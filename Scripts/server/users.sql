-- Test users of a local server: one for most roles of the system, and a project for them.
-- The variable `system` says which system it is.
SELECT :'system' = 'ingeplus' AS is_ingeplus \gset
\if :is_ingeplus
INSERT INTO profiles (id, email, full_name, role, status) VALUES
    ('00000000-0000-4000-8000-000000000001', 'admin@example.pe', 'Administración', 'ADMINISTRADOR_GENERAL', 'ACTIVO'),
    ('00000000-0000-4000-8000-000000000002', 'coordinadora@example.pe', 'Coordinación', 'COORDINADOR_PROYECTO', 'ACTIVO'),
    ('00000000-0000-4000-8000-000000000003', 'campo@example.pe', 'Campo', 'CAMPO', 'ACTIVO'),
    ('00000000-0000-4000-8000-000000000004', 'lector@example.pe', 'Lectura', 'LECTOR', 'ACTIVO'),
    ('00000000-0000-4000-8000-000000000005', 'excampo@example.pe', 'Antes en campo', 'CAMPO', 'INACTIVO');
INSERT INTO projects (id, code, name, status) VALUES
    ('10000000-0000-4000-8000-000000000001', 'PRUEBA-1', 'Proyecto de prueba', 'ACTIVO');
\else
INSERT INTO profiles (id, email, full_name, role, status) VALUES
    ('00000000-0000-4000-8000-000000000001', 'admin@example.it', 'Amministrazione', 'AMMINISTRATORE', 'ACTIVO'),
    ('00000000-0000-4000-8000-000000000002', 'ufficio@example.it', 'Ufficio', 'UFFICIO', 'ACTIVO'),
    ('00000000-0000-4000-8000-000000000003', 'operatore@example.it', 'Operatore', 'OPERATORE', 'ACTIVO'),
    ('00000000-0000-4000-8000-000000000004', 'lettore@example.it', 'Lettura', 'LETTORE', 'ACTIVO');
INSERT INTO projects (id, name, state) VALUES ('10000000-0000-4000-8000-000000000001', 'Edificio di prova', 'Draft');
\endif
INSERT INTO project_members (id, project_id, profile_id)
SELECT gen_random_uuid(), p.id, m.id FROM projects AS p CROSS JOIN profiles AS m WHERE m.email NOT LIKE 'admin@%';
