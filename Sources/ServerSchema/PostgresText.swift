/// Names and texts in PostgreSQL's syntax. Names come from a checked pack and are quoted all the
/// same.
enum PostgresText {
    static func name(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    static func list(_ texts: some Sequence<String>) -> String { texts.map(literal).joined(separator: ", ") }

    /// A table of the pack, with its schema.
    static func table(_ table: String) -> String { "public." + name(table) }

    /// Runs statements unless something exists already, for kinds of objects whose creation has no
    /// `IF NOT EXISTS`.
    static func unless(_ condition: String, _ statement: String) -> String {
        "DO $$ BEGIN IF NOT EXISTS (\(condition)) THEN\n  \(statement);\nEND IF; END $$;"
    }
}
