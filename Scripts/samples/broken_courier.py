"""The couriers' broken sets: each spoils one side of a small sound survey, and states what must be found in it."""
import json
import sqlite3

from . import beside, courier, legacy_courier, survey_courier
from .exif import exif
from .parcel_photo import parcel_photo
from .seeded import generator, later, stamp, uuid7


def build(directory):
    """Writes every set."""
    for make in (_versions, _schema, _photos, _users, _localities, _fields, _texts, _empty, _device, _old_app):
        make(directory)


def _sound(directory, name, description, devices):
    """A sound package of these devices, with sources of its own."""
    return survey_courier.make(directory / name, description, devices, f"ROTO-{name.upper()}-")


def _write(package, stages=None, **validate):
    package.write()
    package.expect(**{"import": {}, "validate": {code.replace("_", "-"): count for code, count in validate.items()}, **(stages or {})})


def _versions(directory):
    """A version is compared number by number: 100.10.0 is newer than 100.2.0, 99.10.0 older."""
    package = _sound(directory, "versions", "Datos de una app anterior a la versión exigida", courier.DEVICES)
    package.rows("sources")[1]["app_version"] = "99.10.0"
    package.rows("sources")[3]["app_version"] = None
    _write(package, FUENTE_VERSION_ANTIGUA=1, FOTO_VERSION_ANTIGUA=7, USUARIO_VERSION_ANTIGUA=2, TABLA_VERSION_ANTIGUA=5, FIELD_REQUIRED=1, FOTO_NOMBRE_REPETIDO=2, FUENTE_TABLAS_SIN_SINCRONIZAR=2)


def _schema(directory):
    """Statements that do something else than they should. They are text: none is ever run."""
    package = _sound(directory, "schema", "Esquema del servidor que se contradice, y tablas que no son de él", courier.DEVICES[:1])
    tables = {row["NombreTabla"]: row for row in package.rows("server_tables")}
    # Wants to take something away; has another table's name; is two statements.
    tables["Localidad"]["QueryCreacion"] = "DROP TABLE photos"
    tables["Guia"].update(QueryCreacion=courier.creation("Guias", "NumeroGuia", courier.TABLES[1][2]), Pk="Numero")
    tables["Recogida"].update(QueryCreacion=tables["Recogida"]["QueryCreacion"] + "; DELETE FROM users", NumeroCampos=9)
    tables["MotivoNoEntrega"].update(QueryCreacion="CREATE TABLE IF NOT EXISTS [MotivoNoEntrega] (IdMotivo INTEGER, idmotivo TEXT)", FechaActualizacionSincro="2025-11-20T08:00:00Z")
    tables["ParametrosApp"].update(QueryCreacion=None, server_fault="Tiempo de espera agotado")
    extra = dict(package.rows("schema_tables")[0])
    extra.update(id=uuid7(courier.SINCE, "broken", "foreign table"), local_table="GuiaVieja")
    package.rows("schema_tables").append(extra)
    package.rows("server_tables").append({**package.rows("server_tables")[0], "id": uuid7(courier.SINCE, "broken", "wanted table"), "NombreTabla": "Zona", "QueryCreacion": courier.creation("Zona", "IdZona", [("IdZona", "INTEGER"), ("Ancho", "DECIMAL(8, 2)")]), "Pk": "IdZona", "NumeroCampos": 2})
    _write(package, ESQUEMA_CREACION=3, ESQUEMA_SIN_CREACION=1, ESQUEMA_CAMPOS=1, ESQUEMA_CLAVE=1, ESQUEMA_COLUMNA_REPETIDA=1, ESQUEMA_FALLA_SERVIDOR=1,
           TABLA_FUERA_DE_ESQUEMA=1, TABLA_ATRASADA=1, FUENTE_TABLAS_SIN_SINCRONIZAR=1)


