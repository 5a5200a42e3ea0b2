/// A table of a database for other programs.
package struct DatabaseTable: Sendable {
    package enum Kind: String, Sendable {
        case text = "TEXT", integer = "INTEGER", real = "REAL"
    }

    package struct Column: Sendable {
        package var name: String
        package var kind: Kind
        /// Whether the column is the primary key.
        package var isKey = false
        /// The column of another table, or of this one, that it refers to.
        package var reference: (table: String, column: String)?
        /// Whether the column gets an index.
        package var isIndexed = false
        /// A label for people, which becomes a comment in the table's SQL.
        package var comment: String?

        package init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    package var name: String
    package var columns: [Column]

    package init(_ name: String, _ columns: [Column]) { (self.name, self.columns) = (name, columns) }
}

/// A view that joins the rows of a table with the rows of another table to which they refer.
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
    /// The column that refers to the other table, and the column that it refers to.
    package var by: (own: String, other: String)

    package init(_ name: String, _ own: Part, with other: Part, by: (own: String, other: String)) {
        (self.name, self.own, self.other, self.by) = (name, own, other, by)
    }
}
