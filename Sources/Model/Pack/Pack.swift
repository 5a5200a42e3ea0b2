package import Foundation

/// One source system as its folder under `Templates/` describes it, checked and complete.
///
/// `Templates/core` has the common parts of all packs (profiles, memberships, documents, exports,
/// activity log, sync queue, conflicts, and the program's own texts). The loader combines it with
/// each pack, so that `entities` has both.
package struct Pack: Sendable {
    /// Machine name, equal to the folder's name: `ingeplus`, `anagrafica`.
    package var name: String
    /// Version of the pack's content, `major.minor.patch`; recorded with every export.
    package var version: String
    /// The SHA-256 over all files of the pack and the core, hexadecimal. It identifies a state of
    /// the pack.
    package var fingerprint: String
    package var ruling = RulingContent()
    package var directory: URL
    /// Languages in which the pack's texts exist; the first is the default.
    package var languages: [Language]
    /// Deployment environments, in order of seriousness: `DEV`, `STAGING`, `PROD`.
    package var environments: [String]
    /// IANA name of the office's time zone, in which people read times.
    package var timeZone: String
    /// Privacy classes from least to most sensitive; the last never leaves the replica for anybody.
    package var privacyClasses: [String]
    package var roles: [Role]
    package var project: ProjectNaming
    package var entities: [Entity]
    package var vocabularies: [Vocabulary]
    package var records: [RecordKind]
    package var numberings: [Numbering]
    package var rules: [Rule]
    package var exports: [ExportDefinition]
    package var reports: [ReportDefinition] = []
    package var jobs: [Job]
    package var tests: [PackTest] = []
    package var imports: [ImportMapping] = []
    /// The table of events and their effects, where the system has such a log.
    package var events: EventLogDefinition?
    /// The import of floor plans, where the system has any.
    package var plans: PlanDefinition?
    /// The people whom the records are about, where the pack says how one of them is erased.
    package var subjects: SubjectDefinition?
    package var texts: Texts

    package func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }
    package func vocabulary(_ name: String) -> Vocabulary? { vocabularies.first { $0.name == name } }
    package func role(_ name: String) -> Role? { roles.first { $0.name == name } }
    package func record(_ name: String) -> RecordKind? { records.first { $0.name == name } }
    package func export(_ name: String) -> ExportDefinition? { exports.first { $0.name == name } }
    package func report(_ name: String) -> ReportDefinition? { reports.first { $0.name == name } }
    package func job(_ name: String) -> Job? { jobs.first { $0.name == name } }
    package func mapping(_ name: String) -> ImportMapping? { imports.first { $0.identity == name } }
    package func numbering(_ name: String) -> Numbering? { numberings.first { $0.name == name } }

    /// Follows a dotted path of reference fields (`calicata_id.project_id.code`) to the field at
    /// its end. Returns nil when a part is unknown, or a part before the last is not a reference.
    package func field(at path: FieldPath, from entity: Entity) -> Field? {
        var current = entity
        for (index, part) in path.parts.enumerated() {
            guard let field = current.field(part) else { return nil }
            if index == path.parts.count - 1 { return field }
            guard let target = field.references, let next = self.entity(target) else { return nil }
            current = next
        }
        return nil
    }

    /// The entities whose fields a path takes, one for each step: of `corte_id.calicata_id.code` the
    /// samples, their strata and the pits. It ends before a step that does not exist.
    package func owners(along path: FieldPath, from entity: Entity) -> [Entity] {
        var owners = [entity]
        for part in path.parts.dropLast() {
            guard let next = owners.last?.field(part)?.references.flatMap({ self.entity($0) }) else { break }
            owners.append(next)
        }
        return owners
    }

    /// Whether a path leads to a field, or to the id of a row.
    package func leads(_ path: FieldPath, from entity: Entity) -> Bool {
        if field(at: path, from: entity) != nil { return true }
        guard path.parts.last == "id" else { return false }
        return path.isLocal || field(at: FieldPath(parts: path.parts.dropLast()), from: entity)?.references != nil
    }
}

extension Pack {
    /// The classes of a pack that names none. The core's tables use two of them.
    package static let usualPrivacyClasses = ["public", "internal", "personal", "secret"]

    /// The content of `pack.yaml` itself; the content of the other files is added afterwards.
    package init(_ node: PackNode, fingerprint: String, directory: URL) {
        self.init(
            name: node.text("name") ?? "", version: node.text("version") ?? "", fingerprint: fingerprint, directory: directory,
            languages: node.words("languages"), environments: node["environments"] == nil ? ["PROD"] : node.texts("environments"), timeZone: node.text("timeZone") ?? "",
            privacyClasses: node["privacy"] == nil ? Self.usualPrivacyClasses : node.texts("privacy"), roles: node.items("roles").compactMap(Role.init),
            project: ProjectNaming(node["project"] ?? .keys([])), entities: [], vocabularies: [],
            records: node.items("records").compactMap(RecordKind.init), numberings: node.items("numberings").compactMap(Numbering.init),
            rules: [], exports: [], jobs: [], events: node["events"].flatMap(EventLogDefinition.init),
            plans: node["plans"].flatMap(PlanDefinition.init), subjects: node["subjects"].flatMap(SubjectDefinition.init), texts: Texts())
    }
}

/// The files of a pack that give rights: its manifest, entities, vocabularies, rules and exports. A mapping, a job, a
/// text or a report gives nobody more rights, so an office may change these freely.
package struct RulingContent: Sendable, Hashable {
    /// The SHA-256 over the files of the pack and the core, hexadecimal.
    package var whole = ""
    /// The same over the pack's own folder alone.
    package var folder = ""

    package init(whole: String = "", folder: String = "") { (self.whole, self.folder) = (whole, folder) }
}

/// Which entity holds the projects, and which of its columns people know a project by.
package struct ProjectNaming: Sendable, Hashable {
    package var entity: String
    /// The column given after `--project`: `code` in InGe+, `name` in Anagrafica.
    package var code: String
    package var name: String
    /// The column with the organisation's id, when the pack has one; else the configuration's
    /// `orgId` is used.
    package var organisation: String?
}

extension ProjectNaming {
    init(_ node: PackNode) {
        self.init(
            entity: node.text("entity") ?? "", code: node.text("code") ?? "", name: node.text("name") ?? "", organisation: node.text("organisation"))
    }
}

/// A field reached from an entity over references: `code`, `calicata_id.project_id.code`.
package struct FieldPath: Sendable, Hashable, Codable, CustomStringConvertible {
    package var parts: [String]

    package init(parts: [String]) { self.parts = parts }
    package init(_ dotted: String) { parts = dotted.split(separator: ".").map(String.init) }

    package var description: String { parts.joined(separator: ".") }
    package var isLocal: Bool { parts.count == 1 }
}
