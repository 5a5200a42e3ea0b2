"""What meSync leaves on a device, and the store of version 1.0, both of one of the survey's people.

The app writes each set under a key: the small ones into its property list, whose values are JSON as bytes, the larger ones into a
JSON file each. Members are camelCase, every date is a number of seconds since 2001-01-01 UTC: a day is its local midnight, a time of
day the second of its minute on the day of writing. Version 1.0 was a SwiftData store, which is an SQLite file of Core Data."""
import datetime
import json
import plistlib
import sqlite3
import uuid

from .marks_mesync import dose_marks, habit_marks
from .plans_mesync import (
    BEGINS,
    HABITS,
    habit_rows,
    medication_rows,
    task_rows,
    user_id,
    users,
)
from .seeded import generator, instant, later, uuid7

_EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)
_LIMA = datetime.timedelta(hours=-5)
_NOW = instant("2025-11-30T23:10:00Z")
_KEPT_DAYS = 14       # a device keeps the days that somebody opened lately
_README = """# What a device of meSync leaves

One person's data (`carmen@example.pe`), copied from the device on 30 November 2025. In `device/`, `Preferences/` has the app's property list
(binary), whose values are JSON as bytes; `Caches/` one JSON file a key. Keys are `habits`, `tasks`, `medications`, and a day's marks under
`habit_instances_YYYY-MM-DD` and `medication_instances_YYYY-MM-DD`. Under `KEY_expiration` stands until when a set may be shown without
asking the server: all are over, and their rows are as good as the others. Dates are seconds since 2001-01-01 UTC; a day is its midnight
in Lima. `sync_queue`, in the property list, holds the operations that have not gone up yet, in order. They are not in the sets of
`Caches/`. `device.json` has everything in one document, `device.plist` (binary) and `device-xml.plist` in one property list, with dates
under `KEY_expiration`; Python's plistlib made all property lists:

{operations}

After them the device has {habits} habits, {marks} marks, {tasks} tasks, {medications} medicines and {doses} doses.
"""


def seconds(moment):
    return (moment - _EPOCH).total_seconds()


def _day(text):
    """A day as the app writes it: its midnight in Lima."""
    return seconds(datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC) - _LIMA)


def _hour(text):
    return _day("2025-11-30") + sum(int(part) * unit for part, unit in zip(text.split(":"), (3600, 60, 1), strict=True))


def _camel(name):
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


def _member(column, value):
    if value is None:
        return None
    if column == "scheduled_date":
        return _day(value)
    if column == "remind_at":
        return _hour(value)
    if column == "reminder_times":
        return [_hour(text) for text in value]
    if column.endswith("_at") or column == "due_date":
        return seconds(instant(value))
    if column == "id" or column.endswith("_id"):
        return value.upper()
    return value


def encoded(row):
    """A row as Swift's encoder writes it: what is nil is left out, ids are in capitals."""
    return {_camel(column): _member(column, value) for column, value in row.items() if value is not None}


def _of(person, rows):
    return [row for row in rows if row["user_id"] == user_id(person)]


def _json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


class Device:
    """The sets under their keys, and the operations that wait."""

    def __init__(self, person="carmen"):
        self.person = person
        self.user = next(row for row in users() if row["id"] == user_id(person))
        self.habits, self.tasks, self.medications = (_of(person, rows) for rows in (habit_rows(), task_rows(), medication_rows()))
        since = (_NOW + _LIMA).date() - datetime.timedelta(days=_KEPT_DAYS - 1)
        self.marks = [row for row in _of(person, habit_marks()) if row["scheduled_date"] >= since.isoformat()]
        self.doses = [row for row in _of(person, dose_marks()) if row["scheduled_date"] >= since.isoformat()]
        self.queue = []
        self._queue()

    def _queue(self):
        """Work without a network: a habit is made, marked and renamed; a mark is made again under a fresh id; a task ends, one goes."""
        made = later(_NOW, hours=-9)
        stretch = {
            "id": uuid7(made, "queue habit"), "user_id": self.user["id"], "name": "Estirar", "description": None, "frequency": "daily",
            "frequency_details": None, "remind_at": "06:45:00", "created_at": _stamp(made), "updated_at": _stamp(made)}
        mark = {"id": uuid7(made, "queue mark"), "habit_id": stretch["id"], "user_id": self.user["id"], "scheduled_date": "2025-11-30",
                "completed_at": _stamp(later(made, minutes=5)), "skipped_at": None, "created_at": _stamp(later(made, minutes=5))}
        self.add("upsertHabit", stretch)
        self.add("upsertHabitInstance", mark)
        self.add("upsertHabit", dict(stretch, name="Estirar diez minutos", updated_at=_stamp(later(made, minutes=20))))
        last = self.marks[-1]
        again = dict(last, id=uuid7(made, "queue again"), completed_at=None, skipped_at=_stamp(later(made, minutes=30)))
        self.add("upsertHabitInstance", again)
        dose = dict(self.doses[-1], id=uuid7(made, "queue dose"), taken_at=_stamp(later(made, hours=8)), skipped_at=None)
        self.add("upsertMedicationInstance", dose)
        task = next(row for row in self.tasks if row["name"] == "Turno de dentista")
        self.add("upsertTask", dict(task, completed_at=_stamp(later(made, hours=2)), updated_at=_stamp(later(made, hours=2))))
        gone = next(row for row in self.tasks if row["name"] == "Comprar lana verde")
        self.queue.append({"deleteTask": {"_0": gone["id"].upper()}})

    def add(self, operation, row):
        self.queue.append({operation: {"_0": encoded(row)}})

    def sets(self):
        kept = {"habits": self.habits, "tasks": self.tasks, "medications": self.medications}
        for prefix, rows in (("habit_instances", self.marks), ("medication_instances", self.doses)):
            for row in rows:
                kept.setdefault(f"{prefix}_{row['scheduled_date']}", []).append(row)
        return {key: [encoded(row) for row in rows] for key, rows in kept.items()}


