/// Puts things along a line as near as can be to where they belong, none over another.
enum Spread {
    /// Starts of things of given sizes, in order, so that the squares of what they are moved by sum up least (pool adjacent violators).
    /// - Parameter targets: where each would like to start.
    /// - Returns: nil when they do not fit between the bounds.
    static func starts(targets: [Double], sizes: [Double], from low: Double, to high: Double) -> [Double]? {
        let total = sizes.reduce(0, +)
        guard total <= high - low + 1e-6 else { return nil }
        // Without their sizes, starts only have to grow: blocks that would fall behind are given one mean.
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

    /// Centres of things of given sizes about wanted centres.
    static func centres(targets: [Double], sizes: [Double], from low: Double, to high: Double) -> [Double]? {
        starts(targets: zip(targets, sizes).map { $0 - $1 / 2 }, sizes: sizes, from: low, to: high).map { starts in
            zip(starts, sizes).map { $0 + $1 / 2 }
        }
    }
}
