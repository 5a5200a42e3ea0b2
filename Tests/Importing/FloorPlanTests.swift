import Foundation
import Geometry
import JSONReading
import Model
import Packs
import Testing

@testable import Importing

/// Drawings, good and broken, and the folder of the app.
@Suite struct FloorPlanTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let samples = root.path + "/Samples/anagrafica/"
    private let project = "0198a000-0000-7000-8000-000000000001"

    private func pack() throws -> Pack { try PackLoader.load("anagrafica", from: Self.root.appendingPathComponent("Templates")) }

    private func open(_ path: String, limits: PackageLimits = PackageLimits()) throws -> any Source {
        try SourceFormats.open(SourceLocation(path: path, options: SourceOptions(projectID: project, limits: limits)), pack: pack())
    }

    private func rows(_ source: any Source, _ table: String) throws -> [SourceRow] {
        var rows: [SourceRow] = []
        for each in source.tables where each.name == table { try each.forEachRow { rows.append($0) } }
        return rows
    }

    @Test func aSoundDrawingGivesLevelsAndRooms() throws {
        let source = try open(Self.samples + "plans/school.dxf")
        #expect(source.findings.isEmpty)
        let levels = try rows(source, "levels"), rooms = try rows(source, "rooms")
        #expect(levels.map { $0.value["name"]?.text } == ["PT", "P1"], "from the lowest up, whichever was drawn first")
        #expect(levels[0].value["origin_point"]?.description == "[21,1]", "the start of the North vector, millimetres as metres")
        #expect(rooms.map { $0.value["number"]?.text } == ["0001", "0002", "0003", "0004", "1001"])
        #expect(rooms.map { $0.value["name"]?.text } == ["Aula magna", "Biblioteca civica", "Room 0003", "Room 0004", "Caffè"])
        #expect(rooms[0].value["polygon"]?[0]?.description == "[-0.5,4]", "in plan space")
        #expect(rooms[0].value["raw_polygon"]?[0]?.description == "[20.5,5]", "as drawn")
        #expect(rooms.prefix(3).map { $0.value["area"]?.description } == ["15", "15", "16"])
        // A square of four metres with half a circle beside it: 16 + 2π, arcs as pieces of five degrees.
        #expect(abs((rooms[3].value["area"]?.double ?? 0) - (16 + 2 * Double.pi)) < 0.02)
        #expect(levels[0].value["background"]?["features"]?.items?.count == 4)
    }

    @Test func aBrokenDrawingGivesEveryRuleThatItBreaksAndNoRows() throws {
        let source = try open(Self.samples + "plans/school-broken.dxf")
        let counts = Dictionary(grouping: source.findings, by: \.code).mapValues(\.count)
        #expect(counts == [
            "DRAWING-UNITS": 1, "DRAWING-LAYER": 1, "DRAWING-ENTITY": 1, "DRAWING-OPEN": 1, "DRAWING-CROSSING": 1, "DRAWING-OVERLAP": 1,
            "DRAWING-OUTSIDE": 1, "DRAWING-LABELS": 2, "DRAWING-LABEL-LOST": 1, "DRAWING-NORTH": 1, "PLAN-NORTH": 2, "DRAWING-LEVEL-ORDER": 1,
        ])
        #expect(source.tables.isEmpty)
        let open = try #require(source.findings.first { $0.code == "DRAWING-OPEN" })
        #expect(open.arguments["layer"] == "1_ROOMS" && open.arguments["handle"] == "111" && open.arguments["x"] == "500")
        // The line where the entity begins.
        let text = try String(contentsOfFile: Self.samples + "plans/school-broken.dxf", encoding: .utf8)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let line = try #require(open.place.line)
        #expect(lines[line].hasPrefix("LWPOLYLINE") && lines[line + 2] == "111")
    }

    /// A drawing with one level, made of groups.
    private func drawing(_ entities: String, header: String = "9\n$INSUNITS\n70\n6\n", end: String = "0\nENDSEC\n0\nEOF\n") -> String {
        "0\nSECTION\n2\nHEADER\n\(header)0\nENDSEC\n0\nSECTION\n2\nENTITIES\n\(entities)\(end)"
    }

    private func box(_ layer: String, _ x: Double, _ y: Double, _ size: Double, handle: String = "A1") -> String {
        let corners = [(x, y), (x + size, y), (x + size, y + size), (x, y + size)]
        return "0\nLWPOLYLINE\n5\n\(handle)\n8\n\(layer)\n70\n1\n" + corners.map { "10\n\($0.0)\n20\n\($0.1)\n" }.joined()
    }

    private let label = "0\nTEXT\n5\nB\n8\n2_LEVEL\n10\n1\n20\n99\n1\nPT\n"
    private let north = "0\nLINE\n5\nC\n8\n3_NORTH\n10\n1\n20\n1\n11\n1\n21\n5\n"

    @Test func drawingsWithoutLevelsOrWithTooManyRoomsAreReported() throws {
        let folder = try Folder()
        let empty = try open(try folder.write("empty.dxf", drawing("")))
        #expect(empty.findings.map(\.code) == ["DRAWING-NO-LEVEL"])
        var entities = box("2_LEVEL", -1, -1, 101) + label + north
        for number in 0..<1000 {
            let (column, row) = (Double(number % 40), Double(number / 40))
            entities += box("1_ROOMS", column * 2, row * 2, 1, handle: String(4096 + number, radix: 16))
        }
        let many = try open(try folder.write("many.dxf", drawing(entities)))
        #expect(many.findings.map(\.code) == ["DRAWING-NUMBERS"])
    }

    @Test func theSameDrawingGivesTheSameIdsAndAnotherProjectOthers() throws {
        let path = Self.samples + "plans/school.dxf"
        let ids = try rows(open(path), "rooms").map { $0.value["id"]?.text }
        #expect(try rows(open(path), "rooms").map { $0.value["id"]?.text } == ids)
        let other = SourceOptions(projectID: "0198a000-0000-7000-8000-000000000002")
        let elsewhere = try SourceFormats.open(SourceLocation(path: path, options: other), pack: pack())
        #expect(Set(try rows(elsewhere, "rooms").map { $0.value["id"]?.text }).isDisjoint(with: ids))
    }

    @Test(arguments: [
        ("AutoCAD Binary DXF\r\n\u{1A}", "DRAWING-KIND"), ("AC1032\0\0\0\0", "DRAWING-KIND"),
        ("0\nSECTION\n2\nENTITIES\n0\nLINE\n", "DRAWING-DAMAGED"), ("0\nSECTION\n2\nENTITIES\nx\ny\n", "DRAWING-DAMAGED"),
        ("0\nSECTION\n2\nHEADER\n0\nENDSEC\n0\nEOF\n", "DRAWING-DAMAGED"), ("0\nSECTION\n2\nENTITIES\n0", "DRAWING-DAMAGED"),
    ]) func whatIsNoDrawingIsRefused(text: String, code: String) throws {
        let folder = try Folder()
        let path = try folder.write("x.dxf", text)
        let failure = #expect(throws: PackageFailure.self) { try open(path) }
        #expect(failure?.code == code)
        #expect(failure?.exitCode == .badInput)
    }

    @Test func boundsOfDrawingsHold() throws {
        var limits = PackageLimits()
        limits.drawingPoints = 20
        let failure = #expect(throws: PackageFailure.self) { try open(Self.samples + "plans/school.dxf", limits: limits) }
        #expect(failure?.arguments["limit"] == "drawingPoints")
        limits = PackageLimits()
        limits.drawingBytes = 1000
        #expect(throws: PackageFailure.self) { try open(Self.samples + "plans/school.dxf", limits: limits) }
    }

    @Test(arguments: [
        (#"{\fArial|b0|i0;\H2.5x;Sala}\Priunioni"#, "Sala riunioni"), (#"\A1;Locale \S1^2; t\U+00E8cnico"#, "Locale 1/2 tècnico"), (#"a\\b\{c\}"#, #"a\b{c}"#),
    ]) func paragraphTextsLoseTheirCodes(text: String, plain: String) {
        #expect(DXFText.plain(text) == plain)
    }

    @Test(arguments: [("S1", -1), ("PT", 0), ("P2", 2), ("Piano primo", 1), ("Floor 3", 3), ("Piano seminterrato 1", -1), ("Edificio A - Piano terra", 0)])
    func namesTellHowHighALevelLies(name: String, height: Int) {
        #expect(LevelName.height(name) == height)
    }

    // MARK: The app's folder

    @Test func theAppsFolderComesInAsItIs() throws {
        let source = try open(Self.samples + "app-folder")
        #expect(SourceFormats.name(of: try SourceLocation(path: Self.samples + "app-folder")) == "app-folder")
        #expect(Set(source.findings.map(\.code)) == ["PLAN-BACKGROUND-MISSING", "PLAN-LEVEL-ORDER", "PLAN-PATTERN-ESCAPED", "PLAN-POINTS-REPEATED"])
        let levels = try rows(source, "levels"), rooms = try rows(source, "rooms")
        #expect(try rows(source, "projects").map { $0.value["id"]?.text } == ["7c2e4b1a-88d4-4e0b-b6a1-3f5a9d0c2b44"])
        #expect(levels.map { $0.value["source_key"]?.text } == ["L0", "L1"])
        #expect(levels.map { $0.value["north_angle"]?.description } == ["0", "90"], "clockwise from the Y axis")
        #expect(levels[0].value["background"] != nil && levels[1].value["background"] == nil)
        #expect(rooms[0].value["polygon"]?[0]?.description == "[1,0]", "the raw point less the start of North")
        #expect(rooms[0].value["raw_polygon"]?[0]?.description == "[32.0,11.0]", "the digits of the file")
        #expect(rooms[2].value["area"]?.description == "24")
        let schemas = try rows(source, "families").map { $0.value["parameter_schema"]?.items?.count }
        #expect(schemas == [2, 1])
    }

    @Test func filesThatContradictThePlanAreTold() throws {
        let folder = try Folder()
        try FileManager.default.copyItem(atPath: Self.samples + "app-folder", toPath: folder.path + "/app")
        try folder.write("app/levels/L0/north.json", #"{"start": [0, 0], "end": [0, 1]}"#)
        try folder.write("app/extra.txt", "x")
        let codes = try open(folder.path + "/app").findings.map(\.code)
        #expect(codes.contains("PLAN-FILES-DIFFER") && codes.contains("IMPORT-EXTRA-FILE"))
        try folder.write("app/plan_template.json", #"{"levels": [{"id": "L0"}]}"#)
        #expect(throws: ImportFailure.self) { try open(folder.path + "/app") }
        try folder.write("app/plan_template.json", #"{"levels": [{"id": "../../etc", "index": 0, "name": "x", "background": {"geojson": "../../../etc/passwd"}}]}"#)
        #expect(throws: ImportFailure.self) { try open(folder.path + "/app") }
    }

    /// The real one: `FICHERO_APP_FOLDER` names it.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["FICHERO_APP_FOLDER"] != nil)) func theRealFolderComesIn() throws {
        let source = try open(ProcessInfo.processInfo.environment["FICHERO_APP_FOLDER"] ?? "")
        #expect(try rows(source, "levels").count == 4)
        #expect(try rows(source, "rooms").count == 16)
        #expect(try rows(source, "families").count == 6)
        #expect(!source.findings.contains { $0.severity == .error })
    }
}
