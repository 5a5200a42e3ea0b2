/// A text with `{column}` in it, of a report or of a finding. A part in brackets with a column's
/// name, `[ · {datum}]`, is left out if one of its columns has no value. The comma, colon,
/// middle dot, dash or slash that would then begin or end the text is left out too. Other brackets
/// are ordinary text; parts do not nest.
package struct TextPattern {
    private let parts: [Part]

    private struct Part {
        var text: Substring
        var isOptional: Bool
    }

    package init(_ pattern: String) {
        var parts: [Part] = []
        var rest = Substring(pattern)
        while let open = rest.firstIndex(of: "["), let close = rest[open...].firstIndex(of: "]") {
            let inner = rest[rest.index(after: open)..<close]
            if inner.contains("{"), !inner.contains("[") {
                parts.append(Part(text: rest[..<open], isOptional: false))
                parts.append(Part(text: inner, isOptional: true))
                rest = rest[rest.index(after: close)...]
            } else {
                let next = rest.index(after: open)
                parts.append(Part(text: rest[..<next], isOptional: false))
                rest = rest[next...]
            }
        }
        parts.append(Part(text: rest, isOptional: false))
        self.parts = parts
    }

    /// The text with the values of its columns; a missing value becomes an empty text.
    package func fill(_ arguments: [String: String]) -> String {
        var result = ""
        var hasLeftOut = false, beginsAnew = false
        for part in parts {
            if part.isOptional, Self.columns(in: part.text).contains(where: { arguments[$0]?.isEmpty ?? true }) {
                hasLeftOut = true
                beginsAnew = beginsAnew || result.allSatisfy(Self.separates)
            } else {
                result += Texts.fill(String(part.text), with: arguments)
            }
        }
        guard hasLeftOut else { return result }
        while let last = result.last, Self.separates(last) { result.removeLast() }
        guard beginsAnew else { return result }
        result = String(result.drop(while: Self.separates))
        // A word from the middle of the text may now be the first, and gets a capital letter.
        guard let first = result.first, first.isLowercase else { return result }
        return first.uppercased() + result.dropFirst()
    }

    /// Whether a character only separates parts of the text.
    private static func separates(_ character: Character) -> Bool {
        character.isWhitespace || ",;:·–—|/".contains(character)
    }

    /// The names in braces, in order.
    package static func columns(in text: some StringProtocol) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            rest.firstIndex(of: "}").map { String(Texts.name(ofPlaceholder: Substring(rest[..<$0]))) }
        }
    }
}

/// A regular expression that is compiled once, to be stored as a static constant. One inside a
/// function is parsed and compiled at each call, which takes longer than matching a cell.
///
/// Swift does not declare `Regex` as Sendable, since one built from parts may contain closures. A
/// literal contains none, and its compiled program is published atomically.
@safe package struct CachedRegex<Output>: @unchecked Sendable {
    package let regex: Regex<Output>

    package init(_ literal: Regex<Output>) { regex = literal }
}
