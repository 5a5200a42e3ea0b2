/// A table whose rows are events, and their effects on other tables (`events:` in `pack.yaml`).
package struct EventLogDefinition: Sendable, Hashable {
    /// A table changed by events, and the fields of a created record whose values are copied from
    /// the event itself, besides the payload.
    package struct Table: Sendable, Hashable {
        package var entity: String
        package var project: String?
        package var `operator`: String?
        /// The field with the time of creation.
        package var time: String?
        /// The default values of a created record, by field; the event's kind may override them.
        package var values: [String: String] = [:]
    }

    /// The effect of a type of events on a record.
    package enum Action: Sendable, Hashable {
        case create, update, delete
        /// Sets a field to the first of these members that the payload has.
        case set(field: String, members: [String])
        case link(Link)
    }

    /// Adds a record to a list of another.
    package struct Link: Sendable, Hashable {
        /// The list field. Its reference names the entity of its items.
        package var list: String
        /// Members of the payload with the id of the list's owner; the first that exists is used.
        package var owner: [String]
        /// Members with the item for the list; the event's own record if none exists.
        package var item: [String] = []
        /// Members with owners in other tables, by entity: no list of these records changes, but
        /// the record must exist.
        package var others: [String: [String]] = [:]
    }

    package struct Kind: Sendable, Hashable {
        /// The type as written in the log's vocabulary.
        package var type: String
        package var entity: String
        package var action: Action
    }

    /// The table of the files to which events refer, and the values of its rows for a file that the
    /// sync partner has.
    package struct Files: Sendable, Hashable {
        package var entity: String
        /// The values by field.
        package var values: [String: String]
        /// The field with the time when the sync partner received the file.
        package var time: String?
    }

    package var entity: String
    /// The log's fields, by the part of an event that each contains.
    package var type: String
    package var record: String
    package var payload: String
    package var project: String?
    package var `operator`: String?
    package var time: String?
    /// In the order in which their rows are made: parents first.
    package var tables: [Table]
    /// In the order in which events of one millisecond apply.
    package var kinds: [Kind]
    /// Values by field of an event that the sync partner has acknowledged; empty: no such field.
    package var acknowledged: [String: String] = [:]
    package var files: Files?

    package func table(_ entity: String) -> Table? { tables.first { $0.entity == entity } }
}

extension EventLogDefinition {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity"), let type = node.text("type"), let record = node.text("record"),
            let payload = node.text("payload")
        else {
            return nil
        }
        self.init(
            entity: entity, type: type, record: record, payload: payload, project: node.text("project"),
            operator: node.text("operator"),
            time: node.text("time"), tables: node.items("tables").compactMap(Table.init),
            kinds: node.items("types").compactMap(Kind.init),
            acknowledged: node["acknowledged"]?.table ?? [:], files: node["files"].flatMap(Files.init))
    }
}

extension EventLogDefinition.Table {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity") else { return nil }
        self.init(
            entity: entity, project: node.text("project"), operator: node.text("operator"), time: node.text("time"),
            values: node["values"]?.table ?? [:])
    }
}

extension EventLogDefinition.Files {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity"), let values = node["values"]?.table, !values.isEmpty else { return nil }
        self.init(entity: entity, values: values, time: node.text("time"))
    }
}

extension EventLogDefinition.Kind {
    init?(_ node: PackNode) {
        guard let type = node.text("type"), let entity = node.text("entity"),
            let action = EventLogDefinition.Action(node)
        else { return nil }
        self.init(type: type, entity: entity, action: action)
    }
}

extension EventLogDefinition.Action {
    fileprivate init?(_ node: PackNode) {
        switch node.text("does") {
        case "create": self = .create
        case "update": self = .update
        case "delete": self = .delete
        case "set":
            guard let field = node.text("field") else { return nil }
            self = .set(field: field, members: node.texts("members"))
        case "link":
            guard let list = node.text("list") else { return nil }
            let others = node["others"]?.dictionary(\.texts) ?? [:]
            self = .link(.init(list: list, owner: node.texts("owner"), item: node.texts("item"), others: others))
        default: return nil
        }
    }
}

/// The entity with the people whom the records are about, and the treatment of the rows that refer
/// to a person who is erased (`subjects:` in `pack.yaml`).
package struct SubjectDefinition: Sendable, Hashable {
    /// The treatment of a row that refers to the erased person.
    package enum Fate: String, Sendable, CaseIterable {
        /// The row is deleted with its parts.
        case delete
        /// The row remains without the reference to the person.
        case anonymise
    }

    package struct Rows: Sendable, Hashable {
        package var entity: String
        /// The reference, or the list of references, to the person.
        package var by: String
        package var fate: Fate
        /// Further fields of a remaining row, which are emptied with the reference.
        package var clears: [String]
    }

    package var entity: String
    /// Fields whose value identifies one person, besides the id: they recognise a person who
    /// returns.
    package var identity: [String]
    /// Fields with words by which to find a person in logs and rejected rows: a name.
    package var mentions: [String]
    package var rows: [Rows]
}

extension SubjectDefinition {
    /// Whether the field identifies a row as a person's: the id, another identity field, or a
    /// reference with which rows are deleted.
    package func owns(_ entity: Entity, by field: Field) -> Bool {
        field.name == "id" || (entity.name == self.entity && identity.contains(field.name))
            || rows.contains { $0.entity == entity.name && $0.by == field.name && $0.fate == .delete }
    }

    /// Fields of a remaining row that are emptied with a reference.
    package func cleared(with field: Field, of entity: Entity) -> [String] {
        rows.first { $0.entity == entity.name && $0.by == field.name && $0.fate == .anonymise }?.clears ?? []
    }

    init?(_ node: PackNode) {
        guard let entity = node.text("entity") else { return nil }
        self.init(
            entity: entity, identity: ["id"] + node.texts("identity"), mentions: node.texts("mentions"),
            rows: node.items("rows").compactMap(Rows.init))
    }
}

extension SubjectDefinition.Rows {
    init?(_ node: PackNode) {
        guard let entity = node.text("entity"), let by = node.text("by"),
            let fate = node.word("erase", SubjectDefinition.Fate.self)
        else { return nil }
        self.init(entity: entity, by: by, fate: fate, clears: node.texts("clear"))
    }
}
