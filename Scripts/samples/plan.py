"""The floor plans of the Anagrafica samples: rooms as rectangles and L-shapes, in metres from the level's origin."""
from fractions import Fraction

# Room widths from west to east. `L` rooms are cut by the small room that follows, which fills the
# cut.
_NORTH = {
    0: (("Atrio", 7.2), ("Segreteria", 5.4), ("Presidenza", 4.6), ("Aula 1A", 8.4), ("Archivio", None), ("Aula 1B", 7.8),
        ("Biblioteca \"Il Melograno\"", 9.0)),
    1: (("Aula 2A", 7.8), ("Aula 2B", 7.8), ("Aula insegnanti", 5.4), ("Laboratorio di informatica", 9.6), ("Vano server", None),
        ("Aula 2C", 6.0), ("Aula 2D", 5.8)),
    2: (("Aula 3A", 8.4), ("Aula 3B", 8.4), ("Laboratorio di scienze", 9.6), ("Deposito reagenti", None), ("Aula musica", 8.0),
        ("Aula 3C", 8.0)),
}
_SOUTH = {
    0: (("Mensa", 12.6), ("Cucina", 6.2), ("WC alunni", 4.4), ("WC alunne", 4.4), ("Palestrina", 9.6), ("Centrale termica", 5.2)),
    1: (("Aula sostegno", 6.4), ("Aula 2E", 7.6), ("WC alunni", 4.4), ("WC alunne", 4.4), ("Aula 2F", 7.6), ("Aula colloqui – piano 1°", 12.0)),
    2: (("Aula arte & immagine", 10.8), ("WC alunni", 4.4), ("WC alunne", 4.4), ("Sottotetto", 9.8), ("Deposito", 10.6)),
}
LEVELS = ((0, "Piano terra"), (1, "Primo piano"), (2, "Secondo piano"))
WIDTH, CORRIDOR_SOUTH, CORRIDOR_NORTH, DEPTH = 42.4, 8.0, 11.2, 19.6
_CUT = (3.2, 3.6)   # the small room in the north-eastern corner of the room before it


def level_rooms(number):
    """Rooms of a level from top left to bottom right: (name, polygon)."""
    rooms = _row(_NORTH[number], CORRIDOR_NORTH, DEPTH)
    south = _row(_SOUTH[number], 0.0, CORRIDOR_SOUTH)
    return rooms + [("Corridoio", _corridor(south[-1][1]))] + south


def nursery_rooms():
    """A small building: four rooms in a row and an L-shaped hall below them."""
    rooms = _row((("Sezione piccoli", 6.4), ("Sezione grandi", 7.0), ("Dormitorio", 5.2), ("Ufficio", 3.6)), CORRIDOR_NORTH, DEPTH)
    return rooms + [("Salone", _corridor(_rectangle(0.0, 0.0, 12.0, CORRIDOR_SOUTH), 22.2))]


def boundary():
    return _rectangle(-0.4, -0.4, WIDTH + 0.4, DEPTH + 0.4)


def _row(rooms, south, north):
    found, west = [], 0.0
    for index, (name, width) in enumerate(rooms):
        if width is None:
            east = west
            found.append((name, _rectangle(east - _CUT[0], north - _CUT[1], east, north)))
            continue
        east = round(west + width, 2)
        cut = index + 1 < len(rooms) and rooms[index + 1][1] is None
        found.append((name, _l_shape(west, south, east, north) if cut else _rectangle(west, south, east, north)))
        west = east
    return found


def _rectangle(west, south, east, north):
    return [[round(x, 2), round(y, 2)] for x, y in ((west, south), (east, south), (east, north), (west, north), (west, south))]


def _l_shape(west, south, east, north):
    """A room without its north-eastern corner."""
    x, y = east - _CUT[0], north - _CUT[1]
    ring = ((west, south), (east, south), (east, y), (x, y), (x, north), (west, north), (west, south))
    return [[round(a, 2), round(b, 2)] for a, b in ring]


def _corridor(last_south_room, width=WIDTH):
    """The corridor, with the arm that leads to the emergency exit east of the last room in the south."""
    arm = max(x for x, _ in last_south_room)
    if arm >= width - 0.01:
        return _rectangle(0.0, CORRIDOR_SOUTH, width, CORRIDOR_NORTH)
    ring = ((0.0, CORRIDOR_SOUTH), (arm, CORRIDOR_SOUTH), (arm, 0.0), (width, 0.0), (width, CORRIDOR_NORTH), (0.0, CORRIDOR_NORTH),
            (0.0, CORRIDOR_SOUTH))
    return [[round(a, 2), round(b, 2)] for a, b in ring]


def area_and_centroid(ring):
    """The shoelace formula in exact fractions, rounded once at the end: (m², [x, y])."""
    points = [(Fraction(str(x)), Fraction(str(y))) for x, y in ring]
    if points[0] != points[-1]:
        points.append(points[0])
    twice = sum_x = sum_y = Fraction(0)
    for (x1, y1), (x2, y2) in zip(points, points[1:]):
        cross = x1 * y2 - x2 * y1
        twice += cross
        sum_x += (x1 + x2) * cross
        sum_y += (y1 + y2) * cross
    centroid = [round(float(sum_x / (3 * twice)), 6), round(float(sum_y / (3 * twice)), 6)]
    return round(float(abs(twice) / 2), 6), centroid


def contains(ring, point):
    """Ray casting."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1]):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def point_inside(random, ring, margin=0.25):
    """A point in the room, `margin` metres from the sides of its box, in centimetres."""
    west, east = min(x for x, _ in ring), max(x for x, _ in ring)
    south, north = min(y for _, y in ring), max(y for _, y in ring)
    while True:
        point = [round(random.uniform(west + margin, east - margin), 2), round(random.uniform(south + margin, north - margin), 2)]
        if contains(ring, point):
            return point
