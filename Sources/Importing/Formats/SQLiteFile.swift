internal import Foundation
package import Model

/// Limits for reading an external SQLite database.
package struct SQLiteLimits: FormatLimits {
    /// Bytes of one value.
    package var valueBytes = 16 << 20
    package var tables = 10_000
    /// Steps of SQLite's virtual machine for one table, because a view could run for ever.
    package var steps = 4_000_000_000

    package static let bounds: [FormatBound<SQLiteLimits>] = [
        .init("sqliteTables", .count, \.tables, highest: 1 << 30),
        .init("sqliteValueBytes", .bytes, \.valueBytes, highest: 1 << 30),
        .init("sqliteSteps", .count, \.steps),
    ]

    package init() {}
}

/// An SQLite database, which is read and never written.
///
/// If a write-ahead log or a journal lies beside it, copies of the database and the log are opened:
/// ignoring the log would lose its contents, and applying it would change the file. Views become
/// hidden tables. Virtual tables are reported and left out, because they run code. Geometries of
/// GeoPackages become well-known text.
package final class SQLiteFile: TableFormat, TableFile {
    package static let kind = "sqlite"
    package static let bounds = ReadingBound.of(SQLiteLimits.self)
    package private(set) var tables: [ForeignTable] = []
    package private(set) var findings: [Finding] = []
    private let snapshot: SQLiteSnapshot
    private let limits: SQLiteLimits

    package static func recognises(_ head: [UInt8]) -> Bool { head.starts(with: Array("SQLite format 3\0".utf8)) }

    package static func recognises(_ head: FileHead) -> Bool { recognises(head.bytes) }

    package static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile {
        try SQLiteFile(path: head.path, limits: SQLiteLimits(options.limits))
    }

    package init(path: String, limits: SQLiteLimits = SQLiteLimits()) throws {
        _ = try FileBytes(path)
        guard let snapshot = try? SQLiteSnapshot(path) else { throw ImportFailure.unreadable(path: path) }
        (self.snapshot, self.limits) = (snapshot, limits)
        let connection = try ForeignDatabase(snapshot, limits: limits)
        // A damaged tree would silently yield fewer rows.
        let check = try connection.texts("PRAGMA quick_check(1)").first?.first ?? "no answer"
        guard check == "ok" else {
            throw TableFailure.damaged(Place(file: path), kind: Self.kind, reason: "its check says: \(check)")
        }
        var kinds: [String: String] = [:]
        for row in try connection.texts("SELECT name, type FROM pragma_table_list WHERE schema = 'main'")
        where row.count == 2 { kinds[row[0]] = row[1] }
        let names = try connection.texts(
            """
            SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_' \
            ORDER BY rowid LIMIT \(limits.tables + 1)
            """
        )
        guard names.count <= limits.tables else {
            throw TableFailure.tooLarge(Place(file: path), kind: Self.kind, limit: "sqliteTables \(limits.tables)")
        }
        let geometries = try Self.geometries(connection, kinds)
        var inner: [String] = []
        for name in names.compactMap(\.first) {
            let kind = kinds[name] ?? "table"
            // Full-text and spatial indexes are virtual tables, which run code. The shadow tables
            // behind them mean nothing to users.
            guard kind != "virtual", kind != "shadow" else {
                inner.append(name)
                continue
            }
            tables.append(try table(name, kind, connection, geometries[name.lowercased()] ?? []))
        }
        if !inner.isEmpty {
            findings.append(Finding(
                "IMPORT-INNER-TABLE", place: Place(file: path), arguments: ["names": inner.joined(separator: ", ")]))
        }
    }

    private func table(_ name: String, _ kind: String, _ connection: ForeignDatabase, _ geometries: Set<String>) throws
        -> ForeignTable
    {
        // A view of tables that no longer exist has no columns; opening it fails.
        let columns = kind == "view" ? try? connection.columns(of: name) : try connection.columns(of: name)
        var table = ForeignTable(name: name, isHidden: kind != "table", columns: columns) { [snapshot, limits] in
            SQLiteRows(
                try ForeignDatabase(snapshot, limits: limits), query: ForeignDatabase.everything(of: name),
                geometries: geometries)
        }
        guard kind == "table" else { return table }
        table.key = try connection.key(of: name)
        table.contents = columns.map {
            SQLiteContentTable(
                snapshot: snapshot, limits: limits, table: name, columns: $0, geometries: geometries)
        }
        return table
    }

    /// The statements that created the database's tables, separated by semicolons.
    package func statements() throws -> String {
        let texts = try ForeignDatabase(snapshot, limits: limits).texts(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type <> 'table', rowid")
        return texts.compactMap(\.first).joined(separator: ";\n")
    }

    /// The geometry columns of a GeoPackage by table, all in lower case.
    private static func geometries(_ connection: ForeignDatabase, _ kinds: [String: String]) throws -> [String: Set<
        String
    >] {
        guard kinds["gpkg_geometry_columns"] == "table",
            let rows = try? connection.texts("SELECT table_name, column_name FROM main.gpkg_geometry_columns")
        else { return [:] }
        return Dictionary(rows.map { ($0[0].lowercased(), [$0[1].lowercased()]) }) { $0.union($1) }
    }
}
