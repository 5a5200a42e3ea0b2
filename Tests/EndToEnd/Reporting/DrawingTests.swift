import Foundation
import Testing

/// Drawings that another program wrote. Our lines and areas are compared with what that program
/// itself makes of them.
@Suite struct DrawingTests {
    private static let drawing = #"""
        import math, random, sys, ezdxf
        random.seed(int(sys.argv[2]))
        unit = 1000 if sys.argv[3] == "mm" else 1
        doc = ezdxf.new("R2010", units=4 if unit == 1000 else 6)
        for layer in ("1_ROOMS", "2_LEVEL", "3_NORTH"):
            doc.layers.add(layer)
        space = doc.modelspace()
        at = lambda x, y: (x * unit, y * unit)
        number = lambda low, high: random.uniform(low, high)

        def box(x, y, w, h):
            return [at(x, y), at(x + w, y), at(x + w, y + h), at(x, y + h)]

        space.add_lwpolyline(box(-100, -100, 200, 200), close=True, dxfattribs={"layer": "2_LEVEL"})
        space.add_text("PT", dxfattribs={"layer": "2_LEVEL", "insert": at(-99, 99), "height": unit})
        space.add_line(at(-90, -90), at(-90, -80), dxfattribs={"layer": "3_NORTH"})
        # Rooms with round walls, both ways, and one shown by a block.
        points = [(*at(-80, -80), 0.4), (*at(-70, -80), -0.3), (*at(-70, -70), 1.0), (*at(-80, -70), 0)]
        space.add_lwpolyline(points, format="xyb", close=True, dxfattribs={"layer": "1_ROOMS"})
        room = doc.blocks.new("ROOM", base_point=at(1, 1))
        room.add_lwpolyline([(*at(0, 0), 0), (*at(4, 0), 0.5), (*at(4, 3), 0), (*at(0, 3), 0)], format="xyb", close=True, dxfattribs={"layer": "1_ROOMS"})
        space.add_blockref("ROOM", at(-50, -80), dxfattribs={"rotation": 30, "layer": "0"})
        space.add_blockref("ROOM", at(-30, -80), dxfattribs={"xscale": -2, "yscale": 2, "layer": "0"})

        def draw(layout, centre, size):
            x, y = centre
            layout.add_line(at(x, y), at(x + number(-size, size), y + number(0.1, size)))
            layout.add_circle(at(x, y), number(0.1, size) * unit)
            layout.add_arc(at(x, y), number(0.1, size) * unit, number(0, 360), number(0, 360))
            layout.add_ellipse(at(x, y), at(number(0.1, size), number(-size, size)), number(0.1, 1))
            layout.add_ellipse(at(x, y), at(-number(0.1, size), number(-size, size)), number(0.1, 1), number(0, 6), number(0, 6))
            control = [at(x + number(-size, size), y + number(-size, size)) for _ in range(random.randint(4, 9))]
            layout.add_open_spline(control, degree=random.randint(2, 3))
            layout.add_rational_spline(control, [number(0.5, 3) for _ in control], degree=3)
            layout.add_lwpolyline([(*at(x + number(-size, size), y + number(-size, size)), number(-1.5, 1.5)) for _ in range(5)], format="xyb", close=True)
            layout.add_polyline2d([(*at(x + number(-size, size), y + number(-size, size)), number(-1, 1)) for _ in range(4)], format="xyb")
            # Drawn on the plane's back.
            back = {"extrusion": (0, 0, -1)}
            layout.add_arc(at(-x, y), number(0.1, size) * unit, number(0, 360), number(0, 360), dxfattribs=back)
            layout.add_circle(at(-x, y), number(0.1, size) * unit, dxfattribs=back)

