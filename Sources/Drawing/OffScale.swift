/// Values that would press all others flat at a common scale, such as an elevation with a misplaced
/// decimal point.
package enum OffScale {
    /// In order, the values of the lesser part beyond a gap are off the scale if the gap is more than
    /// `times` as wide as all that the larger part spans: at a scale for both, little would be seen of
    /// the larger. Of two equal parts nobody knows the right one.
    /// - Parameters:
    ///   - leastSpan: what the larger part is taken to span at least: five equal pits say little.
    ///   - onlyAbove: whether small values are never off the scale.
    ///   - isPossible: whether a value can be true all the same, beside those of the larger part.
    package static func places(
        in values: [Double?], times: Double, leastSpan: Double, onlyAbove: Bool = false, isPossible: (_ place: Int, _ larger: [Int]) -> Bool = { _, _ in false }
    ) -> Set<Int> {
        func value(_ place: Int) -> Double { values[place] ?? 0 }
        var rest = values.indices.filter { values[$0]?.isFinite == true }.sorted { (value($0), $0) < (value($1), $1) }
        var found: Set<Int> = []
        func lesserPart() -> [Int]? {
            for cut in rest.indices.dropFirst() where cut * 2 != rest.count {
                let (below, above) = (Array(rest[..<cut]), Array(rest[cut...]))
                let (lesser, larger) = below.count < above.count ? (below, above) : (above, below)
                if onlyAbove, below.count < above.count { continue }
                let span = max(value(larger[larger.count - 1]) - value(larger[0]), leastSpan)
                guard value(above[0]) - value(below[below.count - 1]) > times * span else { continue }
                let wrong = lesser.filter { !isPossible($0, larger) }
                if !wrong.isEmpty { return wrong }
            }
            return nil
        }
        while let lesser = lesserPart() {
            found.formUnion(lesser)
            rest.removeAll { found.contains($0) }
        }
        return found
    }
}

extension ProfileDrawing {
    /// The pits, by their places, whose elevation is off the scale. Where the ground need not be steeper
    /// than 1 in 5 from the nearest of the others, it may be a true hill.
    package var elevationsOffScale: Set<Int> {
        OffScale.places(in: pits.map { $0.absence == nil ? $0.elevation : nil }, times: 3, leastSpan: 25) { place, larger in
            let pit = pits[place]
            func distance(_ other: Int) -> Double { abs(pits[other].chainage - pit.chainage) }
            guard let nearest = larger.min(by: { distance($0) < distance($1) }) else { return false }
            return abs((pits[nearest].elevation ?? 0) - (pit.elevation ?? 0)) <= 0.2 * distance(nearest)
        }
    }

    /// The pits, by their places, that are too deep for the scale of the others. A boring of 30 m
    /// among pits is not.
    package var depthsOffScale: Set<Int> {
        OffScale.places(in: pits.map { $0.absence == nil ? $0.bottom : nil }, times: 10, leastSpan: 5, onlyAbove: true)
    }
}
