/// A table as a `CREATE TABLE` statement declares it. Names are as they are written.
package struct TableDefinition: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package var name: String
        /// The words of the type in small letters, without numbers in brackets: `character varying`;
        /// empty where SQLite's statement has none.
        package var type = ""
        /// The numbers in brackets after the type: `numeric(8, 2)`.
        package var sizes: [Int] = []
        package var isArray = false
        package var isRequired = false
        package var isUnique = false
        /// Whether the database computes the value.
        package var isGenerated = false
        /// What people wrote about it (`COMMENT ON COLUMN`).
        package var comment: String?

        package init(name: String) { self.name = name }
    }

    package struct Reference: Hashable, Sendable {
        package var columns: [String]
        package var table: String
        /// Empty where the primary key is meant.
        package var targets: [String]
        /// Whether the row goes with the one that it refers to.
        package var isCascading: Bool
    }

    package var name: String
    package var columns: [Column] = []
    package var primaryKey: [String] = []
    package var uniques: [[String]] = []
    package var references: [Reference] = []
    package var checks: [[SQLToken]] = []
    package var comment: String?

    package init(name: String) { self.name = name }

    package func column(_ name: String) -> Column? { columns.first { $0.name.lowercased() == name.lowercased() } }

    mutating func rename(_ former: String, to name: String) {
        func present(_ column: String) -> String { column.lowercased() == former.lowercased() ? name : column }
        for index in columns.indices { columns[index].name = present(columns[index].name) }
        primaryKey = primaryKey.map(present)
        uniques = uniques.map { $0.map(present) }
        for index in references.indices { references[index].columns = references[index].columns.map(present) }
        checks = checks.map { check in
            check.map { $0.identifier?.lowercased() == former.lowercased() ? .name(name) : $0 }
        }
    }

    /// A column goes with what was said of it.
    mutating func drop(_ name: String) {
        func isGone(_ column: String) -> Bool { column.lowercased() == name.lowercased() }
        columns.removeAll { isGone($0.name) }
        primaryKey.removeAll(where: isGone)
        uniques.removeAll { $0.contains(where: isGone) }
        references.removeAll { $0.columns.contains(where: isGone) }
        checks.removeAll { check in check.contains { $0.identifier.map(isGone) ?? false } }
    }
}

/// What a text of statements declares.
package struct DatabaseDefinition: Sendable {
    /// In the order of their statements.
    package var tables: [TableDefinition] = []
    /// The values of types that are lists of texts, by name in small letters.
    package var enumerations: [String: [String]] = [:]
    /// Views and what else was declared and is not a table, by kind and name.
    package var others: [String] = []

    package init() {}
}
