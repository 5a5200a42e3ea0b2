"""Reports of test pits: metres, strata, samples, classes of soils."""
from collections import Counter, defaultdict
from datetime import date

from .page import Fixed
from .replica import latin
from .soils import highway_group, unified_group

STATES = {
    "BORRADOR": "Borrador", "EN_REVISION": "En revisión", "OBSERVADO": "Observado", "REVISADO": "Revisado", "APROBADO": "Aprobado",
    "EXPORTADO": "Exportado", "ARCHIVADO": "Archivado"}
WATER = {"found": "Presenta", "dry": "No presenta", "not_measured": "No medida"}
APPROVED = ("APROBADO", "EXPORTADO", "ARCHIVADO")


def _project(replica): return next(row for row in replica.table("projects") if row["code"] == replica.project)


def _pits(replica): return sorted(replica.selected("calicatas", project_id=_project(replica)["id"]), key=lambda row: _metres(row["progresiva"]))


def _metres(chainage):
    kilometres, rest = chainage.split("+")
    return int(kilometres) * 1000 + float(rest)


def _of_pits(replica, table):
    """The rows of a table by their pit, for the pits that are counted."""
    own = {row["id"]: [] for row in _pits(replica)}
    for row in replica.table(table):
        if row["calicata_id"] in own: own[row["calicata_id"]].append(row)
    return own


def _metres_of(pits): return Fixed(sum(row["depth_m"] for row in pits), 2)


def _number(own): return sum(len(rows) for rows in own.values())


def _name(replica, id): return replica.by_id("profiles")[id]["full_name"]


def resumen_proyecto(replica, page):
    pits, strata = _pits(replica), _of_pits(replica, "calicata_cortes")
    photos, depths = _of_pits(replica, "calicata_photos"), [row["depth_m"] for row in pits]
    page.line(len(pits), _number(strata), _number(_of_pits(replica, "calicata_samples")), _number(photos))
    mean = Fixed(sum(depths) / len(depths), 2)
    page.line(Fixed(min(depths), 2), "m", mean, "m", Fixed(max(depths), 2), "m", _metres_of(pits), "m")
    wet = [row["groundwater_depth_m"] for row in pits if row["groundwater_depth_m"] is not None]
    states = Counter(row["water_status"] for row in pits if row["groundwater_depth_m"] is None)
    page.line(len(wet) + states["found"], states["dry"], len(pits) - len(wet) - states["found"] - states["dry"], Fixed(min(wet), 2), "m")
    _soils(page, strata)
    _states(page, pits)
    _coverage(replica, page, pits)
    for pit in pits:
        own = sorted(strata[pit["id"]], key=lambda row: (row["depth_from_m"], row["number"]))
        water = pit["groundwater_depth_m"]
        page.line(
            pit["code"], pit["progresiva"], pit["side"].capitalize(), latin(date.fromisoformat(pit["end_date"])), Fixed(pit["depth_m"], 2),
            None if water is None else Fixed(water, 2), WATER[pit["water_status"]], ", ".join(row["sucs"] for row in own), len(photos[pit["id"]]),
            STATES[pit["status"]])


def _soils(page, strata):
    soils, whole = defaultdict(list), 0
    for rows in strata.values():
        for row in rows: soils[row["sucs"]].append(row)
    thick = {soil: sum(row["depth_to_m"] - row["depth_from_m"] for row in rows) for soil, rows in soils.items()}
    whole = sum(thick.values())
    for soil, rows in soils.items():
        pits = len({row["calicata_id"] for row in rows})
        page.ends(soil + " ", Fixed(round(thick[soil], 4), 2), Fixed(100 * thick[soil] / whole, 1), len(rows), pits)
    page.line("Total", Fixed(round(whole, 4), 2), Fixed(100, 1), _number(strata))


def _states(page, pits):
    for state, name in STATES.items():
        own = [row for row in pits if row["status"] == state]
        if own: page.says(name + " {} {} {}", len(own), Fixed(100 * len(own) / len(pits), 1), _metres_of(own))
    page.line("Total", len(pits), Fixed(100, 1), _metres_of(pits))


