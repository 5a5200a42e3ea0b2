import Foundation

/// How alike two names are: `name_similarity(a, b)`, from 0 to 1.
///
/// One minus the Levenshtein distance over the longer length, in Unicode scalars of the names' composed, lower-case forms with every run
/// of white space as one blank. Names are compared up to `maximumLength` scalars. Two empty names are alike.
enum NameSimilarity {
    static let maximumLength = 400

    /// A name as it is compared.
    static func normalised(_ name: String) -> [UInt32] {
        let bounded = String(String.UnicodeScalarView(name.unicodeScalars.prefix(4 * maximumLength)))
        let words = bounded.precomposedStringWithCanonicalMapping.lowercased().split(whereSeparator: \.isWhitespace)
        return Array(words.joined(separator: " ").unicodeScalars.prefix(maximumLength).map(\.value))
    }

    static func of(_ first: [UInt32], _ second: [UInt32]) -> Double {
        let longer = max(first.count, second.count)
        guard longer > 0 else { return 1 }
        return 1 - Double(distance(first[...], second[...])) / Double(longer)
    }

    /// Fewest scalars put in, taken out or replaced that make one of the other: one row of the table at a time.
    private static func distance(_ first: ArraySlice<UInt32>, _ second: ArraySlice<UInt32>) -> Int {
        var (first, second) = (first, second)
        while let a = first.first, a == second.first { (first, second) = (first.dropFirst(), second.dropFirst()) }
        while let a = first.last, a == second.last { (first, second) = (first.dropLast(), second.dropLast()) }
        if first.isEmpty || second.isEmpty { return max(first.count, second.count) }
        var row = Array(0...second.count)
        for (line, scalar) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (scalar == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, min(row[column], diagonal) + 1)
            }
        }
        return row[second.count]
    }
}
