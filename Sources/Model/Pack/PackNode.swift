/// A node of a pack's checked file. Every scalar is its text as written. Empty values are left out,
/// and so are places in the file, which only the checks need.
///
/// Each type of a pack reads itself from such nodes. From an incorrect node a type reads what it
/// can, so that checks can continue: the loader returns only a pack without mistakes.
package enum PackNode: Sendable, Hashable {
    package struct Pair: Sendable, Hashable {
        package var key: String
        package var value: PackNode

        package init(key: String, value: PackNode) { (self.key, self.value) = (key, value) }
    }

    case text(String)
    case list([PackNode])
    /// The pairs are in the order of the file.
    case keys([Pair])

    package subscript(key: String) -> PackNode? { pairs.first { $0.key == key }?.value }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The items of a list; empty for other nodes.
    package var items: [PackNode] {
        if case .list(let items) = self { items } else { [] }
    }

    /// The keys and values of a mapping; empty for other nodes.
    package var pairs: [Pair] {
        if case .keys(let pairs) = self { pairs } else { [] }
    }

    /// The texts of a list.
    package var texts: [String] { items.compactMap(\.text) }
    /// The texts of a list, or a single text.
    package var textOrTexts: [String] { text.map { [$0] } ?? texts }
    /// The texts of a mapping.
    package var table: [String: String] { dictionary(\.text) }
    package var integer: Int? { text.flatMap { Int($0) } }

    /// The converted values of a mapping, by key; the first of equal keys is used.
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
    package func word<Word: RawRepresentable>(_ key: String, _ type: Word.Type = Word.self) -> Word?
    where Word.RawValue == String {
        text(key).flatMap(Word.init)
    }
    package func words<Word: RawRepresentable>(_ key: String, _ type: Word.Type = Word.self) -> [Word]
    where Word.RawValue == String {
        texts(key).compactMap(Word.init)
    }
}

extension PackNode: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral text: String) { self = .text(text) }
    package init(arrayLiteral items: PackNode...) { self = .list(items) }
    package init(dictionaryLiteral pairs: (String, PackNode)...) {
        self = .keys(pairs.map { Pair(key: $0.0, value: $0.1) })
    }
}

/// Replacements for texts that a pack does not contain, so that no text is written twice.
package enum TextDefaults {
    /// A text's key, and the key of the text that replaces it if it is missing.
    package typealias Pair = (key: String, other: String)

    /// Each text that has a replacement, in the order in which they must be filled, since a filled
    /// text may be the replacement of a later one.
    ///
    /// - `entity.TABLE.one`: `entity.TABLE`
    /// - `field.TABLE.FIELD`: `field.FIELD`, for all tables with such a field
    /// - `vocabulary.roles.ROLE`: `role.ROLE`
    /// - `record.NAME`: its root's `entity.TABLE.one`
    /// - `export.NAME`: the record's
    /// - `sheet.EXPORT.SHEET`: the `entity.TABLE` of its rows
    package static func pairs(_ pack: Pack) -> [Pair] {
        var pairs: [Pair] = []
        for entity in pack.entities {
            pairs.append((entity.textKey + ".one", entity.textKey))
            pairs += entity.fields.map { (entity.textKey(of: $0), shared($0)) }
        }
        pairs += pack.roles.map { ("vocabulary.roles." + $0.name, "role." + $0.name) }
        pairs += pack.records.map { ("record." + $0.name, "entity.\($0.root).one") }
        for export in pack.exports {
            pairs.append(("export." + export.name, "record." + export.record))
            pairs += export.sheets.compactMap { sheet in
                sheet.forEach == nil && sheet.query == nil
                    ? ("sheet.\(export.name).\(sheet.name)", "entity." + sheet.entity) : nil
            }
        }
        return pairs
    }

    /// For each key whose text may be that of another key: the last such key. It replaces the most texts.
    package static func shortest(_ pack: Pack) -> [String: String] {
        pairs(pack).reduce(into: [:]) { found, pair in found[pair.key] = found[pair.other] ?? pair.other }
    }

    /// The key of a text for all fields with this name, whatever their table.
    static func shared(_ field: Field) -> String { "field." + field.name }

    /// The keys of texts that several tables may share.
    package static func shared(_ pack: Pack) -> Set<String> { Set(pack.entities.flatMap { $0.fields.map(shared) }) }
}

