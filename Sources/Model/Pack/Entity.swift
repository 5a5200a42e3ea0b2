/// One table of a source system.
///
/// Texts: `entity.NAME` (plural, a sheet's or list's title) and `entity.NAME.one` (singular).
package struct Entity: Sendable, Hashable {
    /// The origin of a table or column: in use in the source system under this name, planned in the
    /// source system under this name, or assumed.
    package enum Origin: String, Sendable, Codable, CaseIterable {
        case source, planned, assumed
    }

    /// The authors of a table's rows.
    package enum Writer: String, Sendable, Codable, CaseIterable {
        /// People whose role may import or edit, within their projects.
        case people
        /// Administrators, because the rows decide who may work. Rows from a file are accepted only
        /// as an act of the importing administrator.
        case administrators
        /// Fichero alone, which records its work in the rows. No file adds rows.
        case fichero
        /// Fichero, but files may add rows that were written outside this replica. These are stored
        /// as claims of the file (`import_source` is set).
        case claims
    }

    /// A fact about the file of a row, mostly a photo's.
    package enum FileFact: String, Sendable, CaseIterable {
        /// The path where an import stores the file, relative to the replica's folder. An imported
        /// file cannot know this path.
        case path
        /// The name given at capture, and the place where the office stores the file.
        case name, stored
        case bytes, sha256
        /// The media type recognised from the first bytes: `image/jpeg`.
        case type
        /// Pixels, degrees on WGS 84, and the instant of the exposure.
        case width, height, latitude, longitude, taken
    }

    /// Table name in the replica, snake_case.
    package var name: String
    /// Other names of this table in files (`Instance`, `instances`, `LocalCalicata`); unique in a
    /// pack.
    package var aliases: [String] = []
    package var origin: Origin = .source
    package var writer: Writer = .people
    /// The path to the id of a row's project (`project_id`, `calicata_id.project_id`; `id` on the
    /// projects themselves). Nil for rows that belong to no project (profiles, shared catalogues),
    /// which every active profile may see.
    package var projectPath: FieldPath?
    /// The fields that together are a row's readable name, in order; unique within `keyScope`.
    package var key: [String] = []
    /// The reference field within which the key is unique (`project_id`, `calicata_id`); nil: in
    /// the whole replica.
    package var keyScope: String?
    package var fields: [Field]
    /// States of a row and who may change them, if it has states.
    package var states: StateMachine?
    /// Who may delete rows, and in which states; nil: nobody, and rows are deleted only with their
    /// record.
    package var deletion: Deletion?
    /// Roles that may change rows and create them by commands; nil: all roles that may edit.
    /// Imports may add rows whatever the importer's role.
    package var editors: [String]?
    /// Fields of existing rows that further roles may change, by role.
    package var openFields: [String: [String]] = [:]
    /// The reference to a profile. Only this profile's person, besides administrators, may create,
    /// change and delete the rows.
    package var owner: String?
    /// Extra indexes beside those on the primary key, references, keys, state and date columns.
    package var indexes: [[String]] = []
    /// The rule that recognises likely duplicates. An import adds a finding for new rows that are
    /// like other rows.
    package var alike: Alike?
    /// The fields with the facts of a row's file; empty: rows have no files.
    package var file: [FileFact: String] = [:]
    /// The folder in Storage for a row's file, with fields in braces; `{organisation}` and
    /// `{project}` are ids of the row's project. Nil: there is no folder.
    package var fileFolder: String?
    /// The place in Storage of a row's only file, with fields in braces, if `fileFolder` is nil.
    package var filePlace: String?
    /// Whether every replica downloads files of these rows, whatever files a person chose.
    package var filesAlwaysCome = false

    /// Whether files of rows are sent to Storage.
    package var sendsFiles: Bool { fileFolder != nil || filePlace != nil }
    /// Whether the table belongs to `Templates/core` and is therefore the same in every pack.
    package var isCore = false

    /// Whether people resolve conflicts of these rows. Otherwise Fichero itself writes the rows, or
    /// each row is one person's choice.
    package var isDecidedByPeople: Bool { writer == .people && owner == nil }

    /// The first text among the key's fields, by which readers recognise a row.
    package var keyText: Field? { key.lazy.compactMap { field($0) }.first { $0.type == .text } }

    package struct Deletion: Sendable, Hashable {
        package var roles: [String]
        /// States of the row, or of its record, in which it may be deleted; empty: all states that
        /// are not closed.
        package var states: [String]
    }

    /// Rows are alike when the similarity (0 to 1) of their names and that of their parameters both
    /// exceed `above`.
    package struct Alike: Sendable, Hashable {
        /// The text field with the name.
        package var name: String
        /// The JSON field with the parameters; nil: only names are compared.
        package var parameters: String?
        /// The reference within which rows are compared.
        package var within: String?
        package var above: Double
    }

    /// Fields of existing rows that a role may change without being an editor: the state, whose
    /// transitions are judged separately, and those that the pack opens to the role.
    package func fields(openTo role: String) -> Set<String> {
        Set([states?.field, "id", "updated_at"].compactMap(\.self) + (openFields[role] ?? []))
    }

    /// Whether a row can do without a field's value: it neither names the row nor leads to its owner.
    package func canLack(_ field: Field) -> Bool {
        !field.isRequired && field.name != "id" && !key.contains(field.name) && keyScope != field.name
            && projectPath?.parts.first != field.name
    }

    package func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    /// The field with a fact of a row's file.
    package func field(of fact: FileFact) -> Field? { file[fact].flatMap { field($0) } }

    /// The position of a field in the entity.
    package func position(ofField name: String) -> Int? { fields.firstIndex { $0.name == name } }

    /// The field with this name, alias or former name.
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
        /// The reference to the profile of the only person who makes it; nil: anyone of the roles.
        package var own: String?
        /// Codes of rules over one row that the row must not break once it is moved.
        package var require: [String] = []

        package var isConditional: Bool { own != nil || !require.isEmpty }
    }

    /// The field with the state; its vocabulary lists the states in their usual order.
    package var field: String
    /// The state of a new row.
    package var initial: String
    package var transitions: [Transition]
    /// The transition that Fichero itself makes once a record's document is registered (`APROBADO`
    /// → `EXPORTADO`); nil if the system has no such state.
    package var exported: Transition?

    /// States in which a record may be delivered: those of `exported`, and the closed states.
    package var approved: [String] { exported.map { [$0.from, $0.to] + closed } ?? [] }

    /// States of finished records (`ARCHIVADO`), which change only with a reason and a trail of
    /// before and after.
    package var closed: [String] = []

    /// Those of the closed states in which nobody changes a record or its parts: no reason helps.
    package var frozen: [String] = []

    /// States by which a person approves a record (`APROBADO`). A command does not move a record
    /// with errors to such a state.
    package var approves: [String] = []
}

