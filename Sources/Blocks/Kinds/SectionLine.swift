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
        let mean = (east: places.reduce(0) { $0 + $1.east } / count, north: places.reduce(0) { $0 + $1.north } / count)
        // The axis of the greatest spread: the sum of the squared distances to it is the least.
        var (xx, yy, xy) = (0.0, 0.0, 0.0)
        for place in places {
            let (dx, dy) = (place.east - mean.east, place.north - mean.north)
            (xx, yy, xy) = (xx + dx * dx, yy + dy * dy, xy + dx * dy)
        }
        guard xx + yy > 1e-9 else { return nil }
        let angle = 0.5 * atan2(2 * xy, xx - yy)
        // From −90° to 90°, so A is the western end; of a line due north, the southern one.
        direction = (cos(angle), sin(angle))
        let nearest = places.map { ($0.east - mean.east) * cos(angle) + ($0.north - mean.north) * sin(angle) }.min() ?? 0
        origin = (mean.east + nearest * cos(angle), mean.north + nearest * sin(angle))
    }

    /// Metres along the line from A, and off it: to its left positive.
    func place(_ east: Double, _ north: Double) -> (along: Double, off: Double) {
        let (dx, dy) = (east - origin.east, north - origin.north)
        return (dx * direction.east + dy * direction.north, dy * direction.east - dx * direction.north)
    }
}
