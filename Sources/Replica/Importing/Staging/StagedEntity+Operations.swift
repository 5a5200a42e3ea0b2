import Databases
import GRDB
import Model

// Rows of a source that act upon the rows staged before them.

extension StagedEntity {
    /// Takes away the rows that one takes the place of, and what was to be deleted under its id.
    ///
    /// - Parameters:
    ///   - n: number of the new row.
    ///   - match: fields by which it finds them; then it keeps the id of the first, because it is
    ///     the same record.
    /// - Returns: how many rows went.
    func replace(byRow n: Int64, match: [String]) throws -> Int {
        let columns = match.isEmpty ? [Self.column(named: "id")] : match.map(Self.column(named:))
        try index(columns)
        let isSame = columns.map { "old.\($0) = new.\($0)" }.joined(separator: " AND ")
        let before = "\(table) AS old WHERE old.n < new.n AND \(isSame)"
        if !match.isEmpty {
            let id = Self.column(named: "id")
            try run("UPDATE \(table) AS new SET \(id) = coalesce((SELECT old.\(id) FROM \(before) ORDER BY old.n LIMIT 1), \(id)) WHERE new.n = ?", n)
        }
        let rows = try run("DELETE FROM \(table) WHERE n IN (SELECT old.n FROM \(table) AS new, \(table) AS old WHERE new.n = ? AND old.n < new.n AND \(isSame))", n)
        let deletions = try run(
            "DELETE FROM deletions WHERE entity = \(SQLText.literal(entity.name)) AND id = (SELECT \(Self.column(named: "id")) FROM \(table) WHERE n = ?)", n)
        try note(rows: -rows)
        return rows + deletions
    }

    /// Takes away the rows with an id; returns how many there were.
    func delete(_ id: String) throws -> Int {
        try index([Self.column(named: "id")])
        let statement = try PreparedStatement(database, "DELETE FROM \(table) WHERE \(Self.column(named: "id")) = ?")
        try statement.bind(id, at: 1)
        let rows = try statement.run()
        try note(rows: -rows)
        return rows
    }

    static func column(named name: String) -> String { SQLText.name("f_" + name) }

    private func index(_ columns: [String]) throws {
        let name = SQLText.name("match_" + entity.name + "_" + columns.joined(separator: "_").filter { $0 != "\"" })
        try PreparedStatement(database, "CREATE INDEX IF NOT EXISTS \(name) ON \(table) (\(columns.joined(separator: ", ")))").run()
    }

    @discardableResult private func run(_ sql: String, _ n: Int64) throws -> Int {
        let statement = try PreparedStatement(database, sql)
        try statement.bind(.integer(n), at: 1)
        return try statement.run()
    }
}
