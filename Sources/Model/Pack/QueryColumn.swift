/// A column of the rows of an SQL query in a report or an export, and how it is displayed.
package struct QueryColumn: Sendable, Hashable {
    package var name: String
    package var type: FieldType
    /// Decimals shown; nil: as many as the number has.
    package var decimals: Int?
    /// The decimals to which an export rounds: those set for the column itself, not those of a
    /// field that it resembles.
    package var roundedTo: Int?
    package var unit: String?
    /// Key of the label's text.
    package var label: String?
    /// The vocabulary whose texts are shown in place of the values.
    package var vocabulary: String?
    /// Prefix of the text keys that translate the values (`PREFIX.VALUE`). They are looked up in
    /// the report first, then in the pack. For example, `entity` translates names of tables.
    package var texts: String?
    /// Whether words of a vocabulary begin with a small letter, as they do within a sentence.
    package var isWithinSentence: Bool

    /// The key of the label that a data file needs.
    package var labelKey: String { label ?? "label." + name }

    package init(
        name: String, type: FieldType, decimals: Int? = nil, unit: String? = nil, label: String? = nil,
        vocabulary: String? = nil,
        texts: String? = nil, isWithinSentence: Bool = false
    ) {
        self.name = name
        self.type = type
        self.decimals = decimals
        self.unit = unit
        self.label = label
        self.vocabulary = vocabulary
        self.texts = texts
        self.isWithinSentence = isWithinSentence
    }
}

extension QueryColumn {
    /// Reads a column of an SQL query: its type alone, a field that it resembles, or all of its
    /// properties.
    init(_ pair: PackNode.Pair, of pack: Pack) {
        let (name, node) = (pair.key, pair.value)
        if let type = node.text.flatMap(FieldType.init) {
            self.init(name: name, type: type)
        } else if let (owner, field) = node.text("like").flatMap({ Self.field(like: $0, in: pack) }) {
            self.init(name, owner, field, label: node.text("label"))
            if let decimals = node.integer("decimals") { self.decimals = decimals }
            if let unit = node.text("unit") { self.unit = unit }
            isWithinSentence = node.isTrue("withinSentence")
        } else {
            self.init(
                name: name, type: node.word("type") ?? .text, decimals: node.integer("decimals"),
                unit: node.text("unit"), label: node.text("label"),
                vocabulary: node.text("vocabulary"), texts: node.text("texts"),
                isWithinSentence: node.isTrue("withinSentence"))
        }
        roundedTo = pair.value.integer("decimals")
    }

    /// A column of the rows of an entity.
    init(_ column: ExportColumn, of entity: Entity, in pack: Pack) {
        switch column {
        case .field(let path, let name, let label, _):
            if let (owner, field) = Self.field(at: path, from: entity, in: pack) {
                self.init(name, owner, field, label: label)
            } else {
                self.init(name: name, type: .text, label: label)
            }
        case .number(_, let name, let label), .count(_, _, let name, let label):
            self.init(name: name, type: .integer, label: label ?? "label." + name)
        case .parameters: self.init(name: "", type: .json)
        }
    }

    private init(_ name: String, _ owner: Entity, _ field: Field, label: String?) {
        self.init(
            name: name, type: field.type, decimals: field.decimals, unit: field.unit,
            label: label ?? owner.textKey(of: field),
            vocabulary: field.vocabulary)
    }

    /// The field given as `ENTITY.FIELD`, and its entity.
    package static func field(like text: String, in pack: Pack) -> (Entity, Field)? {
        let path = FieldPath(text)
        guard path.parts.count > 1, let entity = pack.entity(path.parts[0]) else { return nil }
        return field(at: FieldPath(parts: Array(path.parts.dropFirst())), from: entity, in: pack)
    }

    private static func field(at path: FieldPath, from entity: Entity, in pack: Pack) -> (Entity, Field)? {
        var owner = entity
        for part in path.parts.dropLast() {
            guard let next = owner.field(part)?.references.flatMap({ pack.entity($0) }) else { return nil }
            owner = next
        }
        return path.parts.last.flatMap { owner.field($0) }.map { (owner, $0) }
    }
}
