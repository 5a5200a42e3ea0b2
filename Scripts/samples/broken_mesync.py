"""meSync's broken packages: each is a person with a sound fortnight, spoiled in one way."""
import copy
import datetime

from .package import Package
from .people import profile_of_user
from .seeded import instant, later, stamp, uuid7
from .survey_mesync import CREATED

_FIRST = instant("2025-11-01T05:00:00Z")
_NOWHERE = uuid7(instant("2025-01-01T00:00:00Z"), "nowhere")


class _Person:
    """A person with two habits, a medicine of two doses a day and two tasks, all in order for fourteen days."""

    def __init__(self, name):
        self.name = name
        self.user = {"id": self.made("user"), "email": f"{name}@roto.example.pe", "created_at": stamp(_FIRST)}
        self.habits = [self._habit("Caminar", "07:00:00"), self._habit("Leer", "21:30:00")]
        self.medications = [{
            "id": self.made("medication"), "user_id": self.user["id"], "name": "Metformina 850 mg", "description": None,
            "instructions": "Con las comidas", "frequency": "daily", "times_per_day": 2, "reminder_times": ["08:00:00", "20:00:00"],
            "created_at": stamp(_FIRST), "updated_at": stamp(_FIRST)}]
        self.tasks = [self._task("Pagar la luz", 5, done=True), self._task("Renovar el carné", 60)]
        self.marks = [self.mark(habit, day) for habit in self.habits for day in range(14)]
        self.doses = [self.dose(day, number) for day in range(14) for number in (1, 2)]

    def made(self, *names):
        return uuid7(_FIRST, "mesync broken", self.name, *names)

    def _habit(self, name, hour):
        return {"id": self.made("habit", name), "user_id": self.user["id"], "name": name, "description": None, "frequency": "daily",
                "frequency_details": None, "remind_at": hour, "created_at": stamp(_FIRST), "updated_at": stamp(_FIRST)}

    def _task(self, name, day, done=False):
        due = later(_FIRST, days=day, hours=15)
        return {"id": self.made("task", name), "user_id": self.user["id"], "name": name, "description": None, "priority": "medium",
                "due_date": stamp(due), "completed_at": stamp(later(due, hours=-3)) if done else None, "skipped_at": None,
                "created_at": stamp(_FIRST), "updated_at": stamp(_FIRST)}

    def mark(self, habit, day, again=""):
        moment = later(_FIRST, days=day, hours=8)
        return {"id": self.made("mark", habit["name"], day, again), "habit_id": habit["id"], "user_id": self.user["id"],
                "scheduled_date": _date(day), "completed_at": stamp(moment), "skipped_at": None, "created_at": stamp(moment)}

    def dose(self, day, number, again=""):
        moment = later(_FIRST, days=day, hours=8 + 12 * (number - 1), minutes=5)
        return {"id": self.made("dose", day, number, again), "medication_id": self.medications[0]["id"], "user_id": self.user["id"],
                "scheduled_date": _date(day), "dose_number": number, "taken_at": stamp(moment), "skipped_at": None, "created_at": stamp(moment)}

    def package(self, directory, description, lines=False):
        package = Package(directory, "mesync", CREATED, description)
        administrator = profile_of_user("admin")
        package.add("profiles", [administrator])
        package.add("users", [self.user])
        package.add("project_members", [{
            "id": self.made("member"), "project_id": self.user["id"], "profile_id": administrator["id"], "role": "ADMINISTRADOR",
            "created_at": stamp(_FIRST)}])
        package.add("habits", self.habits)
        package.add("habit_instances", self.marks, lines)
        package.add("tasks", self.tasks)
        package.add("medications", self.medications)
        package.add("medication_instances", self.doses)
        return package


def build(directory):
    for make in (_contradictions, _twice, _others, _order, _plans, _nobody, _fields, _rows, _conflict):
        make(directory)


def _write(package, at_import=None, **validate):
    package.write()
    codes = {code.replace("_", "-"): count for code, count in validate.items()}
    package.expect(**{"import": at_import or {}, "validate": codes})


def _date(day):
    return (_FIRST + datetime.timedelta(days=day)).date().isoformat()


def _contradictions(directory):
    person = _Person("contradice")
    person.marks[3]["skipped_at"] = person.marks[3]["completed_at"]
    person.doses[4]["skipped_at"] = stamp(later(instant(person.doses[4]["taken_at"]), minutes=-20))
    person.doses[7]["skipped_at"] = person.doses[7]["taken_at"]
    person.tasks[0]["skipped_at"] = person.tasks[0]["completed_at"]
    _write(person.package(directory / "contradictions", "Hecho y omitido a la vez"),
           MARCA_HECHA_Y_OMITIDA=1, TOMA_HECHA_Y_OMITIDA=2, TAREA_HECHA_Y_OMITIDA=1)


def _twice(directory):
    """A day marked again under a fresh id, as the app does; a third dose where the plan says two."""
    person = _Person("repite")
    person.marks.append(person.mark(person.habits[0], 5, "again"))
    person.doses += [person.dose(6, 2, "again"), person.dose(2, 3), person.dose(9, 3)]
    for dose in person.doses[-2:]:
        dose["taken_at"] = stamp(later(instant(dose["taken_at"]), hours=-11))
    _write(person.package(directory / "twice", "Dos marcas de un día, tomas por encima de las del día"), FIELD_UNIQUE=4, TOMA_DE_MAS=2)


