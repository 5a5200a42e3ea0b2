"""The beginnings of a second survey: a nursery in state Draft, half walked, nothing of it acknowledged by the server."""
from . import plan
from .building import level, project, room
from .seeded import instant, later, uuid7
from .survey_assets import LIBRARY_MADE, library
from .walk import Walk

BEGINS = instant("2026-05-05T08:00:00Z")
PROJECT = uuid7(instant("2026-05-04T08:00:00Z"), "project", "nursery")
SCHEMA_VERSION = uuid7(later(LIBRARY_MADE, days=70), "schema", "nursery")
_FAMILIES = ("Lighting", "Fire extinguishers", "Doors")
_UPLOADS = ("Completed", "Pending", "Uploading", "Failed", "Pending")
# The waiting states of the rows in turn: created on the device, being uploaded, failed.
_SYNC = ("local_only", "pending_upload", "pending_download", "error")


class Draft:
    def __init__(self, operators):
        local = {"syncStatus": "pending_upload", "localVersion": 2, "remoteUpdatedAt": None}
        self.project = project(PROJECT, "Nido d'infanzia \"Il Pettirosso\" – rilievo preliminare", "Draft", uuid7(LIBRARY_MADE, "plan", 2),
                               SCHEMA_VERSION, instant("2026-05-04T09:00:00Z"), None, **local)
        self.families, self.types = library(PROJECT, SCHEMA_VERSION, _FAMILIES)
        boundary = [[-0.4, -0.4], [22.6, -0.4], [22.6, 20.0], [-0.4, 20.0], [-0.4, -0.4]]
        self.level = level(PROJECT, 0, "Piano unico", "Nido", BEGINS, boundary)
        self.rooms = [room(self.level, number, name, ring, "Complete" if number < 3 else "Empty", BEGINS)
                      for number, (name, ring) in enumerate(plan.nursery_rooms(), start=1)]
        self.walk = Walk(PROJECT, self.project["planVersionId"], operators, BEGINS, "nursery")
        types = {family["name"]: next(row for row in self.types if row["familyId"] == family["id"]) for family in self.families}
        for row in self.rooms[:3]:
            for family, count in (("Lighting", 2), ("Doors", 1), ("Fire extinguishers", 1)):
                for _ in range(count):
                    self.walk.create(family, types[family], row, 1)
            if row["lifecycleState"] == "Complete":
                self.walk.state(row, "Empty", "Complete")
        self._not_yet_up()

    def _not_yet_up(self):
        for index, row in enumerate(self.walk.instances):
            sync = _SYNC[index % len(_SYNC)]
            row.update(syncStatus=sync, localVersion=1 + index % 3, remoteUpdatedAt=row["createdAt"] if sync == "pending_download" else None)
        for index, row in enumerate(self.walk.photos):
            status = _UPLOADS[index % len(_UPLOADS)]
            row.update(uploadStatus=status, uploadedAt=row["uploadedAt"] if status == "Completed" else None,
                       syncStatus={"Completed": "synced", "Failed": "error"}.get(status, "pending_upload"))
        for index, row in enumerate(self.walk.events):
            failed = index % 9 == 4
            row.update(synced=False, status="FAILED" if failed else "PENDING", retryCount=3 if failed else 0, deviceId="tablet-02")
