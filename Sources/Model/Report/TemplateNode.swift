/// A piece of a template whose shape was checked: every scalar is the text that stands there. What is nothing is left out.
package enum TemplateNode: Sendable, Hashable {
    case text(String)
    case list([TemplateNode])
    case keys([String: TemplateNode])

    package subscript(key: String) -> TemplateNode? {
        if case .keys(let keys) = self { keys[key] } else { nil }
    }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The items of a list; none for anything else.
    package var items: [TemplateNode] {
        if case .list(let items) = self { items } else { [] }
    }

    /// The keys and values of a mapping; none for anything else.
    package var pairs: [String: TemplateNode] {
        if case .keys(let keys) = self { keys } else { [:] }
    }

    package func text(_ key: String) -> String? { self[key]?.text }
    package func texts(_ key: String) -> [String] { items(key).compactMap(\.text) }
    package func items(_ key: String) -> [TemplateNode] { self[key]?.items ?? [] }
    package func integer(_ key: String) -> Int? { text(key).flatMap { Int($0) } }
    package func number(_ key: String) -> Double? { text(key).flatMap { Double($0) } }
    package func isTrue(_ key: String) -> Bool { text(key) == "true" }
    package func reportText(_ key: String) -> ReportText? { text(key).map { ReportText($0) } }
    package func expression(_ key: String) -> Expression? { text(key).flatMap { try? ExpressionParser.parse($0) } }
    package func word<Word: RawRepresentable>(_ key: String, _ type: Word.Type) -> Word? where Word.RawValue == String {
        text(key).flatMap(Word.init)
    }
}

extension TemplateNode: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral text: String) { self = .text(text) }
    package init(arrayLiteral items: TemplateNode...) { self = .list(items) }
    package init(dictionaryLiteral pairs: (String, TemplateNode)...) { self = .keys(Dictionary(pairs) { first, _ in first }) }
}
