import GRDB
import Model

/// Counts the rows that other programs write into tables on which kept verdicts depend.
///
/// Triggers in the file do this. They never run in Fichero's own connections (`SQLiteSetup`), so all
/// that they count is another program's. Whoever drops them means to hide something.
enum ForeignWrites {
    private static let events = ["INSERT", "UPDATE", "DELETE"]
    private static let verdicts = ["kept_verdicts", "kept_checks", "kept_findings", "kept_files", "finding_acceptances"]

    /// The triggers of a table, in the very words in which SQLite keeps them.
    private static func triggers(on table: String) -> [String] {
        events.map { event in
            """
            CREATE TRIGGER \(SQLText.name("foreign_\(event.lowercased()) \(table)")) AFTER \(event) ON \(SQLText.name(table)) BEGIN
              UPDATE fichero_replica SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE key = \(key);
            END
            """
        }
    }

    private static var key: String { SQLText.literal(ReplicaKey.foreignWrites.rawValue) }

    /// Makes the triggers that a replica does not have yet.
    static func watch(_ db: Database, pack: Pack) throws {
        let present = Set(try String.fetchAll(db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'trigger'"))
        let missing = (TouchedRows.watched(in: pack).map(\.name) + verdicts).flatMap(triggers).filter {
            !present.contains($0)
        }
        guard try !missing.isEmpty || ReplicaKey.value(of: .foreignWrites, db) == nil else { return }
        try db.inTransaction(.immediate) {
            // Without triggers, writes of other programs were not counted.
            try db.execute(sql: "DELETE FROM kept_verdicts")
            try db.execute(sql: "INSERT OR IGNORE INTO fichero_replica (key, value) VALUES (\(key), '0')")
            for trigger in missing { try db.execute(sql: trigger) }
            return .commit
        }
    }

    /// A trigger or a view in the file that is none of these, with its kind.
    static func foreignCode(_ db: Database) throws -> String? {
        let found = try Row.fetchAll(
            db, sql: "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE type IN ('trigger', 'view')")
        let other = found.first { !triggers(on: $0["tbl_name"]).contains($0["sql"]) }
        return other.map { "\($0["type"] as String) \($0["name"] as String)" }
    }

    static func count(_ db: Database) throws -> Int {
        try ReplicaKey.value(of: .foreignWrites, db).flatMap { Int($0) } ?? 0
    }
}
