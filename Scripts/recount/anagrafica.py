"""Reports of a building's assets: how many, of which types, with which photos, and what their parameters come to."""
import json
from collections import Counter, defaultdict
from types import SimpleNamespace

from .page import Fixed

STATES = {"Empty": "Vuoto", "InProgress": "In corso", "Complete": "Completo", "Approved": "Approvato"}


def _survey(replica):
    """What belongs to the project, by ids; assets that are counted bear their type, family, room and level."""
    project = next(row["id"] for row in replica.table("projects") if row["name"] == replica.project)
    survey = SimpleNamespace(project=project)
    survey.levels = {row["id"]: row for row in replica.table("levels", project_id=project)}
    survey.families = {row["id"]: row for row in replica.table("families", project_id=project)}
    survey.rooms = {row["id"]: row for row in replica.table("rooms") if row["level_id"] in survey.levels}
    survey.types = {row["id"]: row for row in replica.table("types") if row["family_id"] in survey.families}
    survey.photos = {row["id"]: row for row in replica.table("photos", project_id=project)}
    survey.assets = [row for row in replica.selected("instances") if row["room_id"] in survey.rooms]
    for row in survey.assets:
        kind, room = survey.types[row["type_id"]], survey.rooms[row["room_id"]]
        row.update(family=kind["family_id"], level=room["level_id"], named=json.loads(row["photo_ids"] or "[]"), type=kind)
    return survey


def _called(level): return f"{level['building_name']} · {level['name']}" if level["building_name"] else level["name"]


def _by(assets, key):
    groups = defaultdict(list)
    for row in assets: groups[row[key]].append(row)
    return groups


def _seen(survey, assets): return len({id for row in assets for id in row["named"] if id in survey.photos})


def _by_level(survey, page):
    """Families by level, from the lowest up."""
    levels = sorted(survey.levels.values(), key=lambda level: level["number"])
    for id, assets in _by(survey.assets, "family").items():
        counts = Counter(row["level"] for row in assets)
        page.line(survey.families[id]["name"], *(counts[level["id"]] or None for level in levels), len(assets))
    counts = Counter(row["level"] for row in survey.assets)
    page.line("Totale", *(counts[level["id"]] for level in levels), len(survey.assets))


def inventario(replica, page):
    survey = _survey(replica)
    every = [row for row in replica.table("instances") if row["room_id"] in survey.rooms]
    for name, whole, key in (
        ("Livelli", survey.levels, "level"), ("Locali", survey.rooms, "room_id"), ("Famiglie", survey.families, "family"),
        ("Tipologie", survey.types, "type_id")):
        page.line(name, len(whole), len({row[key] for row in survey.assets}))
    page.line("Elementi", len(every), len(survey.assets))
    page.line("Foto", len(survey.photos), _seen(survey, survey.assets))
    _by_level(survey, page)
    for id, assets in _by(survey.assets, "family").items():
        name, types, rooms = survey.families[id]["name"], len({row["type_id"] for row in assets}), len({row["room_id"] for row in assets})
        page.line(name, types, rooms, len(assets), _seen(survey, assets))
        page.line("Subtotale", name, len(assets))
        page.says("{} elementi di {} tipologie in {} locali, con {} foto.", len(assets), types, rooms, _seen(survey, assets))
    for id, assets in _by(survey.assets, "type_id").items():
        page.ends(" ".join(survey.types[id]["name"].split()[:2]), len(assets), _seen(survey, assets))
    page.line("Totale", len({row["type_id"] for row in survey.assets}), len(survey.assets))


def stato_rilievo(replica, page):
    survey = _survey(replica)
    noted = {row["room_id"] for row in replica.table("room_notes")}
    busy = {row["room_id"] for row in survey.assets} | noted
    sums = Counter()
    for level in survey.levels.values():
        rooms = [row for row in survey.rooms.values() if row["level_id"] == level["id"]]
        states = Counter("InProgress" if row["lifecycle_state"] == "Empty" and row["id"] in busy else row["lifecycle_state"] for row in rooms)
        row = [states[state] for state in STATES]
        assets = sum(one["level"] == level["id"] for one in survey.assets)
        share = Fixed(100 * (row[2] + row[3]) / len(rooms), 1)
        page.line(_called(level), len(rooms), *row, share, Fixed(sum(one["area"] for one in rooms), 2), assets)
        sums.update(dict(zip(STATES, row)))
    area = sum(row["area"] for row in survey.rooms.values())
    page.line("Totale", len(survey.rooms), *(sums[state] for state in STATES), Fixed(area, 2), len(survey.assets))
    _by_level(survey, page)


