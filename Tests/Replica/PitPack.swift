import Foundation
import Workbench

@testable import Model

/// A small pack of test pits with the core tables, for tests that need a replica but no files.
enum PitPack {
    static func make(
        name: String = "pits", fingerprint: String = "f1", changing: (inout [Entity]) -> Void = { _ in }
    ) -> Pack {
        var entities = [projects, calicatas, cortes, photos] + core
        changing(&entities)
        return Pack(
            name: name, version: "1.0.0", fingerprint: fingerprint, directory: URL(fileURLWithPath: "/"),
            languages: [.spanish], environments: ["DEV", "PROD"], timeZone: "America/Lima",
            privacyClasses: ["public", "internal", "personal", "secret"],
            roles: [
                Role(name: "GERENCIA", permissions: Set(Permission.allCases), sees: ["public", "internal", "personal"]),
                Role(name: "LECTOR", permissions: [.read], sees: ["public"]),
            ],
            project: ProjectNaming(entity: "projects", code: "code", name: "name", organisation: "org_id"),
            entities: entities, vocabularies: [],
            records: [
                RecordKind(
                    name: "calicata", root: "calicatas",
                    parts: [
                        RecordKind.Part(entity: "calicata_cortes", by: FieldPath("calicata_id")),
                        RecordKind.Part(entity: "calicata_photos", by: FieldPath("calicata_id")),
                    ], state: FieldPath("status"), date: FieldPath("end_date"))
            ],
            numberings: [Numbering(name: "export_id", entity: "calicatas", order: [FieldPath("code"), FieldPath("id")])],
            rules: [],
            exports: [
                ExportDefinition(
                    name: "calicatas", record: "calicata", formats: [.xlsx, .csv],
                    sheets: [
                        ExportSheet(
                            name: "cortes", entity: "calicata_cortes", columns: [],
                            order: [FieldPath("calicata_id.code"), FieldPath("number")])
                    ])
            ],
            jobs: [], texts: Texts())
    }

    static let projects = Entity(
        name: "projects", projectPath: FieldPath("id"), key: ["code"],
        fields: [
            id, Field(name: "code", type: .text), Field(name: "name", type: .text), Field(name: "client", type: .text),
            Field(name: "org_id", type: .uuid), Field(name: "status", type: .text),
        ])
    static let calicatas = Entity(
        name: "calicatas", projectPath: FieldPath("project_id"), key: ["code"], keyScope: "project_id",
        fields: [
            id, reference("project_id", "projects"), Field(name: "code", type: .text), Field(name: "title", type: .text),
            Field(name: "depth_m", type: .decimal), Field(name: "water_found", type: .boolean), Field(name: "end_date", type: .date),
            Field(name: "status", type: .text),
        ],
        states: StateMachine(
            field: "status", initial: "BORRADOR", transitions: [],
            exported: StateMachine.Transition(from: "APROBADO", to: "EXPORTADO", roles: [])))
    static let cortes = Entity(
        name: "calicata_cortes", projectPath: FieldPath("calicata_id.project_id"), key: ["number"], keyScope: "calicata_id",
        fields: [
            id, reference("calicata_id", "calicatas", cascades: true), Field(name: "number", type: .integer),
            Field(name: "depth_from_m", type: .decimal), Field(name: "depth_to_m", type: .decimal), Field(name: "sucs", type: .text),
            Field(name: "samples", type: .list),
        ])
    static let photos = Entity(
        name: "calicata_photos", projectPath: FieldPath("calicata_id.project_id"), key: ["file_name"], keyScope: "calicata_id",
        fields: [
            id, reference("calicata_id", "calicatas", cascades: true), Field(name: "file_name", type: .text),
            Field(name: "local_path", type: .text), Field(name: "sha256", type: .text), Field(name: "bytes", type: .integer),
        ],
        file: [.path: "local_path", .sha256: "sha256", .bytes: "bytes"])

    /// The tables of `Templates/core` to which the replica writes.
    static let core: [Entity] = [
        table("profiles", key: ["email"], writer: .administrators, "email full_name role status position phone avatar_url created_at updated_at cached_at"),
        table("project_members", key: ["profile_id"], within: "project_id", writer: .administrators, "project_id>projects! profile_id>profiles! role created_at"),
        table(
            "document_versions", key: ["line", "document", "version"], within: "project_id",
            "project_id>projects document_node_id line document version# export_id>exports file_name storage_path sha256 bytes# created_by>profiles created_at"),
        table(
            "exports", key: ["file_name", "id"],
            """
            project_id>projects run_id export_name line format dialect environment selection pack_name pack_version pack_fingerprint rows# bytes# \
            sha256 file_name local_path storage_path actor_id>profiles as_of started_at finished_at findings fingerprint is_draft# status
            """),
        table(
            "activity_logs", key: ["id"], "project_id>projects actor_id>profiles action entity_type entity_id details environment created_at"),
        table(
            "sync_queue", key: ["id"], "project_id>projects operation entity_type entity_id payload_json retry_count# last_error created_at"),
        table(
            "conflicts", key: ["id"],
            "project_id>projects entity_type entity_id local_payload remote_payload detected_at resolution_status resolved_by>profiles resolved_at"),
    ]

    static let id = Field(name: "id", type: .uuid, isRequired: true)

    static func reference(_ name: String, _ target: String, cascades: Bool = false) -> Field {
        Field(name: name, type: .uuid, references: target, deletesWithParent: cascades)
    }

    /// Fields as short texts. `name#` is an integer, `name>target` is a reference, and `!` deletes
    /// the row with its parent.
    private static func table(_ name: String, key: [String], within: String? = nil, writer: Entity.Writer = .people, _ words: String) -> Entity {
        let fields = words.split(separator: " ").map { word -> Field in
            let parts = word.split(separator: ">")
            if parts.count == 2 {
                return reference(String(parts[0]), String(parts[1].replacing("!", with: "")), cascades: parts[1].hasSuffix("!"))
            }
            return Field(name: String(word.replacing("#", with: "")), type: word.hasSuffix("#") ? .integer : .text)
        }
        return Entity(
            name: name, writer: writer, projectPath: words.contains("project_id") ? FieldPath("project_id") : nil, key: key, keyScope: within,
            fields: [id] + fields, isCore: true)
    }
}

extension TemporaryFolder {
    /// The output of the `sqlite3` program for some SQL: lines whose columns are joined by `|`.
    func sqlite3(_ file: String, _ sql: String) throws -> [String] {
        try run("/usr/bin/sqlite3", ["-batch", "-bail", file, sql]).split(separator: "\n").map(String.init)
    }

    /// Runs a program until it ends. If it fails, throws an error with its output.
    @discardableResult
    func run(_ program: String, _ arguments: [String]) throws -> String {
        let ended = try OtherProgram.run(program, arguments)
        guard ended.status == 0 else { throw ProgramFailed(said: ended.text) }
        return ended.text
    }

    struct ProgramFailed: Error { var said: String }
}

/// The time that the tests use: 2026-03-01T12:00:00Z.
let testTime = Date(timeIntervalSince1970: 1_772_366_400)
