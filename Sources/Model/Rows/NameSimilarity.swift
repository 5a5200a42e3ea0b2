import Foundation

/// The similarity of two names: `name_similarity(a, b)`, from 0 to 1.
///
/// It is one minus the Levenshtein distance over the longer length, in Unicode scalars of the
/// names' composed, lower-case forms, with each run of white space as one blank. Names are compared
/// up to `maximumLength` scalars. Two empty names are equal.
package enum NameSimilarity {
    package static let maximumLength = 400

    /// A name as it is compared.
    package struct Name: Sendable {
        package let scalars: [UInt32]
        /// One bit for each kind of scalar that is in it; several kinds share a bit.
        package let kinds: UInt64

        package init(_ name: String) {
            let bounded = String(String.UnicodeScalarView(name.unicodeScalars.prefix(4 * maximumLength)))
            let words = bounded.precomposedStringWithCanonicalMapping.lowercased().split(whereSeparator: \.isWhitespace)
            self.init(scalars: Array(words.joined(separator: " ").unicodeScalars.prefix(maximumLength).map(\.value)))
        }

        package init(scalars: [UInt32]) {
            self.scalars = scalars
            kinds = scalars.reduce(0) { $0 | 1 << UInt64($1 % 64) }
        }
    }

    /// - Parameter least: below this value the result may be 0, which is faster.
    package static func of(_ first: Name, _ second: Name, least: Double = 0) -> Double {
        let longer = max(first.scalars.count, second.scalars.count)
        guard longer > 0 else { return 1 }
        let allowed = Int((1 - min(1, max(0, least))) * Double(longer) + 1e-9)
        // Each scalar that is in only one of them costs a step.
        let apart = max((first.kinds & ~second.kinds).nonzeroBitCount, (second.kinds & ~first.kinds).nonzeroBitCount)
        guard apart <= allowed, longer - min(first.scalars.count, second.scalars.count) <= allowed,
            let distance = distance(first.scalars[...], second.scalars[...], atMost: allowed)
        else { return 0 }
        return 1 - Double(distance) / Double(longer)
    }

    /// The fewest insertions, deletions and replacements of scalars that make one of the other; nil
    /// beyond a limit. It keeps one row of the table at a time.
    private static func distance(_ first: ArraySlice<UInt32>, _ second: ArraySlice<UInt32>, atMost limit: Int) -> Int? {
        var (first, second) = (first, second)
        while let a = first.first, a == second.first { (first, second) = (first.dropFirst(), second.dropFirst()) }
        while let a = first.last, a == second.last { (first, second) = (first.dropLast(), second.dropLast()) }
        if first.isEmpty || second.isEmpty { return max(first.count, second.count) }
        var row = Array(0...second.count)
        for (line, scalar) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            var least = row[0]
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (scalar == other ? 0 : 1)
                diagonal = row[column + 1]
                let cost = min(replaced, min(row[column], diagonal) + 1)
                row[column + 1] = cost
                least = min(least, cost)
            }
            if least > limit { return nil }
        }
        return row[second.count] <= limit ? row[second.count] : nil
    }
}