extension Entity {
    /// Fields that record a state change, such as who approved a record, with the roles that may
    /// make that change.
    package var acts: [(field: Field, roles: [String])] {
        fields.compactMap { field in
            guard let act = field.act, let states else { return nil }
            let roles = states.transitions.filter { $0.to == act }.flatMap(\.roles)
            return (field, roles.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        }
    }

    /// The core's name for the pack's projects, whatever the pack calls them.
    package static let coreProjects = "projects"

    /// Reads an entity of `entities/*.yaml`.
    ///
    /// - Parameter pack: the pack with its project and privacy classes.
    package init?(_ node: PackNode, of pack: Pack, isCore: Bool) {
        guard let name = node.text("entity") else { return nil }
        let origin = node.word("origin") ?? Origin.source
        self.init(
            name: name, aliases: node.texts("aliases"), origin: origin, writer: node.word("writers") ?? .people,
            projectPath: node.path("project"),
            key: node.texts("key"), keyScope: node.text("within"),
            fields: node.items("fields").compactMap { Field($0, of: pack, origin: origin, isCore: isCore) },
            states: node["states"].flatMap(StateMachine.init), deletion: node["deletes"].map(Deletion.init),
            editors: node["edits"].map { $0.texts + node.pairs("edits").filter { $0.value.text == "all" }.map(\.key) },
            openFields: Dictionary(
                node.pairs("edits").filter { $0.value.text == nil }.map { ($0.key, $0.value.texts) }
            ) { first, _ in first },
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
        let frozen = node.texts("frozen")
        self.init(
            field: field, initial: initial, transitions: node.items("transitions").compactMap(Transition.init),
            exported: node["exported"].flatMap(Transition.init),
            closed: node.texts("closed").filter { !frozen.contains($0) } + frozen, frozen: frozen,
            approves: node.texts("approves"))
    }
}

extension StateMachine.Transition {
    init?(_ node: PackNode) {
        guard let from = node.text("from"), let to = node.text("to") else { return nil }
        self.init(
            from: from, to: to, roles: node.texts("roles"), own: node.text("own"),
            require: node.textOrTexts("require"))
    }
}
