/// Every displayed text, by key and language, from `texts/{es,en,it}.yaml` of the core and of a
/// pack.
///
/// Placeholders are `{name}`, and `{count:row|rows}` for the word with a number: the first for one,
/// the second for any other. A placeholder without an argument is not replaced, so that a mistake
/// is visible. The loader has checked that every key exists in every language.
package struct Texts: Sendable, Hashable {
    private var tables: [Language: [String: String]]

    package init(_ tables: [Language: [String: String]] = [:]) {
        self.tables = tables
    }

    /// Whether any language has a text under a key of this family: `vocabulary.roles` for
    /// `vocabulary.roles.admin`.
    package func hasAny(of family: String) -> Bool {
        let beginning = family + "."
        return tables.values.contains { table in table.keys.contains { $0.hasPrefix(beginning) } }
    }

    /// Whether there is a text under a key in each of these languages.
    package func has(_ key: String, in languages: [Language]) -> Bool {
        languages.allSatisfy { tables[$0]?[key] != nil }
    }

    /// The keys that have a text in a language.
    package func keys(in language: Language) -> [String] { tables[language].map { Array($0.keys) } ?? [] }

    /// The text under a key with its placeholders filled; the key itself when there is no text,
    /// which the loader prevents.
    package func text(_ key: String, in language: Language, _ arguments: [String: String] = [:]) -> String {
        guard let template = tables[language]?[key] else { return key }
        return Self.fill(template, with: arguments)
    }

    /// The text under a key, or nil: for keys that may be missing by design, such as labels of
    /// values from imported files.
    package func textIfAny(_ key: String, in language: Language) -> String? {
        tables[language]?[key]
    }

    /// Adds texts, which replace texts with the same keys.
    package mutating func lay(_ table: [String: String], in language: Language) {
        var (own, table) = (tables.removeValue(forKey: language) ?? [:], table)
        // Every command adds some thousand core texts to almost none: merge the smaller table.
        if own.count < table.count {
            table.merge(own) { new, _ in new }
            tables[language] = table
        } else {
            own.merge(table) { _, new in new }
            tables[language] = own
        }
    }

    /// Fills the placeholders of a template; one without an argument remains.
    package static func fill(_ template: String, with arguments: [String: String]) -> String {
        guard template.contains("{"), !arguments.isEmpty else { return template }
        var result = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}") else {
                rest = rest[open...]
                break
            }
            let words = rest[rest.index(after: open)..<close]
            result += filled(words, arguments) ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// The text for a placeholder; nil if its argument is missing.
    private static func filled(_ placeholder: Substring, _ arguments: [String: String]) -> String? {
        let name = name(ofPlaceholder: placeholder)
        guard name.endIndex < placeholder.endIndex else { return arguments[String(name)] }
        let words = placeholder[placeholder.index(after: name.endIndex)...].split(
            separator: "|", omittingEmptySubsequences: false)
        guard words.count == 2, let number = arguments[String(name)] else { return nil }
        return String(number == "1" ? words[0] : words[1])
    }

    /// Returns `count` for `count:row|rows`.
    package static func name(ofPlaceholder text: Substring) -> Substring { text.prefix { $0 != ":" } }
}

/// The languages of Fichero's displayed texts. Machine formats never depend on them.
package enum Language: String, Sendable, CaseIterable, Codable {
    case spanish = "es"
    case english = "en"
    case italian = "it"

    /// Returns the form in this language.
    package func choose(_ forms: (spanish: String, english: String, italian: String)) -> String {
        switch self {
        case .spanish: forms.spanish
        case .english: forms.english
        case .italian: forms.italian
        }
    }
}

extension Language {
    /// A day in the form of this language: `31/01/2026`, in English `2026-01-31`. Nil for a text
    /// that does not begin with a day.
    ///
    /// - Parameter stored: a day (`2026-01-31`), or an instant that begins with one.
    package func day(_ stored: String) -> String? {
        let parts = stored.prefix(10).split(separator: "-")
        guard parts.count == 3, parts[0].count == 4, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }) else { return nil }
        return self == .english ? parts.joined(separator: "-") : "\(parts[2])/\(parts[1])/\(parts[0])"
    }
}