/// The values that a field may take, in their usual order. Texts: `vocabulary.NAME.VALUE` (the
/// value's label).
package struct Vocabulary: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var value: String
        /// Other spellings in files; an import stores `value` for them.
        package var aliases: [String] = []
        /// Its colour on plans and in charts; nil: the program chooses one.
        package var tint: Tint?
    }

    package var name: String
    package var entries: [Entry]
    /// A PCRE2 pattern of further values that are accepted as written: group indexes (`A-2-4(0)`),
    /// borderline pairs (`CL/ML`).
    package var alsoPattern: String?
    /// Whether the values are symbols that people use as names (`GW`). Workbooks and messages then
    /// show the symbol and not its label.
    package var hasSymbols = false

    package var values: [String] { entries.map(\.value) }

    /// The place and tint of a value; nil if no value of the vocabulary has a tint.
    package func ink(of value: String) -> (place: Int, tint: Tint?)? {
        guard entries.contains(where: { $0.tint != nil }), let place = entries.firstIndex(where: { $0.value == value })
        else { return nil }
        return (place, entries[place].tint)
    }

    package func textKey(of value: String) -> String { "vocabulary." + name + "." + value }

    /// A value as people read it: by its label, unless they use the value itself as a symbol, which has no `_`.
    package func word(for value: String, _ texts: Texts, in language: Language) -> String {
        hasSymbols && !value.utf8.contains(UInt8(ascii: "_"))
            ? value : texts.textIfAny(textKey(of: value), in: language) ?? value
    }
}

extension Vocabulary {
    /// The vocabulary of the roles that profiles and members may have.
    package static let roles = "roles"

    /// The roles of a pack that contains no vocabulary of them.
    package init(of roles: [Role]) { self.init(name: Self.roles, entries: roles.map { Entry(value: $0.name) }) }

    /// Reads a vocabulary of `vocabularies/*.yaml`.
    package init?(_ node: PackNode) {
        guard let name = node.text("vocabulary") else { return nil }
        self.init(
            name: name, entries: node.items("values").compactMap(Entry.init), alsoPattern: node.text("also"),
            hasSymbols: node.boolean("symbols") ?? false)
    }
}

extension Vocabulary.Entry {
    /// Reads a value alone, or with its other spellings.
    init?(_ node: PackNode) {
        guard let value = node.text ?? node.text("value") else { return nil }
        self.init(value: value, aliases: node.texts("aliases"), tint: node.word("tint", Tint.self))
    }
}

/// A pale colour of a vocabulary's value, the same on all plans and charts.
package enum Tint: String, Sendable, CaseIterable {
    case grey, blue, green, darkGreen, yellow, orange, red, violet
}

/// A test in a pack: rows and files as input, expected findings and sheets as output. `fichero
/// doctor` runs it on a temporary replica.
package struct PackTest: Sendable, Hashable {
    /// A row as the test writes it: fields with their texts, or lists of texts. A value of type
    /// uuid that is not a UUID is a name, from which an id is made.
    package struct Row: Sendable, Hashable {
        package var entity: String
        package var values: [PackNode.Pair]
    }

    /// A file as it would be imported, with its content.
    package struct File: Sendable, Hashable {
        package var name: String
        package var text: String
        package var mapping: String?
        package var entity: String?
        package var options: [String: String] = [:]
    }

    /// An expected finding. If a row is given, it is identified by its name in the test or by its
    /// key.
    package struct Expected: Sendable, Hashable {
        package var code: String
        package var row: String?
        package var key: String?
    }

    /// A sheet of an export, as CSV.
    package struct Sheet: Sendable, Hashable {
        package var export: String
        package var sheet: String
        package var csv: String
    }

    package var name: String
    /// The clock of the test; nil: that of the run, by default noon of 1 January 2026, UTC.
    package var asOf: String?
    package var rows: [Row]
    package var files: [File]
    /// The findings that the test expects.
    package var finds: [Expected]
    /// Codes whose findings this test ignores.
    package var ignores: Set<String>
    /// The sheets that the test expects.
    package var gives: [Sheet]
}

extension PackTest {
    /// Reads a test of `tests/*.yaml`.
    package init?(_ node: PackNode) {
        guard let name = node.text("test") else { return nil }
        self.init(
            name: name, asOf: node.text("asOf"),
            rows: node.pairs("rows").flatMap { pair in pair.value.items.map { Row(entity: pair.key, values: $0.pairs) }
            },
            files: node.items("files").compactMap { file in
                file.text("name").map {
                    File(
                        name: $0, text: file.text("text") ?? "", mapping: file.text("mapping"),
                        entity: file.text("entity"), options: file["options"]?.table ?? [:])
                }
            },
            finds: node.items("finds").compactMap { item in
                item.text("code").map { Expected(code: $0, row: item.text("row"), key: item.text("key")) }
            },
            ignores: Set(node.texts("ignores")),
            gives: node.items("gives").map {
                Sheet(export: $0.text("export") ?? "", sheet: $0.text("sheet") ?? "", csv: $0.text("csv") ?? "")
            })
    }
}
