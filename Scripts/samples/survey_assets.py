"""Anagrafica's survey: a school of three levels and forty rooms, walked, corrected and approved."""
from .asset_types import TYPES, type_parameters
from .building import project, school
from .families import families
from .seeded import instant, later, stamp, uuid7
from .walk import Walk, outfit

INSTANCES, PHOTOS = 400, 500
BEGINS = instant("2026-03-09T07:30:00Z")
LIBRARY_MADE = instant("2026-02-16T09:00:00Z")
PROJECT = uuid7(instant("2026-02-16T08:00:00Z"), "project", "school")
SCHEMA_VERSION = uuid7(LIBRARY_MADE, "schema", 1)
# Rooms without an asset: each has a note that says why.
EMPTY = {"0005": "blocked", "1005": "empty", "2009": "empty", "2012": "blocked"}
_MADE_ON_SITE = {("Doors", 4), ("Split units", 4), ("Lighting", 3), ("Smoke detectors", 4), ("Radiators", 4), ("Access points", 4)}


def library(project_id, schema_version, names=None):
    """The families of a project (all, or those named) and their types; a few types were made by an operator on site."""
    family_rows, type_rows = [], []
    for order, (name, icon, least, most, schema) in enumerate(families()):
        if names and name not in names:
            continue
        family_rows.append({
            "id": uuid7(later(LIBRARY_MADE, seconds=order), project_id, "family", name), "projectId": project_id,
            "schemaVersionId": schema_version, "name": name, "iconName": icon, "parameterSchema": schema, "photoMin": least,
            "photoMax": most, "sortOrder": order,
        })
        for index, (type_name, manufacturer, model, own) in enumerate(TYPES[name]):
            made = later(LIBRARY_MADE, minutes=order, seconds=index)
            type_rows.append({
                "id": uuid7(made, project_id, "type", name, index), "familyId": family_rows[-1]["id"], "name": type_name,
                "parameters": type_parameters(manufacturer, model, own), "createdByOperator": None, "createdAt": stamp(made),
            })
    return family_rows, type_rows


