/// Places items along a line as near as possible to their targets, without overlaps.
enum Spread {
    /// The starts of items of given sizes, in order, that move them least by the sum of squares
    /// (pool adjacent violators).
    /// - Parameter targets: the wanted start of each item.
    /// - Returns: nil when the items do not fit between the bounds.
    static func starts(targets: [Double], sizes: [Double], from low: Double, to high: Double) -> [Double]? {
        let total = sizes.reduce(0, +)
        guard total <= high - low + 1e-6 else { return nil }
        // With all sizes before it subtracted, a start must only not be less than the one before. A
        // run of starts that would decrease takes their mean.
        var blocks: [(mean: Double, count: Int)] = []
        var before = 0.0
        for (target, size) in zip(targets, sizes) {
            var block = (mean: target - before, count: 1)
            while let last = blocks.last, last.mean > block.mean {
                let count = last.count + block.count
                block = ((last.mean * Double(last.count) + block.mean * Double(block.count)) / Double(count), count)
                blocks.removeLast()
            }
            blocks.append(block)
            before += size
        }
        var starts: [Double] = []
        before = 0
        for block in blocks {
            for _ in 0..<block.count {
                starts.append(max(low, min(block.mean, high - total)) + before)
                before += sizes[starts.count - 1]
            }
        }
        return starts
    }

    /// The centres of items of given sizes, as near as possible to wanted centres.
    static func centres(targets: [Double], sizes: [Double], from low: Double, to high: Double) -> [Double]? {
        starts(targets: zip(targets, sizes).map { $0 - $1 / 2 }, sizes: sizes, from: low, to: high).map { starts in
            zip(starts, sizes).map { $0 + $1 / 2 }
        }
    }
}
