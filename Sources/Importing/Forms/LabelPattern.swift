/// Labels as a mapping names them, prepared for comparison: without case, accents, spaces and
/// punctuation, with `*` for any text.
struct LabelPattern {
    private let labels: [[String]]

    init(_ labels: [String]) {
        self.labels = labels.map { label in
            label.split(separator: "*", omittingEmptySubsequences: false).map { ColumnName.normal(String($0)) }
        }.filter { $0.contains { !$0.isEmpty } }
    }

    var count: Int { labels.count }

    func matches(_ normal: String) -> Bool { labels.indices.contains { matches(normal, $0) } }

    /// Whether a normalised text matches the label with this number.
    func matches(_ normal: String, _ index: Int) -> Bool {
        let pieces = labels[index]
        guard pieces.count > 1 else { return normal == pieces[0] }
        guard normal.hasPrefix(pieces[0]), normal.hasSuffix(pieces[pieces.count - 1]),
            normal.utf8.count >= pieces[0].utf8.count + pieces[pieces.count - 1].utf8.count
        else { return false }
        var rest = normal.dropFirst(pieces[0].count).dropLast(pieces[pieces.count - 1].count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
