import Testing
import Workbench

@testable import Blocks
@testable import Canvas
@testable import Drawing

/// Plans leave nothing out without saying so, and no text is too small to be read.
@Suite struct PlanTests {
    private let typesetter: Typesetter

    init() throws { typesetter = try Typesetter() }

    /// Six rows of ten rooms over two corridors; every third one is a closet.
    private static func crowded(width: Double = 2.1) -> PlanDrawing {
        var rooms: [PlanDrawing.Room] = []
        for row in 0..<6 {
            for column in 0..<10 {
                let (x, y) = (Double(column) * width, Double(row) * 3 + Double(row / 2) * 2)
                rooms.append(.init(
                    polygon: MapTests.rectangle(x, y, column % 3 == 0 ? width * 0.4 : width, 3), number: "\(row)0\(column + 10)",
                    details: ["Deposito \(column)", "6,30 m²"], state: row % 4))
            }
        }
        var plan = PlanDrawing(rooms: rooms)
        plan.states = MapTests.plan.states
        return plan
    }

    /// A line of 6 points is 6.7 points high.
    private func small(_ width: Double, _ height: Double, _ plan: PlanDrawing) throws -> [String] {
        let recorder = TextRecorder()
        _ = try Picture.png(width: width, height: height, scale: 0.2, recorder: recorder) { plan.draw(on: $0, in: $0.box) }
        return recorder.entries.filter { min($0.box.height, $0.box.width * 3) < 6.6 }.map(\.text)
    }

