import Foundation

/// The form in which names of rows are compared: composed characters (Unicode's NFC), and no white
/// space but single blanks between words. Upper and lower case differ. The value itself does not
/// change.
package enum KeyText {
    /// The replica's column for this form. It is filled only where the form differs from the value,
    /// so a search by name must look at both.
    package static let column = "key_text"

    /// Whether these bytes are certainly in that form: ASCII, with single blanks within. Others may
    /// be.
    package static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        var wasBlank = true
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte >= 0x20, byte < 0x7F else { return false }
            let isBlank = byte == 0x20
            if isBlank, wasBlank { return false }
            wasBlank = isBlank
        }
        return !wasBlank || bytes.count == 0
    }

    package static func form(of text: String) -> String {
        var copy = text
        if copy.withUTF8({ unsafe isPlain($0.span) }) { return text }
        // Characters without width do not distinguish names for people.
        let seen = text.unicodeScalars.filter { !["\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}"].contains($0) }
        let words = String(String.UnicodeScalarView(seen)).precomposedStringWithCanonicalMapping.split(whereSeparator: \.isWhitespace)
        return words.joined(separator: " ")
    }

    package static func form(of bytes: [UInt8]) -> [UInt8] {
        isPlain(bytes.span) ? bytes : Array(form(of: String(decoding: bytes, as: UTF8.self)).utf8)
    }

    /// The text that the replica keeps besides the value; nil where the value is in this form.
    /// Swift's own equality of texts does not distinguish them.
    package static func stored(of text: String) -> String? {
        let form = form(of: text)
        return form.utf8.elementsEqual(text.utf8) ? nil : form
    }

    /// The same for bytes in UTF-8. No `String` is made for most names.
    package static func stored(of bytes: Span<UInt8>) -> String? {
        isPlain(bytes) ? nil : stored(of: unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) })
    }
}
