/// Finds the second of two equal keys, since Yams reports only the first. Lines and columns count
/// from 1, columns in Unicode scalars.
enum DuplicateKey {
    typealias Spot = (line: Int, column: Int)

    /// Finds the second key. In a block it has the column of the first; between braces it is the
    /// next one.
    static func second(of name: String, after first: Spot, in source: String) -> Spot? {
        let lines = lines(of: source)
        guard lines.indices.contains(first.line - 1), lines[first.line - 1].count >= first.column - 1 else { return nil }
        let wanted = Array(name.unicodeScalars)
        let before = lines[first.line - 1].prefix(first.column - 1)
        let isFlow = before.contains { $0 == "{" || $0 == "," }
        for (index, line) in lines.enumerated().dropFirst(first.line - 1) {
            for start in line.indices where index > first.line - 1 || start > first.column {
                guard isKey(wanted, at: start, of: line) else { continue }
                let column = start > 0 && "\"'".unicodeScalars.contains(line[start - 1]) ? start : start + 1
                if isFlow || column == first.column { return (index + 1, column) }
            }
        }
        return nil
    }

    /// The source with another last character in the key at a place. The keys then differ, and no
    /// place changes.
    static func masking(_ name: String, at spot: Spot, with mask: Unicode.Scalar, in source: String) -> String {
        var lines = lines(of: source)
        var end = spot.column - 1 + name.unicodeScalars.count - 1
        if "\"'".unicodeScalars.contains(lines[spot.line - 1][spot.column - 1]) { end += 1 }
        lines[spot.line - 1][end] = mask
        return lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n")
    }

    private static func lines(of source: String) -> [[Unicode.Scalar]] {
        source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    }

    /// Whether these letters are a key here: no word runs into them, and a colon and a space
    /// follow.
    private static func isKey(_ name: [Unicode.Scalar], at start: Int, of line: [Unicode.Scalar]) -> Bool {
        guard !name.isEmpty, start + name.count < line.count, line[start] == name[0],
            line[start..<(start + name.count)].elementsEqual(name)
        else { return false }
        if start > 0, !" {,\"'-".unicodeScalars.contains(line[start - 1]) { return false }
        var rest = line[(start + name.count)...]
        if let quote = rest.first, "\"'".unicodeScalars.contains(quote) { rest = rest.dropFirst() }
        rest = rest.drop { $0 == " " }
        guard rest.first == ":" else { return false }
        return rest.dropFirst().first.map { " \r".unicodeScalars.contains($0) } ?? true
    }
}
