PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "cortes" (
  "code" TEXT, -- Code
  "strata" INTEGER, -- Strata
  "depth_m" REAL, -- Depth_M (m)
  "is_wet" INTEGER, -- Is_Wet
  "end_date" TEXT, -- End_Date
  "at_time" TEXT, -- At_Time
  "created_at" TEXT, -- Created_At
  "storage_path" TEXT, -- Storage_Path
  "description" TEXT -- Description
);
INSERT INTO cortes VALUES('C-01',3,-12.5,1,'2025-12-31','07:30','2026-01-01T03:04:05Z','photos/c 01.jpg',replace('Arcilla, "gris"; húmeda\nfirme','\n',char(10)));
INSERT INTO cortes VALUES('-C',NULL,NULL,0,NULL,NULL,NULL,NULL,'');
INSERT INTO cortes VALUES(' espacio ',-7,1.0e+21,NULL,'2025-02-30','25:00','ayer','x','=HYPERLINK("http://example.com")');
INSERT INTO cortes VALUES('a�b',9223372036854775807,0.10000000000000000555,2,'0000-01-01','23:59:59','2024-02-29T23:59:59.123456Z','<&>','１＝2 → 日本 🪨');
CREATE TABLE IF NOT EXISTS "proyectos" (
  "code" TEXT, -- Code
  "id" TEXT PRIMARY KEY -- Id
);
INSERT INTO proyectos VALUES('PE-1','p1');
INSERT INTO proyectos VALUES('PE-2','p2');
CREATE TABLE IF NOT EXISTS "calicatas" (
  "project_code" TEXT, -- Project_Code
  "depth_m" REAL, -- Depth_M (m)
  "id" TEXT PRIMARY KEY -- Id
);
INSERT INTO calicatas VALUES('PE-1',1.5,'c1');
INSERT INTO calicatas VALUES(NULL,NULL,'c2');
CREATE TABLE IF NOT EXISTS "cortes-2" (
  "project_code" TEXT, -- Project_Code
  "number" INTEGER, -- Number
  "id" TEXT PRIMARY KEY, -- Id
  "calicata_id" TEXT REFERENCES "calicatas" ("id"), -- Calicata_Id
  "logged_by" TEXT -- Logged_By
);
INSERT INTO "cortes-2" VALUES('PE-1',1,'s1','c1','x');
INSERT INTO "cortes-2" VALUES('PE-1',2,'s2','c1',NULL);
CREATE TABLE IF NOT EXISTS "about" (
  "name" TEXT,
  "label" TEXT,
  "value" TEXT
);
INSERT INTO about VALUES('title','','Calicatas – Túnel Pasco');
INSERT INTO about VALUES('subtitle','','Registros al 31/01/2026');
INSERT INTO about VALUES('environment_banner','','DEV');
INSERT INTO about VALUES('draft_banner','','BORRADOR');
INSERT INTO about VALUES('actor','Hecho por','Ana Quispe <ana@example.pe>');
INSERT INTO about VALUES('filter','Filtro','=depth_m >= 1.5');
INSERT INTO about VALUES('left_out/1','Motivo','Sin sincronizar');
INSERT INTO about VALUES('left_out/1','Cantidad','2');
INSERT INTO about VALUES('left_out/1','Detalle','"pendiente"; error');
INSERT INTO about VALUES('left_out/1','Código','sync-state');
CREATE TABLE IF NOT EXISTS "tables" (
  "name" TEXT,
  "title" TEXT,
  "rows" INTEGER
);
INSERT INTO tables VALUES('cortes','Cortes',4);
INSERT INTO tables VALUES('proyectos','Proyectos',2);
INSERT INTO tables VALUES('calicatas','Calicatas',2);
INSERT INTO tables VALUES('cortes-2','Cortes',2);
CREATE TABLE IF NOT EXISTS "fields" (
  "table_name" TEXT,
  "position" INTEGER,
  "name" TEXT,
  "label" TEXT,
  "unit" TEXT,
  "kind" TEXT,
  "options" TEXT
);
INSERT INTO fields VALUES('cortes',1,'code','Code',NULL,'text',NULL);
INSERT INTO fields VALUES('cortes',2,'strata','Strata',NULL,'integer',NULL);
INSERT INTO fields VALUES('cortes',3,'depth_m','Depth_M','m','decimal',NULL);
INSERT INTO fields VALUES('cortes',4,'is_wet','Is_Wet',NULL,'boolean',NULL);
INSERT INTO fields VALUES('cortes',5,'end_date','End_Date',NULL,'date',NULL);
INSERT INTO fields VALUES('cortes',6,'at_time','At_Time',NULL,'time',NULL);
INSERT INTO fields VALUES('cortes',7,'created_at','Created_At',NULL,'datetime',NULL);
INSERT INTO fields VALUES('cortes',8,'storage_path','Storage_Path',NULL,'link',NULL);
INSERT INTO fields VALUES('cortes',9,'description','Description',NULL,'text',NULL);
INSERT INTO fields VALUES('proyectos',1,'code','Code',NULL,'text',NULL);
INSERT INTO fields VALUES('proyectos',2,'id','Id',NULL,'text',NULL);
INSERT INTO fields VALUES('calicatas',1,'project_code','Project_Code',NULL,'text',NULL);
INSERT INTO fields VALUES('calicatas',2,'depth_m','Depth_M','m','decimal',NULL);
INSERT INTO fields VALUES('calicatas',3,'id','Id',NULL,'text',NULL);
INSERT INTO fields VALUES('cortes-2',1,'project_code','Project_Code',NULL,'text',NULL);
INSERT INTO fields VALUES('cortes-2',2,'number','Number',NULL,'integer',NULL);
INSERT INTO fields VALUES('cortes-2',3,'id','Id',NULL,'text',NULL);
INSERT INTO fields VALUES('cortes-2',4,'calicata_id','Calicata_Id',NULL,'text',NULL);
INSERT INTO fields VALUES('cortes-2',5,'logged_by','Logged_By',NULL,'text',NULL);
CREATE VIEW "calicatas_proyectos" AS SELECT a."project_code", a."depth_m", a."id", b."code" AS "proyectos_code", b."id" AS "proyectos_id"
FROM "calicatas" AS a LEFT JOIN "proyectos" AS b ON b."code" = a."project_code";
CREATE VIEW "cortes-2_proyectos" AS SELECT a."project_code", a."number", a."id", a."calicata_id", a."logged_by", b."code" AS "proyectos_code", b."id" AS "proyectos_id"
FROM "cortes-2" AS a LEFT JOIN "proyectos" AS b ON b."code" = a."project_code";
CREATE VIEW "cortes-2_calicatas" AS SELECT a."project_code", a."number", a."id", a."calicata_id", a."logged_by", b."project_code" AS "calicatas_project_code", b."depth_m" AS "calicatas_depth_m", b."id" AS "calicatas_id"
FROM "cortes-2" AS a LEFT JOIN "calicatas" AS b ON b."id" = a."calicata_id";
CREATE INDEX "proyectos_code" ON "proyectos" ("code");
CREATE INDEX "calicatas_project_code" ON "calicatas" ("project_code");
CREATE INDEX "cortes-2_project_code" ON "cortes-2" ("project_code");
CREATE INDEX "cortes-2_calicata_id" ON "cortes-2" ("calicata_id");
COMMIT;