def _others(directory):
    person = _Person("ajenas")
    stranger = {"id": person.made("stranger"), "email": "ajeno@roto.example.pe", "created_at": stamp(_FIRST)}
    person.marks[2]["user_id"] = stranger["id"]
    person.doses[2]["user_id"] = person.doses[3]["user_id"] = stranger["id"]
    package = person.package(directory / "others", "Marcas y tomas que nombran a otra persona")
    package.rows("users").append(stranger)
    member = package.rows("project_members")[0]
    package.rows("project_members").append(dict(member, id=person.made("stranger member"), project_id=stranger["id"]))
    _write(package, MARCA_DE_OTRA_PERSONA=1, TOMA_DE_OTRA_PERSONA=2)


def _order(directory):
    person = _Person("desorden")
    person.marks[5]["completed_at"] = stamp(later(instant(person.marks[5]["completed_at"]), days=-4))
    person.doses[20]["taken_at"] = stamp(later(instant(person.doses[20]["taken_at"]), days=-3))
    person.marks.append(person.mark(person.habits[1], -20))
    person.doses[8]["taken_at"], person.doses[9]["taken_at"] = person.doses[9]["taken_at"], person.doses[8]["taken_at"]
    _write(person.package(directory / "order", "Marcas antes de su día o de su hábito, tomas fuera de orden"),
           MARCA_ANTES_DE_SU_DIA=1, TOMA_ANTES_DE_SU_DIA=1, MARCA_ANTES_DEL_HABITO=1, TOMA_DOSIS_FUERA_DE_ORDEN=1)


def _plans(directory):
    person = _Person("planes")
    again = dict(person.habits[0], id=person.made("habit", "again"), name=" caminar", created_at=stamp(later(_FIRST, days=3)))
    weekly = dict(person.habits[0], id=person.made("habit", "weekly"), name="Nadar", frequency="weekly", frequency_details={"days": [1, 8]})
    monthly = dict(weekly, id=person.made("habit", "monthly"), name="Ahorrar", frequency="monthly", frequency_details={"days_of_month": ["uno"]})
    person.habits += [again, weekly, monthly]
    few = dict(person.medications[0], id=person.made("few"), name="Losartán 50 mg", reminder_times=["08:00:00"])
    wrong = dict(person.medications[0], id=person.made("wrong"), name="Calcio", reminder_times=["08:00:00", "25:00:00"])
    person.medications += [few, wrong]
    person.tasks[1]["due_date"] = stamp(later(_FIRST, days=8))
    _write(person.package(directory / "plans", "Planes que no pueden ser: días y horas que no existen, hábitos repetidos, tareas vencidas"),
           HABITO_REPETIDO=1, HABITO_DIAS=2, MEDICAMENTO_HORAS=1, MEDICAMENTO_HORA_INVALIDA=1, TAREA_VENCIDA=1)


def _nobody(directory):
    """Rows without a person, as the server allows them."""
    person = _Person("nadie")
    for row in (person.habits[1], person.tasks[1], person.medications[0]):
        row["user_id"] = None
    for row in person.marks[14:] + person.doses:
        row["user_id"] = None
    _write(person.package(directory / "nobody", "Hábitos, tareas y medicamentos de nadie"),
           HABITO_SIN_PERSONA=1, TAREA_SIN_PERSONA=1, MEDICAMENTO_SIN_PERSONA=1)


def _fields(directory):
    person = _Person("campos")
    person.user["email"] = "sin arroba"
    person.habits[0]["name"] = ""
    person.habits[1]["frequency"] = "cuando pueda"
    person.tasks[0]["priority"] = "urgente"
    person.tasks[1]["due_date"] = None
    person.medications[0]["times_per_day"] = 25
    person.doses[0]["dose_number"] = 0
    person.medications[0]["name"] = "Metformina " * 20
    _write(person.package(directory / "fields", "Campos: largo, rango, forma, vocabulario, obligatorios"),
           FIELD_LENGTH=1, FIELD_VOCABULARY=2, FIELD_RANGE=2, FIELD_REQUIRED=2, FIELD_PATTERN=1, MEDICAMENTO_HORAS=1)


def _rows(directory):
    person = _Person("filas")
    person.marks[0]["scheduled_date"] = "31/02/2025"
    person.marks[1]["completed_at"] = "ayer"
    person.doses[0]["dose_number"] = "primera"
    person.doses.append(dict(person.dose(1, 1, "stray"), medication_id=_NOWHERE))
    person.marks.append({key: value for key, value in person.mark(person.habits[0], 15).items() if key != "id"})
    person.tasks.append(dict(copy.deepcopy(person.tasks[0]), name="El mismo id, otra tarea"))
    package = person.package(directory / "import-rows", "Filas que la importación rechaza", lines=True)
    package.rows("habit_instances").append('{"id": "' + person.made("cut") + '", "habit_id": "')
    _write(package, {"FIELD-TYPE": 3, "FIELD-REFERENCE": 1, "IMPORT-NO-ID": 1, "IMPORT-DUPLICATE": 1, "IMPORT-UNREADABLE": 1})


def _conflict(directory):
    """The device first, with rows that wait to go up; then the server, which has other values in two of them."""
    device = _Person("dos-lados")
    for row in device.marks[:3] + device.tasks:
        row["syncStatus"] = "pending_upload"
    _write(device.package(directory / "conflict-first", "Primera parte: el dispositivo, con marcas sin subir"))
    server = _Person("dos-lados")
    server.marks[1].update(completed_at=None, skipped_at=server.marks[1]["completed_at"])
    server.tasks[1].update(priority="high")
    package = server.package(directory / "conflict-second", "Segunda parte: el servidor, con otros valores")
    package.write()
    package.expect(**{"after": "conflict-first", "import": {"IMPORT-CONFLICT": 2}, "validate": {}})