    @Test(arguments: [150.0, 220, 320, 560, 780]) func sixtySmallRoomsAreAllToBeFound(width: Double) throws {
        let plan = Self.crowded()
        let found = try problems(width: width, height: width * 0.8) { plan.draw(on: $0, in: $1) }
        #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found)")
        #expect(try small(width, width * 0.8, plan).isEmpty)
        let leftOut = plan.arranged(width: width - 20, height: width * 0.8 - 20, typesetter: typesetter).leftOut
        for (index, room) in plan.rooms.enumerated() {
            // Its number is whole on the plan, or else in a list below it.
            #expect(found.texts.contains(room.number) != (leftOut.keyed + leftOut.unlabelled).contains(index), "\(room.number)")
        }
        for key in leftOut.keyed.indices { #expect(found.texts.contains("(\(key + 1))")) }
        if width > 500 { #expect(leftOut.unlabelled.isEmpty) }
        let texts = Set(plan.rooms.flatMap { [$0.number] + $0.details } + plan.states.map(\.name))
        for text in found.texts where text.contains("Deposito") { #expect(texts.contains(text.replacing("\n", with: " "))) }
    }

    @Test func aLabelThatDoesNotFitStandsOutsideWithALeader() throws {
        var plan = PlanDrawing(rooms: [.init(polygon: MapTests.rectangle(0, 0, 12, 6), number: "0001", details: ["Aula"])])
        plan.rooms.append(.init(polygon: MapTests.rectangle(12, 0, 0.5, 1), number: "0002", details: ["Armadio"]))
        plan.boundary = MapTests.rectangle(-0.3, -0.3, 13.1, 6.6)
        let arranged = plan.arranged(width: 400, height: 300, typesetter: typesetter)
        let label = try #require(arranged.labels.first { $0.leader != nil })
        #expect(label.lines.layouts.map(\.text) == ["0002"])
        for room in plan.rooms { #expect(!Outline(room.polygon.map(arranged.onPage)).touches(label.box)) }
        #expect(!Outline(plan.boundary.map(arranged.onPage)).crosses(label.box) && arranged.leftOut == .init())
    }

    @Test func labelsStayOffTheLinesOfTheDrawingWhereTheyCan() throws {
        var plan = PlanDrawing(rooms: [.init(polygon: MapTests.rectangle(0, 0, 10, 6), number: "0001", details: ["Aula"])])
        plan.background = [[Point(x: 5, y: 0), Point(x: 5, y: 6)]]
        let arranged = plan.arranged(width: 400, height: 300, typesetter: typesetter)
        let line = plan.background[0].map(arranged.onPage)
        #expect(arranged.labels.count == 1 && !arranged.labels[0].box.isCrossed(from: line[0], to: line[1]))
    }

    @Test func assetsWithoutAPlaceOnTheDrawingAreTold() throws {
        var plan = MapTests.plan
        plan.extract = 0
        plan.assets = [
            .init(point: Point(x: 2, y: 3), kind: 0, number: "1"), .init(point: Point(x: 90, y: 3), kind: 0, number: "2"), .init(point: nil, kind: 0, number: "3"),
            // On the wall of the room, and of two beside each other.
            .init(point: Point(x: 5, y: 3), kind: 0, number: "4"), .init(point: Point(x: 5, y: 3), kind: 0, number: "5"),
        ]
        let arranged = plan.arranged(width: 400, height: 300, typesetter: typesetter)
        #expect(arranged.leftOut == .init(outside: [1], unplaced: [2]))
        let found = try problems(width: 400, height: 300) { plan.draw(on: $0, in: $1) }
        #expect(Set(found.texts).isSuperset(of: ["1", "4", "5"]) && !found.texts.contains("2") && !found.texts.contains("3"))
        #expect(arranged.marks.filter { $0.leader != nil }.map(\.asset.number) == ["5"])
    }

    @Test func whereMarksHaveNoRoomTheirNumbersAreTold() throws {
        var plan = MapTests.plan
        plan.assets = (1...600).map { .init(point: Point(x: 10, y: 7), kind: 0, number: "\($0)") }
        let arranged = plan.arranged(width: 200, height: 160, typesetter: typesetter)
        let shown = Set(arranged.marks.filter { $0.number != nil }.map(\.asset.number))
        #expect(shown.count + arranged.leftOut.crowded.count == 600 && !shown.isEmpty && !arranged.leftOut.crowded.isEmpty)
    }

    /// Assets without a place of their own are in the middle of their room; others stand wall to wall.
    @Test(arguments: [true, false]) func sixtyAssetsOfARoomAllHaveNumberAndPlace(atOnePoint: Bool) throws {
        var plan = MapTests.plan
        plan.extract = 0
        let bounds = try #require(Box(around: plan.rooms[0].polygon))
        plan.assets = (0..<60).map { index in
            let spread = Point(
                x: bounds.x + bounds.width * (0.1 + 0.08 * Double(index % 10)),
                y: bounds.y + bounds.height * (0.2 + 0.12 * Double(index / 10)))
            return .init(
                point: atOnePoint ? bounds.middle : spread, kind: index % 5, number: "\(index + 1)",
                progress: index % 9 == 0 ? .waiting : .settled)
        }
        let arranged = plan.arranged(width: 527, height: 283, typesetter: typesetter)
        #expect(arranged.leftOut == .init() && arranged.marks.count == 60)
        let found = try problems(width: 547, height: 303) { plan.draw(on: $0, in: $1) }
        #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found)")
        #expect(Set(found.texts).isSuperset(of: plan.assets.map(\.number)))
        // The room takes most of its frame: no usual scale between leaves it below two thirds.
        let room = try #require(Box(around: plan.rooms[0].polygon.map(arranged.onPage)))
        #expect(max(room.width / arranged.map.width, room.height / arranged.map.height) > 0.6)
        if atOnePoint {
            try Golden.expect("plan-sixty-at-one-point", width: 547, height: 303) {
                plan.draw(on: $0, in: Box(x: 10, y: 10, width: 527, height: 283))
            }
        }
    }

    @Test func iconsHaveTheNamesThatSystemsUse() throws {
        let known = [
            "bolt", "drop", "flame", "lightbulb", "thermometer", "wifi", "fire-extinguisher", "door", "air-conditioner", "plug", "smoke", "drop.fill", "ac_unit",
            "lightbulb_outline", "door_front", "Fire Extinguisher", "electrical_services", "videocam",
        ]
        for name in known { #expect(AssetIcon(name).letters == nil, "\(name)") }
        #expect(["hydrant", "emergency-exit", "7seg", "", "ñandú"].map { AssetIcon($0).letters } == ["Hy", "Ee", "7s", "?", "Ña"])
        // No two icons are the same.
        #expect(Set(AssetGlyph.allCases.map { "\($0.strokes)" }).count == AssetGlyph.allCases.count)
    }

    @Test func iconsAreAsApproved() throws {
        let names = AssetGlyph.allCases.map(\.rawValue) + ["hydrant", "emergency-exit"]
        try Golden.expect("icons", width: 260, height: 130) { canvas in
            for (index, name) in names.enumerated() {
                let place = Point(x: 16 + Double(index % 11) * 23, y: 18 + Double(index / 11) * 30)
                let progress = PlanDrawing.Asset.Progress.allCases[index % 7 == 3 ? 1 : index % 7 == 5 ? 2 : 0]
                AssetMark(kind: 0, icon: name, progress: progress, style: DrawingStyle()).draw(on: canvas, at: place, size: 7.1)
                AssetMark(kind: 0, icon: name, progress: .settled, style: DrawingStyle()).draw(on: canvas, at: Point(x: place.x, y: place.y + 13), size: 4.3)
            }
        }
    }
}
