/// Which columns of a foreign file feed which fields of the pack's entities.
package struct ImportMapping: Sendable {
    package var name: String
    /// Words of the file and what they mean here, by the lookup's name; words are matched as columns are.
    package var lookups: [String: [String: String]] = [:]
    package var tables: [Table]

    package init(name: String, lookups: [String: [String: String]] = [:], tables: [Table]) {
        self.name = name
        self.lookups = lookups
        self.tables = tables
    }

    package struct Table: Sendable {
        /// Names of sheets or tables that this fits, matched as columns are; none: the first visible table.
        package var names: [String]
        /// A row lacking any of these columns is no record; it is counted as filtered.
        package var requires: [String]
        /// Parents first: the rows come in in this order.
        package var targets: [Target]

        package init(names: [String] = [], requires: [String] = [], targets: [Target]) {
            self.names = names
            self.requires = requires
            self.targets = targets
        }
    }

    package struct Target: Sendable {
        package var entity: String
        /// Fields whose values tell one row from another; the row's id follows from them.
        package var key: [String]
        package var fields: [Field]
        /// Whether many rows name the same one, as a register repeats its project: the first makes it.
        package var repeats: Bool

        package init(entity: String, key: [String], fields: [Field], repeats: Bool = false) {
            self.entity = entity
            self.key = key
            self.fields = fields
            self.repeats = repeats
        }
    }

    package struct Field: Sendable {
        package var name: String
        package var value: Value
        package var conversions: [CellConversion]

        package init(_ name: String, _ value: Value, _ conversions: [CellConversion] = []) {
            self.name = name
            self.value = value
            self.conversions = conversions
        }
    }

    package indirect enum Value: Sendable {
        /// The first that is filled, by any of its headings.
        case column([String])
        /// All that are filled, with a text between them.
        case join([String], separator: String)
        case constant(String)
        /// The id of the parent with this natural key; `by` in the order of the parent's key.
        case parent(entity: String, by: [Field])
    }
}
