import Foundation
import Testing

/// `fichero import` and `fichero validate` with drawings.
@Suite struct FloorPlanImportTests {
    @Test func aFloorPlanIsCheckedAndBroughtIn() throws {
        let office = try Office(system: "anagrafica")
        let plans = ProgramRun.root + "/Samples/anagrafica/plans/"
        let name = try office.sql("SELECT name FROM projects ORDER BY id DESC LIMIT 1")
        #expect(try office.run("import", plans + "school.dxf").status == 64, "which project must be said")
        let broken = try office.run("validate", plans + "school-broken.dxf", "--project", name)
        #expect(broken.status == 1 && broken.output.contains("DRAWING-OVERLAP"))
        #expect(try office.run("import", plans + "school-broken.dxf", "--project", name, "--dry-run").status == 1)
        let before = try office.sql("SELECT count(*) FROM rooms")
        #expect(try office.run("import", plans + "school.dxf", "--project", name).status == 0)
        #expect(try office.sql("SELECT count(*) - \(before) FROM rooms") == "5")
        // Another reader of DXF finds rooms of the same areas.
        let script = """
            import sys, ezdxf, ezdxf.path
            from ezdxf.math import area
            space = ezdxf.readfile(sys.argv[1]).modelspace()
            rooms = [e for e in space if e.dxf.layer == "1_ROOMS" and e.dxftype().endswith("POLYLINE")]
            print(" ".join(sorted("%.1f" % (abs(area(list(ezdxf.path.make_path(e).flattening(0.1)))) / 1e6) for e in rooms)))
            """
        let other = try Reading.python(script, plans + "school.dxf")
        #expect(other.status == 0, "\(other.error)")
        let areas = try office.sql("SELECT group_concat(printf('%.1f', area), ' ') FROM (SELECT area FROM rooms WHERE source_key LIKE 'P%/%' ORDER BY printf('%.1f', area))")
        #expect(areas == other.output.trimmingCharacters(in: .whitespacesAndNewlines))
        let again = try office.run("import", plans + "school.dxf", "--project", name, "--json")
        #expect(again.status == 0 && again.output.contains("\"unchanged\" : 5"))
    }

    @Test func theSoundRoomsOfABrokenDrawingComeIn() throws {
        let office = try Office(system: "anagrafica")
        let script = """
            import sys
            text = open(sys.argv[1], newline="").read()
            # The second room's last corner goes over the first room.
            groups = text.split("\\r\\n")
            places = [i for i, line in enumerate(groups) if line == "1_ROOMS" and groups[i - 6] == "LWPOLYLINE"]
            x = next(i for i in range(places[1], len(groups), 2) if groups[i + 1].strip() == "10") + 2
            groups[x] = "23000.0"
            open(sys.argv[2], "w", newline="").write("\\r\\n".join(groups))
            """
        let made = try Reading.python(script, ProgramRun.root + "/Samples/anagrafica/plans/school.dxf", office.path("plan.dxf"))
        try #require(made.status == 0, "\(made.error)")
        let name = try office.sql("SELECT name FROM projects ORDER BY id DESC LIMIT 1")
        let before = try office.sql("SELECT count(*) FROM rooms")
        let run = try office.run("import", "plan.dxf", "--project", name)
        #expect(run.status == 1 && run.output.contains("DRAWING-OVERLAP"), "\(run.output) \(run.error)")
        #expect(try office.sql("SELECT count(*) - \(before) FROM rooms") == "3")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE entity = 'rooms' AND state = 'open'") == "2")
        #expect(try office.run("rejects", "retry").status == 1, "nothing was mended")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE entity = 'rooms' AND state = 'open'") == "2")
        #expect(try office.sql("SELECT count(*) - \(before) FROM rooms") == "3")
        // The drawing is corrected. Its other rooms come in, and nothing else changes.
        let mended = try office.run("import", ProgramRun.root + "/Samples/anagrafica/plans/school.dxf", "--project", name, "--json")
        #expect(mended.status == 0 && mended.output.contains("\"unchanged\" : 3"), "\(mended.output)")
        #expect(try office.sql("SELECT count(*) - \(before) FROM rooms") == "5")
        #expect(try office.sql("SELECT count(*) FROM conflicts") == "0")
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "0", "what waited has come in")
    }
}
