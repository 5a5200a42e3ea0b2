"""The sound survey of the couriers: three devices and their server, as one package."""
from . import courier
from .courier import SINCE
from .package import Package
from .people import profile, profile_id
from .seeded import stamp, uuid7

PACK = "interrapidisimo"
DOMAIN = "example.co"
OFFICE = f"supervisora@{DOMAIN}"

PEOPLE = (
    ("supervisora", "Gloria Estela Rincón", "SUPERVISOR", "ACTIVO", "Supervisora de rutas", True),
    ("administrador", "Hernando Quiñones", "ADMINISTRADOR", "ACTIVO", "Administrador del sistema", True),
    ("analista", "Paola Vélez Mejía", "ANALISTA", "ACTIVO", "Analista de operación", True),
    ("mensajero", "Jairo Pabón D'Costa", "MENSAJERO", "ACTIVO", "Mensajero", True),
)


def build(directory):
    """Writes the package, and what must be found in it."""
    package = make(directory, "Tres dispositivos de mensajeros y su servidor")
    package.write()
    package.expect(**{"import": {}, "validate": {"FOTO-NOMBRE-REPETIDO": 2, "FUENTE-TABLAS-SIN-SINCRONIZAR": 2}, "export": {}})


def source_id(code):
    return uuid7(SINCE, PACK, "source", code)


def make(directory, description, devices=courier.DEVICES, tag=""):
    """The package, not yet written. `tag` goes before the codes of a set with sources of its own."""
    package = Package(directory, PACK, "2025-11-24T15:00:00Z", description)
    package.add("profiles", [profile(*person, DOMAIN, f"+57 300 555 01{number:02d}", "2025-11-24T12:00:00Z") for number, person in enumerate(PEOPLE)])
    codes = [f"{tag}{courier.SERVER[0]}"] + [f"{tag}{code}" for code, *_ in devices]
    package.add("sources", [
        {"id": source_id(codes[0]), "code": codes[0], "name": courier.SERVER[1], "source_kind": "SERVIDOR", "app_version": None, "office_note": None},
        *({"id": source_id(tag + code), "code": tag + code, "name": name, "source_kind": "DISPOSITIVO", "app_version": version, "office_note": None} for code, name, version in devices),
    ])
    package.add("project_members", [
        {"id": uuid7(SINCE, "member", code, mail), "project_id": source_id(code), "profile_id": profile_id(f"{mail}@{DOMAIN}"), "role": role, "created_at": stamp(SINCE)}
        for code in codes for mail, _, role, *_ in PEOPLE
    ])
    server = source_id(codes[0])
    package.add("app_versions", [{"id": uuid7(SINCE, PACK, "version", tag, version), "least_version": version} for version in ("100.0.0", courier.LEAST)])
    package.add("server_tables", [{"id": uuid7(SINCE, PACK, "wanted", tag, row["NombreTabla"]), **_wanted(row)} for row in courier.tables_answer()])
    package.add("localities", [{"id": uuid7(SINCE, PACK, "locality", tag, row["IdLocalidad"]), "source_id": server, **row} for row in courier.localities_answer()])
    users, tables, photos = [], [], []
    for code, *_ in devices:
        owner = source_id(tag + code)
        users += [_user(owner, tag + code, name, times) for name, times in _by_name(courier.logins(code)).items()]
        tables += [_table(owner, tag + code, name, times) for name, times in _by_name(courier.syncs(code)).items()]
        for photo in courier.photos(code):
            identifier = uuid7(photo.at, PACK, "photo", tag + code, photo.name)
            photos.append({"id": identifier, "source_id": owner, "photo_name": photo.name, "created_at": stamp(photo.at), "mime_type": "image/jpeg"})
            package.add_photo(f"{code}/{photo.name}", "photos", identifier, photo.data)
    package.add("app_users", users)
    package.add("schema_tables", tables)
    package.add("photos", photos)
    return package


def _wanted(row):
    """A row of the server's schema under the names of a package."""
    return {"server_fault" if key == "Error" else key: value for key, value in row.items()}


def _by_name(rows):
    """The instants of each name, in the order in which the names come first."""
    times = {}
    for name, moment in rows:
        times.setdefault(name, []).append(moment)
    return times


def _user(owner, code, name, times):
    identification, full_name = courier.PEOPLE[name]
    return {
        "id": uuid7(times[0], PACK, "user", code, name), "source_id": owner, "usuario": name, "identificacion": identification, "nombre": full_name,
        "login_count": len(times), "first_login_at": stamp(times[0]), "last_login_at": stamp(times[-1]),
    }


def _table(owner, code, name, times):
    return {
        "id": uuid7(times[0], PACK, "table", code, name), "source_id": owner, "local_table": name,
        "sync_count": len(times), "first_synced_at": stamp(times[0]), "last_synced_at": stamp(times[-1]),
    }
