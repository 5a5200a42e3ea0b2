/// The kind of a field's values and their form in the replica.
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
    /// An instant in UTC, stored as text `yyyy-MM-ddTHH:mm:ssZ`, with up to six decimals of a
    /// second when it has a fraction.
    case datetime
    /// Lower-case canonical UUID, stored as text.
    case uuid
    /// Any JSON value, stored as text exactly as written.
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
    /// Other names of the column in files (`projectId`), so that names convert in both directions
    /// without loss. The first alias is the one that is written back.
    package var aliases: [String] = []
    /// Other offices' headings for the column (`Prof.`, `Profundidad`), for a suggested mapping.
    /// These are not unique: `Fecha` may mean several fields.
    package var synonyms: [String] = []
    /// Former names of the field, oldest first (`renamedFrom`). A replica that still has such a
    /// column renames it. Imports accept these names, but no file is written with them.
    package var formerNames: [String] = []
    package var type: FieldType
    package var origin: Entity.Origin = .source
    package var isRequired = false
    /// The condition under which a value is required, beyond `isRequired`.
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
    /// The entity whose `id` is the value of this field (or of each item of a list).
    package var references: String?
    /// Whether the row is deleted together with the referenced row.
    package var deletesWithParent = false
    /// One of the pack's privacy classes.
    package var privacy = "public"
    /// Whether values must be unique: in the whole replica, or among rows with the same value of a
    /// named reference field.
    package var uniqueness: Uniqueness?
    /// A state, for fields that record an act such as a signature (`setBy`). Only roles that may move
    /// records to this state set the field.
    package var act: String?
    /// Decimals shown to people; nil: as many as the number has.
    package var decimals: Int?
    /// The path to the field with the JSON schema or list-form schema for this JSON field
    /// (`type_id.family_id.parameter_schema`).
    package var schemaPath: FieldPath?
    /// The part of that schema's parameters that this field has: `type` or `instance`.
    package var schemaScope: String?
    /// The path to the field with the schemas, by family, as they were when the row was captured
    /// (`schema_version_id.families`). Nil: rows are checked against the current schema.
    package var schemaVersion: FieldPath?
    /// How an anonymous export shows it; nil: `Pack.anonymity` decides.
    package var anonymity: Anonymity?

    /// All other names of the field in files.
    package var otherNames: [String] { aliases + formerNames.filter { !aliases.contains($0) } }

    package enum Uniqueness: Sendable, Hashable {
        case replica
        case within(String)
    }
}

extension Field {
    /// A field without rules, for uses in which only the type matters.
    package static func plain(_ name: String, _ type: FieldType) -> Field { Field(name: name, type: type) }

    init?(_ node: PackNode, of pack: Pack, origin: Entity.Origin, isCore: Bool) {
        guard let name = node.text("name") else { return nil }
        var references = node.text("references")
        if isCore, references == Entity.coreProjects { references = pack.project.entity }
        self.init(
            name: name, aliases: node.texts("aliases"), synonyms: node.texts("synonyms"),
            formerNames: node.textOrTexts("renamedFrom"), type: node.word("type") ?? .text,
            origin: node.word("origin") ?? origin, isRequired: node.isTrue("required"),
            requiredWhen: node.expression("requiredWhen"),
            unit: node.text("unit"), minimum: node.number("min"), maximum: node.number("max"),
            minimumLength: node.integer("minLength"),
            maximumLength: node.integer("maxLength"), pattern: node.text("pattern"),
            vocabulary: node.text("vocabulary"),
            references: references, deletesWithParent: node.isTrue("deletesWithParent"),
            privacy: node.text("privacy") ?? pack.privacyClasses.first ?? "public",
            uniqueness: Uniqueness(node.text("unique")),
            act: node.text("setBy"), decimals: node.integer("decimals"), schemaPath: node["schema"]?.path("path"),
            schemaScope: node["schema"]?.text("scope"),
            schemaVersion: node["schema"]?.path("version"), anonymity: node["anonymous"].flatMap(Anonymity.init))
    }
}

extension Field.Uniqueness {
    fileprivate init?(_ text: String?) {
        switch text {
        case nil, "false": return nil
        case "true": self = .replica
        case .some(let field): self = .within(field)
        }
    }
}

/// The form of a field in an anonymous export.
package enum Anonymity: Sendable, Hashable {
    case keep
    /// The column is empty.
    case omit
    /// A word that replaces the value in the files of one run.
    case pseudonym
    /// The period of the office's calendar that contains the day or instant.
    case period(Period)
    /// The centre of a square with this side. A longitude needs the field with its latitude.
    case grid(metres: Int, latitude: String?)
    /// The band with this width that contains the number: `100–149`.
    case band(Int)

    package enum Period: String, Sendable, CaseIterable {
        case day, week, month, quarter, year
    }
}

extension Anonymity {
    package init?(_ node: PackNode) {
        if let word = node.text {
            switch word {
            case "keep": self = .keep
            case "omit": self = .omit
            case "pseudonym": self = .pseudonym
            default: return nil
            }
        } else if let period = node.word("period", Period.self) {
            self = .period(period)
        } else if let metres = node.integer("grid") {
            self = .grid(metres: metres, latitude: node.text("pair"))
        } else if let band = node.integer("band") {
            self = .band(band)
        } else {
            return nil
        }
    }

    /// The column's kind: periods, pseudonyms and bands are texts, whatever the field is.
    package var sheetKind: SheetColumn.Kind? {
        switch self {
        case .keep, .omit: nil
        case .pseudonym, .period, .band: .text
        case .grid: .decimal(decimals: 4)
        }
    }
}

extension Pack {
    /// The form of a field in an anonymous export: its own setting, else the one that reveals
    /// least. By default only public fields are unchanged, and of texts only those of a vocabulary.
    package func anonymity(of field: Field) -> Anonymity {
        if field.privacy == privacyClasses.last, privacyClasses.count > 1 { return .omit }
        if let stated = field.anonymity { return stated }
        switch field.type {
        case .uuid: return .pseudonym
        case .date, .datetime: return privacyClasses.prefix(2).contains(field.privacy) ? .period(.month) : .omit
        case .boolean, .integer, .decimal: return field.privacy == privacyClasses.first ? .keep : .omit
        case .text: return field.vocabulary != nil && field.privacy == privacyClasses.first ? .keep : .omit
        case .time, .json, .point, .polygon, .list: return .omit
        }
    }
}
