"""YaQuedamos: tables as a console and an organiser leave them, read by the pack's mappings."""
import csv
import io
import json

from .community import canary_hash
from .seeded import generator

_ACCOUNTS = (
    # name, mail, telephone, place, latitude, longitude, visibility, level, score, since
    ("Rita Pardo Lemus", "Rita.Pardo@correo.example.co", "+57 311 222 3344", "Calle 45 # 22-10", "4.632100", "-74.081000", "Public", 1, 0, "2025-11-02T10:00:00Z"),
    ("Jorge Iván Mesa", "jorge.mesa@correo.example.co", "null", "-", "", "", "private", 1, 0, "2025-11-04T21:15:30Z"),
    ("Yolanda «Yoli» Cano; viuda de Ruiz", "yoli.cano@correo.example.co", "+57 300 111 2222", "Teusaquillo", "4.640000", "-74.075000", "members", 1, 0, "2025-11-09T08:00:00Z"),
    ("Sin Correo", "", "", "", "", "", "public", 1, 0, ""),
)
_SIGNED = (
    ("Caminata al cerro n.º 1", "Rita.Pardo@correo.example.co", "Sí"),
    ("Caminata al cerro n.º 1", "yoli.cano@correo.example.co", "no"),
    ("Club de lectura n.º 2", "JORGE.MESA@correo.example.co", "x"),
    ("Club de lectura n.º 2", "nadie@correo.example.co", "x"),
)


def build(directory):
    directory.mkdir(parents=True, exist_ok=True)
    secret = generator("accounts")
    head = ("name", "email", "phone", "location", "latitude", "longitude", "visibility", "level", "score", "createdAt", "passwordHash")
    _write(directory / "cuentas.csv", ",", [head] + [row + (canary_hash(secret),) for row in _ACCOUNTS], "utf-8")
    _write(directory / "inscripciones.csv", ";", [("Actividad", "Correo", "Asistió")] + list(_SIGNED), "cp1252")
    expected = {
        "cuentas.csv": {"mapping": "usuarios-csv", "project": "BOG-TEU", "users": {"read": 4, "new": 3, "filtered": 1},
                        "findings": {"IMPORT-LEFT-OUT-RECORD": 1}},
        "inscripciones.csv": {"mapping": "inscripciones-hoja", "project": "BOG-TEU", "after": "cuentas.csv",
                              "attendances": {"read": 4, "new": 3, "rejected": 1}, "findings": {"FIELD-REFERENCE": 1, "IMPORT-CODE-PAGE": 1}},
    }
    (directory / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _write(path, separator, rows, encoding):
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\r\n").writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))
