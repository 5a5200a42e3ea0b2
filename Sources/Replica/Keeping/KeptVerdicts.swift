import Databases
import Foundation
import GRDB
import Model

extension Replica {
    /// Maximum number of stored verdicts, each for some projects, a role and the rules.
    static let maximumVerdicts = 8
    /// With more findings than this, storing them takes as long as finding them.
    static let maximumKeptFindings = 200_000

    /// Stores the findings of a validation after `recallVerdicts`, in one transaction: all of them
    /// or none.
    ///
    /// Verdicts are only a cache, so a user without write access can work without them. If another
    /// process has stored a verdict meanwhile, that verdict is not replaced.
    package func keepVerdicts(_ reading: ReadSession) throws {
        guard let keeper = reading.keeper, keeper.hasNews else { return }
        try write { db in try keeper.keep(db) }
    }
}

extension VerdictKeeper {
    /// Whether storing this verdict would save time in the next validation.
    var hasNews: Bool { hasChanges || outcomes.contains { $0.extent != .none && $0.isKept } }

    /// Stores the verdict, unless another process has replaced the one that was read.
    func keep(_ db: Database) throws {
        let found = try Row.fetchOne(
            db, sql: "SELECT id, generation FROM kept_verdicts WHERE key = ?", arguments: [key])
        guard found?[0] == known?.id, found?[1] == known?.generation else { return }
        guard findings.total <= Replica.maximumKeptFindings else {
            try db.execute(sql: "DELETE FROM kept_verdicts WHERE key = ?", arguments: [key])
            return try forgetNotes(db)
        }
        try db.execute(
            sql: """
                INSERT INTO kept_verdicts (key, generation, used, stamp, touched)
                VALUES (?1, ?2, (SELECT coalesce(max(used), 0) + 1 FROM kept_verdicts), ?3, ?4)
                ON CONFLICT (key) DO UPDATE SET generation = excluded.generation, used = excluded.used, stamp = \
                excluded.stamp, touched = excluded.touched
                """, arguments: [key, UUID().uuidString, stamp, touched])
        let verdict = try Int64.fetchOne(db, sql: "SELECT id FROM kept_verdicts WHERE key = ?", arguments: [key]) ?? 0
        let names = Set(outcomes.map(\.name))
        for gone in try String.fetchAll(db, sql: "SELECT name FROM kept_checks WHERE verdict = ?", arguments: [verdict])
        where !names.contains(gone) {
            try forget(gone, verdict, db)
        }
        for outcome in outcomes { try keep(outcome, verdict, db) }
        // A verdict that is too old would not be used anyway. It is deleted, since it would prevent
        // the deletion of entries in `touched_rows`.
        try db.execute(
            sql: """
                DELETE FROM kept_verdicts WHERE id NOT IN (SELECT id FROM kept_verdicts ORDER BY used DESC LIMIT ?)
                  OR touched < (SELECT max(n) FROM touched_rows) - ?
                """, arguments: [Replica.maximumVerdicts, Self.maximumTouched])
        try forgetNotes(db)
    }

    /// Deletes entries of `touched_rows` that no verdict needs any more, except the last one, so
    /// that their numbers only grow.
    private func forgetNotes(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM touched_rows WHERE n < (SELECT max(n) FROM touched_rows)
                  AND n <= coalesce((SELECT min(touched) FROM kept_verdicts), (SELECT max(n) FROM touched_rows))
                """)
    }

    private func keep(_ outcome: Outcome, _ verdict: Int64, _ db: Database) throws {
        guard outcome.isKept, try !hasFindingsOfNoRow(outcome) else { return try forget(outcome.name, verdict, db) }
        switch outcome.extent {
        case .none: return
        case .all: try forget(outcome.name, verdict, db)
        case .some: try forgetDropped(outcome.name, verdict, db)
        }
        try db.execute(
            sql:
                """
                INSERT INTO kept_checks (verdict, name, day) VALUES (?1, ?2, ?3) \
                ON CONFLICT (verdict, name) DO UPDATE SET day = excluded.day
                """,
            arguments: [verdict, outcome.name, outcome.day])
        let insertion = try PreparedStatement(
            db,
            """
            INSERT INTO kept_findings (verdict, name, n, row_id, code, severity, tbl, field, arguments, spot) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        let new = try connection.prepare(
            "SELECT n, row_id, code, severity, tbl, field, arguments, spot FROM temp.findings WHERE n > ?1 AND n <= ?2",
            [.integer(Int64(outcome.findings.lowerBound)), .integer(Int64(outcome.findings.upperBound))])
        while try new.step() {
            try insertion.bind(verdict, at: 1)
            try insertion.bind(outcome.name, at: 2)
            try insertion.bind(new.integer(0), at: 3)
            for column in 1..<new.columnCount { try insertion.bind(new.text(column), at: column + 3) }
            try insertion.run()
        }
        let file = try PreparedStatement(
            db, "INSERT INTO kept_files (verdict, name, row_id, path, stamp) VALUES (?, ?, ?, ?, ?)")
        let opened = try connection.prepare(
            "SELECT row_id, path, stamp FROM temp.opened WHERE name = ?1", [.text(outcome.name)])
        while try opened.step() {
            try file.bind(verdict, at: 1)
            try file.bind(outcome.name, at: 2)
            for column in 0..<3 { try file.bind(opened.text(column), at: column + 3) }
            try file.run()
        }
    }

    /// Whether the check found anything without a row: no change of a row would ever remove such a
    /// finding from the stored findings.
    private func hasFindingsOfNoRow(_ outcome: Outcome) throws -> Bool {
        try connection.integer(
            "SELECT EXISTS (SELECT 1 FROM temp.findings WHERE n > ?1 AND n <= ?2 AND (row_id IS NULL OR tbl IS NULL))",
            [.integer(Int64(outcome.findings.lowerBound)), .integer(Int64(outcome.findings.upperBound))]) == 1
    }

    private func forget(_ name: String, _ verdict: Int64, _ db: Database) throws {
        for table in ["checks", "findings", "files"] {
            try db.execute(sql: "DELETE FROM kept_\(table) WHERE verdict = ? AND name = ?", arguments: [verdict, name])
        }
    }

    private func forgetDropped(_ name: String, _ verdict: Int64, _ db: Database) throws {
        let rows = try connection.prepare("SELECT row_id FROM temp.dropped WHERE name = ?1", [.text(name)])
        while try rows.step() {
            for table in ["findings", "files"] {
                try db.execute(
                    sql: "DELETE FROM kept_\(table) WHERE verdict = ? AND name = ? AND row_id = ?",
                    arguments: [verdict, name, rows.text(0)])
            }
        }
    }
}
