/// An area of a plan: a closed ring of corners, in metres.
///
/// Surveyed rings repeat their first point at the end, and have points a few nanometres apart. Such
/// repeated points are dropped.
package struct Polygon: Sendable, Hashable {
    /// The distance in metres within which two points count as one corner.
    package static let resolution = 1e-6
    /// The largest number of points that a ring may have.
    package static let maximumCorners = 10_000

    package let corners: [PlanPoint]

    /// Returns nil if fewer than three corners are left, or if there are more than `maximumCorners`
    /// points. Also nil if a coordinate is beyond 100,000 km or not a number.
    package init?(_ points: [PlanPoint]) {
        guard points.count <= Self.maximumCorners else { return nil }
        var kept: [PlanPoint] = []
        for point in points {
            guard abs(point.x) <= 1e8, abs(point.y) <= 1e8 else { return nil }
            if let last = kept.last, last.distance(to: point) <= Self.resolution { continue }
            kept.append(point)
        }
        while kept.count > 1, let first = kept.first, let last = kept.last, first.distance(to: last) <= Self.resolution
        { kept.removeLast() }
        guard kept.count >= 3 else { return nil }
        corners = kept
    }

    /// The area in square metres, by the shoelace formula; the ring may turn either way.
    package var area: Double { abs(signedArea) }

    /// The area, positive if the ring turns left. Coordinates are relative to the first corner, so
    /// that drawings far from their origin do not lose precision.
    private var signedArea: Double {
        let origin = corners[0]
        var sum = 0.0
        for index in 1..<corners.count - 1 { sum += origin.turn(corners[index], corners[index + 1]) }
        return sum / 2
    }

    /// The centre of gravity; nil for a ring without area.
    package var centroid: PlanPoint? {
        let origin = corners[0]
        var (x, y, sum) = (0.0, 0.0, 0.0)
        for index in 1..<corners.count - 1 {
            let (a, b) = (corners[index], corners[index + 1])
            let weight = origin.turn(a, b)
            x += weight * (a.x + b.x - 2 * origin.x)
            y += weight * (a.y + b.y - 2 * origin.y)
            sum += weight
        }
        guard abs(sum) > Self.resolution * Self.resolution else { return nil }
        return PlanPoint(x: origin.x + x / (3 * sum), y: origin.y + y / (3 * sum))
    }

    /// Whether a point lies inside the ring, or within `tolerance` metres of it, by ray casting.
    package func contains(_ point: PlanPoint, tolerance: Double) -> Bool {
        var isInside = false
        var previous = corners[corners.count - 1]
        for corner in corners {
            if point.distance(toSegment: previous, corner) <= tolerance { return true }
            if (corner.y > point.y) != (previous.y > point.y) {
                let crossing = corner.x + (point.y - corner.y) * (previous.x - corner.x) / (previous.y - corner.y)
                if point.x < crossing { isInside.toggle() }
            }
            previous = corner
        }
        return isInside
    }
}

extension Polygon {
    /// The smallest rectangle that contains the ring, in metres.
    package var bounds: (minX: Double, minY: Double, maxX: Double, maxY: Double) {
        corners.reduce(into: (minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)) { bounds, corner in
            bounds.minX = min(bounds.minX, corner.x)
            bounds.minY = min(bounds.minY, corner.y)
            bounds.maxX = max(bounds.maxX, corner.x)
            bounds.maxY = max(bounds.maxY, corner.y)
        }
    }

    /// Whether two areas share more than a strip of `tolerance` metres along their edges. Rooms
    /// whose walls only touch do not overlap.
    package func overlaps(_ other: Polygon, tolerance: Double) -> Bool {
        let (a, b) = (bounds, other.bounds)
        guard min(a.maxX, b.maxX) - max(a.minX, b.minX) > tolerance,
            min(a.maxY, b.maxY) - max(a.minY, b.minY) > tolerance
        else { return false }
        if holds(other, tolerance) || other.holds(self, tolerance) { return true }
        var previous = corners[corners.count - 1]
        for corner in corners {
            var start = other.corners[other.corners.count - 1]
            for end in other.corners {
                // The ends of each edge must be on opposite sides of the other edge, further from
                // it than the tolerance.
                if previous.isSeparated(from: corner, by: start, end, tolerance),
                    start.isSeparated(from: end, by: previous, corner, tolerance)
                {
                    return true
                }
                start = end
            }
            previous = corner
        }
        return false
    }

    /// Whether a corner, the middle of an edge, or the centroid of the other polygon lies inside
    /// this one, further from this ring than the tolerance.
    private func holds(_ other: Polygon, _ tolerance: Double) -> Bool {
        if let centre = other.centroid, other.isDeep(centre, tolerance), isDeep(centre, tolerance) { return true }
        var previous = other.corners[other.corners.count - 1]
        for corner in other.corners {
            let middle = PlanPoint(x: (previous.x + corner.x) / 2, y: (previous.y + corner.y) / 2)
            if isDeep(corner, tolerance) || isDeep(middle, tolerance) { return true }
            previous = corner
        }
        return false
    }

    /// Whether a point lies inside, and further from the ring than the tolerance.
    private func isDeep(_ point: PlanPoint, _ tolerance: Double) -> Bool {
        guard contains(point, tolerance: 0) else { return false }
        var previous = corners[corners.count - 1]
        for corner in corners {
            if point.distance(toSegment: previous, corner) <= tolerance { return false }
            previous = corner
        }
        return true
    }
}

