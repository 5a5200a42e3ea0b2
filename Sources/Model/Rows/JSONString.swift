import Digests
internal import Foundation

/// Texts as JSON writes them.
package enum JSONString {
    /// Appends a text between quotation marks. It escapes only what it must, and DEL, which a
    /// terminal would not show.
    package static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                text += "\\u" + scalar.value.hexadecimal(4)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
    /// A value of the program's own as a document: keys sorted, slashes not escaped, so that equal
    /// values give equal bytes.
    package static func document(_ value: some Encodable) -> String { text(value, [.prettyPrinted]) }

    /// The same in one line.
    package static func line(_ value: some Encodable) -> String { text(value, []) }

    private static func text(_ value: some Encodable, _ layout: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = layout.union([.sortedKeys, .withoutEscapingSlashes])
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
