"""Puts InGe+'s survey together: people, four projects with their pits, and what the device keeps beside them."""
from .device import conflict, log, member, node, offline_choice, queue_item
from .laboratory import field_test_rows, reading_rows, result_rows, sample_rows
from .package import Package
from .people import INGEPLUS, profile
from .seeded import instant, later, stamp
from .survey_pits import (
    all_pits,
    calicata_row,
    corte_rows,
    photo,
    project_row,
    states,
    views,
)

CREATED = "2025-11-20T15:00:00Z"
_SINCE = instant("2025-02-12T14:00:00Z")
_EVERY = ("CHU-2025", "HYO-2025", "JLP-2025", "BAY-2025")
# The members of each project; the coordinator and the management see all projects.
_MEMBERS = {
    "gerencia": _EVERY, "admin": _EVERY, "coordinadora": _EVERY, "especialista": _EVERY[:3], "campo1": _EVERY,
    "campo2": ("CHU-2025", "JLP-2025"), "asistente": ("HYO-2025",), "lector": ("CHU-2025",), "administracion": ("CHU-2025", "HYO-2025"),
    "logistica": ("JLP-2025", "BAY-2025"), "nuevo": ("JLP-2025",), "excampo": ("CHU-2025",), "suspendida": ("CHU-2025", "HYO-2025"),
    "pendiente": ("BAY-2025",),
}
_STATUS = {"BAY-2025": "EN_PAUSA"}
_TABLES = {"samples": "samples", "results": "lab_results", "readings": "water_readings", "tests": "field_tests"}
_DEVICE = "tablet-campo-03"


def build(directory):
    package = Package(directory, "ingeplus", CREATED, "Levantamiento de calicatas 2025: cuatro proyectos en tres zonas UTM")
    people = profiles()
    parts = {name: [] for name in ("projects", "members", "calicatas", "cortes", "photos", "samples", "results", "readings", "tests", "nodes", "conflicts", "queue", "logs")}
    for place, pits in all_pits():
        project = project_row(place, _STATUS.get(place["code"], "ACTIVO"))
        project.update(sync_mode="always_synced" if place["code"] == "CHU-2025" else "available_offline",
                       last_synced_at=stamp(instant("2025-11-19T12:31:00Z")), **states("synced", instant("2025-11-01T12:00:00Z")))
        parts["projects"].append(project)
        _add_pits(package, parts, project, pits)
        documents = _documents(project)
        parts["nodes"] += documents
        parts["queue"] += [queue_item(project["id"], "UPLOAD", "document_nodes", row["id"], {"local_path": row["local_path"]},
                                      instant(row["updated_at"])) for row in documents if row["syncStatus"] == "pending_upload"]
        parts["logs"].append(log(project["id"], "admin@example.pe", "create", "projects", project["id"], {"code": project["code"]},
                                 instant(project["created_at"])))
    roles = {mail: role for mail, _, role, *_ in INGEPLUS}
    ids = {project["code"]: project["id"] for project in parts["projects"]}
    parts["members"] = [member(ids[code], f"{mail}@example.pe", roles[mail], _SINCE) for mail, codes in _MEMBERS.items() for code in codes]
    package.add("profiles", people)
    package.add("projects", parts["projects"])
    package.add("project_members", parts["members"])
    package.add("calicatas", parts["calicatas"])
    package.add("calicata_cortes", parts["cortes"], lines=True)
    package.add("calicata_photos", parts["photos"])
    package.add("calicata_samples", parts["samples"], lines=True)
    package.add("calicata_lab_results", parts["results"], lines=True)
    package.add("calicata_water_readings", parts["readings"], lines=True)
    package.add("calicata_field_tests", parts["tests"], lines=True)
    package.add("document_nodes", parts["nodes"])
    package.add("file_sync_states", _offline_choices(ids, parts["nodes"]))
    package.add("conflicts", parts["conflicts"])
    package.add("sync_queue", parts["queue"], lines=True)
    package.add("activity_logs", parts["logs"], lines=True)
    package.write()
    package.expect(**{"import": {}, "export": {"TEXT-FORMULA": True}}, validate={
        "CALICATA-AUN-SIN-FOTO": 1, "CALICATA-POCO-PROFUNDA": 1, "FOTO-SIN-GPS": 1})


def profiles():
    return [profile(*person, "example.pe", f"+51 900 000 0{index:02d}", stamp(instant("2025-11-19T12:30:00Z")))
            for index, person in enumerate(INGEPLUS)]


