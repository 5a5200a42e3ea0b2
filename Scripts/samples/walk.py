"""The survey itself: an operator goes from room to room; what comes out are instances, photos and the events that tell it.

The snapshot (types, instances, rooms, photos) and the event log are made in one go, so that applying the log to the rooms as
they were drawn gives the snapshot."""
import copy
import datetime

from . import plan
from .asset_types import instance_parameters
from .seeded import generator, later, stamp, uuid7

# The assets of a room by the beginning of its name: (family, number).
_OUTFITS = (
    ("Corridoio", (("Lighting", 9), ("Fire extinguishers", 4), ("Access points", 3), ("Doors", 4), ("Smoke detectors", 4),
                   ("Sockets/Electrical panels", 3), ("Radiators", 3))),
    ("WC", (("Lighting", 2), ("Doors", 2), ("Radiators", 1))),
    ("Aula", (("Lighting", 4), ("Radiators", 2), ("Doors", 1), ("Sockets/Electrical panels", 2), ("Smoke detectors", 1))),
    ("Laboratorio", (("Lighting", 6), ("Radiators", 2), ("Doors", 2), ("Sockets/Electrical panels", 4), ("Access points", 1),
                     ("Split units", 2), ("Fire extinguishers", 1), ("Smoke detectors", 2))),
    ("", (("Lighting", 3), ("Radiators", 1), ("Doors", 1), ("Split units", 1), ("Smoke detectors", 1), ("Sockets/Electrical panels", 1))),
)


class Walk:
    """Collects rows as the operator works; `clock` moves forward with every action."""

    def __init__(self, project_id, plan_version, operators, begins, seed):
        self.project_id, self.plan_version = project_id, plan_version
        self.operators, self.clock, self.seed = operators, begins, seed
        self.random = generator("walk", seed)
        self.instances, self.photos, self.events = [], [], []
        self.counts, self.sequence = {}, 0
        # The subjects of the photos that are drawn: (family, room).
        self.shown = {}

    # The later spelling is of the newer version of the app, which was installed at noon of the
    # second day.
    _LATER = {"TypeCreated": "TYPE_CREATED", "InstanceCreated": "INSTANCE_CREATED", "InstanceUpdated": "INSTANCE_UPDATED",
              "InstanceDeleted": "INSTANCE_DELETED", "PhotoLinked": "PHOTO_ATTACHED", "RoomStateChanged": "ROOM_STATUS_CHANGED"}

    def event(self, kind, entity_id, payload, newer=None):
        newer = len(self.events) % 3 == 2 and self.clock.day % 2 == 0 if newer is None else newer
        self.tick(0.004)
        identifier = uuid7(self.clock, self.seed, "event", len(self.events))
        self.events.append({
            "id": identifier, "type": self._LATER.get(kind, kind) if newer else kind, "timestamp": stamp(self.clock),
            "projectId": self.project_id, "operatorId": self.operator, "entityId": entity_id, "payload": copy.deepcopy(payload),
            "synced": True, "status": "UPLOADED",
        })

    @property
    def operator(self):
        return self.operators[self.clock.day % len(self.operators)]

    def tick(self, seconds):
        self.clock = later(self.clock, milliseconds=round(seconds * 1000))

    def next_day(self):
        day = self.clock.date() + datetime.timedelta(days=3 if self.clock.weekday() == 4 else 1)
        self.clock = datetime.datetime(day.year, day.month, day.day, 7, 30, tzinfo=self.clock.tzinfo)

    def create(self, family, type_row, room_row, photos):
        """One instance with its photos; the point is the room's centroid unless the operator moved it."""
        count = self.counts[family] = self.counts.get(family, 0) + 1
        self.tick(self.random.uniform(18, 70))
        moved = self.random.random() < 0.8
        point = plan.point_inside(self.random, room_row["polygon"]) if moved else room_row["centroid"]
        row = {
            "id": uuid7(self.clock, self.seed, "instance", len(self.instances)), "typeId": type_row["id"], "roomId": room_row["id"],
            "planPoint": point, "planVersionId": self.plan_version,
            "parameters": instance_parameters(self.random, family, count, self.clock.date()), "photoIds": [],
            "createdAt": stamp(self.clock),
        }
        self.instances.append(row)
        self.event("InstanceCreated", row["id"], {key: row[key] for key in ("typeId", "roomId", "planPoint", "parameters")})
        for _ in range(photos):
            self.photograph(row, family, room_row)
        return row

    def photograph(self, instance, family, room_row):
        photo = self.capture()
        self.shown[photo["id"]] = (family, room_row)
        self.link(photo["id"], instance)

    def capture(self, name=None):
        """A photo under its documented name; operators' ids may hold an underscore, so names are parsed from the right."""
        self.tick(self.random.uniform(3, 9))
        self.sequence += 1
        moment = f"{self.clock.timestamp():.6f}" if self.sequence % 3 else f"{int(self.clock.timestamp())}"
        name = name or f"{self.project_id[:8].upper()}_{self.operator}_{moment}_{self.sequence}.jpg"
        size = self.random.randrange(180_000, 460_000)
        row = {
            "id": uuid7(self.clock, self.seed, "photo", self.sequence), "projectId": self.project_id, "filename": name,
            "filepath": None, "uploadStatus": "Completed", "uploadedAt": stamp(later(self.clock, hours=6)), "size": size,
            "takenAt": stamp(self.clock),
        }
        self.photos.append(row)
        self.event("PhotoCaptured", row["id"], {"filename": name, "size": size}, newer=False)
        return row

    def link(self, photo_id, instance):
        instance["photoIds"].append(photo_id)
        self.event("PhotoLinked", photo_id, {"instanceId": instance["id"], "photoId": photo_id})

    def state(self, room_row, old, new):
        self.event("RoomStateChanged", room_row["id"], {"from": old, "to": new})


def outfit(room_name):
    return next(list(outfit) for start, outfit in _OUTFITS if room_name.startswith(start))
