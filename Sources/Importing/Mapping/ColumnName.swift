import Foundation
import Model

/// Normalises headings, names of sheets and words of lookups for comparison: without case, accents,
/// spaces and punctuation.
enum ColumnName {
    static func normal(_ text: String) -> String {
        let plain = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en_US_POSIX"))
        return String(String.UnicodeScalarView(plain.unicodeScalars.filter { CharacterSet.alphanumerics.contains($0) && !ordinals.contains($0) }))
    }

    /// `Nº` is as common as `N°`, but its sign counts as a letter.
    private static let ordinals: Set<Unicode.Scalar> = ["\u{AA}", "\u{BA}"]

    /// Whether a name matches a pattern, in which `*` stands for any text.
    static func matches(_ name: String, _ pattern: String) -> Bool {
        let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false).map { normal(String($0)) }
        let name = normal(name)
        guard pieces.count > 1 else { return name == pieces[0] }
        guard name.hasPrefix(pieces[0]), name.hasSuffix(pieces[pieces.count - 1]) else { return false }
        var rest = name.dropFirst(pieces[0].count)
        for piece in pieces.dropFirst() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    /// Letters of a column counted from 0: `A`, `Z`, `AA`.
    static func letters(_ column: Int) -> String { RawCells.columnName(column) }
}
