internal import Canvas

/// Finds places for labels around points. No label covers another label or a point, or leaves its
/// frame.
struct LabelPlacement {
    let frame: Box
    private(set) var taken: [Box] = []

    init(frame: Box) { self.frame = frame }

    mutating func block(_ box: Box) { taken.append(box) }

    func isFree(_ box: Box) -> Bool { !taken.contains { $0.overlaps(box) } }

    /// Takes a place for a label: right of its point when that is free, else around it, else
    /// further away.
    /// - Parameters:
    ///   - rings: how often it is tried further away.
    ///   - isAllowed: whether the label may stand in a place that is free.
    /// - Returns: nil when every place that is tried is taken.
    mutating func place(
        width: Double, height: Double, about point: Point, gap: Double, rings: Int = 14, where isAllowed: (Box) -> Bool = { _ in true }
    ) -> (box: Box, isFar: Bool)? {
        for ring in 0..<rings {
            let distance = gap + Double(ring) * height * 0.75
            let directions = ring == 0 ? 8 : 16
            for step in 0..<directions {
                // The first ring tries right, left, above and below, then the diagonals; further
                // rings go round. The order is the same on every run.
                let turn = ring == 0 ? [0.0, 4, 6, 2, 7, 1, 5, 3][step] / 8 : Double(step) / 16
                let (across, down) = (cosine(turn * 2 * .pi), sine(turn * 2 * .pi))
                let centre = Point(x: point.x + across * (distance + width / 2), y: point.y + down * (distance + height / 2))
                let box = Box(x: centre.x - width / 2, y: centre.y - height / 2, width: width, height: height)
                guard frame.contains(box), isFree(box), isAllowed(box) else { continue }
                taken.append(box)
                return (box, ring > 0)
            }
        }
        return nil
    }
}
