import Model
import Testing

@Suite struct JSONStringTests {
    /// A character at a time, as RFC 8259 says it.
    private func stated(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\" + String(scalar)
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{F}": text += "\\u000" + String(scalar.value, radix: 16)
            case "\u{10}"..."\u{1F}", "\u{7F}": text += "\\u00" + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    @Test func escapesWhatItMust() {
        var source = SystemRandomNumberGenerator()
        let pieces = ["a", "\"", "\\", "\n", "\r\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "\u{301}", "\"\u{301}", "½", "👩‍🔬", "/", "\u{2028}"]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...6, using: &source)).map { _ in pieces.randomElement(using: &source) ?? "" }.joined()
            var written = ""
            JSONString.append(text, to: &written)
            #expect(Array(written.utf8) == Array(stated(text).utf8))
        }
    }
}
