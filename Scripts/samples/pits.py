"""The pits of one project as facts: where, when, how deep, what was found, in which state. `survey_pits` makes rows of them."""
from collections import namedtuple

from . import ground
from .alignment import chainage, positions
from .seeded import generator, instant, later

Pit = namedtuple("Pit", "place index code chainage side easting northing altitude depth water_status water begun ended strata status sync")

# Record states in the order of the pits, by project: (state, sync state, how many).
_STATES = {
    "CHU-2025": (("ARCHIVADO", "synced", 2), ("EXPORTADO", "synced", 4), ("APROBADO", "synced", 12), ("APROBADO", "conflict", 1),
                 ("REVISADO", "synced", 2), ("REVISADO", "error", 1), ("OBSERVADO", "synced", 1), ("EN_REVISION", "synced", 1)),
    "HYO-2025": (("APROBADO", "synced", 7), ("REVISADO", "synced", 2), ("REVISADO", "pending_download", 1), ("EN_REVISION", "synced", 2)),
    "JLP-2025": (("APROBADO", "synced", 8), ("REVISADO", "synced", 2), ("OBSERVADO", "pending_upload", 2), ("EN_REVISION", "synced", 3),
                 ("EN_REVISION", "pending_upload", 2), ("BORRADOR", "pending_upload", 1), ("BORRADOR", "conflict", 1),
                 ("BORRADOR", "local_only", 3)),
    "BAY-2025": (("APROBADO", "synced", 2), ("EN_REVISION", "synced", 2), ("BORRADOR", "error", 1), ("BORRADOR", "local_only", 3)),
}

# Where rock stopped the digging above the depth that the MTC's manual asks for.
_REFUSED = {("CHU-2025", 3): 1.35}


def pits(place):
    random = generator("pits", place["code"])
    states = [(state, sync) for state, sync, count in place.get("states") or _STATES[place["code"]]
              for _ in range(count)]
    moment = instant(place["begins"])
    found = []
    for index, (easting, northing, altitude, metres, side) in enumerate(positions(random, place)):
        low, high = place["depths"]
        depth = round(round(random.uniform(low, high) * 20) / 20, 2)
        depth = _REFUSED.get((place["code"], index), depth)
        water_status, water = _water(random, place, index, depth)
        begun = moment
        ended = later(begun, hours=2, minutes=random.randrange(0, 50)) if place["kind"] == "road" else later(begun, hours=26)
        profile = place["profiles"][(index + index // 5) % len(place["profiles"])]
        layers = ground.strata(random, profile, depth, water)
        found.append(Pit(
            place, index, f"C-{index + 1:02d}", None if metres is None else chainage(metres), side, easting, northing, altitude, depth,
            water_status, water, begun, ended, layers, *states[index]))
        moment = _next(moment, index)
    return found


def _water(random, place, index, depth):
    """Most pits are dry or reach the table; a few were backfilled before anyone measured."""
    if index % 11 == 6:
        return "not_measured", None
    if random.random() < place["wet"]:
        return "found", round(random.uniform(0.62, 0.94) * depth, 2)
    return "dry", None


def _next(moment, index):
    """Three pits a day, Sundays off."""
    moment = later(moment, hours=3) if index % 3 < 2 else later(moment, hours=18)
    return later(moment, days=1) if moment.weekday() == 6 else moment
