import Digests
internal import Foundation

/// Texts in JSON form.
package enum JSONString {
    /// Appends a text between quotation marks. It escapes only the required characters, and DEL,
    /// which a terminal would not show.
    package static func append(_ string: String, to text: inout String) {
        text += "\""
        // Text without escapes is copied in one piece.
        var rest = string[...]
        while let place = rest.utf8.firstIndex(where: isEscaped) {
            text += rest[..<place]
            escape(rest.utf8[place], to: &text)
            rest = rest[rest.utf8.index(after: place)...]
        }
        text += rest
        text += "\""
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8, to text: inout String) {
        switch byte {
        case UInt8(ascii: "\""): text += "\\\""
        case UInt8(ascii: "\\"): text += "\\\\"
        case UInt8(ascii: "\n"): text += "\\n"
        case UInt8(ascii: "\r"): text += "\\r"
        case UInt8(ascii: "\t"): text += "\\t"
        default: text += "\\u" + byte.hexadecimal(4)
        }
    }

    /// A value of the program as a JSON document: keys sorted, slashes not escaped, so that equal
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
