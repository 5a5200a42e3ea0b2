import Testing
@testable import Geometry

/// Random rings. Slow and simple code checks each result.
@Suite struct PolygonPropertyTests {
    private struct Numbers {
        var state: UInt64
        mutating func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / 16_777_216 * 100
        }
        mutating func point() -> PlanPoint { PlanPoint(x: next(), y: next()) }
    }

    private static func cross(_ a: PlanPoint, _ b: PlanPoint, _ c: PlanPoint, _ d: PlanPoint) -> Bool {
        a.turn(b, c) * a.turn(b, d) < 0 && c.turn(d, a) * c.turn(d, b) < 0
    }

    @Test func crossingsAreThoseOfAllPairsOfEdges() throws {
        var numbers = Numbers(state: 42)
        var simple = 0
        for round in 0..<2000 {
            let points = (0..<(3 + round % 6)).map { _ in numbers.point() }
            let polygon = try #require(Polygon(points))
            var crosses = false
            for first in points.indices {
                for second in points.indices where second > first {
                    crosses = crosses || Self.cross(
                        points[first], points[(first + 1) % points.count], points[second], points[(second + 1) % points.count])
                }
            }
            #expect(polygon.isSimple == !crosses, "\(points)")
            simple += crosses ? 0 : 1
        }
        #expect(simple > 300 && simple < 1900)
    }

    /// For a triangle, the area and the centroid follow from its corners. A point is inside if it
    /// lies on the same side of all three edges.
    @Test func trianglesAreKnown() throws {
        var numbers = Numbers(state: 7)
        for _ in 0..<2000 {
            let (a, b, c, point) = (numbers.point(), numbers.point(), numbers.point(), numbers.point())
            let polygon = try #require(Polygon([a, b, c]))
            #expect(abs(polygon.area - abs(a.turn(b, c)) / 2) < 1e-9)
            let middle = PlanPoint(x: (a.x + b.x + c.x) / 3, y: (a.y + b.y + c.y) / 3)
            #expect(try #require(polygon.centroid).distance(to: middle) < 1e-6)
            #expect(polygon.contains(middle, tolerance: 0))
            let turns = [a.turn(b, point), b.turn(c, point), c.turn(a, point)]
            #expect(polygon.contains(point, tolerance: 0) == (turns.allSatisfy { $0 > 0 } || turns.allSatisfy { $0 < 0 }))
        }
    }

    /// A ring may start at any corner and run in either direction.
    @Test func theStartDoesNotMatter() throws {
        var numbers = Numbers(state: 3)
        for round in 0..<300 {
            let points = (0..<(4 + round % 4)).map { _ in numbers.point() }
            let polygon = try #require(Polygon(points))
            let turned = try #require(Polygon(Array((points[2...] + points[..<2]).reversed())))
            #expect(polygon.isSimple == turned.isSimple)
            #expect(abs(polygon.area - turned.area) < 1e-6)
        }
    }
}
