/// A text with `{column}` in it. A part in brackets that holds one, `[ · {datum}]`, is left out where a column in it has no value, and with
/// it the comma, point or dash that would then begin or end the text. Other brackets stand as they are; parts do not nest.
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

    /// The text with its columns' values; a column without a value has an empty one.
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
        // What was the middle of a sentence is its beginning now.
        guard let first = result.first, first.isLowercase else { return result }
        return first.uppercased() + result.dropFirst()
    }

    private static func separates(_ character: Character) -> Bool {
        character.isWhitespace || ",;:·–—|/".contains(character)
    }

    private static func columns(in text: Substring) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            rest.firstIndex(of: "}").map { String(rest[..<$0]) }
        }
    }
}
