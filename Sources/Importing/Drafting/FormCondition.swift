import SQLReading

/// Conditions of XLSForms (XPath, https://docs.getodk.org/form-operators-functions/) as the pieces
/// that `ConditionParser` reads.
enum FormCondition {
    /// Nil where something stands in it that a row's condition cannot have: a path, a function over
    /// repeats.
    static func term(_ text: String) -> ConditionTerm? {
        // A pattern is compiled each time that it is written, so these stand outside the loop.
        let field = /\$\{\s*([A-Za-z_][\w.-]*)\s*\}/, number = /[0-9]+(\.[0-9]+)?|\.[0-9]+/
        let word = /[A-Za-z_][A-Za-z0-9_-]*/, sign = /<=|>=|!=|[-+*=<>(),.]/
        var pieces: [SQLToken] = []
        var rest = Substring(text.replacing("\u{2019}", with: "'").replacing("\u{2018}", with: "'"))
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if let match = rest.prefixMatch(of: field) {
                pieces.append(.name(String(match.1)))
                rest = rest[match.range.upperBound...]
            } else if first == "'" || first == "\"" {
                guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
                pieces.append(.text(String(rest[rest.index(after: rest.startIndex)..<end])))
                rest = rest[rest.index(after: end)...]
            } else if let match = rest.prefixMatch(of: number) {
                pieces.append(.number(match.0.hasPrefix(".") ? "0" + match.0 : String(match.0)))
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: word) {
                pieces.append(.word(String(match.0)))
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: sign) {
                guard !(match.0 == "." && rest.hasPrefix("..")) else { return nil }
                pieces.append(.sign(String(match.0)))
                rest = rest[match.range.upperBound...]
            } else {
                return nil
            }
        }
        return ConditionParser.term(pieces)
    }
}
