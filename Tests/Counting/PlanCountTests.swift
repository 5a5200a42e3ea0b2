import Counting
import Foundation
import Model
import Packs
import Testing
import Workbench

@testable import Importing

/// The count of drawings, of the app's folder, and of data files in an archive.
@Suite struct PlanCountTests {
    private static let drawing = """
        import ezdxf, sys
        doc = ezdxf.new('R2000')
        space = doc.modelspace()
        for layer in ('1_ROOMS', '2_LEVEL', '3_NORTH'): doc.layers.add(layer)
        space.add_lwpolyline([(1, 1), (5, 1), (5, 4.5), (1, 4.5)], close=True, dxfattribs={'layer': '1_ROOMS'})
        space.add_polyline2d([(0, 0), (9, 0), (9, 9), (0, 9)], close=True, dxfattribs={'layer': '2_LEVEL'})
        space.add_line((2, 2), (2, 8), dxfattribs={'layer': '3_NORTH'})
        space.add_text('P1', dxfattribs={'layer': '2_LEVEL', 'insert': (8, 8)})
        space.add_mtext('Cocina è', dxfattribs={'layer': '1_ROOMS', 'insert': (2, 3)})
        space.add_spline([(0, 0), (1, 2), (3, 3), (4, 0)])
        space.add_circle((7, 7), 0.5)
        block = doc.blocks.new('DOOR')
        block.add_line((0, 0), (1.25, 0))
        block.add_arc((0.5, 0), 1, 0, 90, dxfattribs={'layer': '1_ROOMS'})
        space.add_blockref('DOOR', (3, 1)).add_attrib('N', '7', (3, 1))
        doc.layout().add_line((0, 0), (100, 100))
        doc.saveas(sys.argv[1])
        """

    private static func pack() throws -> Pack {
        try PackLoader.load("anagrafica", from: URL(fileURLWithPath: Evidence.samples).deletingLastPathComponent().appendingPathComponent("Templates"))
    }

    private func drawing(_ folder: TemporaryFolder) throws -> String {
        let path = folder.file("plan.dxf")
        let run = try OtherProgram.run("/usr/bin/python3", ["-c", Self.drawing, path])
        try #require(run.status == 0, "\(run.text)")
        return path
    }

    private func read(_ path: String) throws -> [TableCount] {
        let layers = try #require(Self.pack().plans?.layers)
        return try DXFDrawing(path: path, source: try FileStream(path: path), layers: layers, limits: PackageLimits()).tally.given
    }

    @Test("Entities of a drawing are counted by layer and kind, blocks separately, paper space not at all")
    func dxf() throws {
        let folder = try TemporaryFolder()
        let path = try drawing(folder)
        let count = try SourceCounter.count(path: path, kind: "dxf")
        let entities = try #require(count.tables.first { $0.name == "ENTITIES" })
        func column(_ name: String) -> TableCount.Column? { entities.columns.first { $0.name == name } }
        #expect(column("1_ROOMS LWPOLYLINE")?.numbers == .init(count: 4, sum: 12, size: 12))
        #expect(column("2_LEVEL POLYLINE")?.numbers == .init(count: 4, sum: 18, size: 18))
        #expect(column("2_LEVEL TEXT")?.filled == 1 && column("3_NORTH LINE")?.numbers?.sum == 2)
        #expect(column("0 INSERT")?.numbers?.sum == 3 && column("0 ATTRIB")?.filled == 1)
        #expect(column("0 LINE") == nil, "that of the paper")
        #expect(entities.rows == 9)
        let blocks = try #require(count.tables.first { $0.name == "BLOCKS" })
        #expect(blocks.columns.first { $0.name == "1_ROOMS ARC" }?.numbers?.sum == 0.5)
        #expect(CountComparison(reader: try read(path), source: count).gaps == [])
    }

