/// A table as declared by a `CREATE TABLE` statement. Names are as written.
package struct TableDefinition: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package var name: String
        /// The words of the type in lower case, without numbers in brackets, such as `character
        /// varying`; empty if SQLite's statement has no type.
        package var type = ""
        /// The numbers in brackets after the type, such as in `numeric(8, 2)`.
        package var sizes: [Int] = []
        package var isArray = false
        package var isRequired = false
        package var isUnique = false
        /// Whether the database computes the value.
        package var isGenerated = false
        /// The comment that people wrote (`COMMENT ON COLUMN`).
        package var comment: String?

        package init(name: String) { self.name = name }
    }

    package struct Reference: Hashable, Sendable {
        package var columns: [String]
        package var table: String
        /// The columns that `columns` refer to; empty: the primary key of the other table.
        package var targets: [String]
        /// Whether a row is deleted when the row that it refers to is deleted.
        package var isCascading: Bool
    }

    package var name: String
    package var columns: [Column] = []
    package var primaryKey: [String] = []
    package var uniques: [[String]] = []
    package var references: [Reference] = []
    /// The conditions of CHECK constraints, each as its tokens.
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

    /// Removes a column with all constraints that use it.
    mutating func drop(_ name: String) {
        func isGone(_ column: String) -> Bool { column.lowercased() == name.lowercased() }
        columns.removeAll { isGone($0.name) }
        primaryKey.removeAll(where: isGone)
        uniques.removeAll { $0.contains(where: isGone) }
        references.removeAll { $0.columns.contains(where: isGone) }
        checks.removeAll { check in check.contains { $0.identifier.map(isGone) ?? false } }
    }
}

/// The declarations in a text of statements.
package struct DatabaseDefinition: Sendable {
    /// In the order of their statements.
    package var tables: [TableDefinition] = []
    /// The values of enumerated types, by name in lower case.
    package var enumerations: [String: [String]] = [:]
    /// Views and other declared objects that are not tables, by kind and name.
    package var others: [String] = []

    package init() {}
}
