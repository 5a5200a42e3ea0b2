"""Legacy data of InGe+: tables of the old PC software in FoxPro, and a database copied off a field device."""
import json
import sqlite3

from . import legacy_dbf, seeded

_STRATA = {
    "C-1": [
        (0.00, 0.30, "Relleno", None, None, "Material de relleno con raíces y desmonte."),
        (0.30, 1.10, "Arena limosa", "SM", "A-2-4(0)", "Arena limosa, color marrón claro, húmeda, medianamente densa."),
        (1.10, 2.00, "Grava mal graduada", "GP", "A-1-a(0)", "Grava mal graduada con arena; bolonería aislada, tamaño máximo 4\"."),
    ],
    "C-2": [
        (0.00, 0.45, "Arcilla", "CL", "A-6(9)", "Arcilla de baja plasticidad, color marrón oscuro, firme."),
        (0.45, 1.20, "Arcilla arenosa", "CL", "A-6(6)", "Arcilla arenosa, húmeda.\r\nPresencia de óxidos."),
        (1.20, 1.60, "Arena arcillosa", "SC", "A-2-6(1)", "Arena arcillosa, color beige."),
    ],
    "C-3": [
        (0.00, 0.25, "Suelo orgánico", "OL", "A-4(3)", "Cobertura vegetal."),
        (0.25, 0.90, "Limo", "ML", "A-4(5)", "Limo arenoso, color gris, seco."),
        (0.90, 1.50, "Arena fina", "SP", "A-3(0)", "Arena mal graduada, de grano fino."),
        (1.50, 2.10, "Arena fina", "SP-SM", "A-3(0)", "Arena mal graduada con limo; napa freática a 1.85 m."),
    ],
    "C-4": [
        (0.00, 0.60, "Grava limosa", "GM", "A-1-b(0)", "Grava limosa con arena, seca, densa."),
        (0.60, 1.35, "Roca", None, None, "Roca fracturada: no se pudo profundizar."),
    ],
    "C-5": [
        (0.00, 0.40, "Relleno", None, None, "Relleno de afirmado, e = 0.20 m; debajo desmonte."),
        (0.40, 0.85, "Arcilla", "CH", "A-7-6(28)", "Arcilla de alta plasticidad, color verdoso; olor a humedad."),
        (0.85, 1.40, "Arcilla", "CH", "A-7-6(30)", None),
        (1.40, 1.50, "Turba", "PT", "A-8", "Turba, color negro."),
    ],
    "C-6": [
        (0.00, 0.35, "Arena limosa", "SM", "A-2-4(0)", "Arena limosa, suelta."),
        (0.35, 1.00, "Arena limosa", "SM", "A-2-4(0)", "Ídem, húmeda; ±5 % de grava ½\"."),
        (1.00, 1.80, "Grava arcillosa", "GC", "A-2-6(0)", "Grava arcillosa, color rojizo."),
        (1.80, 2.40, "Grava arcillosa", "GC", "A-2-6(1)", "Ídem. Fin de la excavación."),
    ],
}


