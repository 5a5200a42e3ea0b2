"""A small healthy survey of one level for each broken set of Anagrafica to spoil."""
import hashlib

from . import plan
from .asset_photo import asset_photo
from .building import level, project, room
from .device import member
from .exif import exif
from .package import Package
from .seeded import generator, instant, uuid7
from .survey_anagrafica import CREATED, camel, marked, profiles
from .survey_assets import library
from .walk import Walk

ACTOR = "ufficio@example.it"
_BEGINS = instant("2026-06-01T08:00:00Z")
_FAMILIES = ("Lighting", "Radiators", "Access points", "Fire extinguishers", "Split units", "Smoke detectors")


class HealthyBuilding:
    """Rows by table, ready to be changed. Each room has two assets, the last a note; with `pictures` photos have files."""

    def __init__(self, name, state="Completed", pictures=False):
        seed = ("broken", name)
        schema = uuid7(_BEGINS, "schema", *seed)
        self.synced = {"syncStatus": "synced", "localVersion": 1, "remoteUpdatedAt": CREATED}
        self.project = project(uuid7(_BEGINS, "project", *seed), f"Prova – {name}", state, uuid7(_BEGINS, "plan", *seed), schema,
                               _BEGINS, instant("2026-06-02T17:00:00Z"))
        self.schema_version = {"id": schema, "projectId": self.project["id"], "version": "1.0",
                               "createdAt": self.project["createdAt"], "isLocked": True}
        self.schema_versions = [self.schema_version]
        self.members = [camel(member(self.project["id"], ACTOR, "UFFICIO", _BEGINS))]
        self.families, self.types = library(self.project["id"], schema, _FAMILIES)
        boundary = [[-0.4, -0.4], [22.6, -0.4], [22.6, 20.0], [-0.4, 20.0], [-0.4, -0.4]]
        self.level = level(self.project["id"], 0, "Piano unico", "Edificio di prova", _BEGINS, boundary)
        self.levels = [self.level]
        self.rooms = [room(self.level, number, title, ring, "Complete", _BEGINS)
                      for number, (title, ring) in enumerate(plan.nursery_rooms(), start=1)]
        self.walk = Walk(self.project["id"], self.project["planVersionId"], ("op",), _BEGINS, "/".join(seed))
        self._furnish()
        used = {row["typeId"] for row in self.walk.instances}
        self.types = [row for row in self.types if row["id"] in used]
        self.notes, self.other_projects = [], []
        self.pictures = {}
        if pictures:
            self._draw()

    def _furnish(self):
        for index, family in enumerate(_FAMILIES):
            self.walk.create(family, self.type_of(family), self.rooms[index % len(self.rooms)], 1)
        for row in self.walk.instances:
            row["parameters"].update(condition="buono")
            row["parameters"].pop("defect", None)
        for row in self.rooms:
            self.walk.state(row, "Empty", "Complete")
        for event in self.walk.events:
            if event["type"] == "InstanceCreated":
                event["payload"]["parameters"] = dict(self.instance_by_id(event["entityId"])["parameters"])

    def type_of(self, family):
        owner = next(row["id"] for row in self.families if row["name"] == family)
        return next(row for row in self.types if row["familyId"] == owner)

    def family(self, name):
        return next(row for row in self.families if row["name"] == name)

    def instance_by_id(self, identifier):
        return next(row for row in self.walk.instances if row["id"] == identifier)

    def instance(self, family):
        return self.walk.instances[_FAMILIES.index(family)]

    def photo_of(self, family):
        identifier = self.instance(family)["photoIds"][0]
        return next(row for row in self.walk.photos if row["id"] == identifier)

    def _draw(self):
        for row in self.walk.photos:
            family, place = self.walk.shown[row["id"]]
            data = asset_photo(generator("broken", row["id"]), family, (480, 360), (place["name"], family),
                               exif(instant(row["takenAt"]), 2, "samsung", "SM-X306B", "Anagrafica Tecnica 1.4"), 9_000)
            row.update(filepath=f"photos/{row['filename']}", size=len(data), sha256=hashlib.sha256(data).hexdigest(), widthPx=480, heightPx=360)
            self.pictures[row["id"]] = data

    def package(self, directory, description):
        package = Package(directory, "anagrafica", CREATED, description)
        package.add("profiles", [row for row in profiles() if row["email"] == ACTOR])
        package.add("projects", marked([self.project] + self.other_projects, self.synced))
        package.add("project_members", self.members)
        package.add("schema_versions", self.schema_versions)
        for entity, rows in (("families", self.families), ("types", self.types), ("levels", self.levels), ("rooms", self.rooms),
                             ("photos", self.walk.photos), ("instances", self.walk.instances), ("room_notes", self.notes)):
            package.add(entity, marked(rows, self.synced))
        package.add("events", self.walk.events, lines=True)
        for row in self.walk.photos:
            data = self.pictures.get(row["id"])
            if data is not None:
                package.add_photo(row["filename"], "photos", row["id"], data)
        return package
