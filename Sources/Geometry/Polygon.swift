/// An area of a plan: a closed ring of corners, in metres.
///
/// Surveyed rings repeat their first point at the end, and have points a few nanometres apart; both
/// are dropped.
package struct Polygon: Sendable, Hashable {
    /// Points nearer to each other than this count as one corner, in metres.
    package static let resolution = 1e-6
    /// The largest number of points that a ring may have.
    package static let maximumCorners = 10_000

    package let corners: [PlanPoint]

    /// Returns nil when fewer than three corners are left, when there are more than
    /// `maximumCorners` points, or when a coordinate is beyond 100,000 km or not a number.
    package init?(_ points: [PlanPoint]) {
        guard points.count <= Self.maximumCorners else { return nil }
        var kept: [PlanPoint] = []
        for point in points {
            guard abs(point.x) <= 1e8, abs(point.y) <= 1e8 else { return nil }
            if let last = kept.last, last.distance(to: point) <= Self.resolution { continue }
            kept.append(point)
        }
        while kept.count > 1, let first = kept.first, let last = kept.last, first.distance(to: last) <= Self.resolution { kept.removeLast() }
        guard kept.count >= 3 else { return nil }
        corners = kept
    }

    /// The area in square metres, by the shoelace formula; the ring may turn either way.
    package var area: Double { abs(signedArea) }

    /// Positive when the ring turns left. It is measured from the first corner, so that drawings
    /// far from their origin lose no digits.
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
