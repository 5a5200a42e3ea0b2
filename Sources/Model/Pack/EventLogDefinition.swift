/// A table whose rows are events, and what follows from them for other tables (`events:` in `pack.yaml`).
package struct EventLogDefinition: Sendable, Hashable {
    /// A table that events speak of, and which of its fields a created record gets from the event around the payload.
    package struct Table: Sendable, Hashable {
        package var entity: String
        package var project: String?
        package var `operator`: String?
        /// When the record was made.
        package var time: String?
        /// What every created record has, by field, unless its event says otherwise.
        package var values: [String: String]

        package init(entity: String, project: String? = nil, operator: String? = nil, time: String? = nil, values: [String: String] = [:]) {
            self.entity = entity
            self.project = project
            self.operator = `operator`
            self.time = time
            self.values = values
        }
    }

    /// What the events of a type do to a record.
    package enum Action: Sendable, Hashable {
        case create, update, delete
        /// Sets a field to the first of these members that the payload has.
        case set(field: String, members: [String])
        case link(Link)
    }

    /// Puts a record on another's list.
    package struct Link: Sendable, Hashable {
        /// The list field, whose reference says what stands on it.
        package var list: String
        /// Members of the payload that name whose list it is, the first that is there.
        package var owner: [String]
        /// Members that name what goes onto it; the event's own record where none is there.
        package var item: [String]
        /// Members that name owners in other tables, by entity: nothing is put on a list there, but such a record must be known.
        package var others: [String: [String]]

        package init(list: String, owner: [String], item: [String] = [], others: [String: [String]] = [:]) {
            self.list = list
            self.owner = owner
            self.item = item
            self.others = others
        }
    }

    package struct Kind: Sendable, Hashable {
        /// As the log's vocabulary has it.
        package var type: String
        package var entity: String
        package var action: Action

        package init(type: String, entity: String, action: Action) { (self.type, self.entity, self.action) = (type, entity, action) }
    }

    package var entity: String
    /// Its fields.
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

    package init(
        entity: String, type: String, record: String, payload: String, project: String? = nil, operator: String? = nil, time: String? = nil,
        tables: [Table], kinds: [Kind]
    ) {
        self.entity = entity
        self.type = type
        self.record = record
        self.payload = payload
        self.project = project
        self.operator = `operator`
        self.time = time
        self.tables = tables
        self.kinds = kinds
    }

    package func table(_ entity: String) -> Table? { tables.first { $0.entity == entity } }
}
