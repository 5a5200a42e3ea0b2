import Foundation

/// The straight line nearest to some places, from its western end: a section through pits that lie
/// along no road.
struct SectionLine {
    private let origin: (east: Double, north: Double)
    private let direction: (east: Double, north: Double)

    /// Nil where the places are fewer than two, or all one.
    init?(_ places: [(east: Double, north: Double)]) {
        guard places.count >= 2 else { return nil }
        let count = Double(places.count)
        var sum = (east: 0.0, north: 0.0)
        for place in places { sum = (sum.east + place.east, sum.north + place.north) }
        let mean = (east: sum.east / count, north: sum.north / count)
        // The axis of the greatest spread: the sum of the squared distances to it is the least.
        var (xx, yy, xy) = (0.0, 0.0, 0.0)
        for place in places {
            let (dx, dy) = (place.east - mean.east, place.north - mean.north)
            (xx, yy, xy) = (xx + dx * dx, yy + dy * dy, xy + dx * dy)
        }
        guard xx + yy > 1e-9 else { return nil }
        let angle = 0.5 * atan2(2 * xy, xx - yy)
        // From −90° to 90°, so A is the western end; of a line due north, the southern one.
        let (cosine, sine): (Double, Double) = (cos(angle), sin(angle))
        direction = (cosine, sine)
        func along(_ place: (east: Double, north: Double)) -> Double {
            (place.east - mean.east) * cosine + (place.north - mean.north) * sine
        }
        let nearest = places.map(along).min() ?? 0
        origin = (mean.east + nearest * cosine, mean.north + nearest * sine)
    }

    /// Metres along the line from A, and off it: to its left positive.
    func place(_ east: Double, _ north: Double) -> (along: Double, off: Double) {
        let (dx, dy) = (east - origin.east, north - origin.north)
        return (dx * direction.east + dy * direction.north, dy * direction.east - dx * direction.north)
    }
}
