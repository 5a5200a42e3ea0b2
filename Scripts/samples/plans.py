"""Floor plans: a sound drawing, one that breaks the rules (DXF, millimetres), and a small folder as the Anagrafica app carries it."""
import json
import pathlib

from . import beside


class Drawing:
    """An ASCII DXF of AutoCAD 2000: header, entities, nothing else."""

    def __init__(self, units):
        self._groups = [(999, "Made by Scripts/make-samples"), (0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1015")]
        if units is not None:
            self._groups += [(9, "$INSUNITS"), (70, units)]
        self._groups += [(0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")]
        self._handle = 0x100

    def _begin(self, kind, layer, *subclasses):
        self._groups += [(0, kind), (5, f"{self._handle:X}"), (100, "AcDbEntity"), (8, layer)] + [(100, name) for name in subclasses]
        self._handle += 1

    def line(self, layer, start, end):
        self._begin("LINE", layer, "AcDbLine")
        for code, point in ((10, start), (11, end)):
            self._groups += [(code, float(point[0])), (code + 10, float(point[1])), (code + 20, 0.0)]

    def outline(self, layer, points, closed=True, bulges=()):
        self._begin("LWPOLYLINE", layer, "AcDbPolyline")
        self._groups += [(90, len(points)), (70, 1 if closed else 0)]
        for index, (x, y) in enumerate(points):
            self._groups += [(10, float(x)), (20, float(y))]
            if index in dict(bulges):
                self._groups.append((42, dict(bulges)[index]))

    def old_outline(self, layer, points):
        self._begin("POLYLINE", layer, "AcDb2dPolyline")
        self._groups += [(66, 1), (10, 0.0), (20, 0.0), (30, 0.0), (70, 1)]
        for x, y in points:
            self._begin("VERTEX", layer, "AcDbVertex", "AcDb2dVertex")
            self._groups += [(10, float(x)), (20, float(y)), (30, 0.0)]
        self._begin("SEQEND", layer)

    def text(self, layer, at, text):
        self._begin("TEXT", layer, "AcDbText")
        self._groups += [(10, float(at[0])), (20, float(at[1])), (30, 0.0), (40, 200.0), (1, text), (100, "AcDbText")]

    def paragraph(self, layer, at, text):
        self._begin("MTEXT", layer, "AcDbMText")
        self._groups += [(10, float(at[0])), (20, float(at[1])), (30, 0.0), (40, 200.0), (1, text)]

    def circle(self, layer, at, radius):
        self._begin("CIRCLE", layer, "AcDbCircle")
        self._groups += [(10, float(at[0])), (20, float(at[1])), (30, 0.0), (40, float(radius))]

    def write(self, path):
        groups = self._groups + [(0, "ENDSEC"), (0, "EOF")]
        text = "".join(f"{code:3d}\r\n{value}\r\n" for code, value in groups)
        path.write_bytes(text.encode("utf-8"))


def _box(x, y, width, height):
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def _level(drawing, x, name):
    drawing.outline("2_LEVEL", _box(x, 0, 12000, 9000))
    drawing.text("2_LEVEL", (x + 200, 8700), name)
    drawing.line("3_NORTH", (x + 1000, 1000), (x + 1000, 3000))
    for start, end in (((0, 0), (12000, 0)), ((12000, 0), (12000, 9000)), ((12000, 9000), (0, 9000)), ((0, 9000), (0, 0))):
        drawing.line("0", (x + start[0], start[1]), (x + end[0], end[1]))


def _sound(path):
    drawing = Drawing(4)
    # The upper floor is drawn first: the labels identify the lower one.
    _level(drawing, 0, "P1")
    _level(drawing, 20000, "PT")
    drawing.outline("1_ROOMS", _box(20500, 5000, 5000, 3000))
    drawing.text("1_ROOMS", (21000, 6000), "Aula magna")
    drawing.outline("1_ROOMS", _box(26000, 5000, 5000, 3000))
    drawing.paragraph("1_ROOMS", (26500, 6000), r"{\fArial|b0;\H200;Biblioteca}\Pcivica")
    # An L, and a niche with a round end.
    drawing.outline("1_ROOMS", [(20500, 500), (25500, 500), (25500, 2500), (23500, 2500), (23500, 4500), (20500, 4500)])
    drawing.outline("1_ROOMS", _box(26000, 500, 4000, 4000), bulges=((1, 1.0),))
    drawing.old_outline("1_ROOMS", _box(500, 500, 11000, 3500))
    drawing.text("1_ROOMS", (900, 900), "Caff\\U+00E8")
    drawing.write(path)


def _broken(path):
    drawing = Drawing(None)
    _level(drawing, 0, "Blocco A")
    _level(drawing, 20000, "Blocco B")
    drawing.line("3_NORTH", (22000, 1000), (22000, 2000))                           # a second North in B
    drawing.line("3_NORTH", (16000, 1000), (16000, 2000))                           # one outside every level
    drawing.outline("2_LEVEL", _box(40000, 0, 12000, 9000))                         # no label, no North
    drawing.outline("1_ROOMS", _box(500, 500, 4000, 3000), closed=False)            # open
    drawing.outline("1_ROOMS", [(500, 5000), (4500, 8000), (4500, 5000), (500, 8000)])  # crosses itself
    drawing.outline("1_ROOMS", _box(6000, 500, 4000, 3000))
    drawing.outline("1_ROOMS", _box(9000, 1000, 2000, 2000))                        # overlaps the one before
    drawing.outline("1_ROOMS", _box(14000, 500, 3000, 3000))                        # outside every level
    drawing.outline("1_ROOMS", _box(21000, 4000, 4000, 3000))
    drawing.text("1_ROOMS", (21500, 5000), "Ufficio")
    drawing.text("1_ROOMS", (22500, 6000), "Archivio")                              # two labels
    drawing.text("1_ROOMS", (18000, 5000), "Nessuno")                               # a label in no room
    drawing.circle("1_ROOMS", (28000, 5000), 1000)                                  # no polyline
    drawing.line("ARREDI", (1000, 1000), (2000, 2000))                              # no such layer
    drawing.write(path)


_SCHEMA = {
    "id": "5d6f9a0e-31c7-4f63-9a55-6f2b8c1d7e10", "projectId": "7c2e4b1a-88d4-4e0b-b6a1-3f5a9d0c2b44", "version": "1.0-prova",
    "createdAt": "2026-02-03T09:00:00Z", "isLocked": False,
    "families": [
        {"id": "0d3b5c77-6a1e-4c39-8f02-91be57aa4411", "name": "Illuminazione", "iconName": "lightbulb", "sortOrder": 0, "parameters": [
            {"id": "a1f0c2d4-0b57-4d6e-9c55-2f4f5b6a7c01", "name": "Produttore", "dataType": "TEXT", "scope": "TYPE", "isRequired": True,
             "validation": {"minLength": 1, "maxLength": 80}},
            {"id": "a1f0c2d4-0b57-4d6e-9c55-2f4f5b6a7c02", "name": "Stato", "dataType": "ENUM", "scope": "INSTANCE", "isRequired": True,
             "enumValues": ["Nuovo", "Buono", "Usurato"]}]},
        {"id": "0d3b5c77-6a1e-4c39-8f02-91be57aa4412", "name": "Rete", "iconName": "wifi", "sortOrder": 1, "parameters": [
            {"id": "a1f0c2d4-0b57-4d6e-9c55-2f4f5b6a7c03", "name": "Indirizzo IP", "dataType": "TEXT", "scope": "INSTANCE", "isRequired": False,
             "validation": {"regex": "^(?:\\\\d{1,3}\\\\.){3}\\\\d{1,3}$"}}]},
    ],
}


def _room(number, name, ring):
    return {"id": f"R{number}", "number": number, "name": name, "shape": {"polygon": ring}}


def _app_folder(path):
    closed = lambda points: [list(map(float, point)) for point in points + points[:1]]
    ground = closed(_box(52, 11, 6, 4))
    ground.insert(1, [52.0000000003, 11.0])         # a few tenths of a nanometre beside the first
    levels = [
        {"id": "L0", "index": 0, "name": "P1", "background": {"geojson": "levels/L0/background.geojson", "bounds": [30.0, 10.0, 42.0, 19.0]},
         "north": {"start": [31.0, 11.0], "end": [31.0, 14.0]},
         "rooms": [_room("0001", "Soggiorno", closed(_box(32, 11, 5.5, 4))), _room("0002", "Room 0002", closed(_box(32, 15.5, 5.5, 3)))]},
        {"id": "L1", "index": 1, "name": "PT", "background": {"geojson": "levels/L1/background.geojson", "bounds": [50.0, 10.0, 62.0, 19.0]},
         "north": {"start": [51.0, 11.0], "end": [53.0, 11.0]}, "rooms": [_room("1001", "Cantina", ground)]},
    ]
    for level in levels:
        folder = path / "levels" / level["id"]
        folder.mkdir(parents=True, exist_ok=True)
        features = [{"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [room["shape"]["polygon"]]},
                     "properties": {"id": room["id"], "number": room["number"], "name": room["name"]}} for room in level["rooms"]]
        _dump(folder / "rooms.geojson", {"type": "FeatureCollection", "features": features})
        _dump(folder / "north.json", level["north"])
    # The second background is missing on purpose.
    walls = [{"type": "Feature", "properties": {"Layer": "0", "EntityHandle": "811"},
              "geometry": {"type": "LineString", "coordinates": [[30.0, 10.0, 0.0], [42.0, 10.0, 0.0]]}}]
    _dump(path / "levels/L0/background.geojson", {"type": "FeatureCollection", "features": walls})
    _dump(path / "plan_template.json", {"levels": levels})
    _dump(path / "schema_version.json", _SCHEMA)


def _dump(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def build(target):
    target = pathlib.Path(target)
    (target / "plans").mkdir(parents=True, exist_ok=True)
    _sound(target / "plans/school.dxf")
    _broken(target / "plans/school-broken.dxf")
    _app_folder(target / "app-folder")
    _expect(target / "broken/drawing", {
        "after": "ready", "actor": "ufficio@example.it", "source": "../plans/school-broken.dxf", "options": ["--project", "Prova – pronto"], "import": {
            "DRAWING-UNITS": 1, "DRAWING-LAYER": 1, "DRAWING-ENTITY": 1, "DRAWING-OPEN": 1, "DRAWING-CROSSING": 1, "DRAWING-OVERLAP": 2, "DRAWING-OUTSIDE": 1,
            "DRAWING-LABELS": 2, "DRAWING-LABEL-LOST": 1, "DRAWING-NORTH": 1, "PLAN-NORTH": 2, "DRAWING-LEVEL-ORDER": 1}})
    _expect(target / "broken/app", {"after": "ready", "source": "../app-folder", "import": {
        "PLAN-BACKGROUND-MISSING": 1, "PLAN-POINTS-REPEATED": 1, "PLAN-LEVEL-ORDER": 1, "PLAN-PATTERN-ESCAPED": 1}})


def _expect(place, stated):
    """What must come of a file or folder that stands elsewhere, as of a broken set."""
    place.with_name(place.name + ".expected.json").write_text(
        json.dumps(beside.stated(place, stated), ensure_ascii=False, indent=2) + "\n", "utf-8")
