"""What is measured besides the log: samples, laboratory results, water readings, field tests.

The laboratory's classifications are computed here by tables of ASTM D2487 and AASHTO M 145 that share nothing with the program's,
so that a survey without findings shows that both agree."""
import math

from .people import profile_id
from .seeded import generator, later, stamp, uuid7
from .survey_pits import states

SIEVES = ((75, "75"), (50, "50"), (37.5, "37_5"), (25, "25"), (19, "19"), (9.5, "9_5"), (4.75, "4_75"), (2, "2"), (0.85, "0_85"),
          (0.425, "0_425"), (0.25, "0_25"), (0.15, "0_15"), (0.106, "0_106"), (0.075, "0_075"))
_LABORATORY = "Laboratorio de Mecánica de Suelos Wari"
_TESTED = ("REVISADO", "APROBADO", "EXPORTADO", "ARCHIVADO")


def sample_rows(calicata, pit, cortes):
    """A sample from each tested stratum. The last one of a deep pit is a block or a tube, where the soil stands."""
    rows = []
    for layer, corte in zip(pit.strata, cortes):
        if not layer.sample:
            continue
        name, depth = layer.sample
        half = min(0.15, round((layer.end - layer.start) / 2, 2))
        fine = not corte["compactness"]
        kind = "Mit" if fine and layer.start > 1.5 else "Mib" if fine and layer.start > 0.8 else "Mab"
        taken = later(pit.begun, minutes=40 + 10 * len(rows))
        rows.append({
            "id": uuid7(taken, "sample", calicata["id"], name), "calicata_id": calicata["id"], "corte_id": corte["id"], "code": name,
            "kind": kind, "depth_from_m": round(depth - half, 2), "depth_to_m": round(depth + half, 2),
            "mass_kg": 8.5 if kind != "Mab" else 40.0, "taken_at": stamp(taken), "laboratory": _LABORATORY,
            "created_by": calicata["created_by"], "created_at": stamp(taken), "updated_at": stamp(taken), **_states(calicata, taken),
        })
    return rows


def result_rows(calicata, pit, samples):
    """The results of a pit that was reviewed; the limits and shares of the log are the laboratory's."""
    if pit.status not in _TESTED:
        return []
    values = {layer.sample[0]: (layer.symbol, layer.values) for layer in pit.strata if layer.sample}
    rows = []
    for sample in samples:
        symbol, found = values[sample["code"]]
        random = generator("laboratory", calicata["id"], sample["code"])
        passing = grading(random, symbol, found)
        ll, pl, pi = found["ll"], found["pl"], found["pi"]
        organic = symbol in ("OL", "OH")
        aashto, index = highway(passing, ll, pi)
        tested = later(pit.ended, days=5)
        bearing = sample is samples[-1] and found["gravel"] >= 20
        rows.append({
            "id": uuid7(tested, "result", sample["id"]), "calicata_id": calicata["id"], "sample_id": sample["id"], "laboratory": _LABORATORY,
            "report_number": f"LMS-{tested:%Y}-{pit.index * 7 + len(rows) + 101:04d}", "tested_at": tested.strftime("%Y-%m-%d"),
            **{f"passing_{name}_mm": passing[size] for size, name in SIEVES},
            "liquid_limit": ll, "plastic_limit": pl, "plasticity_index": pi, "non_plastic": pi is None, "organic": organic,
            "moisture_pct": found["moisture"], "specific_gravity": round(random.uniform(2.61, 2.74), 3),
            "sucs": unified(passing, ll, pi, organic), "aashto": aashto, "group_index": index,
            "max_dry_density": round(random.uniform(1.98, 2.21), 3) if bearing else None,
            "optimum_moisture_pct": round(random.uniform(5.5, 9.0), 1) if bearing else None,
            "cbr_95_pct": round(random.uniform(18, 45), 1) if bearing else None, "cbr_100_pct": round(random.uniform(46, 82), 1) if bearing else None,
            "swell_pct": round(random.uniform(0, 0.4), 2) if bearing else None,
            "created_by": profile_id("especialista@example.pe"), "created_at": stamp(tested), "updated_at": stamp(tested), **_states(calicata, tested),
        })
    return rows


def reading_rows(calicata, pit):
    """The water at the end of the work, and an hour and a day later; a dry pit has one reading."""
    if pit.water_status == "not_measured":
        return []
    random = generator("water", calicata["id"])
    found = []
    for number, hours in enumerate((0, 1, 24) if pit.water else (0,)):
        moment = later(pit.ended, hours=hours, minutes=-25)
        depth = None if pit.water is None else min(pit.depth, round(pit.water + (0.12, 0.04, 0)[number] * random.uniform(0.7, 1.2), 2))
        found.append({
            "id": uuid7(moment, "reading", calicata["id"], number), "calicata_id": calicata["id"], "read_at": stamp(moment),
            "water_status": pit.water_status, "depth_m": depth, "created_by": calicata["created_by"], "created_at": stamp(moment),
            "updated_at": stamp(moment), **_states(calicata, moment),
        })
    return found


