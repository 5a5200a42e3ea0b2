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
        guard min(a.maxX, b.maxX) - max(a.minX, b.minX) > tolerance, min(a.maxY, b.maxY) - max(a.minY, b.minY) > tolerance else { return false }
        if holds(other, tolerance) || other.holds(self, tolerance) { return true }
        var previous = corners[corners.count - 1]
        for corner in corners {
            var start = other.corners[other.corners.count - 1]
            for end in other.corners {
                // Each end must be further than the tolerance from the other edge, on opposite
                // sides of it.
                if previous.isSeparated(from: corner, by: start, end, tolerance), start.isSeparated(from: end, by: previous, corner, tolerance) { return true }
                start = end
            }
            previous = corner
        }
        return false
    }

    /// Whether a corner of the other polygon, the middle of one of its edges, or its centroid lies
    /// well inside this one.
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
    fileprivate func isSeparated(from other: PlanPoint, by start: PlanPoint, _ end: PlanPoint, _ tolerance: Double) -> Bool {
        let length = max(start.distance(to: end), Polygon.resolution)
        let (one, two) = (start.turn(end, self) / length, start.turn(end, other) / length)
        return (one > tolerance && two < -tolerance) || (one < -tolerance && two > tolerance)
    }
}
