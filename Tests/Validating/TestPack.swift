import Foundation
import Testing

@testable import Model
@testable import Validating

/// A pack for the tests: pits with strata and photos, and families with types and instances.
enum TestPack {
    static func make(
        entities: [Entity] = TestPack.entities, vocabularies: [Vocabulary] = TestPack.vocabularies, rules: [Rule] = [], texts: Texts = Texts()
    ) -> Pack {
        Pack(
            name: "test", version: "1.0.0", fingerprint: "", directory: URL(filePath: "/nowhere"), languages: [.spanish, .english],
            environments: ["DEV"], timeZone: "America/Lima", privacyClasses: ["public", "internal", "personal", "secret"], roles: [],
            project: ProjectNaming(entity: "projects", code: "code", name: "name"), entities: entities, vocabularies: vocabularies,
            records: [], numberings: [], rules: rules, exports: [], jobs: [], texts: texts)
    }

    static let id = Field(name: "id", type: .uuid, isRequired: true)

    static let vocabularies = [
        Vocabulary(name: "sucs", entries: ["GW", "CL", "CH"].map { .init(value: $0) }, alsoPattern: "[A-Z]{2}/[A-Z]{2}"),
        Vocabulary(name: "states", entries: ["BORRADOR", "APROBADO"].map { .init(value: $0) }),
    ]

    static let entities: [Entity] = [
        Entity(name: "profiles", key: ["email"], fields: [id, Field(name: "email", type: .text, privacy: "personal")], isCore: true),
        Entity(name: "projects", key: ["code"], fields: [id, Field(name: "code", type: .text, isRequired: true)]),
        Entity(
            name: "pits", projectPath: FieldPath("project_id"), key: ["code"], keyScope: "project_id",
            fields: [
                id, Field(name: "project_id", type: .uuid, references: "projects"), Field(name: "code", type: .text),
                Field(name: "depth", type: .decimal, unit: "m"), Field(name: "status", type: .text, vocabulary: "states"),
                Field(name: "photo_ids", type: .list, references: "photos"), Field(name: "least", type: .integer),
                Field(name: "created_by", type: .uuid, references: "profiles"), Field(name: "tag", type: .text, uniqueness: .replica),
            ]),
        Entity(
            name: "strata", projectPath: FieldPath("pit_id.project_id"), key: ["number"], keyScope: "pit_id",
            fields: [
                id, Field(name: "pit_id", type: .uuid, references: "pits"), Field(name: "number", type: .integer),
                Field(name: "top", type: .decimal), Field(name: "bottom", type: .decimal), Field(name: "sucs", type: .text, vocabulary: "sucs"),
                Field(name: "note", type: .text, privacy: "personal"),
            ]),
        Entity(name: "photos", fields: [id, Field(name: "pit_id", type: .uuid, references: "pits")]),
        Entity(name: "families", key: ["name"], fields: [id, Field(name: "name", type: .text), Field(name: "schema", type: .json)]),
        Entity(
            name: "types", key: ["name"],
            fields: [
                id, Field(name: "name", type: .text), Field(name: "family_id", type: .uuid, references: "families"),
                Field(name: "parameters", type: .json, schemaPath: FieldPath("family_id.schema"), schemaScope: "type"),
            ]),
        Entity(
            name: "instances", key: ["number"],
            fields: [
                id, Field(name: "number", type: .integer), Field(name: "type_id", type: .uuid, references: "types"),
                Field(name: "parameters", type: .json, schemaPath: FieldPath("type_id.family_id.schema"), schemaScope: "instance"),
            ]),
    ]

    /// A UUID that ends in this number, as an SQL literal.
    static func uuid(_ number: Int) -> String { "'" + plain(number) + "'" }
    static func plain(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}

/// The findings for a table `things` with one field `x` and these values, which are SQL literals.
/// Findings about the id are left out.
func judge(
    _ field: Field, _ values: [String], others: [Field] = [], rules: [Rule] = [], hidden: Set<String> = [], with: [String] = []
) throws -> [Finding] {
    let pack = TestPack.make(entities: [Entity(name: "things", fields: [TestPack.id, field] + others)], rules: rules)
    let source = try SQLiteSource(pack)
    source.hidden = hidden
    for (index, value) in values.enumerated() {
        let columns = ["id", field.name] + others.map(\.name)
        let cells = [TestPack.uuid(index), value] + (with.isEmpty ? others.map { _ in "NULL" } : with)
        try source.run("INSERT INTO things (\(columns.joined(separator: ", "))) VALUES (\(cells.joined(separator: ", ")))")
    }
    let list = FindingList()
    let summary = try Validator(pack: pack, seconds: 5).validate(source, into: list)
    #expect(summary.total == list.findings.count)
    #expect(summary.rows["things"] == values.count)
    return list.findings
}

/// The codes of the findings for each single value.
func codes(_ field: Field, _ value: String) throws -> [String] {
    try judge(field, [value]).map(\.code)
}