def planimetria(replica, page):
    survey = _survey(replica)
    for level in survey.levels.values():
        rooms = [row for row in survey.rooms.values() if row["level_id"] == level["id"]]
        counts = Counter(row["room_id"] for row in survey.assets)
        page.line("Totale", len(rooms), Fixed(sum(row["area"] for row in rooms), 2), sum(counts[row["id"]] for row in rooms))
        done = [row for row in rooms if row["lifecycle_state"] == "Approved"]
        page.line("Approvato", len(done), Fixed(sum(row["area"] for row in done), 2), sum(counts[row["id"]] for row in done))
        for room in rooms: page.says("{} m²", Fixed(room["area"], 2))


def scheda_locale(replica, page):
    survey = _survey(replica)
    for id, assets in _by(survey.assets, "room_id").items():
        room = survey.rooms[id]
        page.line(f"{room['number']} · {room['name']}")
        page.says("{} m² {} ", Fixed(room["area"], 2), len(assets))


def schede_tipo(replica, page):
    survey = _survey(replica)
    uses = Counter(row["type_id"] for row in survey.assets)
    for family in survey.families.values():
        types = [row for row in survey.types.values() if row["family_id"] == family["id"]]
        idle, assets = sum(not uses[row["id"]] for row in types), sum(uses[row["id"]] for row in types)
        page.line(family["name"], len(types), idle, assets, 0, family["photo_min"], family["photo_max"])
        page.line("Totale", assets)
    page.line("Totale", len(survey.types), sum(not uses[id] for id in survey.types), len(survey.assets), 0)


def controllo_foto(replica, page):
    survey = _survey(replica)
    uses = Counter(id for row in survey.assets for id in row["named"])
    for id, assets in _by(survey.assets, "family").items():
        family, numbers = survey.families[id], [len(row["named"]) for row in assets]
        few = sum(0 < number < family["photo_min"] for number in numbers)
        many = sum(number > family["photo_max"] for number in numbers)
        page.line(family["name"], family["photo_min"], family["photo_max"], len(assets), sum(numbers), numbers.count(0), few, many)
    page.line("Totale", len(survey.assets), sum(uses.values()), 0, 0, 0)
    size = Fixed(sum(row["size"] for row in survey.photos.values()) / 1e6, 1)
    page.says("Totale {} {} ", len(survey.photos), size)
    for id, number in uses.items():
        if number > 1: page.says(survey.photos[id]["filename"] + " {} ", number)


def variazioni(replica, page):
    """Nothing was exported, so nothing is compared."""
    page.says("I dati di questo rilievo non sono ancora stati esportati")
    page.held += not replica.table("exports")


def computo(replica, page):
    survey = _survey(replica)
    for family in survey.families.values():
        schema = json.loads(family["parameter_schema"])
        for parameter in schema if isinstance(schema, list) else schema["parameters"]:
            adds = parameter.get("adds")
            if parameter["type"] not in ("number", "decimal", "integer") or adds not in ("sum", "mean"): continue
            own = [row for row in survey.assets if row["family"] == family["id"]]
            _parameter(survey, page, parameter, own)


def _parameter(survey, page, parameter, assets):
    """What a parameter comes to: of all assets of the family, then by level with its share of a square metre, then by type."""
    label, unit, adds = parameter["label"]["it"], parameter.get("unit"), parameter["adds"]
    page.line(label, unit, *_figures(parameter, assets))
    for level, own in _by(assets, "level").items():
        area = sum(room["area"] for room in survey.rooms.values() if room["level_id"] == level)
        values = _values(parameter, own)
        density = Fixed(sum(values) / area, 3) if adds == "sum" and unit else None
        if values: page.line(label, unit, *_figures(parameter, own), density)


def _values(parameter, assets):
    values = [json.loads((row["type"] if parameter["scope"] == "type" else row)["parameters"]).get(parameter["key"]) for row in assets]
    return [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]


def _figures(parameter, assets):
    values, adds = _values(parameter, assets), parameter["adds"]
    words = {"sum": "Somma", "mean": "Media"}[adds]
    total = _short(round(sum(values), 6)) if adds == "sum" else None
    return words, len(values), total, Fixed(sum(values) / len(values), 2), _short(min(values)), _short(max(values))


def _short(number): return int(number) if number == int(number) else float(number)