def build_foxpro(folder):
    """One project, six pits and twenty strata, and a pit that is marked as deleted; some values as old programs left them."""
    folder.mkdir(parents=True)
    legacy_dbf.write(
        folder, "OBRA",
        [("OBRA", "C", 10, 0), ("NOMBRE", "C", 80, 0), ("CLIENTE", "C", 40, 0), ("LUGAR", "C", 40, 0), ("FECINI", "D", 8, 0), ("OBS", "M", 10, 0)],
        [["SUL-2004", "Rehabilitación de la carretera Sullana - El Alamor, tramo km 0+000 al 5+000", "Provías Departamental", "Sullana, Piura",
          "20040906", "Estudio de suelos y canteras.\r\nCoordenadas UTM, zona 17, datum PSAD56; años después nadie lo anotó."]])
    pits = [
        # OBRA, CALICATA, PROG, LADO, ESTE, NORTE, COTA, PROF, NF, FECHA, SECO, OBS
        ["SUL-2004", "C-1", "0+250", "D", 534210.5, 9458830.2, 68.4, 2.00, None, "20040913", True, "Calicata junto al badén."],
        ["SUL-2004", "C-2", "1+000", "I", 534890.0, 9459142.7, 71.05, 1.60, None, "20040913", True, None],
        ["SUL-2004", "C-3", "1+750", "D", 535512.3, 9459560.9, 66.2, 2.10, 1.85, "20040914", False, "Napa freática a 1.85 m; pared inestable."],
        ["SUL-2004", "C-4", "2+500", "I", 536104.8, 9460021.4, 80.9, 1.35, None, "20040914", True, "Rechazo en roca a 1.35 m."],
        ["SUL-2004", "C-5", "3+260", "D", 536790.1, 9460398.0, None, 1.50, None, None, None, "Sin nivelación. El operador no anotó si había agua."],
        ["SUL-2004", "C-9", "9+999", "D", 0, 0, 0, 0, None, "20040101", False, "prueba"],
        ["SUL-2004", "C-6", "4+100", "I", 537433.6, 9460911.5, 74.7, 2.40, 2.15, "20040915", False, "Mañana con llovizna; ½ jornada."],
    ]
    legacy_dbf.write(
        folder, "CALICATA",
        [("OBRA", "C", 10, 0), ("CALICATA", "C", 8, 0), ("PROG", "C", 10, 0), ("LADO", "C", 1, 0), ("ESTE", "N", 11, 2), ("NORTE", "N", 12, 2),
         ("COTA", "N", 8, 2), ("PROF", "N", 5, 2), ("NF", "N", 5, 2), ("FECHA", "D", 8, 0), ("SECO", "L", 1, 0), ("OBS", "M", 10, 0)],
        pits, deleted={5})
    strata = [
        ["SUL-2004", pit, number, top, base, name, symbol, group, text]
        for pit, layers in _STRATA.items() for number, (top, base, name, symbol, group, text) in enumerate(layers, start=1)
    ]
    legacy_dbf.write(
        folder, "ESTRATO",
        [("OBRA", "C", 10, 0), ("CALICATA", "C", 8, 0), ("NUM", "N", 2, 0), ("DESDE", "N", 5, 2), ("HASTA", "N", 5, 2), ("MATERIAL", "C", 30, 0),
         ("SUCS", "C", 8, 0), ("AASHTO", "C", 12, 0), ("DESCRIP", "M", 10, 0)],
        strata)


def build_device(path, survey):
    """A device's database: a project of the survey with some of its pits, new ones, changed ones, a queue and a conflict."""
    path.parent.mkdir(parents=True, exist_ok=True)
    projects = _rows(survey, "projects")
    project = next(row for row in projects if row["code"] == "CHU-2025")
    pits = [row for row in _rows(survey, "calicatas") if row["project_id"] == project["id"]][:6]
    profile = next(row for row in _rows(survey, "profiles") if row["id"] == pits[0]["created_by"])
    database = sqlite3.connect(path)
    database.execute("PRAGMA page_size = 4096")
    database.executescript(_SCHEMA)
    now = "2025-11-20T21:05:00Z"
    _insert(database, "LocalProfile", [[profile[key] for key in ("id", "email", "full_name", "role", "status")] + [now]])
    _insert(database, "LocalProject", [
        [project[key] for key in ("id", "code", "name", "client", "location", "status")] + ["always_synced", "2025-11-19T12:31:00Z"]])
    moment = seeded.instant("2025-11-20T14:00:00Z")
    rows, queue = [], []
    for number, (pit, state) in enumerate(zip(pits, ("synced", "synced", "pending_upload", "conflict", "error", "synced"), strict=True)):
        row = [pit[key] for key in _PIT_FIELDS]
        if state in ("pending_upload", "conflict", "error"):
            row[_PIT_FIELDS.index("observations")] = f"Revisado en campo el 20/11/2025 ({number})."
        rows.append(row + [2 if state != "synced" else 1, "2025-11-01T12:00:00Z", state])
        if state in ("pending_upload", "error"):
            queue.append(("UPDATE", pit["id"], 3 if state == "error" else 0, "HTTP 403: new row violates row-level security policy" if state == "error" else None))
    for number in (1, 2):
        identifier = seeded.uuid7(seeded.later(moment, minutes=number), "legacy device pit", number)
        at = seeded.stamp(seeded.later(moment, minutes=number))
        new = dict.fromkeys(_PIT_FIELDS) | {
            "id": identifier, "project_id": project["id"], "code": f"C-9{number}", "title": f"Calicata C-9{number}, km 11+{number}50",
            "progresiva": f"11+{number}50", "easting": 602100.5 + number, "northing": 9444800.25, "depth_m": 1.5, "status": "BORRADOR",
            "created_by": profile["id"], "created_at": at, "updated_at": at,
        }
        rows.append([new[key] for key in _PIT_FIELDS] + [1, None, "local_only"])
        queue.append(("INSERT", identifier, 0, None))
    _insert(database, "LocalCalicata", rows)
    root = seeded.uuid7(moment, "legacy device node")
    _insert(database, "LocalDocumentNode", [
        [root, project["id"], None, "Campo noviembre 2025", "folder", None, None, "local_only"],
        [seeded.uuid7(moment, "legacy device file"), project["id"], root, "croquis C-91.jpg", "file", None, "files/croquis-c91.jpg", "pending_upload"],
    ])
    _insert(database, "LocalFile", [
        [seeded.uuid7(moment, "legacy device photo", number), "calicatas", rows[-number][0], f"files/foto-{number}.jpg", None,
         json.dumps({"lat": -5.0921 - number / 1000, "lon": -80.1520, "accuracy": 4.1}), "image/jpeg", "pending_upload"]
        for number in (1, 2)
    ])
    _insert(database, "SyncQueueItem", [
        [seeded.uuid7(moment, "legacy device queue", number), operation, "calicatas", identifier, json.dumps({"id": identifier}), retries, error, now]
        for number, (operation, identifier, retries, error) in enumerate(queue)
    ])
    local = dict(zip(_PIT_FIELDS, rows[3]))
    _insert(database, "LocalConflict", [
        ["calicatas", pits[3]["id"], json.dumps(local, ensure_ascii=False), json.dumps({key: pits[3][key] for key in _PIT_FIELDS}, ensure_ascii=False),
         now, "PENDING"]])
    database.commit()
    database.execute("VACUUM")
    database.close()


