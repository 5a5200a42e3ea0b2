import Testing

@testable import Geometry

@Suite struct OverlapTests {
    private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) throws -> Polygon {
        try #require(Polygon([
            PlanPoint(x: x, y: y), PlanPoint(x: x + width, y: y), PlanPoint(x: x + width, y: y + height), PlanPoint(x: x, y: y + height),
        ]))
    }

    @Test func roomsThatShareAWallDoNotOverlap() throws {
        let room = try box(0, 0, 4, 3)
        #expect(!room.overlaps(try box(4, 0, 4, 3), tolerance: 0.01))
        #expect(!room.overlaps(try box(3.995, 0, 4, 3), tolerance: 0.01), "drawings are exact to the centimetre")
        #expect(!room.overlaps(try box(10, 10, 1, 1), tolerance: 0.01))
    }

    @Test func roomsOverOneAnotherOverlap() throws {
        let room = try box(0, 0, 4, 3)
        for other in [try box(3, 1, 4, 1), try box(1, 1, 1, 1), try box(-1, -1, 9, 9), try box(0, 0, 4, 3), try box(-1, 1, 9, 1), try box(3.9, 0, 4, 3)] {
            #expect(room.overlaps(other, tolerance: 0.01))
            #expect(other.overlaps(room, tolerance: 0.01))
        }
    }

    @Test func aRoomInTheNotchOfAnotherDoesNotOverlap() throws {
        let corner = try #require(Polygon([
            PlanPoint(x: 0, y: 0), PlanPoint(x: 4, y: 0), PlanPoint(x: 4, y: 2), PlanPoint(x: 2, y: 2), PlanPoint(x: 2, y: 4), PlanPoint(x: 0, y: 4),
        ]))
        #expect(!corner.overlaps(try box(2, 2, 2, 2), tolerance: 0.01))
        #expect(corner.overlaps(try box(1.5, 1.5, 2, 2), tolerance: 0.01))
    }
}
