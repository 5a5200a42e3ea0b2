/// One table of a source system.
///
/// Texts: `entity.NAME` (plural, a sheet's or list's title) and `entity.NAME.one` (singular).
package struct Entity: Sendable, Hashable {
    /// Where a table or column comes from: named by the source system and in use there, named and planned, or assumed by us.
    package enum Origin: String, Sendable, Codable, CaseIterable {
        case source, planned, assumed
    }

    /// Whose word a row of the table is.
    package enum Writer: String, Sendable, Codable, CaseIterable {
        /// Those whose role may import or edit, within their projects.
        case people
        /// Who decides who works: rows come from others' files only as an administrator's act of his own.
        case administrators
        /// Fichero alone, of what it did itself: no file brings them.
        case fichero
        /// Fichero too, but files may bring what was written down elsewhere: it is kept as what the file claims (`import_source` is set).
        case claims
    }

    /// What a row says of the file that it stands for, a photo mostly.
    package enum FileFact: String, Sendable, CaseIterable {
        /// Where an import keeps it, relative to the replica's folder: what no file from elsewhere can know.
        case path
        /// As it was given at capture, and where the office keeps it.
        case name, stored
        case bytes, sha256
        /// Pixels, degrees on WGS 84, and the instant of the exposure.
        case width, height, latitude, longitude, taken
    }

    /// Table name in the replica, snake_case.
    package var name: String
    /// Other names under which files carry this table (`Instance`, `instances`, `LocalCalicata`); unique in a pack.
    package var aliases: [String]
    package var origin: Origin
    package var writer: Writer
    /// Path to the id of the project that a row belongs to (`project_id`, `calicata_id.project_id`; `id` on the projects themselves);
    /// nil for what belongs to none (profiles, shared catalogues), which every active profile may see.
    package var projectPath: FieldPath?
    /// The fields that together name a row for people, in order; unique within `keyScope`.
    package var key: [String]
    /// The reference field within which the key is unique (`project_id`, `calicata_id`); nil: in the whole replica.
    package var keyScope: String?
    package var fields: [Field]
    /// States of a row and who may change them, where it has states.
    package var states: StateMachine?
    /// Who may delete rows, and of which states; nil: nobody, but with the row that they belong to.
    package var deletion: Deletion?
    /// Roles that may change rows and make them by commands; nil: all that may edit. Files may bring new ones, whoever imports them.
    package var editors: [String]?
    /// The reference to a profile whose person's own choice the rows are: he alone makes, changes and takes them away, or an administrator.
    package var owner: String?
    /// Extra indexes beside those on the primary key, references, keys, state and date columns.
    package var indexes: [[String]]
    /// What makes two rows likely the same thing entered twice: an import tells of new ones that are like others.
    package var alike: Alike?
    /// The fields with what a row says of its file; with none, its rows stand for no files.
    package var file: [FileFact: String]
    /// Whether the table belongs to `Templates/core` and is therefore the same in every pack.
    package var isCore: Bool

    /// The text among the key's fields, by which people name a row: the first, where there are more.
    package var keyText: Field? { key.lazy.compactMap { field($0) }.first { $0.type == .text } }

    package init(
        name: String, aliases: [String] = [], origin: Origin = .source, writer: Writer = .people, projectPath: FieldPath? = nil, key: [String] = [],
        keyScope: String? = nil, fields: [Field], states: StateMachine? = nil, deletion: Deletion? = nil, editors: [String]? = nil, owner: String? = nil, indexes: [[String]] = [], alike: Alike? = nil,
        file: [FileFact: String] = [:], isCore: Bool = false
    ) {
        self.name = name
        self.aliases = aliases
        self.origin = origin
        self.writer = writer
        self.projectPath = projectPath
        self.key = key
        self.keyScope = keyScope
        self.fields = fields
        self.states = states
        self.deletion = deletion
        self.editors = editors
        self.owner = owner
        self.indexes = indexes
        self.alike = alike
        self.file = file
        self.isCore = isCore
    }

    package struct Deletion: Sendable, Hashable {
        package var roles: [String]
        /// States of the row, or of the record that it belongs to, in which it may be deleted; empty: in all that are not closed.
        package var states: [String]

        package init(roles: [String], states: [String]) { (self.roles, self.states) = (roles, states) }
    }

    /// Rows are alike when both their names and their parameters are more alike than `above` (0 to 1).
    package struct Alike: Sendable, Hashable {
        /// The text field with the name.
        package var name: String
        /// The JSON field with the parameters; nil: names alone decide.
        package var parameters: String?
        /// The reference within which rows are compared.
        package var within: String?
        package var above: Double

        package init(name: String, parameters: String? = nil, within: String? = nil, above: Double) {
            self.name = name
            self.parameters = parameters
            self.within = within
            self.above = above
        }
    }

    package func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    /// The field with what a row says of its file.
    package func field(of fact: FileFact) -> Field? { file[fact].flatMap { field($0) } }

    /// Where a field stands among the entity's.
    package func position(ofField name: String) -> Int? { fields.firstIndex { $0.name == name } }

    /// The field that a foreign name means: its own name or one of its aliases.
    package func field(called foreign: String) -> Field? {
        fields.first { $0.name == foreign || $0.aliases.contains(foreign) }
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

        package init(from: String, to: String, roles: [String]) {
            self.from = from
            self.to = to
            self.roles = roles
        }
    }

    /// The field with the state; its vocabulary lists the states in their usual order.
    package var field: String
    package var initial: String
    package var transitions: [Transition]
    /// The state from which, and to which, Fichero itself moves a record whose document was made and registered
    /// (`APROBADO` → `EXPORTADO`); nil where the system knows no such state.
    package var exported: Transition?

    /// States in which a record may be handed over: that from which Fichero moves it, and those that it is in afterwards.
    package var approved: [String] { exported.map { [$0.from, $0.to] + closed } ?? [] }

    /// States of records that are done with (`ARCHIVADO`): changed only with a reason, and with a trail of before and after.
    package var closed: [String]

    package init(field: String, initial: String, transitions: [Transition], exported: Transition? = nil, closed: [String] = []) {
        self.field = field
        self.initial = initial
        self.transitions = transitions
        self.exported = exported
        self.closed = closed
    }
}