def _add_pits(package, parts, project, pits):
    for pit in pits:
        calicata = calicata_row(project, pit)
        cortes = corte_rows(calicata, pit)
        parts["calicatas"].append(calicata)
        parts["cortes"] += cortes
        samples = sample_rows(calicata, pit, cortes)
        measured = {"samples": samples, "results": result_rows(calicata, pit, samples), "readings": reading_rows(calicata, pit),
                    "tests": field_test_rows(calicata, pit)}
        for name, rows in measured.items():
            parts[name] += rows
        photos = []
        for number, view in enumerate(views(pit)):
            row, data = photo(project, calicata, pit, view, number)
            photos.append(row)
            package.add_photo(row["filename"], "calicata_photos", row["id"], data)
        parts["photos"] += photos
        parts["logs"] += _story(project, calicata, pit)
        parts["queue"] += _queue(project, pit, [("calicatas", calicata)] + [("calicata_cortes", row) for row in cortes]
                                 + [(f"calicata_{_TABLES[name]}", row) for name, rows in measured.items() for row in rows], photos)
        if pit.sync == "conflict":
            changes = {"depth_m": round(pit.depth + 0.1, 2), "observations": "Profundidad corregida en gabinete."}
            parts["conflicts"].append(conflict(project["id"], "calicatas", calicata, changes, later(pit.ended, days=12)))


def _queue(project, pit, rows, photos):
    """Every change that has not gone up has an item: data first, then files."""
    waiting = ("local_only", "pending_upload", "error")
    items = []
    for entity, row in rows:
        if row["syncStatus"] in waiting:
            failed = row["syncStatus"] == "error"
            payload = {key: value for key, value in row.items() if key not in ("syncStatus", "localVersion", "remoteUpdatedAt")}
            operation = "INSERT" if row["syncStatus"] == "local_only" else "UPDATE"
            items.append(queue_item(project["id"], operation, entity, row["id"], payload, later(pit.ended, minutes=5),
                                    5 if failed else 0, "HTTP 409: duplicate key value violates unique constraint" if failed else None))
    for row in photos:
        if row["syncStatus"] in waiting:
            items.append(queue_item(project["id"], "UPLOAD", "calicata_photos", row["id"],
                                    {"local_path": row["local_path"], "sha256": row["sha256"]}, later(pit.ended, minutes=9)))
    return items


def _story(project, calicata, pit):
    """The audit of a pit up to the state in which it stands."""
    steps = {"BORRADOR": 0, "EN_REVISION": 1, "OBSERVADO": 2, "REVISADO": 2, "APROBADO": 3, "EXPORTADO": 4, "ARCHIVADO": 5}[pit.status]
    ways = [("BORRADOR", "EN_REVISION", "campo1"), ("EN_REVISION", "OBSERVADO" if pit.status == "OBSERVADO" else "REVISADO", "especialista"),
            ("REVISADO", "APROBADO", "coordinadora"), ("APROBADO", "EXPORTADO", "coordinadora"), ("EXPORTADO", "ARCHIVADO", "gerencia")]
    entries = [log(project["id"], "campo1@example.pe", "create", "calicatas", calicata["id"], {"code": pit.code}, pit.begun)]
    for number, (old, new, mail) in enumerate(ways[:steps]):
        details = {"code": pit.code, "from": old, "to": new}
        entries.append(log(project["id"], f"{mail}@example.pe", "edit", "calicatas", calicata["id"], details, later(pit.ended, days=1 + 4 * number)))
    return entries


def _documents(project):
    """The project's tree, named after the breadcrumb: Proyectos / code + name / section."""
    made = later(instant(project["created_at"]), days=1)
    root = f"project-files/orgs/{project['org_id']}/projects/{project['id']}/documents"
    top = node(project["id"], f"{project['code']} {project['name']}"[:255], "folder", None, None, "admin@example.pe", made, **states("synced", made))
    reports = node(project["id"], "Informes", "folder", top["id"], None, "admin@example.pe", made, **states("synced", made))
    field = node(project["id"], "Calicatas", "folder", top["id"], None, "admin@example.pe", made, **states("synced", made))
    rows = [top, reports, field]
    for name, parent, sync in (("Plan de exploración.pdf", field, "synced"), ("Informe de avance N° 1 (borrador).docx", reports, "pending_upload"),
                               ("Cargo de recepción & anexos.pdf", reports, "pending_download")):
        rows.append(node(project["id"], name, "file", parent["id"], f"{root}/{name}", "especialista@example.pe", later(made, days=3),
                         **states(sync, made)))
    return rows


def _offline_choices(ids, nodes):
    moment = instant("2025-11-19T12:31:00Z")
    folder = next(row for row in nodes if row["project_id"] == ids["JLP-2025"] and row["name"] == "Calicatas")
    return [
        offline_choice("campo1@example.pe", _DEVICE, ids["CHU-2025"], "always_synced", "synced", moment),
        offline_choice("campo1@example.pe", _DEVICE, ids["JLP-2025"], "available_offline", "pending_upload", moment, folder["id"], "Calicatas"),
        offline_choice("campo2@example.pe", "tablet-campo-07", ids["JLP-2025"], "available_offline", "error", moment, None, None,
                       "Espacio insuficiente en el dispositivo (ENOSPC)"),
    ]