def _stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def build(directory):
    device = Device()
    caches = directory / "Caches"
    caches.mkdir(parents=True, exist_ok=True)
    random = generator("mesync device")
    for key, rows in device.sets().items():
        (caches / f"{key}.json").write_bytes(_json(rows))
        expires = later(_NOW, minutes=-random.randrange(120, 60 * 24 * 9))
        (caches / f"{key}_expiration.json").write_bytes(_json(seconds(expires)))
    preferences = directory / "Preferences"
    preferences.mkdir(parents=True, exist_ok=True)
    values = {
        "current_user": _json(encoded(device.user)), "sync_queue": _json(device.queue), "last_sync": _json(seconds(later(_NOW, hours=-11))),
        "hasSeenOnboarding": True, "launchCount": 412, "AppleLanguages": ["es-PE"]}
    (preferences / "com.example.mesync.plist").write_bytes(plistlib.dumps(values, fmt=plistlib.FMT_BINARY, sort_keys=True))
    # The same in one document, as a copy of everything under its keys.
    document = {"current_user": encoded(device.user)}
    for key, rows in device.sets().items():
        document[key] = rows
        document[f"{key}_expiration"] = seconds(_NOW) - 7200
    document["sync_queue"] = device.queue
    (directory.parent / "device.json").write_bytes(json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8") + b"\n")
    # And in one property list, as a small set of keys is kept: dates where the document has seconds.
    whole = {key: _json(value) for key, value in document.items() if not key.endswith("_expiration")}
    whole |= {key: (_NOW - datetime.timedelta(hours=2)).replace(tzinfo=None) for key in document if key.endswith("_expiration")}
    for name, form in (("device.plist", plistlib.FMT_BINARY), ("device-xml.plist", plistlib.FMT_XML)):
        (directory.parent / name).write_bytes(plistlib.dumps(whole, fmt=form, sort_keys=False))
    (directory.parent / "device.md").write_text(_README.format(
        operations="\n".join(f"{place}. `{next(iter(operation))}`" for place, operation in enumerate(device.queue, 1)),
        habits=len(device.habits) + 1, marks=len(device.marks) + 1, tasks=len(device.tasks) - 1, medications=len(device.medications),
        doses=len(device.doses)), encoding="utf-8")


def build_first_version(directory):
    """The store of version 1.0: habits with their completion marks, from before the survey; one of them begun anew in 2.0."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "default.store"
    path.unlink(missing_ok=True)
    store = sqlite3.connect(path)
    store.executescript("""
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE ZHABIT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCREATEDAT TIMESTAMP, ZREMINDAT TIMESTAMP,
          ZDETAILS VARCHAR, ZFREQUENCY VARCHAR, ZNAME VARCHAR, ZID BLOB);
        CREATE TABLE ZCOMPLETION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZHABIT INTEGER, ZDATE TIMESTAMP, ZISCOMPLETED INTEGER);
        CREATE INDEX Z_Completion_habit ON ZCOMPLETION (ZHABIT);""")
    random = generator("mesync version 1")
    completions = 0
    for place, (_, name, description, frequency, _, hour, _, _) in enumerate([row for row in HABITS if row[0] == "carmen"][:3], 1):
        begun = later(BEGINS, days=-120 + place)
        store.execute("INSERT INTO ZHABIT VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?)", (
            place, seconds(begun), _hour(hour), description, frequency.capitalize(), name, uuid.UUID(uuid7(begun, "version 1", name)).bytes))
        for day in range(-119 + place, -4):
            if frequency == "weekly" and (BEGINS + datetime.timedelta(days=day)).isoweekday() not in (2, 4):
                continue
            if random.random() < 0.85:
                completions += 1
                moment = later(BEGINS, days=day, hours=int(hour[:2]), minutes=random.randrange(90))
                store.execute("INSERT INTO ZCOMPLETION VALUES (?, 2, 1, ?, ?, ?)", (completions, place, seconds(moment), int(random.random() < 0.93)))
    store.execute("INSERT INTO Z_PRIMARYKEY VALUES (1, 'Habit', 0, 3), (2, 'Completion', 0, ?)", (completions,))
    store.commit()
    store.execute("VACUUM")
    counts = [store.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("ZHABIT", "ZCOMPLETION")]
    whole = store.execute("SELECT count(*) FROM ZCOMPLETION WHERE ZISCOMPLETED = 1").fetchone()[0]
    store.close()
    (directory / "README.md").write_text(
        "# The store of meSync 1.0\n\n`default.store` is a SwiftData store as version 1.0 left it (SQLite, tables and columns of Core Data): "
        f"{counts[0]} habits and {counts[1]} completion marks\nof one person (`carmen@example.pe`), of which {whole} say that the habit was "
        "done. Dates are seconds since 2001-01-01 UTC, ids are 16 bytes.\n", encoding="utf-8")
