package import Canvas

extension TextRecorder {
    /// Pairs of texts on one page that share more than `tolerance` points in both directions.
    package func collisions(tolerance: Double = 0.05) -> [(Entry, Entry)] {
        var found: [(Entry, Entry)] = []
        let sorted = entries.sorted { ($0.page, $0.box.y) < ($1.page, $1.box.y) }
        for (index, entry) in sorted.enumerated() {
            for other in sorted[(index + 1)...] {
                if other.page != entry.page || other.box.y >= entry.box.bottom { break }
                if entry.box.overlaps(other.box, tolerance: tolerance) { found.append((entry, other)) }
            }
        }
        return found
    }

    /// Texts that are not completely inside a box of their page.
    package func outside(_ box: Box, tolerance: Double = 0.05) -> [Entry] {
        entries.filter { !box.contains($0.box, tolerance: tolerance) }
    }
}
