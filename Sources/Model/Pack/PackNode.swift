/// A node of a pack's file whose shape was checked. Every scalar is its text as written. Empty
/// values are left out, and so are places in the file, which only the checks need.
///
/// The types of a pack read themselves from such nodes, each in its own file. A wrong node gives as
/// much as it can, so that checks can continue: only a pack without mistakes leaves its loader.
package enum PackNode: Sendable, Hashable {
    package struct Pair: Sendable, Hashable {
        package var key: String
        package var value: PackNode

        package init(key: String, value: PackNode) { (self.key, self.value) = (key, value) }
    }

    case text(String)
    case list([PackNode])
    /// In the order of the file.
    case keys([Pair])

    package subscript(key: String) -> PackNode? { pairs.first { $0.key == key }?.value }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The items of a list; none for anything else.
    package var items: [PackNode] {
        if case .list(let items) = self { items } else { [] }
    }

    /// The keys and values of a mapping; none for anything else.
    package var pairs: [Pair] {
        if case .keys(let pairs) = self { pairs } else { [] }
    }

    /// The texts of a list.
    package var texts: [String] { items.compactMap(\.text) }
    /// The texts of a list, or a text alone.
    package var textOrTexts: [String] { text.map { [$0] } ?? texts }
    /// The texts of a mapping.
    package var table: [String: String] { dictionary(\.text) }
    package var integer: Int? { text.flatMap { Int($0) } }

    /// The results for the values of a mapping, by key; the first of equal keys counts.
    package func dictionary<Value>(_ value: (PackNode) -> Value?) -> [String: Value] {
        Dictionary(pairs.compactMap { pair in value(pair.value).map { (pair.key, $0) } }) { first, _ in first }
    }

    package func text(_ key: String) -> String? { self[key]?.text }
    package func texts(_ key: String) -> [String] { self[key]?.texts ?? [] }
    package func textOrTexts(_ key: String) -> [String] { self[key]?.textOrTexts ?? [] }
    package func items(_ key: String) -> [PackNode] { self[key]?.items ?? [] }
    package func pairs(_ key: String) -> [Pair] { self[key]?.pairs ?? [] }
    package func integer(_ key: String) -> Int? { self[key]?.integer }
    package func number(_ key: String) -> Double? { text(key).flatMap { Double($0) } }
    package func isTrue(_ key: String) -> Bool { text(key) == "true" }
    package func boolean(_ key: String) -> Bool? { text(key).flatMap { Bool($0) } }
    package func path(_ key: String) -> FieldPath? { text(key).map { FieldPath($0) } }
    package func reportText(_ key: String) -> ReportText? { text(key).map { ReportText($0) } }
    package func expression(_ key: String) -> Expression? { text(key).flatMap { try? ExpressionParser.parse($0) } }
    package func word<Word: RawRepresentable>(_ key: String, _ type: Word.Type = Word.self) -> Word? where Word.RawValue == String {
        text(key).flatMap(Word.init)
    }
    package func words<Word: RawRepresentable>(_ key: String, _ type: Word.Type = Word.self) -> [Word] where Word.RawValue == String {
        texts(key).compactMap(Word.init)
    }
}

extension PackNode: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral text: String) { self = .text(text) }
    package init(arrayLiteral items: PackNode...) { self = .list(items) }
    package init(dictionaryLiteral pairs: (String, PackNode)...) { self = .keys(pairs.map { Pair(key: $0.0, value: $0.1) }) }
}
