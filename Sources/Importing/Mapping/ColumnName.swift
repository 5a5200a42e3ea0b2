import Foundation

/// How headings, names of sheets and words of lookups are compared: without case, accents, spaces and punctuation.
enum ColumnName {
    static func normal(_ text: String) -> String {
        let plain = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en_US_POSIX"))
        return String(String.UnicodeScalarView(plain.unicodeScalars.filter { CharacterSet.alphanumerics.contains($0) }))
    }

    /// Letters of a column counted from zero: `A`, `Z`, `AA`.
    static func letters(_ column: Int) -> String {
        var rest = max(column, 0)
        var letters = ""
        while true {
            letters = String(UnicodeScalar(UInt8(65 + rest % 26))) + letters
            rest = rest / 26 - 1
            if rest < 0 { return letters }
        }
    }
}
