import Foundation
import JSONReading
package import Model
import Synchronization

/// Converts a file's value to the form stored for a field, or throws the reason why the value does
/// not fit.
///
/// Nothing is guessed: a text is read as a number only if all of it is one. A word for yes or no in any language
/// becomes a boolean, and an alias or a label of a vocabulary its value. UUIDs become lower case, instants UTC.
/// JSON keeps its text.
package struct ValueConversion {
    /// Reason why a value does not fit: the finding's arguments.
    package struct Misfit: Error {
        var value: String
        var type: String
    }

    /// A vocabulary prepared for lookups: its values, and its values by their aliases.
    private struct Words {
        var values: Set<String>
        var aliases: [String: String]
    }

    private let vocabularies: [String: Words]
    private let labels: Labels

    init(pack: Pack) {
        labels = Labels(pack)
        var vocabularies: [String: Words] = [:]
        for vocabulary in pack.vocabularies {
            var words = Words(values: Set(vocabulary.values), aliases: [:])
            for entry in vocabulary.entries {
                for alias in entry.aliases where words.aliases[alias] == nil { words.aliases[alias] = entry.value }
            }
            vocabularies[vocabulary.name] = words
        }
        self.vocabularies = vocabularies
    }

    func convert(_ value: JSONValue, for field: Field) throws(Misfit) -> MemoryRows.Value {
        if case .null = value { return .null }
        switch field.type {
        case .text, .time: return .text(canonical(try scalarText(value, field), for: field))
        case .integer: return .integer(try integer(value, field))
        case .decimal: return .real(try real(value, field))
        case .boolean: return .integer(try boolean(value, field) ? 1 : 0)
        case .date: return .text(try date(value, field))
        case .datetime: return .text(try instant(value, field))
        case .uuid: return .text(try uuid(value, field))
        case .json: return .text(jsonText(value))
        case .point, .polygon: return .text(try geometry(value, field))
        case .list: return .text(try list(value, field))
        }
    }

    private func misfit(_ value: JSONValue, _ field: Field) -> Misfit {
        let text = if case .string(let text) = value { text } else { jsonText(value) }
        return Misfit(value: String(text.prefix(80)), type: field.type.rawValue)
    }

    private func scalarText(_ value: JSONValue, _ field: Field) throws(Misfit) -> String {
        switch value {
        case .string(let text): return text
        case .number(let digits): return digits
        default: throw misfit(value, field)
        }
    }

    /// A vocabulary's value for one of its aliases or labels; any other text is unchanged, and the
    /// validation checks it later.
    private func canonical(_ text: String, for field: Field) -> String {
        guard let name = field.vocabulary, let words = vocabularies[name], !words.values.contains(text) else {
            return text
        }
        return words.aliases[text] ?? labels.value(of: text, in: name) ?? text
    }

    private func integer(_ value: JSONValue, _ field: Field) throws(Misfit) -> Int64 {
        let text = try scalarText(value, field)
        if let integer = Int64(text) { return integer }
        guard let real = Double(text), real == real.rounded(), let integer = Int64(exactly: real) else {
            throw misfit(value, field)
        }
        return integer
    }

    private func real(_ value: JSONValue, _ field: Field) throws(Misfit) -> Double {
        let text = try scalarText(value, field)
        // Double's own parser also accepts "nan", "inf" and hexadecimal: none of these is a
        // measurement.
        guard text.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }), let real = Double(text),
            real.isFinite
        else {
            throw misfit(value, field)
        }
        return real
    }

    private func boolean(_ value: JSONValue, _ field: Field) throws(Misfit) -> Bool {
        switch value {
        case .bool(let bool): return bool
        case .number("0"), .string("0"): return false
        case .number("1"), .string("1"): return true
        case .string(let text):
            guard let truth = Self.truth(ofWord: ColumnName.folded(text)) else { throw misfit(value, field) }
            return truth
        default: throw misfit(value, field)
        }
    }

    /// The meaning of the words for yes and no that workbooks and spreadsheet programs show, in three languages.
    ///
    /// - Parameter word: in lower case and without accents.
    package static func truth(ofWord word: String) -> Bool? {
        switch word {
        case "si", "yes", "true", "verdadero", "vero": true
        case "no", "false", "falso": false
        default: nil
        }
    }

    private func date(_ value: JSONValue, _ field: Field) throws(Misfit) -> String {
        guard case .string(let text) = value, Timestamp.isDate(text) else { throw misfit(value, field) }
        return text
    }

    private func instant(_ value: JSONValue, _ field: Field) throws(Misfit) -> String {
        guard case .string(let text) = value, let normal = Timestamp.normalized(text) else {
            throw misfit(value, field)
        }
        return normal
    }

    private func uuid(_ value: JSONValue, _ field: Field) throws(Misfit) -> String {
        guard case .string(let text) = value else { throw misfit(value, field) }
        if Self.isUsualUUID(text) { return text }
        guard let uuid = UUID(uuidString: text) else { throw misfit(value, field) }
        return uuid.uuidString.lowercased()
    }

    /// Whether a text is a UUID in stored form, with lower-case digits.
    private static func isUsualUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        for (index, byte) in text.utf8.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return false }
            } else {
                guard (48...57).contains(byte) || (97...102).contains(byte) else { return false }
            }
        }
        return true
    }

    /// A string that contains a JSON object or array is stored as that JSON; any other value as
    /// written.
    private func jsonText(_ value: JSONValue) -> String {
        if case .string(let text) = value, let first = text.utf8.first,
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            (try? JSONValue.parse(Array(text.utf8))) != nil {
            return text
        }
        return value.description
    }

    /// Points have the form `[x, y]` or `{"x":…, "y":…}` in the file; they are stored as arrays.
    private func geometry(_ value: JSONValue, _ field: Field) throws(Misfit) -> String {
        var value = value
        if case .string(let text) = value {
            guard let parsed = try? JSONValue.parse(Array(text.utf8)) else { throw misfit(value, field) }
            value = parsed
        }
        guard let points = Self.arrays(value) else { throw misfit(value, field) }
        return points.description
    }

    private static func arrays(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .number: return value
        case .array(let items):
            let inner = items.compactMap(arrays)
            return inner.count == items.count ? .array(inner) : nil
        case .object:
            guard let x = value["x"], let y = value["y"], case .number = x, case .number = y else { return nil }
            return .array([x, y])
        default: return nil
        }
    }

    private func list(_ value: JSONValue, _ field: Field) throws(Misfit) -> String {
        var value = value
        if case .string(let text) = value, let parsed = try? JSONValue.parse(Array(text.utf8)) { value = parsed }
        guard case .array(let items) = value else { throw misfit(value, field) }
        var texts: [JSONValue] = []
        for item in items {
            guard case .string(let text) = item else { throw misfit(value, field) }
            if field.references != nil {
                guard let uuid = UUID(uuidString: text) else { throw misfit(value, field) }
                texts.append(.string(uuid.uuidString.lowercased()))
            } else {
                texts.append(.string(canonical(text, for: field)))
            }
        }
        return JSONValue.array(texts).description
    }
}

