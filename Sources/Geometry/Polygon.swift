/// An area of a plan: one ring of corners in metres, closed by itself.
///
/// Surveys' rings repeat their first point at the end, and points a few nanometres apart in between; both are dropped.
package struct Polygon: Sendable, Hashable {
    /// Points nearer to each other than this, in metres, are one corner.
    package static let resolution = 1e-6
    /// Rings beyond this are not judged.
    package static let maximumCorners = 10_000

    package let corners: [PlanPoint]

    /// Nil when fewer than three corners are left, there are too many, or one lies beyond 100,000 km or nowhere.
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

    /// Square metres by the shoelace formula, whichever way the ring goes round.
    package var area: Double { abs(signedArea) }

    /// Above zero when the ring goes round to the left. Measured from the first corner, so that drawings far from their origin lose no digits.
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

    /// Whether a point lies inside or within `tolerance` metres of the ring: ray casting.
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
