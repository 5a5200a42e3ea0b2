"""Anagrafica's broken packages for the rules of the pack: assets, events, photo names, rooms and their notes."""
import copy

from .building import project
from .healthy_building import HealthyBuilding
from .seeded import instant, later, uuid7
from .survey_anagrafica import CREATED

_MOMENT = instant(CREATED)


def build(directory):
    for make in (_assets, _events, _photo_names, _rooms):
        make(directory)


def _write(healthy, directory, name, description, **validate):
    package = healthy.package(directory / name, description)
    package.write()
    codes = {code.replace("_", "-"): count for code, count in validate.items()}
    package.expect(**{"import": {}, "validate": codes})


def _assets(directory):
    healthy = HealthyBuilding("asset")
    lamp, radiator = healthy.instance("Lighting"), healthy.instance("Radiators")
    extinguisher, split = healthy.instance("Fire extinguishers"), healthy.instance("Split units")
    spare = lamp["photoIds"].pop()
    radiator["photoIds"] += [spare, radiator["photoIds"][0]]
    split["planVersionId"] = uuid7(_MOMENT, "another plan")
    healthy.family("Smoke detectors").update(photoMin=3, photoMax=1)
    healthy.family("Split units").update(photoMin=None, photoMax=None)
    split["photoIds"] = []
    lamp["exportId"] = radiator["exportId"] = 7
    twin = dict(copy.deepcopy(healthy.type_of("Radiators")), id=uuid7(_MOMENT, "twin"))
    twin["name"] = twin["name"].upper().replace(" ", "-")
    healthy.types.append(twin)
    _foreign_type(healthy, extinguisher)
    _write(healthy, directory, "assets", "Asset e tipi che contraddicono le regole",
           ASSET_NUMERO_FOTO=True, ASSET_NUMERO_FOTO_PREDEFINITO=True, ASSET_FOTO_RIPETUTA=1, ASSET_NUMERO_DOPPIO=2, ASSET_ALTRO_PROGETTO=1, ASSET_ALTRA_PIANTA=1, FAMIGLIA_LIMITI_FOTO=1,
           TIPO_SENZA_ASSET=True, TIPO_DOPPIO=1)


def _foreign_type(healthy, instance):
    """An asset of a type that belongs to another project."""
    other = project(uuid7(_MOMENT, "other project"), "Prova – un altro progetto", "Draft", None, None, _MOMENT, None)
    family = dict(copy.deepcopy(healthy.family("Fire extinguishers")), id=uuid7(_MOMENT, "other family"), projectId=other["id"], schemaVersionId=None)
    kind = dict(copy.deepcopy(healthy.type_of("Fire extinguishers")), id=uuid7(_MOMENT, "other type"), familyId=family["id"])
    member = dict(healthy.members[0], id=uuid7(_MOMENT, "other member"), projectId=other["id"])
    healthy.other_projects.append(other)
    healthy.members.append(member)
    healthy.families.append(family)
    healthy.types.append(kind)
    instance["typeId"] = kind["id"]


def _events(directory):
    healthy = HealthyBuilding("eventi", state="Approved")
    template = healthy.walk.events[-1]
    lost = dict(copy.deepcopy(template), id=uuid7(later(_MOMENT, seconds=1), "lost"), type="INSTANCE_UPDATED", entityId=uuid7(_MOMENT, "nobody"))
    healthy.walk.events.append(lost)
    healthy.walk.events[0].update(synced=False, status="PENDING")
    _write(healthy, directory, "events", "Eventi di oggetti sconosciuti, o non ancora confermati dal server",
           EVENTO_SENZA_OGGETTO=1, PROGETTO_EVENTI_APERTI=1)


def _photo_names(directory):
    healthy = HealthyBuilding("nomi-foto")
    photos = healthy.walk.photos
    photos[0]["filename"] = "IMG_20260601_0001.jpg"
    photos[1]["filename"] = "FFFFFFFF" + photos[1]["filename"][8:]
    photos[2].update(widthPx=4000, heightPx=3000)
    photos[3].update(uploadStatus="Failed", uploadedAt=None)
    unused = dict(copy.deepcopy(photos[4]), id=uuid7(_MOMENT, "unused"))
    unused["filename"] = unused["filename"].removesuffix(".jpg") + "9.jpg"
    photos.append(unused)
    _write(healthy, directory, "photo-names", "Nomi di foto fuori forma, foto troppo grandi, fallite o di nessuno",
           FOTO_NOME=1, FOTO_ALTRO_PROGETTO=1, FOTO_GRANDE=1, FOTO_NON_CARICATA=1, FOTO_INUTILIZZATA=1)


def _rooms(directory):
    healthy = HealthyBuilding("locali")
    rooms, photos = healthy.rooms, healthy.walk.photos
    rooms[1]["name"] = "Room 3003"
    rooms[2]["lifecycleState"] = "Empty"
    moved = [row for row in healthy.walk.instances if row["roomId"] == rooms[3]["id"]]
    for row in moved:
        row.update(roomId=rooms[4]["id"], planPoint=rooms[4]["centroid"])

    def note(index, name, **more):
        row = {"id": uuid7(later(_MOMENT, seconds=index), "note", name), "roomId": rooms[index]["id"], "emptyRoom": False, "roomIsBlocked": False,
               "description": None, "mainPhoto": photos[0]["id"], "extraPhotoIds": [], "operatorId": "op", "createdAt": CREATED}
        healthy.notes.append(dict(row, **more))
    note(0, "both", emptyRoom=True, roomIsBlocked=True, description="Chiuso e vuoto")
    note(1, "no reason", roomIsBlocked=True)
    note(2, "photos", description="Cinque foto oltre alla principale", extraPhotoIds=[row["id"] for row in photos[1:6]])
    _write(healthy, directory, "rooms", "Locali senza rilievo e note che si contraddicono",
           LOCALE_SENZA_RILIEVO=1, LOCALE_DA_RILEVARE=1, LOCALE_NOME_PREDEFINITO=1, NOTA_CONTRADDITTORIA=1, NOTA_SENZA_MOTIVO=1,
           NOTA_TROPPE_FOTO=1, NOTA_LOCALE_NON_VUOTO=1)