    @Test("If a reader loses an entity or a corner of a drawing, the comparison finds a gap")
    func gap() throws {
        let folder = try TemporaryFolder()
        let path = try drawing(folder)
        let count = try SourceCounter.count(path: path, kind: "dxf")
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        // The last place is the entity. A class of the same name stands before it.
        bytes.replaceSubrange(try #require(bytes.ranges(of: Array("LWPOLYLINE".utf8)).last), with: Array("LWPOLYLIN".utf8))
        let cut = try folder.write(bytes, to: "cut.dxf")
        #expect(CountComparison(reader: try read(cut), source: count).gaps.map(\.columnName).contains("1_ROOMS LWPOLYLINE"))
        var given = try read(path)
        given[0].columns[0].numbers = .init(count: 3, sum: 7, size: 7)
        #expect(CountComparison(reader: given, source: count).gaps.map(\.what) == [.numbers])
    }

    @Test("The sample drawings are counted without a gap, including the broken one", arguments: ["school", "school-broken"])
    func samples(name: String) throws {
        let path = Evidence.samples + "/anagrafica/plans/\(name).dxf"
        let comparison = CountComparison(reader: try read(path), source: try SourceCounter.count(path: path, kind: "dxf"))
        #expect(comparison.gaps == [] && comparison.unread == [])
    }

    @Test("A file that ends early or is not a drawing is refused")
    func damaged() throws {
        let folder = try TemporaryFolder()
        for text in ["0\nSECTION\n2\nENTITIES\n0\nLINE\n", "0\nSECTION\nx\n", "", "0\nSECTION\n2\nENTITIES\n0\nPOLYLINE\n0\nVERTEX"] {
            let path = try folder.write(text, to: "a.dxf")
            #expect(throws: CountFault.self) { try SourceCounter.count(path: path, kind: "dxf") }
        }
    }

    @Test("Levels and rooms of the app's folder and families of its schema are counted")
    func app() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            {"rooms": [{"id": "X"}], "levels": [
              {"id": "L0", "index": 0, "name": "P1", "north": {"start": [1, 2], "name": "no"}, "rooms": [
                {"id": "R1", "number": "0001", "name": "Cocina", "shape": {"polygon": [[1, 2]], "name": "no"}}, {"id": "R2", "number": "", "name": null}]},
              {"id": "L1", "index": 3, "rooms": []}]}
            """, to: "plan_template.json")
        let pack = try Self.pack(), plans = try #require(pack.plans), app = try #require(plans.folder)
        var options = SourceCounter.Options()
        options.nested = plans.nested(in: app.plan, of: pack)
        let count = try SourceCounter.count(path: path, kind: "app-folder", options: options)
        func filled(_ table: TableCount) -> [String: Int] { Dictionary(uniqueKeysWithValues: table.columns.map { ($0.name ?? "", $0.filled) }) }
        #expect(count.tables.map(\.name) == ["levels", "rooms"] && count.tables.map(\.rows) == [2, 2])
        #expect(filled(count.tables[0]) == ["source_key": 2, "number": 2, "name": 2])
        #expect(filled(count.tables[1]) == ["source_key": 2, "number": 1, "name": 1])
        #expect(count.tables[0].columns.first { $0.name == "number" }?.numbers == .init(count: 2, sum: 3, size: 3))
        let schema = try folder.write(
            #"{"id": "a", "families": [{"id": "f", "name": "Luces", "sortOrder": 2, "parameters": [{"id": "p", "name": "P"}]}, {"id": "g"}]}"#, to: "schema_version.json")
        options.nested = [app.schema.families.nested]
        let families = try SourceCounter.count(path: schema, kind: "app-folder", options: options)
        #expect(families.tables.map(\.rows) == [2])
        #expect(filled(families.tables[0]) == ["id": 2, "name": 1, "sortOrder": 1])
    }

    @Test("A data file in an archive has the same count as the same file outside it", arguments: [true, false])
    func archive(isLines: Bool) throws {
        let folder = try TemporaryFolder()
        let rows = (0..<30_000).map { "{\"id\": \"\($0)\", \"a\": \($0).5, \"b\": \($0 % 3 == 0 ? "null" : "[1]")}" }
        let text = isLines ? rows.joined(separator: "\n") : "[" + rows.joined(separator: ",\n") + "]"
        let plain = try folder.write(text, to: "rows.json")
        let run = try OtherProgram.run(
            "/usr/bin/python3",
            ["-c", "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED)\nz.write(sys.argv[2], 'survey/data/Rows.json'); z.close()", folder.file("a.zip"), plain])
        try #require(run.status == 0)
        var options = SourceCounter.Options()
        options.isLines = isLines
        let beside = try SourceCounter.count(path: plain, kind: "json", options: options)
        #expect(beside.tables[0].rows == 30_000 && beside.tables[0].columns[2].filled == 20_000)
        options.entry = "survey/data/Rows.json"
        var within = try SourceCounter.count(path: folder.file("a.zip"), kind: "json", options: options)
        within.tables[0].name = beside.tables[0].name
        #expect(within == beside)
        options.entry = "survey/data/none.json"
        #expect(throws: CountFault.damaged("survey/data/none.json is missing")) { try SourceCounter.count(path: folder.file("a.zip"), kind: "json", options: options) }
    }
}
