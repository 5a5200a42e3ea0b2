package import Foundation

/// One source system as described by its folder under `Templates/`, checked and complete.
///
/// `Templates/core` has the common parts of all packs (profiles, memberships, documents, exports,
/// activity log, sync queue, conflicts, and the program's texts). The loader combines it with each
/// pack, so that `entities` includes both.
package struct Pack: Sendable {
    /// Machine name, equal to the folder's name: `ingeplus`, `anagrafica`.
    package var name: String
    /// Version of the pack's content, `major.minor.patch`; recorded with every export.
    package var version: String
    /// The SHA-256 over all files of the pack and the core, hexadecimal. It identifies a version of
    /// the pack's content.
    package var fingerprint: String
    package var ruling = RulingContent()
    package var directory: URL
    /// Languages in which the pack's texts exist; the first is the default.
    package var languages: [Language]
    /// Deployment environments, in order of seriousness: `DEV`, `STAGING`, `PROD`.
    package var environments: [String]
    /// IANA name of the office's time zone, in which people read times.
    package var timeZone: String
    /// Privacy classes from least to most sensitive; fields of the last never leave the replica.
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
    /// The table of events and their effects, if the system has such a log.
    package var events: EventLogDefinition?
    /// The import of floor plans, if the system has any.
    package var plans: PlanDefinition?
    /// The entity of the people whom the records are about, if the pack defines their erasure.
    package var subjects: SubjectDefinition?
    package var texts: Texts

    /// The office's time zone; a configuration may say another.
    package var officeZone: TimeZone { TimeZone(identifier: timeZone) ?? .gmt }

    /// The language in which a reader gets a pack's texts: the reader's if the pack has texts in
    /// it, else the pack's first.
    package func language(for reader: Language) -> Language {
        languages.contains(reader) ? reader : languages.first ?? reader
    }

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

    /// The entities along a path, one for each step: for `corte_id.calicata_id.code` the samples,
    /// their strata and the pits. The list ends before a step that does not exist.
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
    /// The classes of a pack that declares none. The core's tables use two of them.
    package static let usualPrivacyClasses = ["public", "internal", "personal", "secret"]

    /// Reads the content of `pack.yaml` itself; the content of other files is added afterwards.
    package init(_ node: PackNode, fingerprint: String, directory: URL) {
        self.init(
            name: node.text("name") ?? "", version: node.text("version") ?? "", fingerprint: fingerprint,
            directory: directory,
            languages: node.words("languages"),
            environments: node["environments"] == nil ? ["PROD"] : node.texts("environments"),
            timeZone: node.text("timeZone") ?? "",
            privacyClasses: node["privacy"] == nil ? Self.usualPrivacyClasses : node.texts("privacy"),
            roles: node.items("roles").compactMap(Role.init),
            project: ProjectNaming(node["project"] ?? .keys([])), entities: [], vocabularies: [],
            records: node.items("records").compactMap(RecordKind.init),
            numberings: node.items("numberings").compactMap(Numbering.init),
            rules: [], exports: [], jobs: [], events: node["events"].flatMap(EventLogDefinition.init),
            plans: node["plans"].flatMap(PlanDefinition.init),
            subjects: node["subjects"].flatMap(SubjectDefinition.init), texts: Texts())
    }
}

/// The files of a pack that grant rights: its manifest, entities, vocabularies, rules and exports.
/// Mappings, jobs, texts and reports grant no rights, so an office may change them freely.
package struct RulingContent: Sendable, Hashable {
    /// The SHA-256 over the files of the pack and the core, hexadecimal.
    package var whole = ""
    /// The same over the pack's folder alone, without the core.
    package var folder = ""

    package init(whole: String = "", folder: String = "") { (self.whole, self.folder) = (whole, folder) }
}

/// The entity of the projects, and the columns by which people know a project.
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
            entity: node.text("entity") ?? "", code: node.text("code") ?? "", name: node.text("name") ?? "",
            organisation: node.text("organisation"))
    }
}

/// A field reached from an entity over references: `code`, `calicata_id.project_id.code`.
package struct FieldPath: Sendable, Hashable, Codable, CustomStringConvertible {
    package var parts: [String]

    package init(parts: [String]) { self.parts = parts }
    package init(_ dotted: String) { parts = dotted.split(separator: ".").map(String.init) }

    package var description: String { parts.joined(separator: ".") }
    /// Whether the field belongs to the entity itself.
    package var isLocal: Bool { parts.count == 1 }
}

/// The program's only rule about privacy. A pack's classes are in order, the least sensitive first.
/// Everybody sees the first class and nobody sees the last, whatever the role.
extension Pack {
    /// The text in place of a value that must not be shown.
    package static let hiddenValue = "•••"

    /// Whether a role sees a field's values.
    package func isVisible(_ field: Field, to role: Role) -> Bool {
        field.privacy != privacyClasses.last
            && (role.sees.contains(field.privacy) || field.privacy == privacyClasses.first)
    }

