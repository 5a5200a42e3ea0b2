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
        /// The column of another table, or of the same table, to which this column refers.
        package var reference: (table: String, column: String)?
        /// Whether the column gets an index.
        package var isIndexed = false
        /// A label that becomes a comment in the table's SQL, for readers of the schema.
        package var comment: String?

        package init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    package var name: String
    package var columns: [Column]

    package init(_ name: String, _ columns: [Column]) { (self.name, self.columns) = (name, columns) }
}

/// A view that joins a table's rows with the rows of another table to which they refer.
package struct DatabaseView: Sendable {
    /// Columns of one table, with their names in the view.
    package struct Part: Sendable {
        package var table: String
        package var columns: [(name: String, shown: String)]

        package init(_ table: String, _ columns: [(name: String, shown: String)]) {
            (self.table, self.columns) = (table, columns)
        }
    }

    package var name: String
    package var own: Part
    package var other: Part
    /// The column of `own` that refers to the other table, and the column to which it refers.
    package var by: (own: String, other: String)

    package init(_ name: String, _ own: Part, with other: Part, by: (own: String, other: String)) {
        (self.name, self.own, self.other, self.by) = (name, own, other, by)
    }
}

/// The SQL statements that create a database for other programs.
enum DatabaseSQL {
    static func name(_ text: String) -> String { "\"" + text.replacing("\"", with: "\"\"") + "\"" }

    static func table(_ table: DatabaseTable) -> String {
        let lines = table.columns.enumerated().map { index, column in
            var line = "  \(name(column.name)) \(column.kind.rawValue)"
            if column.isKey { line += " PRIMARY KEY" }
            if let reference = column.reference {
                line += " REFERENCES \(name(reference.table)) (\(name(reference.column)))"
            }
            if index < table.columns.count - 1 { line += "," }
            // Line breaks are replaced, since an SQL comment ends at the end of its line.
            if let comment = column.comment {
                line += " -- " + String(comment.map { $0.isNewline || $0 == "\0" ? " " : $0 })
            }
            return line
        }
        return "CREATE TABLE \(name(table.name)) (\n\(lines.joined(separator: "\n"))\n)"
    }

    static func insertion(into table: DatabaseTable) -> String {
        "INSERT INTO \(name(table.name)) VALUES (\(table.columns.map { _ in "?" }.joined(separator: ", ")))"
    }

    static func indexes(of table: DatabaseTable) -> [String] {
        table.columns.filter(\.isIndexed).map {
            "CREATE INDEX \(name(table.name + "_" + $0.name)) ON \(name(table.name)) (\(name($0.name)))"
        }
    }

    static func view(_ view: DatabaseView) -> String {
        func columns(_ part: DatabaseView.Part, _ alias: String) -> [String] {
            part.columns.map {
                $0.name == $0.shown ? "\(alias).\(name($0.name))" : "\(alias).\(name($0.name)) AS \(name($0.shown))"
            }
        }
        let shown = (columns(view.own, "a") + columns(view.other, "b")).joined(separator: ", ")
        return """
            CREATE VIEW \(name(view.name)) AS SELECT \(shown)
            FROM \(name(view.own.table)) AS a LEFT JOIN \(name(view.other.table)) AS b \
            ON b.\(name(view.by.other)) = a.\(name(view.by.own))
            """
    }

    static func count(_ table: String) -> String { "SELECT count(*) FROM \(name(table))" }

    /// The statement that counts the filled cells of each column.
    static func cells(of table: DatabaseTable) -> String {
        "SELECT \(table.columns.map { "count(\(name($0.name)))" }.joined(separator: ", ")) FROM \(name(table.name))"
    }
}