class Survey:
    """All rows of the main project, made once and in order."""

    def __init__(self, operators):
        self.project = project(
            PROJECT, "Scuola primaria \"Il Faggio\" – Valdorsa", "Approved", uuid7(LIBRARY_MADE, "plan", 1), SCHEMA_VERSION,
            instant("2026-03-09T06:10:00Z"), instant("2026-04-02T16:40:00Z"))
        self.families, self.types = library(PROJECT, SCHEMA_VERSION)
        self.levels, self.rooms = school(PROJECT, "Edificio A", EMPTY)
        self.notes = []
        self.walk = Walk(PROJECT, self.project["planVersionId"], operators, BEGINS, "school")
        self._types_of = {family["name"]: [row for row in self.types if row["familyId"] == family["id"]] for family in self.families}
        self._to_make = {TYPES[name][index][0] for name, index in _MADE_ON_SITE}
        self._survey()

    def _survey(self):
        walk = self.walk
        wanted = self._outfits()
        left = PHOTOS - INSTANCES - 2 * len(EMPTY)
        for index, row in enumerate(self.rooms):
            if index in (10, 20, 31):
                walk.next_day()
            walk.tick(240)
            if row["number"] in EMPTY:
                self._note(row, EMPTY[row["number"]])
                continue
            made = []
            for family, count in wanted[row["number"]]:
                for _ in range(count):
                    extra = 1 if left > 0 and walk.random.random() < 0.28 else 0
                    left -= extra
                    made.append(walk.create(family, self._type(family), row, 1 + extra))
            self._share(made)
            walk.state(row, "Empty", "Complete")
        self._corrections(left)
        self._approve()

    def _outfits(self):
        """What hangs in each room, topped up in turn with lights and sockets to exactly INSTANCES."""
        rooms = [row for row in self.rooms if row["number"] not in EMPTY]
        found = {row["number"]: dict(outfit(row["name"])) for row in rooms}
        missing = INSTANCES - sum(sum(counts.values()) for counts in found.values())
        for step in range(missing):
            counts = found[rooms[step % len(rooms)]["number"]]
            family = ("Lighting", "Sockets/Electrical panels", "Radiators")[step // len(rooms) % 3]
            counts[family] = counts.get(family, 0) + 1
        return {number: list(counts.items()) for number, counts in found.items()}

    def _type(self, family):
        rows = self._types_of[family]
        weights = (8, 6, 4, 3, 2)[:len(rows)]
        row = self.walk.random.choices(rows, weights)[0]
        self._make(row)
        return row

    def _make(self, row):
        """A type that the operator found missing in the library is made before its first instance."""
        if row["name"] not in self._to_make:
            return
        self._to_make.remove(row["name"])
        self.walk.tick(30)
        row.update(id=uuid7(self.walk.clock, "type", row["name"]), createdAt=stamp(self.walk.clock), createdByOperator=self.walk.operator)
        self.walk.event("TypeCreated", row["id"], {key: row[key] for key in ("familyId", "name", "parameters")})

    def _share(self, made):
        """One photo that shows two things next to each other serves both."""
        if len(made) > 6 and self.walk.random.random() < 0.6:
            first, second = made[0], made[1]
            self.walk.link(first["photoIds"][0], second)

    def _corrections(self, left):
        """The last day: photos that were missing, values put right, one asset entered twice and taken back."""
        walk = self.walk
        walk.next_day()
        for row in self.types:
            self._make(row)
        spare = [row for row in walk.instances if len(row["photoIds"]) == 1]
        for row in walk.random.sample(spare, left):
            family = next(f["name"] for f in self.families if f["id"] == self._family_id(row))
            walk.photograph(row, family, next(room for room in self.rooms if room["id"] == row["roomId"]))
        for row in walk.random.sample(walk.instances, 12):
            row["parameters"]["condition"] = "usurato"
            row["parameters"].pop("defect", None)
            walk.tick(40)
            walk.event("InstanceUpdated", row["id"], {"parameters": row["parameters"]})
        twice = uuid7(walk.clock, "school", "taken back")
        first = walk.instances[40]
        walk.event("InstanceCreated", twice, {key: first[key] for key in ("typeId", "roomId", "planPoint", "parameters")})
        walk.tick(55)
        walk.event("InstanceDeleted", twice, {"reason": "registrato due volte"})

    def _approve(self):
        walk = self.walk
        walk.next_day()
        for row in self.rooms:
            if row["lifecycleState"] == "Approved":
                walk.tick(2)
                walk.state(row, "Complete", "Approved")

    def _family_id(self, instance):
        return next(row["familyId"] for row in self.types if row["id"] == instance["typeId"])

    def _note(self, row, kind):
        """Why a room has no asset; a blocked room says what blocked it."""
        walk = self.walk
        photos = []
        for role in ("main", "extra"):
            name = f"room_{row['id']}_{role}_{walk.clock.strftime('%Y%m%d_%H%M%S')}.jpg"
            photos.append(walk.capture(name))
        words = {"0005": "Porta chiusa a chiave: l'archivio è sotto sequestro amministrativo, chiavi in Comune.",
                 "2012": "Pavimento non portante, accesso vietato dal preposto."}.get(row["number"])
        note = {
            "id": uuid7(walk.clock, "note", row["id"]), "roomId": row["id"], "emptyRoom": kind == "empty",
            "roomIsBlocked": kind == "blocked", "description": words, "mainPhoto": photos[0]["id"],
            "extraPhotoIds": [photo["id"] for photo in photos[1:]], "operatorId": walk.operator, "createdAt": stamp(walk.clock),
        }
        self.notes.append(note)
        walk.event("ROOM_NOTE_CREATED", note["id"], {key: note[key] for key in ("roomId", "emptyRoom", "roomIsBlocked", "description")})