def _photos(directory):
    package = _sound(directory, "photos", "Fotos repetidas, sin archivo, con fechas que no pueden ser", courier.DEVICES[:2])
    rows = package.rows("photos")
    copy = dict(rows[0], id=uuid7(courier.SINCE, "broken", "copied photo"), photo_name="copia.jpg")
    rows.append(copy)
    package.add_photo("copia.jpg", "photos", copy["id"], next(data for _, _, identifier, data in package.photos if identifier == rows[0]["id"]))
    without = rows[1]["id"]
    package.photos = [photo for photo in package.photos if photo[2] != without]
    # The name that two devices give is that of the third photo of each.
    for row, moment in ((rows[4], None), (rows[5], "2026-02-01T10:00:00Z"), (rows[6], "2025-11-01T10:00:00Z")):
        row["created_at"] = moment
    taken = later(courier.SINCE, days=50)
    for number, (name, data) in enumerate((("no es foto.jpg", b"PK\x03\x04 this is no photo\n" * 20), ("cortada.jpg", _photo(taken)[:4000]), ("otra hora.jpg", _photo(taken)))):
        identifier = uuid7(taken, "broken", name)
        rows.append({"id": identifier, "source_id": rows[0]["source_id"], "photo_name": name, "created_at": stamp(later(taken, hours=5 if number == 2 else 0)), "mime_type": "image/jpeg"})
        package.add_photo(name, "photos", identifier, data)
    _write(package, FOTO_NOMBRE_REPETIDO=2, FOTO_CONTENIDO_REPETIDO=1, FOTO_SIN_ARCHIVO=1, FOTO_SIN_FECHA=1, FOTO_FUTURA=1, FOTO_ANTES_DE_INGRESO=1,
           PHOTO_NOT_JPEG=1, FUENTE_TABLAS_SIN_SINCRONIZAR=1, PHOTO_TRUNCATED=1, PHOTO_TIME=3)


def _photo(taken):
    return parcel_photo(generator("courier", "broken photo"), ["R-00"], exif(taken, -5, "Samsung", "SM-A155M", "A155MUBS3AXE1"))


def _users(directory):
    package = _sound(directory, "users", "Personas que se contradicen entre dispositivos", courier.DEVICES[:2])
    rows = package.rows("app_users")
    other = dict(rows[0], id=uuid7(courier.SINCE, "broken", "other person"), source_id=rows[2]["source_id"], identificacion="1099555999")
    shared = dict(rows[2], id=uuid7(courier.SINCE, "broken", "shared person"), usuario="jpabon2")
    rows += [other, shared]
    rows[3]["last_login_at"], rows[3]["first_login_at"] = "2025-11-03T10:00:00Z", "2025-11-04T10:00:00Z"
    _without_photos(package)
    _write(package, USUARIO_OTRA_IDENTIFICACION=2, USUARIO_IDENTIFICACION_COMPARTIDA=2, USUARIO_INGRESOS_INVERTIDOS=1, FUENTE_TABLAS_SIN_SINCRONIZAR=1)


def _localities(directory):
    package = _sound(directory, "localities", "Catálogo con nombres repetidos y valores que faltan", ())
    rows = package.rows("localities")
    rows[1]["NombreCompleto"] = rows[0]["NombreCompleto"].title()
    rows[2]["ValorRecogida"] = None
    rows[3]["AbreviacionCiudad"] = None
    _write(package, LOCALIDAD_NOMBRE_REPETIDO=2, LOCALIDAD_SIN_VALOR=1, LOCALIDAD_SIN_ABREVIACION=1)


def _fields(directory):
    """Values that no field takes, and names that lead out of a folder."""
    package = _sound(directory, "fields", "Campos: forma, rango, vocabulario, obligatorios", courier.DEVICES[:2])
    package.rows("sources")[1].update(app_version="100.02.x", source_kind="TABLETA")
    package.rows("app_versions").append({"id": uuid7(courier.SINCE, "broken", "version"), "least_version": "99999999999.1"})
    package.rows("photos")[0]["photo_name"] = "../../etc/passwd.jpg"
    package.rows("photos")[1]["photo_name"] = "x" * 300
    package.rows("localities")[0].update(CodigoPostal="1101-11", ValorRecogida=-1)
    package.rows("localities")[1]["NombreCompleto"] = None
    package.rows("server_tables")[0]["NumeroCampos"] = 0
    package.rows("app_users")[0]["login_count"] = 0
    _write(package, FIELD_PATTERN=4, FIELD_VOCABULARY=1, FIELD_LENGTH=1, FIELD_RANGE=3, FIELD_REQUIRED=1, ESQUEMA_CAMPOS=1, FOTO_NOMBRE_REPETIDO=2, FUENTE_TABLAS_SIN_SINCRONIZAR=1)


