"""Puts Anagrafica's survey together: people, the approved school, the nursery in draft, sixty-odd photos that really exist."""
import hashlib

from .asset_photo import asset_photo
from .device import member
from .exif import exif
from .package import Package
from .people import ANAGRAFICA, profile
from .seeded import generator, instant, stamp
from .survey_assets import EMPTY, PROJECT, SCHEMA_VERSION, Survey
from .survey_draft import PROJECT as DRAFT_PROJECT
from .survey_draft import SCHEMA_VERSION as DRAFT_SCHEMA
from .survey_draft import Draft

CREATED = "2026-05-06T17:00:00Z"
OPERATORS = ("op", "rilevatrice_2")
_SMALL, _LARGE = (480, 360), (1280, 960)
_DRAWN, _DRAWN_LARGE = 60, 12
_MEMBERS = {PROJECT: ("ufficio", "amministratore", "tecnico", "operatore", "operatrice", "committente", "cessato"),
            DRAFT_PROJECT: ("ufficio", "amministratore", "operatore", "nuova")}


def build(directory):
    package = Package(directory, "anagrafica", CREATED, "Rilievo impianti: scuola (approvato) e nido (bozza)")
    survey, draft = Survey(OPERATORS), Draft(OPERATORS)
    synced = {"syncStatus": "synced", "localVersion": 1, "remoteUpdatedAt": survey.project["lastSyncAt"]}
    _draw(package, survey.walk, _DRAWN)
    _draw(package, draft.walk, len(draft.walk.photos))
    people = profiles()
    roles = {mail: role for mail, _, role, *_ in ANAGRAFICA}
    members = [camel(member(project, f"{mail}@example.it", roles[mail], instant("2026-02-16T08:30:00Z")))
               for project, mails in _MEMBERS.items() for mail in mails]
    package.add("profiles", people)
    package.add("projects", [dict(survey.project, **synced), draft.project])
    package.add("project_members", members)
    package.add("schema_versions", [_schema_version(survey, SCHEMA_VERSION, True), _schema_version(draft, DRAFT_SCHEMA, False)])
    package.add("families", marked(survey.families + draft.families, synced))
    package.add("types", marked(survey.types + draft.types, synced))
    package.add("levels", marked(survey.levels + [draft.level], synced))
    package.add("rooms", marked(survey.rooms + draft.rooms, synced))
    package.add("photos", marked(survey.walk.photos + draft.walk.photos, synced))
    package.add("instances", marked(survey.walk.instances + draft.walk.instances, synced))
    package.add("room_notes", marked(survey.notes, synced))
    package.add("events", survey.walk.events + draft.walk.events, lines=True)
    package.write()
    without_file = sum(1 for row in survey.walk.photos if row["filepath"] is None)
    # No export has the photos of notes on rooms.
    in_notes = sum(1 for row in survey.walk.photos if row["filepath"] is None and any(row["id"] in str(note) for note in survey.notes))
    package.expect(**{"import": {}}, validate={
        "LOCALE-DA-RILEVARE": len(EMPTY), "FOTO-NON-CARICATA": 2, "TIPO-SENZA-ASSET": True, "PROGETTO-LOCALI-APERTI": 1,
        "PHOTO-FILE-MISSING": without_file,
    }, export={"PHOTO-MISSING": without_file - in_notes, "SHEET-RENAMED": True, "TEXT-FORMULA": True})


def profiles():
    return [camel(profile(*person, "example.it", None, stamp(instant("2026-05-06T06:00:00Z")))) for person in ANAGRAFICA]


def marked(rows, synced):
    """Rows without states of their own are in step with the server."""
    return [dict(synced, **row) if "syncStatus" in row else dict(row, **synced) for row in rows]


def _schema_version(survey, identifier, locked):
    project = survey.project
    return {"id": identifier, "projectId": project["id"], "version": "1.0", "createdAt": project["createdAt"], "isLocked": locked}


def _draw(package, walk, count):
    """Draws the first photos of the walk that show an asset, a dozen of them in full size; the rest has records only."""
    wanted = [row for row in walk.photos if row["id"] in walk.shown]
    wanted = wanted[::max(1, len(wanted) // count)][:count]
    for index, row in enumerate(wanted):
        family, room = walk.shown[row["id"]]
        large = count == _DRAWN and index % (count // _DRAWN_LARGE) == 0
        size = _LARGE if large else _SMALL
        taken = instant(row["takenAt"])
        data = asset_photo(generator("asset photo", row["id"]), family, size, (f"{room['number']} {room['name']}", family),
                           exif(taken, 1, "samsung", "SM-X306B", "Anagrafica Tecnica 1.4"), 44_000 if large else 16_000)
        row.update(filepath=f"photos/{row['filename']}", size=len(data), sha256=hashlib.sha256(data).hexdigest(), widthPx=size[0], heightPx=size[1])
        for event in walk.events:
            if event["type"] == "PhotoCaptured" and event["entityId"] == row["id"]:
                event["payload"]["size"] = len(data)
        package.add_photo(row["filename"], "photos", row["id"], data)


def camel(row):
    """Anagrafica's files write camelCase."""
    def renamed(key):
        head, *rest = key.split("_")
        return head + "".join(part.capitalize() for part in rest)
    return {renamed(key): value for key, value in row.items()}
