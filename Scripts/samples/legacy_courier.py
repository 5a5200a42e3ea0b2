"""What the couriers' app and its server leave: the SQLite file of a device, and the server's answers in every shape that was seen."""
import csv
import io
import json
import sqlite3

from . import courier, seeded

_SCHEMA = """
CREATE TABLE android_metadata (locale TEXT);
CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, usuario TEXT NOT NULL, identificacion TEXT NOT NULL, nombre TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE schema_tables (id INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE photos (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, image_data BLOB NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
"""


def build(directory):
    """Devices under `devices`, answers under `server`, and the office's own list of both."""
    devices, server = directory / "devices", directory / "server"
    for folder in (devices, server):
        folder.mkdir(parents=True)
    for code, *_ in courier.DEVICES:
        device(devices / f"{code}.db", courier.logins(code), courier.syncs(code), [(photo.name, photo.data, photo.at) for photo in courier.photos(code)], declared=courier.declared_rows(code))
    _write(directory / "sources.csv", _csv([
        {"Código": "SERVIDOR", "Nombre": courier.SERVER[1], "Clase": "Servidor", "Versión de la app": "", "Notas": ""},
        *({"Código": code, "Nombre": name, "Clase": "Dispositivo", "Versión de la app": version, "Notas": ""} for code, name, version in courier.DEVICES),
    ]))
    # The version is nothing but a value: a text, a number, or what a browser saves of either.
    _write(server / "version.json", json.dumps(courier.LEAST) + "\n")
    _write(server / "version-number.json", "100\n")
    _write(server / "version.txt", courier.LEAST + "\n")
    _write(server / "schema.json", _json(courier.tables_answer()))
    _write(server / "schema-lower.json", _json(courier.tables_answer(lower=True)))
    _write(server / "schema.csv", _csv(courier.tables_answer()))
    _write(server / "localities.json", _json(courier.localities_answer()))
    _write(server / "localities-wrapped.json", _json({"Localidades": courier.localities_answer(short=True)}))
    _write(server / "localities-numbers.json", _json(courier.localities_answer(numbers=True)))
    _write(server / "localities.csv", _csv(courier.localities_answer()))
    # A later answer: a price changed, a name put right, one locality new and one gone.
    _write(server / "localities-later.json", _json(courier.localities_answer(later())))
    _write(server / "localities-later.csv", _csv(courier.localities_answer(later())))
    _write(directory / "expected.json", _json(_expected()))
    _write(server / "user.json", _json({"Usuario": "mnino", "Identificacion": courier.PEOPLE["mnino"][0], "Nombre": courier.PEOPLE["mnino"][1], "TokenJWT": None}))


def _expected():
    """What must come of each file, in this order, into one replica."""
    found = {
        "sources.csv": {"sources": 1 + len(courier.DEVICES)}, "server/version.txt": {"app_versions": 1}, "server/version-number.json": {"app_versions": 1},
        "server/schema.csv": {"server_tables": len(courier.TABLES)}, "server/localities.csv": {"localities": len(courier.LOCALITIES)},
    }
    for code, *_ in courier.DEVICES:
        found[f"devices/{code}.db"] = {
            "app_users": len({name for name, _ in courier.logins(code)}), "schema_tables": len({name for name, _ in courier.syncs(code)}),
            "photos": len(courier.photos(code)), "server_rows": sum(len(rows) for rows in courier.declared_rows(code).values()),
        }
    found["server/localities-later.csv"] = {"localities": 1, "updated": {"localities": 3}}
    return found


def later():
    """The catalogue after some changes."""
    rows = {row[0]: row for row in courier.LOCALITIES}
    rows["11001000"] = rows["11001000"][:7] + (4700,) + rows["11001000"][8:]
    rows["27001000"] = rows["27001000"][:6] + (True, 5200) + rows["27001000"][8:]
    rows["44847000"] = rows["44847000"][:2] + ("URIBIA\\GUAJ\\COL",) + rows["44847000"][3:]
    del rows["63001000"]
    rows["85001000"] = ("85001000", "EYP", "YOPAL\\CASA\\COL", "YOPAL", "850001", "608", True, 4800, "CASANARE")
    return list(rows.values())


def device(path, logins, syncs, photos, people=courier.PEOPLE, declared=None):
    """The app's file. `CURRENT_TIMESTAMP` is UTC without a zone. The app writes a user name as it was typed. `declared` has rows of tables that
    the server declares, as the app makes them."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA page_size = 4096")
    database.executescript(_SCHEMA)
    database.execute("INSERT INTO android_metadata VALUES ('es_CO')")
    for number, (name, moment) in enumerate(logins):
        identification, full_name = people[name]
        database.execute(
            "INSERT INTO users (usuario, identificacion, nombre, created_at) VALUES (?, ?, ?, ?)",
            (name.upper() if number == 3 else name, identification, full_name, _without_zone(moment)))
    database.executemany("INSERT INTO schema_tables (table_name, created_at) VALUES (?, ?)", [(name, _without_zone(moment)) for name, moment in syncs])
    database.executemany("INSERT INTO photos (name, image_data, created_at) VALUES (?, ?, ?)", [(name, data, _without_zone(moment)) for name, data, moment in photos])
    statements = {row["NombreTabla"]: row["QueryCreacion"] for row in courier.tables_answer()}
    for name, rows in (declared or {}).items():
        database.execute(statements[name])
        database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    database.commit()
    database.execute("VACUUM")
    database.close()


def _without_zone(moment):
    return seeded.stamp(moment).replace("T", " ").rstrip("Z")


def _json(value):
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _csv(rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows([{key: str(value).lower() if isinstance(value, bool) else value for key, value in row.items()} for row in rows])
    return text.getvalue()


def _write(path, text):
    path.write_text(text, encoding="utf-8")
