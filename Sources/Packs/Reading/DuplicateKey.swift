/// Finds the second of two equal keys, of which Yams tells only the first. Lines and columns count from 1, columns in Unicode scalars.
enum DuplicateKey {
    typealias Spot = (line: Int, column: Int)

    /// In a block the second key has the first one's column; between braces it is the next one.
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

    /// The source with the key at a spot ending in another character, so that the two differ and no place moves.
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

    /// Whether these letters stand here as a key: nothing of a word before them, a colon and a space after them.
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