def field_test_rows(calicata, pit):
    """Light probing from the bottom of each third pit, and a density in its first granular stratum."""
    if pit.index % 3 != 1:
        return []
    random = generator("field tests", calicata["id"])
    day, rows = later(pit.ended, hours=-5).strftime("%Y-%m-%d"), []

    def row(kind, start, end, **values):
        rows.append({"id": uuid7(pit.ended, "field test", calicata["id"], kind, start), "calicata_id": calicata["id"], "kind": kind,
                     "depth_from_m": start, "depth_to_m": end, "tested_at": day, **values, "created_by": calicata["created_by"],
                     "created_at": stamp(pit.ended), "updated_at": stamp(pit.ended), **_states(calicata, pit.ended)})
    layer = next((layer for layer in pit.strata if layer.values and layer.values["gravel"] < 45 and layer.values["fines"] < 50 and layer.start < 1.3), None)
    if layer:
        wet, moisture = random.uniform(1.75, 1.98), layer.values["moisture"]
        row("densidad", layer.start, None, wet_density=round(wet, 3), dry_density=round(wet / (1 + moisture / 100), 3), moisture_pct=moisture,
            compaction_pct=round(random.uniform(86, 97), 1))
    if pit.strata[-1].symbol != "ROCA":
        blows = random.randrange(4, 9)
        for step in range(5):
            start = round(pit.depth + 0.1 * step, 2)
            row("DPL", start, round(start + 0.1, 2), blows=blows, refusal=step == 4 and blows > 40)
            blows += random.randrange(0, 12)
    return rows


def _states(calicata, moment):
    sync = calicata["syncStatus"]
    return states("synced" if sync in ("conflict", "error", "pending_download") else sync, moment)


def grading(random, symbol, values):
    """Per cent passing each sieve, between the shares that the stratum has. A well graded soil spreads its grains evenly over the
    logarithm of the size; a poorly graded one has most of them in a narrow band."""
    gravel, fines = values["gravel"], values["fines"]
    even = symbol.startswith(("GW", "SW")) or symbol[0] not in "GS"
    largest = 75 if gravel >= 40 else 37.5 if gravel >= 15 else 9.5
    passing = {}
    for size, _ in SIEVES:
        if size >= largest:
            share = 100.0
        elif size > 4.75:
            place = math.log(size / 4.75) / math.log(largest / 4.75)
            share = 100 - gravel + gravel * (place if even else place ** 2.4)
        else:
            place = math.log(size / 0.075) / math.log(4.75 / 0.075)
            share = fines + (100 - gravel - fines) * (place ** 0.8 if even else _band(place))
        passing[size] = round(share + (0 if size in (4.75, 0.075) or share >= 100 else random.uniform(-0.2, 0.2)), 1)
    sizes = [size for size, _ in SIEVES]
    for larger, smaller in zip(sizes, sizes[1:]):
        passing[smaller] = min(passing[smaller], passing[larger])
    return passing


def _band(place):
    """Three quarters of the sand within a third of its sizes."""
    return 0.1 * place / 0.3 if place < 0.3 else 0.1 + 0.78 * (place - 0.3) / 0.33 if place < 0.63 else 0.88 + 0.12 * (place - 0.63) / 0.37


def size_at(passing, percent):
    """The size that `percent` of the mass passes, on a straight line over the logarithm; None outside the sieves."""
    points = [(size, passing[size]) for size, _ in SIEVES]
    for (larger, above), (smaller, below) in zip(points, points[1:]):
        if below <= percent <= above and above > below:
            share = (percent - below) / (above - below)
            return math.exp(math.log(smaller) + share * (math.log(larger) - math.log(smaller)))
    return None


def _fines(ll, pi, organic):
    if ll is None:
        return "ML"
    low = ll < 50
    if organic:
        return "OL" if low else "OH"
    above = pi >= 0.73 * (ll - 20)
    if low:
        return "CL" if pi > 7 and above else "CL-ML" if 4 <= pi <= 7 and above else "ML"
    return "CH" if above else "MH"


def unified(passing, ll, pi, organic):
    """ASTM D2487; None where the sieves do not reach the size that 10 % pass."""
    fines = passing[0.075]
    if fines >= 50:
        return _fines(ll, pi, organic)
    gravel = (100 - passing[4.75]) > (100 - fines) / 2
    head = "G" if gravel else "S"
    kind = _fines(ll, pi, False)
    if fines > 12:
        if kind == "CL-ML":
            return f"{head}C-{head}M"
        return head + ("M" if kind in ("ML", "MH") else "C")
    sizes = [size_at(passing, percent) for percent in (10, 30, 60)]
    if None in sizes:
        return None
    ten, thirty, sixty = sizes
    well = sixty / ten >= (4 if gravel else 6) and 1 <= thirty ** 2 / (ten * sixty) <= 3
    grade = head + ("W" if well else "P")
    if fines < 5:
        return grade
    return f"{grade}-{head}{'M' if kind in ('ML', 'MH') else 'C'}"


def highway(passing, ll, pi):
    """AASHTO M 145: group and group index; the values are rounded to whole numbers first."""
    def whole(value):
        return math.floor(value + 0.5)
    ten, forty, fines = (whole(passing[size]) for size in (2, 0.425, 0.075))
    limit, index = (0, 0) if pi is None else (whole(ll), whole(pi))
    if ten <= 50 and forty <= 30 and fines <= 15 and index <= 6:
        return "A-1-a", 0
    if forty <= 50 and fines <= 25 and index <= 6:
        return "A-1-b", 0
    if forty > 50 and fines <= 10 and pi is None:
        return "A-3", 0
    plastic = 0.01 * (fines - 15) * (index - 10)
    if fines <= 35:
        group = {(False, False): "A-2-4", (True, False): "A-2-5", (False, True): "A-2-6", (True, True): "A-2-7"}[limit > 40, index > 10]
        return group, max(0, whole(plastic)) if index > 10 else 0
    group = ("A-5" if limit > 40 else "A-4") if index <= 10 else "A-6" if limit <= 40 else "A-7-5" if index <= limit - 30 else "A-7-6"
    if pi is None:
        return group, 0
    return group, max(0, whole((fines - 35) * (0.2 + 0.005 * (limit - 40)) + plastic))
