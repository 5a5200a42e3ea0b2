"""meSync's server: two people and half a year of their marks, as a package and as the CSV files of the server's console."""
import csv
import io
import json

from .marks_mesync import dose_marks, habit_marks
from .package import Package
from .people import MESYNC, profile_of_user
from .plans_mesync import habit_rows, medication_rows, task_rows, user_id, users
from .seeded import instant, uuid7

CREATED = "2025-12-01T03:30:00Z"


def tables():
    """Every table of the server, parents first."""
    return {"users": users(), "habits": habit_rows(), "habit_instances": habit_marks(), "tasks": task_rows(),
            "medications": medication_rows(), "medication_instances": dose_marks()}


def members():
    """Who sees whom: everybody herself, Diego as her carer his mother too, the administrator both."""
    rows = []
    for person, owner, role in (
            ("carmen", "carmen", "TITULAR"), ("diego", "diego", "TITULAR"), ("diego", "carmen", "CUIDADOR"),
            ("admin", "carmen", "ADMINISTRADOR"), ("admin", "diego", "ADMINISTRADOR")):
        rows.append({"id": uuid7(instant(CREATED), "mesync member", person, owner), "project_id": user_id(owner),
                     "profile_id": profile_of_user(person)["id"], "role": role, "created_at": "2025-05-29T00:10:00Z"})
    return rows


def build(directory):
    package = Package(directory, "mesync", CREATED, "Dos personas y medio año: hábitos, tareas y medicamentos")
    own = tables()
    package.add("profiles", [profile_of_user(mail) for mail, *_ in MESYNC])
    package.add("users", own["users"])
    package.add("project_members", members())
    for name in ("habits", "habit_instances", "tasks", "medications", "medication_instances"):
        package.add(name, own[name], lines=name.endswith("_instances"))
    package.write()
    package.expect(**{"import": {}, "export": {"TEXT-FORMULA": True}}, validate={"TAREA-VENCIDA": 3})


def build_tables(directory):
    """The same rows as PostgreSQL writes them as CSV: instants with a space and +00, arrays in braces."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, rows in tables().items():
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(rows[0])
        for row in rows:
            writer.writerow([_cell(column, value) for column, value in row.items()])
        (directory / f"{name}_rows.csv").write_bytes(text.getvalue().encode("utf-8"))


def _cell(column, value):
    if value is None:
        return ""
    if column == "reminder_times":
        return "{" + ",".join(value) + "}"
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if column == "due_date" or (column.endswith("_at") and column != "remind_at"):
        return value.replace("T", " ").replace("Z", "+00")
    return value