def _texts(directory):
    """Texts that a spreadsheet would run, or that no format takes as they are."""
    package = _sound(directory, "texts", "Textos que un formato no puede llevar tal cual", courier.DEVICES[:1])
    package.rows("localities")[0]["NombreCompleto"] = "=HYPERLINK(\"http://example.org\";\"BOGOTA\")"
    package.rows("localities")[1]["NombreCompleto"] = "MEDELLIN\u0007ANT"
    package.rows("app_users")[0]["nombre"] = "@SUM(1+1)*cmd|' /C calc'!A0"
    _without_photos(package)
    _write(package, {"export": {"TEXT-FORMULA": True, "TEXT-CHARACTER": True}})


def _without_photos(package):
    package.photos = []
    package.entities = [(entity, rows) for entity, rows in package.entities if entity != "photos"]


def _empty(directory):
    """Nothing came from the device yet."""
    _write(_sound(directory, "empty", "Un dispositivo del que todavía no vino nada", courier.DEVICES[2:]), FUENTE_TABLAS_SIN_SINCRONIZAR=1)


def _device(directory):
    """An SQLite file that no app left so: names that lead elsewhere, photos that are none, days that do not exist. It comes after `empty`."""
    folder = directory / "device"
    folder.mkdir(parents=True)
    path = folder / "R-66.db"
    photos = [(photo.name, photo.data, photo.at) for photo in courier.photos("R-12")[:2]]
    photos += [(" " + photos[0][0], photos[1][1], photos[1][2]), ("../fuera.jpg", b"no JPEG", photos[0][2]), ("cortada.jpg", courier.photos("R-12")[2].data[:-2000], courier.photos("R-12")[2].at)]
    legacy_courier.device(path, [("nadie'; DROP TABLE users --", courier.SINCE), ("jpabon", courier.SINCE)], [("Guia", courier.SINCE)], photos,
                          {"nadie'; DROP TABLE users --": ("0", "<b>Nadie</b>"), **courier.PEOPLE})
    database = sqlite3.connect(path)
    database.execute("UPDATE photos SET created_at = '2025-13-45 99:00:00' WHERE id = 2")
    database.execute("CREATE VIEW trampa AS SELECT * FROM photos")
    database.commit()
    database.execute("VACUUM")
    database.close()
    stated = {
        "after": "empty", "source": "device/R-66.db", "actor": survey_courier.OFFICE, "options": ["--mapping", "base-dispositivo", "--project", "ROTO-EMPTY-R-19"],
        "import": {"IMPORT-SAME-KEY": 1, "FIELD-TYPE": 1, "FIELD-PATTERN": 1, "IMPORT-UNUSED-COLUMN": 1, "IMPORT-UNMAPPED-TABLE": 1, "PHOTO-CHANGED": 1, "IMPORT-CONTENT-NO-PHOTO": 1, "IMPORT-CONTENT-CUT": 1}, "validate": {"FIELD-PATTERN": 1, "FOTO-SIN-ARCHIVO": 1, "PHOTO-TRUNCATED": 1, "TABLA-ATRASADA": 1, "FUENTE-TABLAS-SIN-SINCRONIZAR": 1},
    }
    (directory / "device.expected.json").write_text(json.dumps(beside.stated(folder, stated), ensure_ascii=False, indent=2) + "\n", "utf-8")


def _old_app(directory):
    """The same file, said to be of an app below the least version: it is refused, and no row of it comes in."""
    stated = {
        "after": "empty", "source": "device/R-66.db", "actor": survey_courier.OFFICE, "status": 65,
        "options": ["--mapping", "base-dispositivo", "--project", "ROTO-EMPTY-R-19", "--option", "app_version=99.10.0"],
        "import": {"APP-ANTIGUA": 1}, "validate": {"FUENTE-TABLAS-SIN-SINCRONIZAR": 1},
    }
    (directory / "old-app.expected.json").write_text(json.dumps(beside.stated(directory / "old-app", stated), ensure_ascii=False, indent=2) + "\n", "utf-8")
