"""InGe+'s broken packages for what the program itself finds: fields, files, texts, photos, conflicts. Rules: `broken_pits`."""
import copy

from .ground import painted
from .healthy import Healthy
from .pit_photo import pit_photo
from .pits import pits
from .places import PLACES
from .seeded import generator, instant, later, stamp, uuid7
from .survey_ingeplus import CREATED

_NOWHERE = uuid7(instant("2025-01-01T00:00:00Z"), "nowhere")


def build(directory):
    """Every set as `directory`/NAME with what must come out of it in `directory`/NAME.expected.json."""
    for make in (_fields, _duplicates, _rows, _files, _checksum, _count, _conflict, _texts, _photos):
        make(directory)


def _fields(directory):
    """One or two faults of each kind that a field check knows, in rows that are otherwise sound."""
    healthy = Healthy("ROTO-CAMPOS", 7, "EN_REVISION")
    pit, first = healthy.calicatas, lambda index: healthy.cortes_of(index)[0]
    pit[0]["title"] = "Calicata para evaluación de subrasante " * 6
    first(0)["color"] = "marrón " * 12
    pit[1]["altitude_m"] = 7200.5
    first(1)["moisture_pct"] = 950
    pit[2]["progresiva"] = "km 1+2"
    first(2)["sample_code"] = "muestra 1"
    pit[3]["excavation_method"] = "DRAGA"
    first(3)["moisture"] = "empapado"
    pit[4]["end_date"] = None
    pit[5]["depth_m"] = None
    pit[6].update(water_status="found", groundwater_depth_m=None)
    healthy.photos[6]["kind"] = None
    package = healthy.package(directory / "fields", "Campos: longitud, rango, forma, vocabulario, obligatorios")
    package.write()
    package.expect(**{"import": {}}, validate={"FIELD-LENGTH": 2, "FIELD-RANGE": 2, "FIELD-PATTERN": 2, "FIELD-VOCABULARY": 2, "FIELD-REQUIRED": 3, "CALICATA-SIN-FECHA": 1,
                             "CALICATA-PROGRESIVA-DESORDEN": 1})


def _duplicates(directory):
    """Two pits of one code in a project, two strata of one number in a pit."""
    healthy = Healthy("ROTO-REPETIDOS", 3)
    healthy.calicatas[2]["code"] = healthy.calicatas[1]["code"]
    cortes = healthy.cortes_of(0)
    cortes[1]["number"] = cortes[0]["number"]
    package = healthy.package(directory / "duplicates", "Códigos y números repetidos")
    package.write()
    package.expect(**{"import": {}}, validate={"FIELD-UNIQUE": True, "CORTE-NUMERACION": 1})


def _rows(directory):
    """Rows that an import must not take as they are: they go to the quarantine with the reason."""
    healthy = Healthy("ROTO-FILAS", 4)
    cortes = healthy.cortes_of(3)
    cortes[0]["liquid_limit"] = "NP"
    cortes[1]["depth_to_m"] = "dos metros"
    cortes[2]["updated_at"] = "ayer por la tarde"
    for row in healthy.calicatas[:2]:
        row["cota_terreno"] = row["altitude_m"]
    stray = dict(copy.deepcopy(healthy.cortes[0]), id=uuid7(instant(CREATED), "stray corte"), calicata_id=_NOWHERE)
    lost = dict(copy.deepcopy(healthy.photos[0]), id=uuid7(instant(CREATED), "stray photo"), calicata_id=_NOWHERE, filename="sin-calicata.jpg")
    nameless = {key: value for key, value in healthy.cortes[1].items() if key != "id"}
    twice = dict(copy.deepcopy(healthy.calicatas[0]), title="El mismo id, otra fila", code="C-99")
    healthy.cortes += [stray, nameless]
    healthy.photos.append(lost)
    healthy.calicatas.append(twice)
    package = healthy.package(directory / "import-rows", "Filas que la importación rechaza", lines=True)
    # A truncated line.
    package.rows("calicata_cortes").append('{"id": "' + uuid7(instant(CREATED), "cut corte") + '", "depth_from_m": 0.4, "descr')
    package.write()
    package.expect(**{"import": {"FIELD-TYPE": 3, "FIELD-REFERENCE": 2, "IMPORT-NO-ID": 1, "IMPORT-DUPLICATE": 1, "IMPORT-UNREADABLE": 1,
                                 "IMPORT-UNKNOWN-FIELD": True},
                      "validate": {"CALICATA-SIN-CORTES": 1}})


