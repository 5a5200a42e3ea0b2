/// One table of a source system.
///
/// Texts: `entity.NAME` (plural, a sheet's or list's title) and `entity.NAME.one` (singular).
package struct Entity: Sendable, Hashable {
    /// The origin of a table or column: named by the source system and in use there, named and
    /// planned, or assumed.
    package enum Origin: String, Sendable, Codable, CaseIterable {
        case source, planned, assumed
    }

    /// The authors of a table's rows.
    package enum Writer: String, Sendable, Codable, CaseIterable {
        /// People whose role may import or edit, within their projects.
        case people
        /// Administrators, because the rows decide who may work. Rows from a file are taken only as
        /// an act of the administrator who imports it.
        case administrators
        /// Fichero alone, about its own work. No file adds rows.
        case fichero
        /// Fichero, but files may add rows that were written elsewhere. These are kept as claims of
        /// the file (`import_source` is set).
        case claims
    }

    /// A fact about the file of a row, mostly a photo's.
    package enum FileFact: String, Sendable, CaseIterable {
        /// The path where an import keeps the file, relative to the replica's folder; no foreign
        /// file can know it.
        case path
        /// The name given at capture, and the place where the office keeps it.
        case name, stored
        case bytes, sha256
        /// The media type that the first bytes tell: `image/jpeg`.
        case type
        /// Pixels, degrees on WGS 84, and the instant of the exposure.
        case width, height, latitude, longitude, taken
    }

    /// Table name in the replica, snake_case.
    package var name: String
    /// Other names under which files carry this table (`Instance`, `instances`, `LocalCalicata`);
    /// unique in a pack.
    package var aliases: [String] = []
    package var origin: Origin = .source
    package var writer: Writer = .people
    /// The path to the id of a row's project (`project_id`, `calicata_id.project_id`; `id` on the
    /// projects themselves). Nil for rows of no project (profiles, shared catalogues), which every
    /// active profile may see.
    package var projectPath: FieldPath?
    /// The fields that together name a row for people, in order; unique within `keyScope`.
    package var key: [String] = []
    /// The reference field within which the key is unique (`project_id`, `calicata_id`); nil: in
    /// the whole replica.
    package var keyScope: String?
    package var fields: [Field]
    /// States of a row and who may change them, where it has states.
    package var states: StateMachine?
    /// Who may delete rows, and in which states; nil: nobody, and rows are deleted only with their
    /// record.
    package var deletion: Deletion?
    /// Roles that may change rows and create them by commands; nil: all that may edit. Files may
    /// add rows, whoever imports them.
    package var editors: [String]?
    /// The reference to a profile whose person alone may create, change and delete the rows,
    /// besides administrators.
    package var owner: String?
    /// Extra indexes beside those on the primary key, references, keys, state and date columns.
    package var indexes: [[String]] = []
    /// The rule by which likely duplicates are recognised. An import adds a finding for new rows
    /// that are like others.
    package var alike: Alike?
    /// The fields with the facts of a row's file; empty: rows have no files.
    package var file: [FileFact: String] = [:]
    /// The folder in Storage for a row's file, with fields in braces; `{organisation}` and
    /// `{project}` are ids of the row's project. Nil: the files do not go there.
    package var fileFolder: String?
    /// The place in Storage of a row's only file, with fields in braces, where it has no folder.
    package var filePlace: String?
    /// Whether files of these rows come to every replica, whatever a person keeps.
    package var filesAlwaysCome = false

    /// Whether files of rows go to Storage.
    package var sendsFiles: Bool { fileFolder != nil || filePlace != nil }
    /// Whether the table belongs to `Templates/core` and is therefore the same in every pack.
    package var isCore = false

    /// Whether somebody decides where two sides differ; else Fichero itself writes the rows, or each
    /// is one person's own choice.
    package var isDecidedByPeople: Bool { writer == .people && owner == nil }

    /// The first text among the key's fields, by which people name a row.
    package var keyText: Field? { key.lazy.compactMap { field($0) }.first { $0.type == .text } }

    package struct Deletion: Sendable, Hashable {
        package var roles: [String]
        /// States of the row, or of its record, in which it may be deleted; empty: all that are not
        /// closed.
        package var states: [String]
    }

    /// Rows are alike when both their names and their parameters are more alike than `above` (0 to
    /// 1).
    package struct Alike: Sendable, Hashable {
        /// The text field with the name.
        package var name: String
        /// The JSON field with the parameters; nil: names alone decide.
        package var parameters: String?
        /// The reference within which rows are compared.
        package var within: String?
        package var above: Double
    }

    package func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    /// The field with a fact of a row's file.
    package func field(of fact: FileFact) -> Field? { file[fact].flatMap { field($0) } }

    /// The position of a field in the entity.
    package func position(ofField name: String) -> Int? { fields.firstIndex { $0.name == name } }

    /// The field that a foreign name means: its own name, one of its aliases, or a former name.
    package func field(called foreign: String) -> Field? {
        fields.first { $0.name == foreign || $0.otherNames.contains(foreign) }
    }

    package var textKey: String { "entity." + name }
    package func textKey(of field: Field) -> String { "field." + name + "." + field.name }
}

