"""What couriers' devices and their server hold: sources, people, tables, photos, localities. Everything is invented but the names of towns."""
import dataclasses
import datetime

from . import exif, seeded
from .parcel_photo import parcel_photo

SINCE = seeded.instant("2025-10-01T13:00:00Z")
LEAST = "100.2.0"

# code, name, version of the app
DEVICES = (
    ("R-07", "Ruta 7, Fontibón", "100.2.1"),
    ("R-12", "Ruta 12, Engativá", "100.10.0"),
    ("R-19", "Ruta 19, reserva", "100.2.0"),
)
SERVER = ("SERVIDOR", "Controlador de la empresa")

# user name, identity number, name
PEOPLE = {
    "mnino": ("1030555010", "Marisol Niño Cárdenas"),
    "jpabon": ("79555021", "Jairo Pabón D'Costa"),
    "lsuarez": ("52555032", "Luz Ángela Suárez"),
    "relevo": ("1015555043", "Yeison Rodríguez Peña"),
}

# The app's own dates of change, as a server gives them.
TABLES = (
    ("Localidad", "IdLocalidad", [("IdLocalidad", "VARCHAR(10) NOT NULL"), ("Nombre", "VARCHAR(150)"), ("AbreviacionCiudad", "VARCHAR(5)")], 500, None, "2025-11-03T08:15:00Z"),
    ("Guia", "NumeroGuia", [("NumeroGuia", "BIGINT NOT NULL"), ("IdLocalidadOrigen", "VARCHAR(10)"), ("IdLocalidadDestino", "VARCHAR(10)"), ("Peso", "DECIMAL(8, 2)"),
                            ("ValorDeclarado", "DECIMAL(12, 2)"), ("FechaAdmision", "DATETIME")], 200, "Estado = 'A'", "2025-11-03T08:15:00Z"),
    ("Recogida", "IdRecogida", [("IdRecogida", "INTEGER NOT NULL"), ("IdLocalidad", "VARCHAR(10)"), ("Direccion", "VARCHAR(250)"), ("Observaciones", "TEXT"), ("Fecha", "DATETIME")], 100, None, "2025-11-10T21:40:00Z"),
    ("MotivoNoEntrega", "IdMotivo", [("IdMotivo", "INTEGER NOT NULL"), ("Descripcion", "VARCHAR(120)")], 500, None, "2025-10-01T00:00:00Z"),
    ("ParametrosApp", "IdParametro", [("IdParametro", "VARCHAR(60) NOT NULL"), ("Valor", "TEXT")], 500, None, "2025-10-01T00:00:00Z"),
)

# code, abbreviation, full name, short name, postal code, dialling code, allows pick-up, price, belongs to
LOCALITIES = (
    ("11001000", "BOG", "BOGOTA\\CUND\\COL", "BOGOTA", "110111", "601", True, 4500, "CUNDINAMARCA"),
    ("05001000", "MED", "MEDELLIN\\ANT\\COL", "MEDELLIN", "050001", "604", True, 4200, "ANTIOQUIA"),
    ("76001000", "CLO", "CALI\\VALL\\COL", "CALI", "760001", "602", True, 4200, "VALLE DEL CAUCA"),
    ("08001000", "BAQ", "BARRANQUILLA\\ATLA\\COL", "BARRANQUILLA", "080001", "605", True, 4300, "ATLANTICO"),
    ("54001000", "CUC", "CÚCUTA\\NDES\\COL", "CÚCUTA", "540001", "607", True, 3900, "NORTE DE SANTANDER"),
    ("63001000", "AXM", "ARMENIA\\QUIN\\COL", "ARMENIA", "630001", "606", True, 3900, "QUINDIO"),
    ("25754000", "SOA", "SOACHA\\CUND\\COL", "SOACHA", "250051", "601", True, 4500, "CUNDINAMARCA"),
    ("91001000", "LET", "LETICIA\\AMAZ\\COL", "LETICIA", "910001", "608", False, None, "AMAZONAS"),
    ("27001000", "UIB", "QUIBDÓ\\CHOC\\COL", "QUIBDÓ", "270001", "604", False, None, "CHOCO"),
    ("44847000", "URI", "URIBIA, Nazareth\\GUAJ\\COL", "URIBIA", "441001", "605", False, None, "GUAJIRA"),
)


@dataclasses.dataclass
class Photo:
    name: str
    at: datetime.datetime
    data: bytes