_PIT_FIELDS = (
    "id", "project_id", "code", "title", "location", "progresiva", "easting", "northing", "altitude_m", "depth_m", "groundwater_depth_m",
    "description", "observations", "status", "created_by", "created_at", "updated_at",
)

_SCHEMA = """
CREATE TABLE LocalProfile (id TEXT PRIMARY KEY, email TEXT, full_name TEXT, role TEXT, status TEXT, cachedAt TEXT);
CREATE TABLE LocalProject (id TEXT PRIMARY KEY, code TEXT, name TEXT, client TEXT, location TEXT, status TEXT, syncMode TEXT, lastSyncedAt TEXT);
CREATE TABLE LocalCalicata (id TEXT PRIMARY KEY, project_id TEXT, code TEXT, title TEXT, location TEXT, progresiva TEXT, easting REAL,
  northing REAL, altitude_m REAL, depth_m REAL, groundwater_depth_m REAL, description TEXT, observations TEXT, status TEXT, created_by TEXT,
  created_at TEXT, updated_at TEXT, localVersion INTEGER, remoteUpdatedAt TEXT, syncStatus TEXT);
CREATE TABLE LocalDocumentNode (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, name TEXT, type TEXT, storagePath TEXT, localPath TEXT,
  syncStatus TEXT);
CREATE TABLE LocalFile (id TEXT PRIMARY KEY, entityType TEXT, entityId TEXT, localPath TEXT, storagePath TEXT, gpsJson TEXT, mimeType TEXT,
  syncStatus TEXT);
CREATE TABLE SyncQueueItem (id TEXT PRIMARY KEY, operation TEXT, entityType TEXT, entityId TEXT, payloadJson TEXT, retryCount INTEGER,
  lastError TEXT, createdAt TEXT);
CREATE TABLE LocalConflict (entityType TEXT, entityId TEXT, localPayload TEXT, remotePayload TEXT, detectedAt TEXT, resolutionStatus TEXT);
"""


def _rows(survey, name):
    return json.loads((survey / f"data/{name}.json").read_text("utf-8"))


def _insert(database, table, rows):
    for row in rows:
        database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def write_readme(folder):
    (folder / "README.md").write_text(_README, "utf-8")


