extension Polygon {
    /// The limit of comparisons between two edges. No drawn room comes near it; a ring made to be
    /// slow does.
    static let maximumComparisons = 2_000_000

    /// Whether the ring never crosses itself. A ring that touches itself, or goes back along a line
    /// as rings with an island do, does not cross. Nil when the answer would take more than
    /// `maximumComparisons`.
    ///
    /// The edges are visited from left to right. Each is compared with those that still reach its
    /// left end, so that plans take about n log n steps.
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
        if min(a.y, b.y) > max(c.y, d.y) + Self.resolution || min(c.y, d.y) > max(a.y, b.y) + Self.resolution { return false }
        let sides = (side(of: a, c, d), side(of: b, c, d), side(of: c, a, b), side(of: d, a, b))
        if sides.0 * sides.1 < 0, sides.2 * sides.3 < 0 { return true }
        // Each corner is examined with the edge that starts there.
        return passes(at: first, over: second) || passes(at: second, over: first)
    }

    /// Whether the ring changes from one side of an edge to the other at the corner where another
    /// edge starts.
    private func passes(at index: Int, over edge: Int) -> Bool {
        let (start, end, point) = (corner(edge), corner(edge + 1), corner(index))
        guard index != edge, (edge + 1) % corners.count != index, point.distance(toSegment: start, end) <= Self.resolution else { return false }
        let (before, after) = (corner(index - 1), corner(index + 1))
        if point.distance(to: start) <= Self.resolution {
            return separates(point, before, after, corner(edge - 1), end)
        }
        // The end of the other edge is examined with the edge that starts there.
        if point.distance(to: end) <= Self.resolution { return false }
        return side(of: before, start, end) * side(of: after, start, end) < 0
    }

    /// Whether the path from `before` through a point to `after` separates two other directions
    /// from that point.
    private func separates(_ point: PlanPoint, _ before: PlanPoint, _ after: PlanPoint, _ one: PlanPoint, _ other: PlanPoint) -> Bool {
        for way in [one, other] where side(of: way, point, before) == 0 || side(of: way, point, after) == 0 { return false }
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