def logins(code):
    """(user name, instant) of each login on a device, oldest first."""
    random = seeded.generator("courier", "logins", code)
    names = {"R-07": ["mnino", "mnino", "relevo", "mnino", "mnino", "mnino"], "R-12": ["jpabon", "lsuarez", "jpabon", "jpabon"], "R-19": []}[code]
    day = seeded.instant("2025-11-03T11:30:00Z")
    return [(name, seeded.later(day, days=number * 2, seconds=random.randint(0, 2400))) for number, name in enumerate(names)]


def syncs(code):
    """(table, instant) of each table that a device says it synced."""
    random = seeded.generator("courier", "syncs", code)
    tables = {"R-07": TABLES, "R-12": TABLES[:4], "R-19": ()}[code]
    found = []
    for round_number in range(3):
        moment = seeded.later(seeded.instant("2025-11-11T11:40:00Z"), days=3 * round_number, seconds=random.randint(0, 900))
        for number, (name, *_) in enumerate(tables):
            found.append((name, seeded.later(moment, seconds=number * 3)))
    return found


def photos(code):
    """The photos of a device. Two devices give the same name to different pictures, since each counts for itself."""
    random = seeded.generator("courier", "photos", code)
    count = {"R-07": 7, "R-12": 5, "R-19": 0}[code]
    made = []
    for number in range(1, count + 1):
        moment = seeded.later(seeded.instant("2025-11-12T13:05:00Z"), days=number // 2, minutes=random.randint(0, 400), seconds=random.randint(0, 59))
        name = f"recogida_{number:03d}.jpg" if number == 3 else f"guia {2400185600 + random.randint(0, 9999)}-{code}.jpg"
        taken = exif.exif(
            moment, -5, "Samsung", "SM-A155M", "A155MUBS3AXE1",
            position=(4.6741 + random.random() / 50, -74.1463 + random.random() / 50, 2551.0), accuracy=6.0)
        stored = seeded.later(moment, seconds=random.randint(2, 9))
        made.append(Photo(name, stored, parcel_photo(random, [f"{code} Nº {number}", seeded.stamp(moment)[:10]], taken)))
    return made


def creation(name, key, columns):
    """The statement as the server gives it: text that nobody runs."""
    body = ", ".join(f"{column} {kind}" for column, kind in columns)
    return f"CREATE TABLE {name} ({body}, PRIMARY KEY ({key}))"


def declared_rows(code):
    """Rows of tables that the server declares, as the app of a device keeps them, by table."""
    random = seeded.generator("courier", "declared", code)
    if code == "R-19":
        return {}
    count = {"R-07": 14, "R-12": 9}[code]
    places = [row[0] for row in LOCALITIES]
    guides = [
        (7_000_000_000 + number * 13 + int(code[2:]), random.choice(places), random.choice(places), round(random.uniform(0.2, 30), 2), round(random.uniform(10, 900)) * 1000,
         seeded.stamp(seeded.later(seeded.instant("2025-11-11T12:00:00Z"), seconds=number * 1871)))
        for number in range(count)
    ]
    reasons = [(number, text) for number, text in enumerate(("Dirección errada", "No hay quien reciba", "Rehusado", "Cerrado"), 1)]
    return {"Guia": guides, "MotivoNoEntrega": reasons}


def tables_answer(lower=False):
    """The server's answer for the schema, under either spelling of its keys."""
    rows = [
        {"NombreTabla": name, "Pk": key, "QueryCreacion": creation(name, key, columns), "BatchSize": batch, "Filtro": where, "Error": None,
         "NumeroCampos": len(columns), "MetodoApp": f"Sincronizar{name}", "FechaActualizacionSincro": changed}
        for name, key, columns, batch, where, changed in TABLES
    ]
    return [{f"_{key.lower()}": value for key, value in row.items()} for row in rows] if lower else rows


def localities_answer(rows=LOCALITIES, numbers=False, short=False):
    """The catalogue. `numbers`: ids as numbers, which lose a leading zero. `short`: only what every answer has."""
    names = ("IdLocalidad", "AbreviacionCiudad", "NombreCompleto", "NombreCorto", "CodigoPostal", "Indicativo", "PermiteRecogida", "ValorRecogida", "NombreAncestroPGrado")
    found = [dict(zip(names[:3] if short else names, row)) for row in rows]
    for row in found:
        if numbers:
            row["IdLocalidad"] = int(row["IdLocalidad"])
    return found