        for column in range(4):
            draw(space, (column * 6 - 40, 40), 5)
        inner = doc.blocks.new("INNER", base_point=at(0.3, -0.2))
        draw(inner, (0, 0), 1)
        outer = doc.blocks.new("OUTER", base_point=at(-1, 0.5))
        outer.add_line(at(0, 0), at(1, 1))
        for _ in range(3):
            scale = number(0.5, 2)
            outer.add_blockref("INNER", at(number(-2, 2), number(-2, 2)), dxfattribs={
                "rotation": number(0, 360), "xscale": scale, "yscale": random.choice((1, -1)) * scale})
        for _ in range(6):
            scale = number(0.5, 2)
            space.add_blockref("OUTER", at(number(0, 60), number(-60, 0)), dxfattribs={
                "rotation": number(0, 360), "xscale": random.choice((1, -1)) * scale, "yscale": scale})
        # Not the same along both axes, and an array of them.
        stretched = doc.blocks.new("STRETCHED")
        stretched.add_line(at(0, 0), at(1, 2))
        stretched.add_lwpolyline([at(0, 0), at(1, 0), at(1, 1)], close=True)
        space.add_blockref("STRETCHED", at(60, 60), dxfattribs={
            "rotation": 20, "xscale": 3, "yscale": 0.5, "column_count": 3, "row_count": 2, "column_spacing": 4 * unit, "row_spacing": 5 * unit})
        # It shows where its INSERT lies, and its attribute is a text.
        tagged = space.add_blockref("INNER", at(40, 40))
        tagged.add_attrib("NAME", "x", at(40, 41))
        doc.saveas(sys.argv[1])
        """#

    /// The distance between the lines of a background and those that ezdxf draws, in both
    /// directions, and the areas of rooms.
    private static let comparison = #"""
        import json, sys, ezdxf, ezdxf.path, math
        from ezdxf.disassemble import recursive_decompose
        from ezdxf.math import area
        doc = ezdxf.readfile(sys.argv[1])
        unit = 1000 if sys.argv[3] == "mm" else 1
        theirs, rooms, entities = [], [], 0
        for e in recursive_decompose(doc.modelspace()):
            if e.dxftype() in ("TEXT", "ATTRIB", "ATTDEF", "MTEXT"):
                continue
            if e.dxf.layer == "0":
                entities += 1
                # Paths of theirs stand for arcs by cubic curves: their entities know better.
                for part in e.virtual_entities() if e.dxftype().endswith("POLYLINE") else [e]:
                    points = [part.dxf.start, part.dxf.end] if part.dxftype() == "LINE" else part.flattening(0.0002 * unit)
                    theirs.append([(v.x / unit, v.y / unit) for v in points])
            elif e.dxf.layer == "1_ROOMS":
                rooms.append(abs(area([ezdxf.math.Vec2(v.x / unit, v.y / unit) for v in ezdxf.path.make_path(e).flattening(0.001 * unit)])))
        features = json.load(open(sys.argv[2]))["features"]
        ours = [f["geometry"]["coordinates"] for f in features]

        def segments(lines):
            cells = {}
            for line in lines:
                for a, b in zip(line, line[1:]):
                    steps = max(1, math.ceil(math.dist(a, b) * 5))
                    for i in range(steps + 1):
                        key = (round(5 * (a[0] + (b[0] - a[0]) * i / steps)), round(5 * (a[1] + (b[1] - a[1]) * i / steps)))
                        cells.setdefault(key, set()).add((tuple(a), tuple(b)))
            return cells

        def far(point, cells):
            best = 9.0
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    for a, b in cells.get((round(5 * point[0]) + dx, round(5 * point[1]) + dy), ()):
                        x, y = b[0] - a[0], b[1] - a[1]
                        n = x * x + y * y
                        t = max(0, min(1, ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / n)) if n else 0
                        best = min(best, math.dist(point, (a[0] + t * x, a[1] + t * y)))
            return best

        def worst(lines, cells):
            return max(far(p, cells) for line in lines for p in line)

        length = lambda lines: sum(math.dist(a, b) for line in lines for a, b in zip(line, line[1:]))
        print(len(ours) == entities, len(ours), worst(ours, segments(theirs)), worst(theirs, segments(ours)), length(ours) / length(theirs))
        print(" ".join("%.3f" % a for a in sorted(rooms)))
        """#

    @Test(arguments: [("1", "mm"), ("2", "m"), ("3", "mm")])
    func curvesAndBlocksLieWhereAnotherProgramDrawsThem(seed: String, unit: String) throws {
        let office = try Office(system: "anagrafica")
        let made = try Reading.python(Self.drawing, office.path("plan.dxf"), seed, unit)
        try #require(made.status == 0, "\(made.error)")
        let name = try office.sql("SELECT name FROM projects ORDER BY id DESC LIMIT 1")
        let run = try office.run("import", "plan.dxf", "--project", name, "--json", "--fail-on", "never")
        #expect(run.status == 0 && !run.output.contains("DRAWING-"), "\(run.output) \(run.error)")
        let background = try office.sql("SELECT background FROM levels WHERE source_key = 'PT'")
        try background.write(toFile: office.path("background.json"), atomically: true, encoding: .utf8)
        let compared = try Reading.python(Self.comparison, office.path("plan.dxf"), office.path("background.json"), unit)
        try #require(compared.status == 0, "\(compared.error)")
        let lines = compared.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines[0][0] == "True", "as many entities: \(compared.output)")
        // The lines may differ by our millimetre and by two tenths of a millimetre of theirs.
        #expect((Double(lines[0][2]) ?? 9) < 0.0013 && (Double(lines[0][3]) ?? 9) < 0.0013, "\(lines[0])")
        #expect(abs((Double(lines[0][4]) ?? 9) - 1) < 0.001)
        let areas = try office.sql("SELECT group_concat(area, ' ') FROM (SELECT area FROM rooms WHERE source_key LIKE 'PT/%' ORDER BY area)")
            .split(separator: " ").compactMap { Double($0) }
        let expected = lines[1].compactMap(Double.init)
        #expect(areas.count == 3 && expected.count == 3)
        for (area, other) in zip(areas, expected) { #expect(abs(area - other) < 0.03, "\(area) \(other)") }
    }
}
