"""A building of the Anagrafica samples: its project, levels and rooms as rows."""
from . import plan
from .seeded import instant, stamp, uuid7

ORGANISATION = uuid7(instant("2025-01-02T08:00:00Z"), "organisation", "rilievi")
# Raw drawing coordinates of the start of each level's North vector, and the vector's angle.
ORIGIN = {0: ([512.4, 208.75], 12.5), 1: ([512.4, 308.75], 12.5), 2: ([512.4, 408.75], 12.5)}


def project(identifier, name, state, plan_version, schema_version, downloaded, synced, **states):
    return {
        "id": identifier, "name": name, "state": state, "schemaVersionId": schema_version, "planVersionId": plan_version,
        "downloadedAt": stamp(downloaded), "lastSyncAt": stamp(synced) if synced else None, "orgId": ORGANISATION,
        "client": "Comune di Valdorsa", "address": "Via dei Tigli 7, 00000 Valdorsa (XX)", "createdAt": stamp(downloaded),
        "updatedAt": stamp(synced or downloaded), **states,
    }


def level(project_id, number, name, building, drawn, boundary=None):
    origin, north = ORIGIN[number]
    return {
        "id": uuid7(drawn, project_id, "level", number), "projectId": project_id, "name": name, "number": number,
        "buildingName": building, "originPoint": origin, "northAngle": north, "boundary": boundary or plan.boundary(),
    }


def room(level_row, sequence, name, polygon, state, drawn):
    """A room with its area and centroid from the polygon, numbered level index + sequence in four digits."""
    area, centroid = plan.area_and_centroid(polygon)
    return {
        "id": uuid7(drawn, level_row["id"], "room", sequence), "levelId": level_row["id"], "name": name,
        "number": f"{level_row['number']}{sequence:03d}", "area": area, "polygon": polygon, "centroid": centroid,
        "lifecycleState": state,
    }


def school(project_id, building, empty_rooms):
    """Three levels and forty rooms; every room that is not in `empty_rooms` ends up Complete or Approved."""
    drawn = instant("2026-02-20T08:00:00Z")
    levels, rooms = [], []
    for number, name in plan.LEVELS:
        row = level(project_id, number, name, building, drawn)
        levels.append(row)
        for sequence, (room_name, polygon) in enumerate(plan.level_rooms(number), start=1):
            key = f"{number}{sequence:03d}"
            state = "Empty" if key in empty_rooms else "Complete" if number == 2 and sequence > 8 else "Approved"
            rooms.append(room(row, sequence, room_name, polygon, state, drawn))
    return levels, rooms
