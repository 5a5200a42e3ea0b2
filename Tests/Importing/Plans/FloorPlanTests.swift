import Foundation
import Geometry
import JSONReading
import Model
import Testing
import Workbench

@testable import Importing

/// Drawings, valid and broken, and the folder of the app.
@Suite struct FloorPlanTests {
    static let root = ProjectFolder.root
    static let samples = root.path + "/Samples/anagrafica/"
    private let project = "0198a000-0000-7000-8000-000000000001"

    static func pack(_ name: String = "anagrafica") throws -> Pack { try ShippedPack.named(name) }

    private func open(_ path: String, limits: PackageLimits = PackageLimits()) throws -> any Source {
        let pack = try Self.pack()
        var options = SourceOptions(projectID: project, limits: limits)
        options.folders = [pack.plans?.folder].compactMap(\.self)
        return try SourceFormats.open(SourceLocation(path: path, options: options), pack: pack)
    }

    private func rows(_ source: any Source, _ table: String) throws -> [ReadRow] {
        try ReadRow.rows(of: source, pack: Self.pack()).filter { $0.entity == table }
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
        // A square of four metres has half a circle beside it: 16 + 2π. An arc becomes pieces of
        // five degrees.
        #expect(abs((rooms[3].value["area"]?.double ?? 0) - (16 + 2 * Double.pi)) < 0.02)
        #expect(levels[0].value["background"]?["features"]?.items?.count == 4)
    }