/// The values of vocabularies by their labels. A vocabulary is prepared when a text is none of its values.
private final class Labels: Sendable {
    private struct Words {
        let values: [String: String]
        /// Columns repeat their texts, so each text is folded once.
        var answers: [String: String?] = [:]
        static let mostAnswers = 10_000
    }

    private let pack: Pack
    private let known = Mutex<[String: Words]>([:])

    init(_ pack: Pack) { self.pack = pack }

    /// The value that a label in any language stands for; nil where it stands for none or for several.
    func value(of text: String, in vocabulary: String) -> String? {
        known.withLock { known in
            if let answer = known[vocabulary]?.answers[text] { return answer }
            var words = known.removeValue(forKey: vocabulary)
                ?? Words(values: pack.vocabulary(vocabulary)?.valuesByWord(pack.texts, ColumnName.folded) ?? [:])
            if words.answers.count >= Words.mostAnswers { words.answers.removeAll(keepingCapacity: true) }
            let answer = words.values[ColumnName.folded(text)]
            words.answers[text] = .some(answer)
            known[vocabulary] = words
            return answer
        }
    }
}

extension Vocabulary {
    /// The values by the words that people use for them: labels in every language, other spellings and the values
    /// themselves. A word for several values is left out.
    ///
    /// - Parameter form: the form in which words are compared.
    package func valuesByWord(_ texts: Texts, _ form: (String) -> String) -> [String: String] {
        var values: [String: Set<String>] = [:]
        for entry in entries {
            let labels = Language.allCases.compactMap { texts.textIfAny(textKey(of: entry.value), in: $0) }
            for word in labels + entry.aliases + [entry.value] {
                values[form(word), default: []].insert(entry.value)
            }
        }
        return values.compactMapValues { $0.count == 1 ? $0.first : nil }
    }
}