    /// Whether a role sees a field of one of the program's own tables; nil: Fichero itself, who sees
    /// all.
    package func isVisible(_ field: String, of entity: String, to role: Role?) -> Bool {
        guard let role else { return true }
        return self.entity(entity)?.field(field).map { isVisible($0, to: role) } ?? false
    }

    /// Whether findings, messages and logs may quote a field's values, since their readers need not
    /// be allowed to see the row. They may quote the two least sensitive classes, but never the
    /// last. A value without a field is not a record's.
    package func mayQuote(_ field: Field?) -> Bool {
        guard let field else { return true }
        return field.privacy == privacyClasses.first || privacyClasses.dropLast().prefix(2).contains(field.privacy)
    }

    /// A value in the form that messages may show.
    package func quoted(_ value: String, of field: Field?) -> String { mayQuote(field) ? value : Self.hiddenValue }
}

extension ImportMapping {
    /// A condition under which a whole file is refused before any row is imported (`refuses` in
    /// `imports/NAME.yaml`). Texts: those of a rule, `rule.CODE`, `.message` and `.remedy`.
    package struct Refusal: Sendable, Hashable {
        /// Stable, upper case with hyphens: `SHEET-OLD`.
        package var code: String
        /// A read-only query over the replica's tables, as in rules. It may bind `:project` (the id
        /// of the project given for the import), `:today` and the options by name. Each returned
        /// row is a reason to refuse the file.
        package var sql: String
        /// Columns of the query, or options, that the message quotes.
        package var arguments: [String]

        /// A refused file is always an error.
        package static let severity = Severity.error

        init?(_ node: PackNode) {
            guard let code = node.text("code"), let sql = node.text("sql") else { return nil }
            (self.code, self.sql, arguments) = (code, sql, node.texts("arguments"))
        }
    }
}

extension Pack {
    /// The refusals of all mappings.
    package var refusals: [ImportMapping.Refusal] { imports.flatMap(\.refusals) }
}

/// The permissions and the visible data of profiles with this role. Text: `role.NAME`.
package struct Role: Sendable, Hashable {
    package var name: String
    package var permissions: Set<Permission>
    /// Privacy classes whose fields the role sees; all others are redacted.
    package var sees: Set<String>

    /// Whether the role may add and change rows of an entity in the central database. The pack may
    /// also restrict this by states or owners.
    package func maySend(_ entity: Entity) -> Bool {
        let may: Set<Permission>
        switch entity.writer {
        case .people: may = [.edit, .import]
        case .administrators: may = [.administer]
        // Records of exports and reports may be sent by roles that may make them.
        case .fichero: may = permissions.contains(.sync) ? [.export, .report] : []
        case .claims: may = [.sync]
        }
        return !permissions.isDisjoint(with: may) && isEditor(of: entity)
    }

    /// Whether the role is among those that may change rows of an entity.
    package func isEditor(of entity: Entity) -> Bool { entity.editors?.contains(name) ?? true }
}

extension Role {
    init?(_ node: PackNode) {
        guard let name = node.text("name") else { return nil }
        self.init(name: name, permissions: Set(node.words("may")), sees: Set(node.texts("sees")))
    }
}

/// A permission that a command requires of the actor's role.
package enum Permission: String, Sendable, CaseIterable, Codable {
    case read, validate, export, report, run, `import`, edit, mark, sync, resolve, administer
}

/// The readable name of a row: the key of its parent, if there is one, then the row's key
/// (`TPA-2025 / C-014 / 3`); the row's id if its key is missing.
extension Pack {
    package static let nameSeparator = " / "
    /// The maximum number of steps: a pack's references may form cycles.
    private static let longestName = 6

    /// The paths to the values of a row's name, outermost first, the order in which people look for
    /// rows.
    ///
    /// - Parameter isTaken: whether a field may be part of the name.
    package func namePaths(
        of entity: Entity, where isTaken: (_ field: String, _ entity: Entity) -> Bool = { _, _ in true }
    ) -> [FieldPath] {
        namePaths(of: entity, levels: Self.longestName, isTaken)
    }

    private func namePaths(of entity: Entity, levels: Int, _ isTaken: (String, Entity) -> Bool) -> [FieldPath] {
        var paths: [FieldPath] = []
        if levels > 0, let scope = entity.keyScope, isTaken(scope, entity),
            let outer = entity.field(scope)?.references.flatMap({ self.entity($0) })
        {
            paths = namePaths(of: outer, levels: levels - 1, isTaken).map { FieldPath(parts: [scope] + $0.parts) }
        }
        return paths + entity.key.filter { isTaken($0, entity) }.map { FieldPath(parts: [$0]) }
    }
}

extension [Entity] {
    /// Orders each table after those that it refers to. Packs have no cycles of references between
    /// tables (`fichero doctor`), but a table may refer to itself.
    package var parentsFirst: [Entity] {
        var rest = self
        var order: [Entity] = []
        while !rest.isEmpty {
            let open = Set(rest.map(\.name))
            let ready = rest.firstIndex { entity in
                    entity.fields.allSatisfy { field in
                        field.references.map { $0 == entity.name || !open.contains($0) } ?? true
                    }
            } ?? 0
            order.append(rest.remove(at: ready))
        }
        return order
    }
}
