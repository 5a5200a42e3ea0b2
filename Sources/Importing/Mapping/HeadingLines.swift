/// Joins headings of several rows, where a word in the upper row may apply to several columns
/// below.
enum HeadingLines {
    /// All heading cells above each column, from the top: `PROFUNDIDAD (m) De`.
    static func names(_ lines: [[String]]) -> [String] {
        let spread = spread(lines)
        return (0..<(spread.map(\.count).max() ?? 0)).map { column in
            var parts: [String] = []
            for line in spread where line.indices.contains(column) && !line[column].isEmpty && parts.last != line[column] { parts.append(line[column]) }
            return parts.joined(separator: " ")
        }
    }

    /// The lowest word of each column.
    static func lastNames(_ lines: [[String]]) -> [String] {
        let width = lines.map(\.count).max() ?? 0
        return (0..<width).map { column in lines.last { $0.indices.contains(column) && !$0[column].allSatisfy(\.isWhitespace) }?[column] ?? "" }
    }

    /// Whether a word of the upper line stands over several of the lower one, as in a heading of two
    /// lines; not in a line of particulars above a heading: `Laboratorio`, `GEONORTE`.
    static func isSpread(_ upper: [String], over lower: [String]) -> Bool {
        func word(_ line: [String], _ column: Int) -> Bool { line.indices.contains(column) && !line[column].allSatisfy(\.isWhitespace) }
        return lower.indices.dropLast().contains { column in
            word(upper, column) && word(lower, column) && !word(upper, column + 1) && word(lower, column + 1)
        }
    }

    /// Extends upper words to the right: a merged cell has its word in its first column only, so
    /// the word applies to every following column that has a word only below.
    private static func spread(_ lines: [[String]]) -> [[String]] {
        var lines = lines.map { $0.map { $0.allSatisfy(\.isWhitespace) ? "" : $0 } }
        for upper in lines.indices.dropLast() {
            let below = lines[upper + 1]
            for column in below.indices where !below[column].isEmpty && column > 0 {
                while lines[upper].count <= column { lines[upper].append("") }
                // Only if the column to the left also has a word below; otherwise this is a column
                // of its own.
                if lines[upper][column].isEmpty, below[column - 1].isEmpty == false { lines[upper][column] = lines[upper][column - 1] }
            }
        }
        return lines
    }
}