    /// AutoCAD before 2007 wrote the code page of the machine.
    @Test func anOldDrawingIsReadAsWindows1252() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.samples + "plans/school.dxf"))
        let name = try #require(bytes.range(of: Data("Caff\\U+00E8".utf8)))
        var old = bytes
        old.replaceSubrange(name, with: Data("Caff".utf8) + Data([0xE8, 0x20, 0x93]) + Data("Bar".utf8) + Data([0x94]))
        let folder = try TemporaryFolder()
        try folder.write([UInt8](old), to: "old.dxf")
        #expect(try rows(open(folder.file("old.dxf")), "rooms").last?.value["name"]?.text == "Caffè “Bar”")
    }

    @Test func aDrawingWithoutWholeLevelsGivesEveryRuleThatItBreaksAndNoRows() throws {
        let source = try open(Self.samples + "plans/school-broken.dxf")
        let counts = Dictionary(grouping: source.findings, by: \.code).mapValues(\.count)
        #expect(counts == [
            "DRAWING-UNITS": 1, "DRAWING-LAYER": 1, "DRAWING-ENTITY": 1, "DRAWING-OPEN": 1, "DRAWING-CROSSING": 1, "DRAWING-OVERLAP": 2,
            "DRAWING-OUTSIDE": 1, "DRAWING-LABELS": 2, "DRAWING-LABEL-LOST": 1, "DRAWING-NORTH": 1, "PLAN-NORTH": 2, "DRAWING-LEVEL-ORDER": 1,
        ])
        #expect(source.tables.isEmpty)
        let open = try #require(source.findings.first { $0.code == "DRAWING-OPEN" })
        #expect(open.arguments["layer"] == "1_ROOMS" && open.arguments["handle"] == "111" && open.arguments["x"] == "500")
        // The finding names the line on which the entity begins.
        let text = try String(contentsOfFile: Self.samples + "plans/school-broken.dxf", encoding: .utf8)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let line = try #require(open.place.line)
        #expect(lines[line].hasPrefix("LWPOLYLINE") && lines[line + 2] == "111")
    }

    /// Valid rooms go in. Rooms with a fault are rejected with their findings and keep their
    /// numbers.
    @Test func roomsThatBreakARuleWaitAndTheOthersGoIn() throws {
        let folder = try Folder()
        let frame = box("2_LEVEL", -1, -1, 101) + label + north
        func text(_ x: Double, _ y: Double, _ text: String) -> String { "0\nTEXT\n5\nF\n8\n1_ROOMS\n10\n\(x)\n20\n\(y)\n1\n\(text)\n" }
        func bow(_ isMended: Bool) -> String {
            let corners = isMended ? [(20, 80), (30, 80), (30, 90), (20, 90)] : [(20, 80), (30, 90), (30, 80), (20, 90)]
            return "0\nLWPOLYLINE\n5\nA2\n8\n1_ROOMS\n70\n1\n" + corners.map { "10\n\($0.0)\n20\n\($0.1)\n" }.joined()
        }
        func plan(mended: Bool) -> String {
            drawing(
                frame + box("1_ROOMS", 0, 80, 10, handle: "A1") + bow(mended) + box("1_ROOMS", 40, 80, 10, handle: "A3")
                    + box("1_ROOMS", 0, 40, 10, handle: "A4") + box("1_ROOMS", mended ? 20 : 5, 45, 10, handle: "A5")
                    + box("1_ROOMS", 40, 40, 10, handle: "A6") + text(41, 41, "Ufficio") + (mended ? "" : text(42, 42, "Archivio"))
                    + box("1_ROOMS", mended ? 60 : 160, 40, 10, handle: "A7"))
        }
        let source = try open(try folder.write("plan.dxf", plan(mended: false)))
        #expect(source.findings.isEmpty)
        let waiting = try rows(source, "rooms").filter { !$0.findings.isEmpty }
        #expect(waiting.map { $0.findings.map(\.code) } == [["DRAWING-CROSSING"], ["DRAWING-OVERLAP"], ["DRAWING-OVERLAP"], ["DRAWING-LABELS"], ["DRAWING-OUTSIDE"]])
        #expect(waiting[1].findings[0].arguments["other"] != waiting[2].findings[0].arguments["other"], "each names the other")
        #expect(waiting.allSatisfy { $0.line != nil && $0.findings.allSatisfy { $0.place.line != nil && $0.arguments["handle"] != nil } })
        let sound = try rows(source, "rooms").filter(\.findings.isEmpty)
        #expect(sound.map { $0.value["number"]?.text } == ["0001", "0003"])
        #expect(waiting.map { $0.value["number"]?.text } == ["0002", "0004", "0005", "0006", nil])
        // After the correction, the rooms that went in before keep their number and id.
        let mended = try rows(open(try folder.write("plan.dxf", plan(mended: true))), "rooms")
        #expect(mended.allSatisfy(\.findings.isEmpty) && mended.count == 7)
        for room in sound { #expect(mended.contains { $0.value["id"] == room.value["id"] && $0.value["number"] == room.value["number"] }) }
    }

    @Test func aRoomGoesInWhenItsFaultsAreTakenAway() throws {
        let folder = try Folder()
        let frame = box("2_LEVEL", -1, -1, 101) + label + north
        let source = try open(try folder.write("p.dxf", drawing(frame + box("1_ROOMS", 0, 0, 10, handle: "A1") + box("1_ROOMS", 5, 5, 10, handle: "A2"))))
        let row = try #require(try rows(source, "rooms").first)
        func retry(_ raw: String) throws -> RememberingTarget {
            let rejects = RejectSource(
                [.init(id: "1", entity: "rooms", raw: raw, place: Place(file: "p.dxf", line: 9))], pack: try Self.pack(), keys: NoRecordKeys(),
                pictures: RejectPhotos(store: PhotoStore(beside: folder.path + "/fichero.db"))) { _ in }
            let target = RememberingTarget(pack: try Self.pack())
            _ = try Importer(pack: Self.pack()).run(rejects, into: target, findings: FindingList()) { _ in }
            return target
        }
        let raw = try #require(row.raw)
        let still = try retry(raw)
        #expect(still.stored.isEmpty && still.rejected.first?.findings.map(\.code) == ["DRAWING-OVERLAP"])
        #expect(still.rejected.first?.findings.first?.arguments == row.findings.first?.arguments)
        #expect(still.rejected.first?.raw == raw, "it waits as it was")
        guard case .object(let members)? = try? JSONValue.parse(raw) else { throw CancellationError() }
        let mended = try retry(JSONValue.object(members.filter { $0.key != "faults" }).description)
        #expect(mended.rejected.isEmpty && mended.stored.count == 1 && mended.notes.isEmpty)
    }

    /// Writes a drawing with one level, from groups.
    private func drawing(_ entities: String, header: String = "9\n$INSUNITS\n70\n6\n", end: String = "0\nENDSEC\n0\nEOF\n") -> String {
        "0\nSECTION\n2\nHEADER\n\(header)0\nENDSEC\n0\nSECTION\n2\nENTITIES\n\(entities)\(end)"
    }

    private func box(_ layer: String, _ x: Double, _ y: Double, _ size: Double, handle: String = "A1") -> String {
        let corners = [(x, y), (x + size, y), (x + size, y + size), (x, y + size)]
        return "0\nLWPOLYLINE\n5\n\(handle)\n8\n\(layer)\n70\n1\n" + corners.map { "10\n\($0.0)\n20\n\($0.1)\n" }.joined()
    }

    private let label = "0\nTEXT\n5\nB\n8\n2_LEVEL\n10\n1\n20\n99\n1\nPT\n"
    private let north = "0\nLINE\n5\nC\n8\n3_NORTH\n10\n1\n20\n1\n11\n1\n21\n5\n"

    /// An INSERT entity, and a drawing that has blocks before its entities.
    private func insert(_ name: String, handle: String, _ groups: String = "") -> String {
        "0\nINSERT\n5\n\(handle)\n8\n0\n2\n\(name)\n10\n1\n20\n2\n\(groups)"
    }

    private func blocks(_ blocks: [(name: String, entities: String)], _ entities: String) -> String {
        let definitions = blocks.map { "0\nBLOCK\n2\n\($0.name)\n70\n0\n10\n0\n20\n0\n\($0.entities)0\nENDBLK\n" }.joined()
        return drawing(entities).replacing("0\nSECTION\n2\nENTITIES", with: "0\nSECTION\n2\nBLOCKS\n\(definitions)0\nENDSEC\n0\nSECTION\n2\nENTITIES")
    }

    @Test func blocksThatAreNotThereOrContainThemselvesAreReportedAndLeftOut() throws {
        let folder = try Folder()
        let frame = box("2_LEVEL", -1, -1, 101) + label + north
        let line = "0\nLINE\n5\nD\n8\n0\n10\n0\n20\n0\n11\n1\n21\n0\n"
        let text = blocks(
            [("A", insert("B", handle: "21") + line), ("B", insert("A", handle: "22")), ("C", line)],
            frame + insert("A", handle: "E1") + insert("nowhere", handle: "E2") + insert("c", handle: "E3") + insert("nowhere", handle: "E4"))
        let source = try open(try folder.write("b.dxf", text))
        #expect(source.findings.map(\.code) == ["DRAWING-BLOCK", "DRAWING-BLOCK"])
        #expect(source.findings.map { $0.arguments["name"] } == ["A", "nowhere"])
        #expect(source.findings[1].arguments["handle"] == "E2")
        let features = try rows(source, "levels")[0].value["background"]?["features"]?.items
        #expect(features?.map { $0["properties"]?["EntityHandle"]?.text } == ["E1/D", "E3/D"])
        #expect(features?[1]["geometry"]?["coordinates"]?.description == "[[1,2],[2,2]]")
    }

    @Test func blocksLieSixteenDeepAtMost() throws {
        let folder = try Folder()
        let frame = box("2_LEVEL", -1, -1, 101) + label + north
        let line = "0\nLINE\n5\nD\n8\n0\n10\n0\n20\n0\n11\n1\n21\n0\n"
        func chain(_ depth: Int) throws -> [String] {
            let chained = (1...depth).map { (name: "B\($0)", entities: $0 == depth ? line : insert("B\($0 + 1)", handle: "2")) }
            return try open(try folder.write("d\(depth).dxf", blocks(chained, frame + insert("B1", handle: "E")))).findings.map(\.code)
        }
        #expect(try chain(16).isEmpty)
        #expect(try chain(17) == ["DRAWING-BLOCK"])
    }

    /// A few hundred bytes that stand for a million lines and more.
    @Test(arguments: ["70\n30000\n71\n30000\n", ""]) func drawingsThatMultiplyThemselvesAreStopped(array: String) throws {
        let folder = try Folder()
        var limits = PackageLimits()
        limits.drawingPoints = 100_000
        let line = "0\nLINE\n5\nD\n8\n0\n10\n0\n20\n0\n11\n1\n21\n0\n"
        let multiplied = (1...8).map { level in
            (name: "B\(level)", entities: level == 8 ? (array.isEmpty ? "" : line) : String(repeating: insert("B\(level + 1)", handle: "2"), count: 10))
        }
        let path = try folder.write("bomb.dxf", blocks(multiplied, insert("B1", handle: "E", array)))
        let failure = #expect(throws: PackageFailure.self) { try open(path, limits: limits) }
        #expect(failure?.arguments["limit"] == "drawingPoints")
        // This spline would need more points than the bound allows.
        let knots = (0..<404).map { "40\n\($0)\n" }.joined(), control = (0..<400).map { "10\n\($0 % 2 * 90_000_000)\n20\n\($0 * 90_000)\n" }.joined()
        let spline = try folder.write("spline.dxf", drawing("0\nSPLINE\n5\nD\n8\n0\n70\n8\n71\n3\n\(knots)\(control)"))
        #expect(throws: PackageFailure.self) { try open(spline, limits: limits) }
    }

    /// A closed cubic spline over the corners of a square, with its first three control points
    /// repeated. On each knot, it lies at four sixths of a corner plus one sixth of each of its
    /// neighbours.
    @Test func aClosedSplineRunsWhereItsKnotsSayAndNoFurther() throws {
        let square = [(0.0, 0.0), (12.0, 0.0), (12.0, 12.0), (0.0, 12.0)]
        let control = (square + square.prefix(3)).map { PlanPoint(x: $0.0, y: $0.1) }
        let points = try #require(DXFCurves.spline(
            degree: 3, control: control, knots: (0...10).map(Double.init), weights: [], tolerance: 0.001, limit: 10_000))
        for knot in 0..<5 {
            let (before, at, after) = (square[knot % 4], square[(knot + 1) % 4], square[(knot + 2) % 4])
            let expected = PlanPoint(x: (before.0 + 4 * at.0 + after.0) / 6, y: (before.1 + 4 * at.1 + after.1) / 6)
            #expect(points.contains { $0.distance(to: expected) < 1e-9 }, "\(expected)")
        }
        #expect(points[0].distance(to: points[points.count - 1]) < 1e-9)
        // The points lie inside the square, and there are not more of them than such a curve needs.
        #expect(points.allSatisfy { (0...12).contains($0.x) && (0...12).contains($0.y) } && points.count < 300)
    }

    /// A spline that stores only the points on its curve. The expected points were worked out by
    /// hand: the second derivative is continuous at each point.
    @Test(arguments: [
        ("", 0, [(0.0, 0.0), (1, 1), (2, 0)], (0.5, 0.6875)),
        ("12\n0\n22\n5\n32\n0\n13\n0\n23\n-1\n33\n0\n", 0, [(0, 0), (1, 1), (2, 0)], (0.3125, 0.5 + 2.0.squareRoot() / 8)),
        ("", 1, [(0, 0), (12, 0), (12, 12), (0, 12)], (6, -2.25)),
        ("", 1, [(0, 0), (12, 0), (12, 12), (0, 12), (0, 0)], (6, -2.25)),
        ("", 0, [(0, 0), (4, 2), (4, 2), (10, 5)], (2, 1)),
    ] as [(String, Int, [(Double, Double)], (Double, Double))])
    func aSplineByThePointsThatItGoesThroughIsRead(directions: String, flags: Int, points: [(Double, Double)], middle: (Double, Double)) throws {
        let folder = try Folder()
        let through = points.map { "11\n\($0.0)\n21\n\($0.1)\n31\n0\n" }.joined()
        let spline = "0\nSPLINE\n5\nD\n8\n0\n70\n\(flags)\n71\n3\n74\n\(points.count)\n\(directions)\(through)"
        let path = try folder.write("s.dxf", drawing(spline))
        let read = try DXFDrawing(path: path, source: FileStream(path: path), layers: #require(Self.pack().plans?.layers), limits: PackageLimits())
        let curve = try #require(read.entities.first)
        #expect(curve.shape == .curve && curve.isClosed == (flags == 1))
        for expected in points + [middle] {
            let at = PlanPoint(x: expected.0, y: expected.1)
            #expect(curve.points.contains { $0.distance(to: at) < 1e-9 }, "\(expected)")
        }
        let source = try open(try folder.write("p.dxf", drawing(box("2_LEVEL", -20, -20, 130) + label + north + spline)))
        #expect(source.findings.isEmpty, "\(source.findings.map(\.code))")
    }

    @Test func curvesThatContradictThemselvesAreReported() throws {
        let folder = try Folder()
        let frame = box("2_LEVEL", -1, -1, 101) + label + north
        let curves = [
            "0\nCIRCLE\n5\nD1\n8\n0\n10\n1\n20\n1\n40\n-2\n", "0\nARC\n5\nD2\n8\n0\n10\n1\n20\n1\n40\n2\n",
            "0\nELLIPSE\n5\nD3\n8\n0\n10\n1\n20\n1\n11\n0\n21\n0\n40\n1\n", "0\nSPLINE\n5\nD4\n8\n0\n71\n3\n40\n0\n10\n1\n20\n1\n",
            "0\nSPLINE\n5\nD5\n8\n0\n71\n3\n11\n1\n21\n1\n11\n1\n21\n1\n",
        ]
        let source = try open(try folder.write("c.dxf", drawing(frame + curves.joined())))
        #expect(source.findings.map(\.code) == Array(repeating: "DRAWING-BACKGROUND", count: 4))
        #expect(source.findings.allSatisfy { $0.severity == .warning })
        #expect(source.findings.last?.arguments["count"] == "2")
        #expect(try rows(source, "levels").count == 1)
    }

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
        let elsewhere = try SourceFormats.open(SourceLocation(path: path, options: other), pack: Self.pack())
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
    func namesTellHowHighALevelLies(name: String, height: Int) throws {
        #expect(LevelName(words: try #require(Self.pack().plans).heights).height(name) == height)
    }

    @Test func aPackWithoutPlansTakesNone() throws {
        let failure = #expect(throws: ImportFailure.self) {
            try SourceFormats.open(SourceLocation(path: Self.samples + "plans/school.dxf", options: SourceOptions(projectID: project)), pack: Self.pack("ingeplus"))
        }
        #expect(failure == .noPlans(path: Self.samples + "plans/school.dxf", pack: "ingeplus"))
    }

    // MARK: The app's folder

    @Test func theAppsFolderComesInAsItIs() throws {
        let source = try open(Self.samples + "app-folder")
        var location = try SourceLocation(path: Self.samples + "app-folder")
        #expect(SourceFormats.name(of: location) == nil, "the pack says what such a folder looks like")
        location.options.folders = [try Self.pack().plans?.folder].compactMap(\.self)
        #expect(SourceFormats.name(of: location) == "app-folder")
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

    @Test func filesThatContradictThePlanAreReported() throws {
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
}