extension PlanPoint {
    /// Whether two points are on opposite sides of a line, both further from it than the tolerance.
    fileprivate func isSeparated(from other: PlanPoint, by start: PlanPoint, _ end: PlanPoint, _ tolerance: Double)
        -> Bool
    {
        let length = max(start.distance(to: end), Polygon.resolution)
        let (one, two) = (start.turn(end, self) / length, start.turn(end, other) / length)
        return (one > tolerance && two < -tolerance) || (one < -tolerance && two > tolerance)
    }
}

/// A point of a plan, in metres along the plan's axes.
package struct PlanPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    package func distance(to other: PlanPoint) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }

    /// Twice the area of the triangle with two other points; positive when the three turn left.
    func turn(_ second: PlanPoint, _ third: PlanPoint) -> Double {
        (second.x - x) * (third.y - y) - (second.y - y) * (third.x - x)
    }

    /// The distance from the point to the segment between two others.
    func distance(toSegment start: PlanPoint, _ end: PlanPoint) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = dx * dx + dy * dy
        guard square > 0 else { return distance(to: start) }
        let share = min(1, max(0, ((x - start.x) * dx + (y - start.y) * dy) / square))
        return distance(to: PlanPoint(x: start.x + share * dx, y: start.y + share * dy))
    }
}

extension Polygon {
    /// The limit of comparisons between two edges. No real room comes near the limit; only a ring
    /// made to slow down the program does.
    static let maximumComparisons = 2_000_000

    /// Whether the ring never crosses itself. A ring that touches itself, or goes back along a line
    /// as rings with an island do, does not cross. Nil if checking would take more than
    /// `maximumComparisons`.
    ///
    /// The edges are visited from left to right. Each edge is compared with the earlier ones that
    /// reach to its left end, so that real plans take about n log n steps.
    package var isSimple: Bool? {
        let order = corners.indices.sorted { leftEnd($0) < leftEnd($1) }
        var active: [Int] = []
        var comparisons = 0
        for edge in order {
            let left = leftEnd(edge)
            comparisons += active.count
            if comparisons > Self.maximumComparisons { return nil }
            active.removeAll { rightEnd($0) < left - Self.resolution }
            for other in active where crosses(edge, other) { return false }
            active.append(edge)
        }
        return true
    }

    private func corner(_ index: Int) -> PlanPoint { corners[(index + corners.count) % corners.count] }
    private func leftEnd(_ edge: Int) -> Double { min(corner(edge).x, corner(edge + 1).x) }
    private func rightEnd(_ edge: Int) -> Double { max(corner(edge).x, corner(edge + 1).x) }

    /// Whether two edges cross, either between their ends or where a corner of one lies on the
    /// other.
    private func crosses(_ first: Int, _ second: Int) -> Bool {
        let (a, b, c, d) = (corner(first), corner(first + 1), corner(second), corner(second + 1))
        if min(a.y, b.y) > max(c.y, d.y) + Self.resolution || min(c.y, d.y) > max(a.y, b.y) + Self.resolution {
            return false
        }
        let sides = (side(of: a, c, d), side(of: b, c, d), side(of: c, a, b), side(of: d, a, b))
        if sides.0 * sides.1 < 0, sides.2 * sides.3 < 0 { return true }
        // Each corner is examined once, together with the edge that starts at it.
        return passes(at: first, over: second) || passes(at: second, over: first)
    }

    /// Whether the ring changes from one side of an edge to the other at the corner where another
    /// edge starts.
    private func passes(at index: Int, over edge: Int) -> Bool {
        let (start, end, point) = (corner(edge), corner(edge + 1), corner(index))
        guard index != edge, (edge + 1) % corners.count != index,
            point.distance(toSegment: start, end) <= Self.resolution
        else { return false }
        let (before, after) = (corner(index - 1), corner(index + 1))
        if point.distance(to: start) <= Self.resolution {
            return separates(point, before, after, corner(edge - 1), end)
        }
        // The end of that edge is examined as the start of the next edge.
        if point.distance(to: end) <= Self.resolution { return false }
        return side(of: before, start, end) * side(of: after, start, end) < 0
    }

    /// Whether the path from `before` through a point to `after` runs between two other points, as
    /// seen from that point.
    private func separates(
        _ point: PlanPoint, _ before: PlanPoint, _ after: PlanPoint, _ one: PlanPoint, _ other: PlanPoint
    ) -> Bool {
        for way in [one, other] where side(of: way, point, before) == 0 || side(of: way, point, after) == 0 {
            return false
        }
        func isBetween(_ way: PlanPoint) -> Bool {
            let (left, right) = (side(of: way, point, before) > 0, side(of: way, point, after) < 0)
            return side(of: after, point, before) >= 0 ? left && right : left || right
        }
        return isBetween(one) != isBetween(other)
    }

    /// 1 to the left of the line from one point to another, −1 to the right, 0 within the
    /// resolution.
    private func side(of point: PlanPoint, _ start: PlanPoint, _ end: PlanPoint) -> Int {
        let distance = start.turn(end, point) / max(start.distance(to: end), Self.resolution)
        return distance > Self.resolution ? 1 : distance < -Self.resolution ? -1 : 0
    }
}