def _files(directory):
    """A table nobody knows, a photo that the manifest lists and nobody has, a file that it does not list."""
    healthy = Healthy("ROTO-ARCHIVOS", 2)
    package = healthy.package(directory / "import-files", "Archivos de más y de menos")
    package.add("sondajes", [{"id": uuid7(instant(CREATED), "sondaje"), "project_id": healthy.project["id"], "code": "S-01"}])
    package.extra_files["photos/IMG_0001.jpg"] = next(iter(healthy.pictures.values()))
    gone = {"file": "photos/perdida.jpg", "entity": "calicata_photos", "id": healthy.photos[0]["id"], "sha256": "0" * 64, "bytes": 14000}
    package.write(lambda manifest: manifest["photos"].append(gone))
    package.expect(**{"import": {"IMPORT-UNKNOWN-ENTITY": 1, "IMPORT-MISSING-FILE": 1, "IMPORT-EXTRA-FILE": 1}})


def _checksum(directory):
    """A data file and a photo that are not what the manifest says."""
    healthy = Healthy("ROTO-SUMAS", 2)
    package = healthy.package(directory / "import-checksum", "Sumas de comprobación que no cuadran")

    def adjust(manifest):
        next(entry for entry in manifest["entities"] if entry["entity"] == "calicata_cortes")["sha256"] = "f" * 64
        manifest["photos"][0]["sha256"] = "e" * 64
    package.write(adjust)
    package.expect(**{"import": {"IMPORT-CHECKSUM": True}})


def _count(directory):
    """A data file with fewer rows than the manifest says: cut short on the way."""
    healthy = Healthy("ROTO-CONTEO", 2)
    package = healthy.package(directory / "import-count", "Menos filas que las anunciadas", lines=True)

    def adjust(manifest):
        next(entry for entry in manifest["entities"] if entry["entity"] == "calicata_cortes")["rows"] += 3
    package.write(adjust)
    package.expect(**{"import": {"IMPORT-COUNT": 1}})


def _conflict(directory):
    """Two packages, to be imported one after the other: the second differs in what was changed on both sides."""
    healthy = Healthy("ROTO-CONFLICTO", 3)
    healthy.calicatas[0].update(syncStatus="pending_upload", localVersion=4)
    healthy.calicatas[2].update(status="ARCHIVADO", syncStatus="local_only")
    package = healthy.package(directory / "conflict-first", "Primera parte: cambios locales sin subir")
    package.write()
    package.expect(**{"import": {}, "validate": {}})
    later_on = stamp(later(instant(healthy.calicatas[0]["updated_at"]), days=3))
    changed = healthy.calicatas[0]
    changed.update(depth_m=round(changed["depth_m"] + 0.1, 2), updated_at=later_on, syncStatus="synced", remoteUpdatedAt=later_on)
    # The second one as the old PC software writes it: no states, and other values.
    legacy = {key: value for key, value in healthy.calicatas[1].items() if key not in ("syncStatus", "localVersion", "remoteUpdatedAt")}
    legacy["title"] = "Calicata según el programa antiguo"
    healthy.calicatas[1] = legacy
    # A closed record may change only with a reason.
    healthy.calicatas[2]["title"] = "Calicata archivada y corregida en otra parte"
    second = healthy.package(directory / "conflict-second", "Segunda parte: las mismas filas, cambiadas del otro lado")
    second.write()
    second.expect(after="conflict-first", **{"import": {"IMPORT-CONFLICT": True, "IMPORT-CLOSED": 1}})


def _texts(directory):
    """Text that XML or a spreadsheet cannot hold as it is; nothing of it is an error."""
    healthy = Healthy("ROTO-TEXTOS", 3)
    healthy.calicatas[0]["description"] = "Copiado del equipo\u0001 con\u000b caracteres de control\ufffe y \U0001F9F1 fuera del plano básico"
    sentence = "Arena limosa, color beige claro, seca, medianamente densa, con gravas subredondeadas de T.M. 1½\". "
    healthy.calicatas[1]["description"] = (sentence * 500)[:40_000]
    for index, text in enumerate(("=HYPERLINK(\"http://example.com\";\"ver\")", "+51 900 000 000", "@SUM(1+1)")):
        healthy.calicatas[index]["observations"] = text
    healthy.calicatas[2]["description"] = "\t=1+1"
    package = healthy.package(directory / "texts", "Textos que un formato no puede llevar tal cual")
    package.write()
    package.expect(**{"import": {}, "validate": {}, "export": {"TEXT-CHARACTER": True, "TEXT-LONG": True, "TEXT-FORMULA": True}})


def _photos(directory):
    """A photo whose file never came, and one whose file is another one than was recorded."""
    healthy = Healthy("ROTO-FOTOS", 4)
    del healthy.pictures[healthy.photos[1]["id"]]
    pit = pits(dict(PLACES[0], code="otra", pits=1, states=(("APROBADO", "synced", 1),)))[0]
    healthy.pictures[healthy.photos[2]["id"]] = pit_photo(
        "wall", generator("other picture"), painted(pit.strata), pit.depth, pit.water, ["OTRA FOTO"], "", PLACES[0]["landscape"], b"", limit=9_000)
    package = healthy.package(directory / "photos", "Fotos que faltan o que cambiaron")
    package.write()
    package.expect(**{"import": {"PHOTO-CHANGED": 1}})
