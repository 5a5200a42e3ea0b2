import Testing
@testable import Geometry

/// Makes a ring from pairs of numbers.
func ring(_ numbers: [(Double, Double)]) -> Polygon? {
    Polygon(numbers.map { PlanPoint(x: $0.0, y: $0.1) })
}

@Suite struct PolygonTests {
    /// A rectangle of 4 × 3 without a corner of 2 × 1.
    static let corner: [(Double, Double)] = [(0, 0), (4, 0), (4, 3), (2, 3), (2, 2), (0, 2)]

    @Test func areasAreKnown() throws {
        #expect(try #require(ring([(0, 0), (4, 0), (4, 3)])).area == 6)
        #expect(try #require(ring(Self.corner)).area == 10)
        #expect(try #require(ring(Self.corner.reversed())).area == 10)
    }

    @Test func aRingFarFromItsOriginLosesNoDigits() throws {
        let far = Self.corner.map { ($0.0 + 4_500_000, $0.1 + 9_000_000) }
        let polygon = try #require(ring(far))
        #expect(abs(polygon.area - 10) < 1e-6)
        let centroid = try #require(polygon.centroid)
        #expect(centroid.distance(to: PlanPoint(x: 4_500_000 + 2.2, y: 9_000_000 + 1.3)) < 1e-6)
    }

    /// The ring is a rectangle of 4 × 2 with the centre (2, 1) and one of 2 × 1 with the centre (3,
    /// 2.5). Their centres count by their areas: (8 · 2 + 2 · 3) / 10 and (8 · 1 + 2 · 2.5) / 10.
    @Test func theCentroidOfAConcaveRingIsWeighed() throws {
        let centroid = try #require(ring(Self.corner)?.centroid)
        #expect(centroid.distance(to: PlanPoint(x: 2.2, y: 1.3)) < 1e-12)
        #expect(ring([(0, 0), (1, 1), (2, 2)])?.centroid == nil)
    }

    @Test func repeatedPointsAreOneCorner() throws {
        let points = Self.corner + [(1e-9, 2e-9), (0, 0)]
        let polygon = try #require(ring(points))
        #expect(polygon.corners.count == 6)
        #expect(polygon.isSimple == true)
    }

    @Test func insideOutsideAndOnTheEdge() throws {
        let polygon = try #require(ring(Self.corner))
        func contains(_ x: Double, _ y: Double, _ tolerance: Double = 0.01) -> Bool { polygon.contains(PlanPoint(x: x, y: y), tolerance: tolerance) }
        #expect(contains(1, 1) && contains(3, 2.5))
        #expect(!contains(1, 2.5) && !contains(5, 1) && !contains(-1, 2) && !contains(1, -0.1))
        // Edges and corners belong to the ring. So does a point that rounding to centimetres moved
        // outside.
        #expect(contains(4, 1.5) && contains(0, 0) && contains(2, 3) && contains(4.009, 1))
        #expect(!contains(4.011, 1) && !contains(4.009, 1, 0))
    }

    @Test func whatIsNoRing() {
        #expect(ring([]) == nil)
        #expect(ring([(0, 0), (1, 0)]) == nil)
        #expect(ring([(0, 0), (1e-9, 0), (0, 1e-9), (1, 1)]) == nil)
        #expect(ring([(0, 0), (.nan, 0), (1, 1)]) == nil)
        #expect(ring([(0, 0), (.infinity, 0), (1, 1)]) == nil)
        #expect(ring((0...Polygon.maximumCorners).map { (Double($0), Double($0 % 7)) }) == nil)
    }
}

@Suite struct PolygonCrossingTests {
    @Test func ringsOfRoomsAreSimple() {
        #expect(ring(PolygonTests.corner)?.isSimple == true)
        #expect(ring(PolygonTests.corner.reversed())?.isSimple == true)
        #expect(ring([(0, 0), (1, 0), (0, 1)])?.isSimple == true)
    }

    @Test func aBowTieCrosses() {
        #expect(ring([(0, 0), (2, 2), (2, 0), (0, 2)])?.isSimple == false)
        // Two corners of a long wall have changed places.
        #expect(ring([(0, 0), (3, 0), (2, 1), (3, 1), (2, 0), (5, 0), (5, 4), (0, 4)])?.isSimple == false)
    }

    /// Both parts of the ring have a corner where they cross.
    @Test func aCrossingInACornerIsFound() {
        #expect(ring([(0, 0), (1, 1), (2, 0), (2, 2), (1, 1), (0, 2)])?.isSimple == true)
        #expect(ring([(0, 0), (1, 1), (2, 2), (2, 0), (1, 1), (0, 2)])?.isSimple == false)
        // A corner of one part lies in the middle of the other part's edge.
        #expect(ring([(0, 0), (2, 0), (2, 3), (1, 0), (1, -1), (0, -1)])?.isSimple == false)
    }

    @Test func toTouchIsNotToCross() {
        // The corner of a niche touches the wall on the other side.
        #expect(ring([(0, 0), (4, 0), (4, 3), (3, 3), (2, 0), (1, 3), (0, 3)])?.isSimple == true)
        // The ring goes to an island along a line and returns along the same line.
        let island: [(Double, Double)] = [
            (0, 0), (9, 0), (9, 9), (0, 9), (0, 5), (3, 5), (3, 6), (6, 6), (6, 3), (3, 3), (3, 5), (0, 5),
        ]
        #expect(ring(island)?.isSimple == true)
        #expect(ring(island)?.area == 72)
    }

    @Test func longRingsTakeFewComparisonsAndSlowOnesAreGivenUp() {
        let floor = (0..<2500).map { (Double($0), Double($0 % 2)) }
        let ceiling = (0..<2500).map { (Double(2499 - $0), 100 + Double($0 % 3)) }
        #expect(ring(floor + ceiling)?.isSimple == true)
        // Every edge spans the whole width, so every pair of edges must be compared.
        let comb = (0..<9000).map { (step: Int) -> (Double, Double) in
            let side = step % 2 == 0 ? 0.0 : 1000.0
            return (side + Double(step) / 1000, Double(step))
        }
        #expect(ring(comb + [(3000, 9000), (3000, -1)])?.isSimple == nil)
    }
}
