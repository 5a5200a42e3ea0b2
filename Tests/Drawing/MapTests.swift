import Testing
import Workbench

@testable import Blocks
@testable import Canvas
@testable import Drawing

@Suite struct MapTests {
    @Test(arguments: 0..<40) func labelsOfPlacesStayApart(seed: Int) throws {
        var numbers = SeededNumbers(seed)
        let count = Int.random(in: 1...40, using: &numbers)
        let spread = [0.0, 5, 2_000, 90_000].randomElement(using: &numbers)!
        let places = (0..<count).map { index in
            SketchContent.Place(
                label: index == 3 ? String(Words.longName) : "C-\(index + 1)", east: 480_000 + Double.random(in: 0...max(0.001, spread), using: &numbers),
                north: 8_500_000 + Double.random(in: 0...max(0.001, spread * (seed % 2 == 0 ? 1 : 0.02)), using: &numbers), isHighlighted: index == 0)
        }
        var omitted: [String] = []
        let found = try problems(width: 340, height: 320) { omitted = SketchContent(places: places, missing: 0, isJoined: true).drawMap(on: $0, in: $1, .plain) }
        #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found)")
        // A label that has no room is reported as left out.
        for place in places { #expect(found.texts.contains(place.label) != omitted.contains(place.label)) }
        if spread > 1000, seed % 2 == 0 { #expect(omitted.isEmpty) }
    }

    @Test func noCoordinatesAreSaid() throws {
        let sketch = SketchContent(places: [.init(label: "C-1", east: .nan, north: 0)], missing: 0)
        let found = try problems(width: 200, height: 200) { sketch.draw(on: $0, in: $1, .saying("Sin coordenadas")) }
        #expect(found.texts == ["Sin coordenadas"])
        let plan = try problems(width: 200, height: 200) { canvas, box in
            var plan = PlanDrawing(rooms: [])
            plan.emptyLabel = "Nessun locale"
            #expect(plan.draw(on: canvas, in: box) == nil)
        }
        #expect(plan.texts == ["Nessun locale"])
    }

    static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> [Point] {
        [Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height), Point(x: x, y: y + height)]
    }

    static var plan: PlanDrawing {
        var rooms: [PlanDrawing.Room] = []
        let names = ["Ufficio", "Sala riunioni del consiglio di amministrazione", "Bagno", "Archivio", "Sala server", "Rip."]
        for row in 0..<3 {
            for column in 0..<6 {
                let (x, y) = (Double(column) * 5, Double(row) * 6 + (row > 0 ? 2 : 0))
                let corner = [Point(x: x, y: y), Point(x: x + 5, y: y), Point(x: x + 5, y: y + 2), Point(x: x + 2, y: y + 2), Point(x: x + 2, y: y + 6), Point(x: x, y: y + 6)]
                rooms.append(.init(
                    polygon: row == 2 && column == 0 ? corner : rectangle(x, y, column == 5 ? 2.2 : 5, 6), number: "\(row)00\(column)",
                    details: [names[column], "\((column * 7 + row) % 9) beni"], state: (column + row) % 4))
            }
        }
        rooms.append(.init(polygon: rectangle(0, 6, 27.2, 2), number: "1000", details: ["Corridoio", "12 beni"], state: 3))
        var plan = PlanDrawing(rooms: rooms)
        plan.boundary = rectangle(-0.3, -0.3, 27.8, 20.6)
        plan.background = [[Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 2, y: 0)]]
        plan.assets = (0..<40).map {
            .init(point: Point(x: 0.8 + Double(($0 * 7) % 26), y: 0.7 + Double(($0 * 5) % 19)), kind: $0 % 7, number: "\($0 + 1)", progress: $0 == 4 ? .waiting : $0 == 9 ? .failed : .settled)
        }
        plan.north = 0.5
        plan.states = [
            .init(name: "Vuoto", colour: Colour(grey: 0.94)), .init(name: "In corso", colour: Colour(red: 0.84, green: 0.91, blue: 0.98)),
            .init(name: "Completo", colour: Colour(red: 0.87, green: 0.95, blue: 0.85)), .init(name: "Approvato", colour: Colour(red: 0.66, green: 0.83, blue: 0.68)),
        ]
        let icons = ["lightbulb", "radiator", "wifi", "fire-extinguisher", "electric_panel", "ac_unit", nil]
        plan.kinds = zip(["Luci", "Radiatori", "Access point", "Estintori", "Quadri elettrici", "Condizionatori", "Porte"], icons).map { .init(name: $0, icon: $1) }
        plan.progressNames = [.waiting: "In attesa", .failed: "Non arrivato"]
        return plan
    }

    @Test func labelsOfRoomsStayInTheirRooms() throws {
        var ratio: Double?
        let found = try problems(width: 560, height: 480) { ratio = Self.plan.draw(on: $0, in: $1) }
        #expect(ratio == 200)
        #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found)")
        for room in Self.plan.rooms { #expect(found.texts.contains(room.number)) }
    }

    @Test(arguments: 0..<30) func smallAndCrowdedRoomsToo(seed: Int) throws {
        var numbers = SeededNumbers(seed)
        var plan = Self.plan
        for index in plan.rooms.indices {
            plan.rooms[index].details = [Words.text(&numbers)]
            let factor = [0.02, 1, 40].randomElement(using: &numbers)!
            if index % 5 == 0 { plan.rooms[index].polygon = plan.rooms[index].polygon.map { Point(x: $0.x, y: 30 + $0.y * factor) } }
        }
        plan.north = Double.random(in: -3.1...3.1, using: &numbers)
        if seed % 3 == 0 { plan.extract = seed % plan.rooms.count }
        let found = try problems(width: Double.random(in: 150...600, using: &numbers), height: Double.random(in: 200...600, using: &numbers)) { plan.draw(on: $0, in: $1) }
        #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found)")
    }

    @Test func anExtractShowsOneRoom() throws {
        var plan = Self.plan
        plan.extract = 12
        let found = try problems(width: 260, height: 240) { plan.draw(on: $0, in: $1) }
        #expect(found.texts.contains("2000") && !found.texts.contains("2001") && !found.texts.contains("Vuoto"))
        try Golden.expect("plan-extract", width: 260, height: 240) { plan.draw(on: $0, in: Box(x: 10, y: 10, width: 240, height: 220)) }
    }

    @Test func mapsAreAsApproved() throws {
        try Golden.expect("plan", width: 560, height: 480) { Self.plan.draw(on: $0, in: Box(x: 10, y: 10, width: 540, height: 460)) }
        let places = (0..<14).map { (index: Int) -> SketchContent.Place in
            let (east, north) = (480_000 + index * 180 + index % 3 * 60, 8_500_000 + index * index % 23 * 40)
            return .init(label: "C-\(index + 1)", east: Double(east), north: Double(north), isHighlighted: index == 4)
        }
        try Golden.expect("location", width: 340, height: 300) { SketchContent(places: places, missing: 0).draw(on: $0, in: Box(x: 10, y: 10, width: 320, height: 280), .plain) }
    }
}
