import Digests
import Foundation

/// The form in which names of rows are compared: composed characters (Unicode's NFC), and no white
/// space but single blanks between words. Upper and lower case differ. The stored name itself is
/// not changed.
package enum KeyText {
    /// The replica's column for this form. It is filled only if the form differs from the value,
    /// so a search by name must look at both.
    package static let column = "key_text"

    /// Whether these bytes are certainly in that form: ASCII, with single blanks within. False
    /// means that it is unknown.
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
        // Readers cannot see zero-width characters, so these do not distinguish names.
        let seen = text.unicodeScalars.filter { !["\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}"].contains($0) }
        let words = String(String.UnicodeScalarView(seen)).precomposedStringWithCanonicalMapping.split(
            whereSeparator: \.isWhitespace)
        return words.joined(separator: " ")
    }

    package static func form(of bytes: [UInt8]) -> [UInt8] {
        isPlain(bytes.span) ? bytes : Array(form(of: String(decoding: bytes, as: UTF8.self)).utf8)
    }

    /// The text that the replica stores besides the value; nil if the value is in this form. The
    /// comparison uses bytes, because Swift's equality ignores composition.
    package static func stored(of text: String) -> String? {
        let form = form(of: text)
        return form.utf8.elementsEqual(text.utf8) ? nil : form
    }

    /// The same for bytes in UTF-8. For most names no `String` is made.
    package static func stored(of bytes: Span<UInt8>) -> String? {
        isPlain(bytes)
            ? nil : stored(of: unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) })
    }
}

/// Chainage as people write it: kilometres, plus, metres. Used by expressions, queries and
/// drawings.
package enum Chainage {
    /// `12+300` is 12300, `0+045.50` is 45.5: one to six digits, three digits, up to nine decimals.
    /// Nil for any other text.
    package static func metres(_ text: String?) -> Double? {
        guard var text else { return nil }
        return text.withUTF8 { bytes in metres(count: bytes.count) { unsafe bytes[$0] } }
    }

    /// The same from bytes, wherever they are stored.
    static func metres(count: Int, byte: (Int) -> UInt8) -> Double? {
        var index = 0
        func digits(_ allowed: ClosedRange<Int>) -> Double? {
            let start = index
            var number = 0.0
            while index < count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte(index)) {
                number = number * 10 + Double(byte(index) - UInt8(ascii: "0"))
                index += 1
            }
            return allowed.contains(index - start) ? number : nil
        }
        guard let kilometres = digits(1...6), index < count, byte(index) == UInt8(ascii: "+") else { return nil }
        index += 1
        guard let metres = digits(3...3) else { return nil }
        guard index < count else { return kilometres * 1000 + metres }
        guard byte(index) == UInt8(ascii: ".") else { return nil }
        index += 1
        let start = index
        guard let fraction = digits(1...9), index == count else { return nil }
        let scale = ExpressionArithmetic.powersOfTen[index - start]
        return ((kilometres * 1000 + metres) * scale + fraction) / scale
    }
}

extension String {
    /// The text as a URL contains it (RFC 3986). Unreserved characters and those in `kept` do not
    /// change. Each byte of all others becomes `%` and two digits.
    package func percentEncoded(keeping kept: String = "") -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~\(kept)".utf8)
        return utf8.reduce(into: "") { text, byte in
            if plain.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + byte.hexadecimal(2).uppercased()
            }
        }
    }
}

/// The similarity of two names: `name_similarity(a, b)`, from 0 to 1.
///
/// It is one minus the Levenshtein distance over the longer length, in Unicode scalars of the
/// names' composed, lower-case forms, with each run of white space as one blank. Only the first
/// `maximumLength` scalars of a name are compared. Two empty names are equal.
package enum NameSimilarity {
    package static let maximumLength = 400

    /// A name in its form for comparison.
    package struct Name: Sendable {
        package let scalars: [UInt32]
        /// One bit for each kind of scalar in the name; several kinds share a bit.
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
        // Each kind of scalar that is in only one name costs a step.
        let apart = max((first.kinds & ~second.kinds).nonzeroBitCount, (second.kinds & ~first.kinds).nonzeroBitCount)
        guard apart <= allowed, longer - min(first.scalars.count, second.scalars.count) <= allowed,
            let distance = distance(first.scalars[...], second.scalars[...], atMost: allowed)
        else { return 0 }
        return 1 - Double(distance) / Double(longer)
    }

    /// The fewest insertions, deletions and replacements of scalars that turn one name into the
    /// other; nil beyond a limit. Only one row of the table is in memory at a time.
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