_README = """# Legacy data of InGe+

Made by `Scripts/make-samples`; do not edit. Everything is invented.

## access/

`calicatas.mdb`, Access 2000 (Jet 4): two projects, six pits, thirteen strata, tied by autonumbers (`Calicatas.IdProyecto`,
`Estratos.IdCalicata`), with the relations in MSysRelationships and a primary key on each `Id`. Memos stand in their rows, on pages of
their own, and one (7070 characters) on several. `expected.json` beside it tells what must come of it.

No program on a plain Debian writes such a file: `Scripts/samples/access_file.py` does, page by page, after what mdbtools' document HACKING
tells of the format. `mdb-tables`, `mdb-schema`, `mdb-count` and `mdb-export` read it. Access itself was not tried and would miss its
table of rights (MSysACEs).

| table | columns |
| --- | --- |
| Proyectos | Id, Codigo, Nombre, Cliente, Ubicación, Zona, FechaInicio, Observaciones (memo), Concluido (yes/no) |
| Calicatas | Id, IdProyecto, Código, Progresiva, Lado, Este, Norte, Cota (double), Profundidad, NivelFreático (decimal), Seca (yes/no), Fecha, Método, Observaciones (memo) |
| Estratos | Id, IdCalicata, Nº (byte), Desde, Hasta (decimal), SUCS, AASHTO, Descripción (memo), Relleno (yes/no) |
| Usuarios | Id, Nombre, Clave: nothing that comes in |

## foxpro/

Three tables of the old PC software: FoxPro 2 (`.DBF` with memos in `.FPT`), texts in CP850 (language driver 2). One project, six pits (a
seventh is marked as deleted), twenty strata. They know no ids: `OBRA` and `CALICATA` tie them together.

| table | column | what |
| --- | --- | --- |
| OBRA | OBRA, NOMBRE, CLIENTE, LUGAR | code, name, client and place of the project |
| | FECINI, OBS (memo) | first day, remarks |
| CALICATA | OBRA, CALICATA | code of the project, of the pit |
| | PROG, LADO | chainage `1+750`, side: `D` right, `I` left |
| | ESTE, NORTE, COTA | UTM easting and northing, altitude, in metres; COTA may be blank |
| | PROF, NF | depth, depth of groundwater in metres; NF blank where there is none or nobody measured |
| | FECHA, SECO, OBS (memo) | day; whether the pit was dry (blank: not written down); remarks |
| ESTRATO | OBRA, CALICATA, NUM | code of the project, of the pit, number of the stratum from the top |
| | DESDE, HASTA | top and base in metres |
| | MATERIAL, SUCS, AASHTO, DESCRIP (memo) | short name, USCS symbol, AASHTO group, description |

## registros/

Six pits and their strata as different programs leave them, one project a file (`expected.json`: rows by table).

| file | project | what |
| --- | --- | --- |
| registro-legado.xlsx | SAM-2011 | a sheet of pits, one of strata, titles above, a sum below, a hidden sheet; days are days |
| registro-legado.xls | SAM-2010 | the same as Excel 97 (BIFF8), days as text |
| registro-plano.csv | SAM-2013 | one line a stratum; Windows-1252, semicolons, decimal commas; one depth is a word |
| registro-web.xls | SAM-2014 | a page of HTML that calls itself .xls |
| registro.xml | SAM-2015 | works around pits around strata, ISO 8859-1, a namespace |
| formulario-kobo.jsonl | SAM-2016 | submissions of a form of KoboToolbox, one a line, strata as repeats |

## laboratorio/

`resultados.xlsx` (mapping `resultados-laboratorio`), as a laboratory sends it: the results of eight samples of project CHU-2025 of
`ingeplus/survey`, a sample a line below a title; six samples are known, two are new. NP stands for a soil without plasticity.

## fichas/

Forms, one test pit each, as an office fills them in; `NAME.expected.json` says what must come out. Mapping in brackets.

| workbook | what |
| --- | --- |
| `fichas-calicatas.xlsx` (`ficha-calicata`) | 20 pits, one a sheet: merged labels and values, a heading of two rows, strata of one or two rows, values behind the colon, `POZO Nº` for `CALICATA N°`, decimal commas, days as text; a logo over each sheet, four photos as pictures over three, three as links into `fotos/`, links to a map; an index and a hidden, blank form |
| `fichas-laterales.xlsx` (`ficha-calicata-lateral`) | 3 pits with a column for each stratum |
| `fichas-apiladas.xlsx` (`fichas-apiladas`) | 4 pits on one sheet, 25 rows and 8 columns apart, with numbered rows that stay blank; two forms never filled in |

## device.db

SQLite, copied off a field device: project CHU-2025 of `ingeplus/survey` (the same ids) with eight pits: three synced, one to be
uploaded, one in conflict, one in error, two made on site (`C-91`, `C-92`).

| table | columns |
| --- | --- |
| LocalProfile | id, email, full_name, role, status, cachedAt |
| LocalProject | id, code, name, client, location, status, syncMode, lastSyncedAt |
| LocalCalicata | id, project_id, code, the fields of `calicatas`, status, localVersion, remoteUpdatedAt, syncStatus |
| LocalDocumentNode | id, project_id, parent_id, name, type, storagePath, localPath, syncStatus |
| LocalFile | id, entityType, entityId, localPath, storagePath, gpsJson, mimeType, syncStatus |
| SyncQueueItem | id, operation, entityType, entityId, payloadJson, retryCount, lastError, createdAt |
| LocalConflict | entityType, entityId, localPayload, remotePayload, detectedAt, resolutionStatus |
"""
