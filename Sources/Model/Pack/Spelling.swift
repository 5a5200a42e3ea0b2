import Foundation

/// Suggests the name that was probably meant.
package enum Spelling {
    /// The known name most similar to a misspelled one, if it is similar enough; of two equally
    /// similar names the first in alphabetical order.
    package static func nearest(to name: String, among known: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars)
        guard wanted.count <= 60 else { return nil }
        var limit = max(1, wanted.count / 3)
        var best: (distance: Int, name: String)?
        for candidate in known {
            let letters = Array(candidate.lowercased().unicodeScalars)
            guard abs(letters.count - wanted.count) <= limit else { continue }
            let distance = distance(wanted, letters, within: limit)
            guard distance <= limit else { continue }
            if best.map({ (distance, candidate) < ($0.distance, $0.name) }) ?? true { best = (distance, candidate) }
            limit = distance
        }
        return best?.name
    }

    /// The known code that was probably meant: it is written in another way (`c5` for `C-05`), or
    /// has a few other letters. Its numbers are the same, because another number is another thing.
    package static func nearestCode(to code: String, among known: some Sequence<String>) -> String? {
        let (letters, numbers) = parts(of: code)
        var alike: [String] = []
        for candidate in known {
            let other = parts(of: candidate)
            guard other.numbers == numbers else { continue }
            if other.letters == letters { return candidate }
            alike.append(candidate)
        }
        return nearest(to: code, among: alike)
    }

    /// The letters of a code in lower case, and its numbers without leading zeros.
    private static func parts(of code: String) -> (letters: String, numbers: [String]) {
        let letters = code.lowercased().filter(\.isLetter)
        let numbers = code.split { !$0.isASCII || !$0.isNumber }.map { String($0.drop { $0 == "0" }) }
        return (letters, numbers)
    }

    /// The names as a readable list, at most a dozen.
    package static func list(_ names: some Sequence<String>) -> String {
        let all = Array(names)
        return all.prefix(12).joined(separator: ", ") + (all.count > 12 ? ", …" : "")
    }

    /// Counts insertions, deletions, replacements and swaps of neighbours (optimal string
    /// alignment). It stops once the count must exceed the limit, and then returns more than the
    /// limit.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], within limit: Int) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var before: [Int] = []
        var previous = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            current.reserveCapacity(right.count + 1)
            for column in 1...right.count {
                let same = left[row - 1] == right[column - 1]
                var cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (same ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    cost = min(cost, before[column - 2] + 1)
                }
                current.append(cost)
            }
            // A swap spans two rows of the table, so both must exceed the limit.
            if min(current.min() ?? 0, previous.min() ?? 0) > limit { return limit + 1 }
            before = previous
            previous = current
        }
        return previous[right.count]
    }
}

extension Texts {
    /// A sentence that suggests the name which was probably meant, after a blank; empty if none is
    /// similar. Messages of failures that take it have the placeholder `{hint}`.
    package func hint(for arguments: [String: String], in language: Language) -> String {
        let known = (arguments["known"] ?? "").components(separatedBy: ", ")
        let nearest = arguments["nearest"]
            ?? (arguments["value"] ?? arguments["name"]).flatMap { Spelling.nearest(to: $0, among: known) }
        guard let nearest, !nearest.isEmpty else { return "" }
        return " " + text("mistake.hint", in: language, ["nearest": nearest])
    }

    /// The message of a failure alone, for findings that give it as their reason.
    package func message(of failure: any Failure, in language: Language) -> String {
        var arguments = failure.arguments
        arguments["hint"] = hint(for: arguments, in: language)
        return text("error." + failure.code + ".message", in: language, arguments)
    }
}