/// The states of an entity's rows and the changes allowed between them.
package struct StateMachine: Sendable, Hashable {
    package struct Transition: Sendable, Hashable {
        package var from: String
        package var to: String
        package var roles: [String]
    }

    /// The field with the state; its vocabulary lists the states in their usual order.
    package var field: String
    package var initial: String
    package var transitions: [Transition]
    /// The transition by which Fichero itself moves a record whose document was made and registered
    /// (`APROBADO` → `EXPORTADO`); nil where the system has no such state.
    package var exported: Transition?

    /// States in which a record may be delivered: the one from which Fichero moves it, and those
    /// after it.
    package var approved: [String] { exported.map { [$0.from, $0.to] + closed } ?? [] }

    /// States of finished records (`ARCHIVADO`), which change only with a reason and a trail of
    /// before and after.
    package var closed: [String] = []

    /// States by which somebody vouches for a record (`APROBADO`): a command does not move a record
    /// with errors there.
    package var approves: [String] = []
}

extension Entity {
    /// Fields that record an act, with the roles that may do it: those that may lead a row to its state.
    package var acts: [(field: Field, roles: [String])] {
        fields.compactMap { field in
            guard let act = field.act, let states else { return nil }
            let roles = states.transitions.filter { $0.to == act }.flatMap(\.roles)
            return (field, roles.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        }
    }

    /// The core's name for the pack's projects, whatever the pack calls them.
    package static let coreProjects = "projects"

    /// Of `entities/*.yaml`.
    ///
    /// - Parameter pack: with its project and privacy classes.
    package init?(_ node: PackNode, of pack: Pack, isCore: Bool) {
        guard let name = node.text("entity") else { return nil }
        let origin = node.word("origin") ?? Origin.source
        self.init(
            name: name, aliases: node.texts("aliases"), origin: origin, writer: node.word("writers") ?? .people,
            projectPath: node.path("project"),
            key: node.texts("key"), keyScope: node.text("within"),
            fields: node.items("fields").compactMap { Field($0, of: pack, origin: origin, isCore: isCore) },
            states: node["states"].flatMap(StateMachine.init), deletion: node["deletes"].map(Deletion.init),
            editors: node["edits"]?.texts,
            owner: node.text("owner"), indexes: node.items("indexes").map(\.texts),
            alike: node["alike"].flatMap(Alike.init),
            file: Self.file(node["file"]), fileFolder: node["file"]?.text("folder"),
            filePlace: node["file"]?.text("place"),
            filesAlwaysCome: node["file"]?.text("comes") == "always", isCore: isCore)
    }

    private static func file(_ node: PackNode?) -> [FileFact: String] {
        let facts = FileFact.allCases.compactMap { fact in node?.text(fact.rawValue).map { (fact, $0) } }
        return Dictionary(uniqueKeysWithValues: facts)
    }
}

extension Entity.Deletion {
    init(_ node: PackNode) { self.init(roles: node.texts("roles"), states: node.texts("states")) }
}

extension Entity.Alike {
    init?(_ node: PackNode) {
        guard let name = node.text("name"), let above = node.number("above") else { return nil }
        self.init(name: name, parameters: node.text("parameters"), within: node.text("within"), above: above)
    }
}

extension StateMachine {
    init?(_ node: PackNode) {
        guard let field = node.text("field"), let initial = node.text("initial") else { return nil }
        self.init(
            field: field, initial: initial, transitions: node.items("transitions").compactMap(Transition.init),
            exported: node["exported"].flatMap(Transition.init), closed: node.texts("closed"),
            approves: node.texts("approves"))
    }
}

extension StateMachine.Transition {
    init?(_ node: PackNode) {
        guard let from = node.text("from"), let to = node.text("to") else { return nil }
        self.init(from: from, to: to, roles: node.texts("roles"))
    }
}
