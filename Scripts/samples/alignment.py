"""Points along a road's axis or on a building's plot, in UTM and with their altitude."""
import math

from .utm import to_utm


def chainage(metres):
    """12300 → `12+300`."""
    return f"{int(metres) // 1000}+{int(metres) % 1000:03d}"


def positions(random, place):
    """For each pit: (easting, northing, altitude, metres of chainage or None, side or None)."""
    points = [to_utm(latitude, longitude, place["zone"]) + (altitude,) for latitude, longitude, altitude in place["line"]]
    if place["kind"] == "building":
        return _on_a_plot(random, points[0], place["pits"], place["spacing"])
    found = []
    for index in range(place["pits"]):
        along = index * place["spacing"]
        easting, northing, altitude, bearing = _at(points, along)
        right = index % 2 == 0
        offset = random.uniform(2.2, 4.4) * (1 if right else -1)
        easting += offset * math.cos(bearing)
        northing -= offset * math.sin(bearing)
        altitude += random.uniform(-0.8, 0.8)
        found.append((round(easting, 2), round(northing, 2), round(altitude, 2), place["first"] + along, "DERECHO" if right else "IZQUIERDO"))
    return found


def _on_a_plot(random, corner, count, spacing):
    found = []
    for index in range(count):
        row, column = divmod(index, 4)
        found.append((
            round(corner[0] + column * spacing + random.uniform(-3, 3), 2),
            round(corner[1] - row * spacing + random.uniform(-3, 3), 2),
            round(corner[2] + row * 0.4 + random.uniform(-0.2, 0.2), 2), None, None))
    return found


def _at(points, along):
    """Where the axis is after `along` metres, and its bearing from north in radians."""
    for (x1, y1, z1), (x2, y2, z2) in zip(points, points[1:]):
        length = math.hypot(x2 - x1, y2 - y1)
        bearing = math.atan2(x2 - x1, y2 - y1)
        if along <= length:
            share = along / length
            return x1 + share * (x2 - x1), y1 + share * (y2 - y1), z1 + share * (z2 - z1), bearing
        along -= length
    raise ValueError("the axis is shorter than its pits need")
