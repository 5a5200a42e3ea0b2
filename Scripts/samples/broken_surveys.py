"""Anagrafica's broken packages for rules across rows: outlines and what lies in them, states against content, likely duplicates,
the order of events."""
import copy

from .building import project
from .healthy_building import HealthyBuilding
from .seeded import instant, later, stamp, uuid7
from .survey_anagrafica import CREATED

_MOMENT = instant(CREATED)
_BEFORE = "2026-05-31T09:00:00Z"


def build(directory):
    for make in (_plans, _states, _approved, _ready, _types, _event_order):
        make(directory)


def _write(healthy, directory, name, description, at_import=(), **validate):
    package = healthy.package(directory / name, description)
    package.write()
    codes = {code.replace("_", "-"): count for code, count in validate.items()}
    package.expect(**{"import": dict(at_import), "validate": codes})


def _plans(directory):
    healthy = HealthyBuilding("piante")
    rooms = healthy.rooms
    ring = rooms[0]["polygon"]
    ring[1], ring[2] = ring[2], ring[1]                 # two corners changed places
    rooms[1]["area"] = round(rooms[1]["area"] * 1.2, 2)
    x, y = rooms[2]["centroid"]
    rooms[2]["centroid"] = [round(x + 0.75, 2), y]
    # A room drawn from another origin takes its assets and its centroid with it.
    far = rooms[3]
    far["polygon"] = [[round(x + 500, 2), y] for x, y in far["polygon"]]
    far["centroid"] = [round(far["centroid"][0] + 500, 2), far["centroid"][1]]
    for row in healthy.walk.instances:
        if row["roomId"] == far["id"]:
            row["planPoint"] = [round(row["planPoint"][0] + 500, 2), row["planPoint"][1]]
    astray = next(row for row in healthy.walk.instances if row["roomId"] == rooms[4]["id"])
    astray["planPoint"] = [-3.0, -3.0]
    second = dict(copy.deepcopy(healthy.level), id=uuid7(_MOMENT, "second level"), name="Soppalco", number=1,
                  boundary=[[0, 0], [20, 15], [20, 0], [0, 15], [0, 0]])
    healthy.levels.append(second)
    _write(healthy, directory, "plans", "Contorni che si incrociano, superfici e baricentri che non tornano, punti fuori dal locale",
           LOCALE_POLIGONO_INCROCIATO=1, LIVELLO_CONTORNO_INCROCIATO=1, LOCALE_AREA=1, LOCALE_CENTROIDE=1, LOCALE_FUORI_LIVELLO=1,
           ASSET_FUORI_LOCALE=True)


def _states(directory):
    healthy = HealthyBuilding("stati")
    healthy.rooms[0]["lifecycleState"] = "Empty"
    healthy.project["schemaVersionId"] = uuid7(_MOMENT, "no schema")
    photos = healthy.walk.photos
    photos[1].update(uploadStatus="Completed", uploadedAt=_BEFORE)
    healthy.notes.append({
        "id": uuid7(_MOMENT, "note", "stati"), "roomId": healthy.rooms[1]["id"], "emptyRoom": False, "roomIsBlocked": False,
        "description": "Umidità sulla parete nord", "mainPhoto": None, "extraPhotoIds": [photos[2]["id"]], "operatorId": "op", "createdAt": CREATED})
    _write(healthy, directory, "states", "Stati che contraddicono il contenuto",
           LOCALE_VUOTO_CON_ASSET=1, PROGETTO_SENZA_SCHEMA=1, FOTO_CARICATA_PRIMA=1, NOTA_SENZA_FOTO_PRINCIPALE=1)


def _approved(directory):
    """Approved although rooms are not and photos never arrived."""
    healthy = HealthyBuilding("approvato", state="Approved")
    for row in healthy.rooms[1:]:
        row["lifecycleState"] = "Approved"
    healthy.walk.photos[0].update(uploadStatus="Pending", uploadedAt=None)
    _write(healthy, directory, "approved", "Progetto approvato con locali e foto ancora aperti",
           PROGETTO_LOCALI_APERTI=1, PROGETTO_FOTO_APERTE=1)


def _ready(directory):
    _write(HealthyBuilding("pronto", state="Ready"), directory, "ready", "Progetto mai iniziato che contiene già elementi",
           PROGETTO_PRIMA_DEL_RILIEVO=1)


def _types(directory):
    """A type typed in again with a slip, and a photo of another project."""
    healthy = HealthyBuilding("tipi")
    kind = healthy.type_of("Radiators")
    again = dict(copy.deepcopy(kind), id=uuid7(later(_MOMENT, seconds=1), "slip"), name=kind["name"] + "s")
    other = dict(copy.deepcopy(kind), id=uuid7(later(_MOMENT, seconds=2), "other"), name=kind["name"] + "x")
    other["parameters"] = {key: f"altro {value}" if isinstance(value, str) else value for key, value in other["parameters"].items()}
    healthy.types += [again, other]
    neighbour = project(uuid7(_MOMENT, "neighbour"), "Prova – il vicino", "Active", None, None, _MOMENT, None)
    healthy.other_projects.append(neighbour)
    healthy.members.append(dict(healthy.members[0], id=uuid7(_MOMENT, "neighbour member"), projectId=neighbour["id"]))
    healthy.walk.photos[0]["projectId"] = neighbour["id"]
    _write(healthy, directory, "types", "Tipi probabilmente doppi, foto di un altro progetto", {"IMPORT-ALIKE": True}, TIPO_SIMILE=1, ASSET_FOTO_ALTRO_PROGETTO=1)


def _event_order(directory):
    healthy = HealthyBuilding("ordine-eventi")
    events, instances = healthy.walk.events, healthy.walk.instances
    made = {event["entityId"]: event for event in events if event["type"] in ("InstanceCreated", "INSTANCE_CREATED")}

    def event(kind, entity, seconds, name, **more):
        """An event so many seconds after the end of the survey, in time and by its id."""
        moment = later(healthy.walk.clock, seconds=seconds)
        row = dict(copy.deepcopy(events[0]), id=uuid7(moment, "order", name), type=kind, timestamp=stamp(moment), entityId=entity, payload={})
        events.append(dict(row, **more))

    lamp, radiator, access = (instances[index]["id"] for index in range(3))
    event("InstanceUpdated", lamp, 60, "early", timestamp=_BEFORE)            # its clock was set back
    event("InstanceDeleted", radiator, 120, "gone")                           # and is still there
    event("INSTANCE_UPDATED", radiator, 180, "after")
    event("InstanceCreated", access, 240, "twice", payload=made[access]["payload"])
    event("InstanceUpdated", access, 300, "unsure", synced=True, status="FAILED")
    _write(healthy, directory, "event-order", "Eventi fuori ordine, doppi o contraddittori",
           EVENTO_FUORI_ORDINE=1, EVENTO_PRIMA_DI_CREAZIONE=1, EVENTO_DOPO_ELIMINAZIONE=1, ASSET_ELIMINATO=1, EVENTO_CREATO_DUE_VOLTE=1,
           EVENTO_STATO_CONTRADDITTORIO=1)
