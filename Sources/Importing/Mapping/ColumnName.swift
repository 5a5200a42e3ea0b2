import Foundation
import Model

/// Normalises headings, names of sheets and words of lookups for comparison: without case, accents,
/// spaces and punctuation.
package enum ColumnName {
    static func normal(_ text: String) -> String { normalForm(folded: folded(text)) }

    /// The normalised form of a folded text.
    static func normalForm(folded text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                switch scalar {
                case "0"..."9", "A"..."Z", "a"..."z": bytes.append(UInt8(scalar.value))
                default: continue
                }
            } else if CharacterSet.alphanumerics.contains(scalar), !ordinals.contains(scalar) {
                bytes += UTF8.encode(scalar) ?? .init()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text in small letters without accents. A pack has thousands of names, and Foundation takes microseconds for
    /// each, so it is asked once for each letter of European languages, and for texts with other letters.
    package static func folded(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard scalar.value < 0x250 else { return foundationFolded(text) }
            bytes += foldedLetters[Int(scalar.value)]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let foldedLetters: [[UInt8]] = (0..<0x250).map { value in
        Unicode.Scalar(value).map { Array(foundationFolded(String($0)).utf8) } ?? []
    }

    private static func foundationFolded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en_US_POSIX"))
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
