/// A table of a database that is made for others.
package struct DatabaseTable: Sendable {
    package enum Kind: String, Sendable {
        case text = "TEXT", integer = "INTEGER", real = "REAL"
    }

    package struct Column: Sendable {
        package var name: String
        package var kind: Kind
        /// Whether it alone tells the rows apart.
        package var isKey = false
        /// The column of another table, or of this one, that it refers to.
        package var reference: (table: String, column: String)?
        /// Whether rows are looked for by it.
        package var isIndexed = false
        /// Words for people, kept beside the column.
        package var comment: String?

        package init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    package var name: String
    package var columns: [Column]

    package init(_ name: String, _ columns: [Column]) { (self.name, self.columns) = (name, columns) }
}

/// A table with the rows of others beside its own, where these refer to them.
package struct DatabaseView: Sendable {
    /// Columns of one table under the names that they have in the view.
    package struct Part: Sendable {
        package var table: String
        package var columns: [(name: String, shown: String)]

        package init(_ table: String, _ columns: [(name: String, shown: String)]) { (self.table, self.columns) = (table, columns) }
    }

    package var name: String
    package var own: Part
    package var other: Part
    /// The column that refers, and the one that it refers to.
    package var by: (own: String, other: String)

    package init(_ name: String, _ own: Part, with other: Part, by: (own: String, other: String)) {
        (self.name, self.own, self.other, self.by) = (name, own, other, by)
    }
}
