/// What a field's values are and how the replica stores them.
package enum FieldType: String, Sendable, Codable, CaseIterable {
    /// UTF-8 text.
    case text
    /// 64-bit integer.
    case integer
    /// A number with decimals, stored as REAL.
    case decimal
    /// Stored as 0 or 1.
    case boolean
    /// `yyyy-MM-dd`, stored as text.
    case date
    /// `HH:mm` or `HH:mm:ss`, stored as text.
    case time
    /// An instant in UTC, stored as text `yyyy-MM-ddTHH:mm:ssZ`, with up to six decimals of a second when it has a fraction.
    case datetime
    /// Lower-case canonical UUID, stored as text.
    case uuid
    /// Any JSON value, stored as text just as it was written.
    case json
    /// A point `[x, y]` as JSON text, metres.
    case point
    /// A ring of points `[[x, y], …]` as JSON text, metres, closed or not.
    case polygon
    /// Several values of `references` or of a vocabulary, as a JSON array of texts.
    case list
}

/// One column of an entity. Text: `field.ENTITY.NAME` (its label).
package struct Field: Sendable, Hashable {
    /// Column name in the replica, snake_case.
    package var name: String
    /// Other names under which files carry it (`projectId`), so that names map there and back without loss;
    /// the first alias is the one written back.
    package var aliases: [String]
    /// What people of other offices call it in headings (`Prof.`, `Profundidad`): a suggested mapping looks for them. Not unique: `Fecha`
    /// may mean several fields.
    package var synonyms: [String]
    package var type: FieldType
    package var origin: Entity.Origin
    package var isRequired: Bool
    /// When a value is required, beyond `isRequired`.
    package var requiredWhen: Expression?
    /// Unit as people read it: `m`, `%`, `m²`.
    package var unit: String?
    /// Inclusive bounds of a number.
    package var minimum: Double?
    package var maximum: Double?
    /// Inclusive bounds of a text's length in Unicode scalars.
    package var minimumLength: Int?
    package var maximumLength: Int?
    /// PCRE2 pattern that the whole text must match.
    package var pattern: String?
    package var vocabulary: String?
    /// The entity whose `id` this field (or each item of a list) holds.
    package var references: String?
    /// Whether the row goes when the referenced row goes.
    package var deletesWithParent: Bool
    /// One of the pack's privacy classes.
    package var privacy: String
    /// Whether no two rows may share a value: within the replica, or within the named reference field's value.
    package var uniqueness: Uniqueness?
    /// Decimals shown to people; nil: as many as the number has.
    package var decimals: Int?
    /// JSON schema or list-form schema for this JSON field: the path to the field that holds it (`type_id.family_id.parameter_schema`).
    package var schemaPath: FieldPath?
    /// Which parameters of that schema belong here: `type` or `instance`.
    package var schemaScope: String?
    /// The path to the field with the schemas of the version that a row was captured under, one for each holder of a schema
    /// (`schema_version_id.families`); nil: rows are judged by the schema as it is now.
    package var schemaVersion: FieldPath?

    package enum Uniqueness: Sendable, Hashable {
        case replica
        case within(String)
    }

    package init(
        name: String, aliases: [String] = [], synonyms: [String] = [], type: FieldType, origin: Entity.Origin = .source, isRequired: Bool = false,
        requiredWhen: Expression? = nil, unit: String? = nil, minimum: Double? = nil, maximum: Double? = nil,
        minimumLength: Int? = nil, maximumLength: Int? = nil, pattern: String? = nil, vocabulary: String? = nil,
        references: String? = nil, deletesWithParent: Bool = false, privacy: String = "public",
        uniqueness: Uniqueness? = nil, decimals: Int? = nil, schemaPath: FieldPath? = nil, schemaScope: String? = nil,
        schemaVersion: FieldPath? = nil
    ) {
        self.name = name
        self.aliases = aliases
        self.synonyms = synonyms
        self.type = type
        self.origin = origin
        self.isRequired = isRequired
        self.requiredWhen = requiredWhen
        self.unit = unit
        self.minimum = minimum
        self.maximum = maximum
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.pattern = pattern
        self.vocabulary = vocabulary
        self.references = references
        self.deletesWithParent = deletesWithParent
        self.privacy = privacy
        self.uniqueness = uniqueness
        self.decimals = decimals
        self.schemaPath = schemaPath
        self.schemaScope = schemaScope
        self.schemaVersion = schemaVersion
    }
}