def _coverage(replica, page, pits):
    """A road of the third class asks for two pits of 1.50 m in each kilometre."""
    every = replica.table("calicatas", project_id=_project(replica)["id"])
    reach = [int(_metres(row["progresiva"]) // 1000) for row in every]
    sums = Counter()
    for kilometre in range(min(reach), max(reach) + 1):
        own = [row for row in pits if _metres(row["progresiva"]) // 1000 == kilometre]
        out = sum(place == kilometre for place in reach) - len(own)
        row = {
            "pits": len(own), "asked": 2, "missing": max(2 - len(own), 0), "metres": _metres_of(own),
            "shallow": sum(row["depth_m"] < 1.5 for row in own), "out": out}
        page.ends(f"{kilometre}+000 – {kilometre + 1}+000", *row.values())
        sums.update({key: value for key, value in row.items() if key != "metres"})
    page.line("Total", sums["pits"], sums["asked"], sums["missing"], _metres_of(pits), sums["shallow"], sums["out"])


def avance(replica, page):
    pits = _pits(replica)
    for person in {row["logged_by"] for row in pits}:
        own = [row for row in pits if row["logged_by"] == person]
        approved = [row for row in own if row["status"] in APPROVED]
        days = sorted({date.fromisoformat(row["end_date"] or row["start_date"]) for row in own})
        name = _name(replica, person)
        page.line(name, len(own), _metres_of(own), len(approved), _metres_of(approved), len(days), latin(days[0]), latin(days[-1]))
        page.line(name, _metres_of(own), _metres_of(own))
    for pattern, name in (("%Y-%m", None), ("%G-W%V", "%d/%m/%Y")):
        so_far, good = [], []
        stretches = defaultdict(list)
        for row in pits: stretches[date.fromisoformat(row["end_date"] or row["start_date"]).strftime(pattern)].append(row)
        for stretch, own in sorted(stretches.items()):
            approved = [row for row in own if row["status"] in APPROVED]
            so_far, good = so_far + own, good + approved
            begin = latin(date.fromisocalendar(int(stretch[:4]), int(stretch[6:]), 1)) if name else None
            page.line(
                stretch, begin, len(own), _metres_of(own), len(approved), _metres_of(approved), len(so_far), _metres_of(so_far), _metres_of(good))
    approved = [row for row in pits if row["status"] in APPROVED]
    page.line("Total", len(pits), _metres_of(pits), len(approved), _metres_of(approved))


def estado_revision(replica, page):
    pits, strata, photos = _pits(replica), _of_pits(replica, "calicata_cortes"), _of_pits(replica, "calicata_photos")
    for state, name in STATES.items():
        own = [row for row in pits if row["status"] == state]
        if not own: continue
        moments = sorted(row["updated_at"] for row in own)
        reach = latin(replica.moment(moments[0])), latin(replica.moment(moments[-1]))
        page.line(name, len(own), Fixed(100 * len(own) / len(pits), 1), _metres_of(own), *reach)
        page.line("Subtotal", name, _metres_of(own))
    page.line("Total", len(pits), Fixed(100, 1), _metres_of(pits))
    for pit in pits:
        people = [_name(replica, pit[role]) for role in ("logged_by", "reviewed_by") if pit[role]]
        since = latin(replica.moment(pit["updated_at"]))
        page.line(pit["code"], pit["progresiva"], Fixed(pit["depth_m"], 2), len(strata[pit["id"]]), len(photos[pit["id"]]), *people, since)


def nota_campo(replica, page):
    pits, strata = _pits(replica), _of_pits(replica, "calicata_cortes")
    samples = [row for rows in _of_pits(replica, "calicata_samples").values() for row in rows]
    depths = [row["depth_m"] for row in pits]
    reach = Fixed(min(depths), 2), Fixed(max(depths), 2)
    page.says("Se excavaron {} calicatas, de {} a {} m de profundidad, con un total de {} m", len(pits), *reach, _metres_of(pits))
    named = sum(row["sucs"] is not None for rows in strata.values() for row in rows)
    page.says("Se describieron {} estratos, {} de ellos con símbolo SUCS.", _number(strata), named)
    page.says("Se tomaron {} muestras, la más profunda a {} m.", len(samples), Fixed(max(row["depth_to_m"] for row in samples), 2))
    wet = [row["groundwater_depth_m"] for row in pits if row["groundwater_depth_m"] is not None]
    page.says("Se encontró agua en {} calicatas, entre {} y {} m de profundidad.", len(wet), Fixed(min(wet), 2), Fixed(max(wet), 2))
    page.says("El registro tiene {} fotografías.", _number(_of_pits(replica, "calicata_photos")))


def registro_fotografico(replica, page):
    pits, photos = _pits(replica), _of_pits(replica, "calicata_photos")
    some = sum(bool(rows) for rows in photos.values())
    page.line(len(pits), _number(photos), some, len(pits) - some)
    for pit in pits:
        own = photos[pit["id"]]
        taken = sorted(row["taken_at"] for row in own)
        placed = sum(row["latitude"] is not None for row in own)
        reach = latin(replica.moment(taken[0])), latin(replica.moment(taken[-1]))
        page.line(pit["code"], pit["progresiva"], pit["location"], len(own), placed, *reach)
    page.line("Total", _number(photos), sum(row["latitude"] is not None for rows in photos.values() for row in rows))


def perfil_longitudinal(replica, page):
    pits = _pits(replica)
    places, heights = [_metres(row["progresiva"]) for row in pits], [row["altitude_m"] for row in pits]
    length = Fixed((places[-1] - places[0]) / 1000, 3)
    page.line(len(pits), len(places), length, "km", Fixed(min(heights), 2), "m", Fixed(max(heights), 2), "m")
    page.line("Cota (m)", *(Fixed(height, 2) for height in heights))
    page.line("Prof. (m)", *(Fixed(row["depth_m"], 2) for row in pits))
    water = [row["groundwater_depth_m"] for row in pits]
    page.line("Napa (m)", *("–" if depth is None else Fixed(depth, 2) for depth in water))


def ficha_calicata(replica, page):
    for pit in _pits(replica):
        page.says(pit["code"] + " " + pit["progresiva"] + " {} m " + STATES[pit["status"]] + " {}", Fixed(pit["depth_m"], 2), "—" if pit["revision"] is None else pit["revision"])
        page.says("{} m {} m {} m ", Fixed(pit["easting"], 2), Fixed(pit["northing"], 2), Fixed(pit["altitude_m"], 2))
        page.says("Fin de la excavación a {} m", Fixed(pit["depth_m"], 2))
    for rows in _of_pits(replica, "calicata_cortes").values():
        for row in rows: page.says("{}–{}", Fixed(row["depth_from_m"], 2), Fixed(row["depth_to_m"], 2))


def cuadro_resumen_ensayos(replica, page):
    pits, samples = {row["id"]: row for row in _pits(replica)}, _of_pits(replica, "calicata_samples")
    results = {row["sample_id"]: row for rows in _of_pits(replica, "calicata_lab_results").values() for row in rows}
    tested = sum(row["id"] in results for rows in samples.values() for row in rows)
    page.line(_number(samples), tested, _number(samples) - tested)
    strata = replica.by_id("calicata_cortes")
    for pit, rows in samples.items():
        for row in rows:
            if row["id"] not in results: continue
            result = results[row["id"]]
            gravel, fines = 100 - result["passing_4_75_mm"], result["passing_0_075_mm"]
            shares = [Fixed(share, 1) for share in (gravel, 100 - gravel - fines, fines)]
            limits = ["NP"] * 3 if result["non_plastic"] else [Fixed(result[name], 0) for name in ("liquid_limit", "plastic_limit", "plasticity_index")]
            road = highway_group(result)
            written = f"{result['aashto']} ({result['group_index']})"
            last = ("max_dry_density", 3), ("optimum_moisture_pct", 1), ("cbr_95_pct", 1), ("cbr_100_pct", 1), ("swell_pct", 2)
            page.line(
                pits[pit]["code"], pits[pit]["progresiva"], row["code"], row["kind"], Fixed(row["depth_from_m"], 2), Fixed(row["depth_to_m"], 2),
                *shares, *limits, Fixed(result["moisture_pct"], 1), Fixed(result["specific_gravity"], 3), strata[row["corte_id"]]["sucs"],
                result["sucs"], unified_group(result), written, road,
                *(None if result[name] is None else Fixed(result[name], decimals) for name, decimals in last), result["report_number"])


def pendientes(replica, page):
    project = _project(replica)["id"]
    pits = {row["id"] for row in replica.table("calicatas", project_id=project)}
    tables = {"Proyectos": replica.table("projects", id=project), "Calicatas": replica.table("calicatas", project_id=project)}
    for name, table in (
        ("Cortes", "calicata_cortes"), ("Muestras", "calicata_samples"), ("Ensayos de laboratorio", "calicata_lab_results"),
        ("Lecturas de la napa", "calicata_water_readings"), ("Ensayos de campo", "calicata_field_tests"), ("Fotos", "calicata_photos")):
        tables[name] = [row for row in replica.table(table) if row["calicata_id"] in pits]
    tables["Documentos"] = replica.table("document_nodes", project_id=project)
    order = "synced local_only pending_upload pending_download conflict error".split()
    sums = Counter(row["sync_state"] for rows in tables.values() for row in rows)
    for name, rows in tables.items():
        states = Counter(row["sync_state"] for row in rows)
        page.line(name, *(states[state] or None for state in order if sums[state]), len(rows))
    page.line("Total", *(sums[state] for state in order if sums[state]), sum(sums.values()))


def bitacora(replica, page):
    people = replica.by_id("profiles")
    rows = replica.table("activity_logs", project_id=_project(replica)["id"])
    actions = Counter((people[row["actor_id"]]["full_name"] or people[row["actor_id"]]["email"], row["action"]) for row in rows)
    for person in {person for person, _ in actions}:
        own = sorted(number for (name, _), number in actions.items() if name == person)
        if len(own) == 1: page.line(person, own[0], own[0])
    page.ends("Total ", len(rows))


def registro_documental(replica, page):
    people, own = replica.by_id("profiles"), replica.table("document_nodes", project_id=_project(replica)["id"])
    versions = Counter(row["document_node_id"] for row in replica.table("document_versions"))
    for node in own:
        made = latin(replica.moment(node["created_at"]))
        kind = "Carpeta" if node["type"] == "folder" else "Archivo"
        page.says(kind + " {} " + made + " " + people[node["created_by"]]["full_name"], versions[node["id"]])
