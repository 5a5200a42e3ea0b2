import GRDB
package import Model

/// The import that is to be undone.
struct UndoTarget {
    var id: String
    var source: String
    /// Whether a person's command made the change, and not a file.
    var isCommand: Bool
    var stamp: Int64
    /// Number of exports that were registered when the change was made.
    var exports: Int

    static func find(_ name: String, for actor: Model.Actor, _ db: Database) throws -> UndoTarget {
        if name == "last", let done = try undoneUntold(by: actor, db) {
            throw UndoFailure.alreadyUndone(done.0, at: done.1)
        }
        let isAdministrator = actor.role.permissions.contains(.administer)
        let condition =
            name == "last"
            ? """
                d.undone_at IS NULL AND d.import_id IS NOT NULL AND (?2 OR d.actor_id = ?3) AND ?1 = 'last' \
                AND i.format <> '\(ExchangeTerms.format)' AND (\(Self.didSomething)) \
                ORDER BY i.format = '\(ImportRequest.founding)', d.stamp DESC LIMIT 1
                """
            : "(i.id = ?1 OR (length(?1) >= 6 AND substr(i.id, -length(?1)) = ?1)) AND (?2 OR 1 OR ?3) LIMIT 2"
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT i.id, i.source, d.stamp, d.actor_id, d.exports, d.undone_at, i.format
                FROM imports AS i LEFT JOIN import_details AS d ON d.import_id = i.id WHERE \(condition)
                """, arguments: [name, isAdministrator, actor.id])
        if name == "last", found.isEmpty { throw UndoFailure.nothing }
        guard let row = found.first else {
            throw try isRegistration(name, db) ? UndoFailure.ownAct(name) : UndoFailure.unknown(name)
        }
        guard found.count == 1 else { throw UndoFailure.ambiguous(name) }
        // An actor must not learn that other people's changes exist.
        guard isAdministrator || row[3] == actor.id else { throw UndoFailure.unknown(name) }
        guard row[6] != ImportRequest.founding, row[6] != ExchangeTerms.format else { throw UndoFailure.ownAct(row[0]) }
        guard let stamp: Int64 = row[2] else { throw UndoFailure.noTrail(row[0]) }
        if let undone: String = row[5] { throw UndoFailure.alreadyUndone(row[0], at: undone) }
        return UndoTarget(id: row[0], source: row[1], isCommand: row[6] == "command", stamp: stamp, exports: row[4])
    }
}

extension UndoTarget {
    /// SQL condition: the import changed records. `last` never means a file that changed none, even
    /// if its rows were rejected. A command that changes nothing makes no change set.
    private static let didSomething = """
        i.format IN ('command', '\(ImportRequest.founding)')
        OR EXISTS (
          SELECT 1 FROM json_tree(CASE WHEN json_valid(i.counts) THEN i.counts ELSE '[]' END) AS l \
        WHERE l.key IN ('imported', 'updated') AND l.value > 0)
        OR EXISTS (SELECT 1 FROM import_changes AS c WHERE c.import_id = i.id)
        OR EXISTS (SELECT 1 FROM import_removals AS g WHERE g.import_id = i.id)
        """

    /// Whether a name identifies a run that registered files or marked records.
    private static func isRegistration(_ name: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (
                  SELECT 1 FROM (SELECT run_id FROM main.exports UNION SELECT run_id FROM main.own_marks)
                  WHERE run_id = ?1 OR (length(?1) >= 6 AND substr(run_id, -length(?1)) = ?1))
                """, arguments: [name]) ?? false
    }

    /// The change that the actor's last undo reverted, if that run was killed before it could
    /// report. A new `undo last` then means this change, not the one before it. The change is
    /// reported once, as the reporting run is then the newest.
    private static func undoneUntold(by actor: Model.Actor, _ db: Database) throws -> (String, String)? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT d.import_id, d.undone_at FROM (
                  SELECT as_of, state FROM pipeline_runs WHERE command = 'undo' AND actor_id = ?1 \
                AND state <> 'running' ORDER BY rowid DESC LIMIT 1
                ) AS r JOIN import_details AS d ON d.undone_at = r.as_of AND d.undone_by = ?1 \
                WHERE r.state = 'interrupted' ORDER BY d.stamp DESC LIMIT 1
                """, arguments: [actor.id]
        ).map { ($0[0], $0[1]) }
    }
}

/// The photo files that an undone import added. Files to which no row refers any more are to be
/// deleted.
struct UndonePhotos {
    let db: Database
    let entities: [Entity]

    /// Records the files' paths before their rows are removed.
    ///
    /// - Parameter isOwn: SQL condition on a row `t`: the import added the row.
    func collect(where isOwn: String, of importID: String) throws {
        try db.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS undo_photos (path TEXT PRIMARY KEY) WITHOUT ROWID")
        try db.execute(sql: "DELETE FROM temp.undo_photos")
        for (entity, path) in columns {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO temp.undo_photos SELECT t.\(path) FROM main.\(SQLText.name(entity.name)) AS t
                    WHERE t.\(path) IS NOT NULL AND (\(isOwn) OR t.id IN (
                      SELECT row_id FROM import_changes WHERE import_id = ? AND entity = ? AND kind = 'photo'))
                    """, arguments: [importID, entity.name])
        }
    }

    /// The paths of files that no row contains, once the import's rows are removed.
    func forgotten() throws -> [String] {
        for (entity, path) in columns {
            try db.execute(
                sql:
                    "DELETE FROM temp.undo_photos WHERE path IN (SELECT \(path) FROM main.\(SQLText.name(entity.name)))"
            )
        }
        let paths = try String.fetchAll(db, sql: "SELECT path FROM temp.undo_photos ORDER BY 1")
        try db.execute(sql: "DROP TABLE temp.undo_photos")
        return paths
    }

    private var columns: [(Entity, String)] {
        entities.compactMap { entity in PhotoColumns(entity).path.map { (entity, SQLText.name(entity.fields[$0].name)) }
        }
    }
}

/// Undoes a change set's acceptances of findings. Acceptances that it made are withdrawn, not
/// deleted; acceptances that it ended are in force again.
struct AcceptanceUndo {
    private let db: Database
    private let changeID: String

    init(_ db: Database, changeID: String) { (self.db, self.changeID) = (db, changeID) }

    /// SQL query of the acceptances that the change set made or ended.
    private var own: String {
        "SELECT row_id FROM import_changes WHERE import_id = ?1 AND entity = '\(AcceptanceChange.table)'"
    }

    /// Ids of the findings' projects.
    func projects() throws -> Set<String> {
        Set(
            try String?.fetchAll(
                db, sql: "SELECT DISTINCT project_id FROM finding_acceptances WHERE id IN (\(own))",
                arguments: [changeID]
            ).compactMap(\.self))
    }

    /// SQL query of later acceptances of the same findings. They replace those that an undo would
    /// restore.
    var laterWords: String {
        """
        SELECT l.code || ' ' || coalesce(l.key, l.row_id, '') FROM finding_acceptances AS a
        JOIN import_changes AS c ON c.import_id = ?1 AND c.entity = '\(AcceptanceChange.table)' AND c.row_id = a.id \
        AND c.before <> '{}'
        JOIN finding_acceptances AS l ON l.fingerprint = a.fingerprint AND l.arguments = a.arguments \
        AND l.withdrawn_at IS NULL
        WHERE l.id NOT IN (\(own))
        """
    }

    /// - Parameter time: the time of the withdrawal.
    func takeBack(at time: String) throws -> UndoAccount.Line? {
        try db.execute(
            sql:
                """
                UPDATE finding_acceptances SET withdrawn_at = ?2 WHERE withdrawn_at IS NULL AND id IN (\(own) \
                AND before = '{}')
                """,
            arguments: [changeID, time])
        let removed = db.changesCount
        try db.execute(
            sql: "UPDATE finding_acceptances SET withdrawn_at = NULL WHERE id IN (\(own) AND before <> '{}')",
            arguments: [changeID])
        let restored = db.changesCount
        return removed + restored > 0
            ? UndoAccount.Line(entity: AcceptanceChange.table, removed: removed, restored: restored) : nil
    }
}

/// Result of undoing an import.
package struct UndoAccount: Sendable, Hashable, Codable {
    package struct Line: Sendable, Hashable, Codable {
        package var entity: String
        /// Rows that the import had added and that were removed.
        package var removed: Int
        /// Rows that the import had changed and that have their earlier values again.
        package var restored: Int
    }

    package var importID: String
    package var source: String
    package var lines: [Line]
    package var rejectsRemoved: Int
    /// Paths of photo files, as the rows contained them, that no row contains any more.
    package var photos: [String]
}

/// Reason why an import cannot be undone; the records that depend on it are listed with it.
package enum UndoObstacle: String, Sendable {
    /// A row, or the decision on a conflict, changed after the import.
    case changed = "UNDO-CHANGED"
    /// A removal became a conflict after the change: the conflict's decision applies.
    case contested = "UNDO-CONTESTED"
    case synced = "UNDO-SYNCED"
    case exported = "UNDO-EXPORTED"
    /// Rows of another origin refer to rows of the import.
    case referred = "UNDO-REFERRED"
    /// A later import changed rows of this one, or imported rows that this one had rejected.
    case later = "UNDO-LATER"
    /// The records are in a state in which the actor's role may not change them.
    case barred = "UNDO-STATE"
    /// The records are closed, and no reason is given.
    case closed = "UNDO-CLOSED"
}

/// Reason why a change cannot be undone; in every case nothing has changed.
package typealias UndoFailure = DeclaredFailure<UndoAccount>

extension UndoFailure {
    package static func unknown(_ name: String) -> Self { Self("UNDO-UNKNOWN", .noInput, ["import": name]) }
    /// There is no last change to undo.
    package static var nothing: Self { Self("UNDO-NOTHING", .noInput) }
    package static func ambiguous(_ name: String) -> Self { Self("UNDO-AMBIGUOUS", .usage, ["import": name]) }
    package static func alreadyUndone(_ name: String, at: String) -> Self {
        Self("UNDO-DONE", .usage, ["import": name, "time": at])
    }
    /// The change created an administrator, arrived from the exchange, or registered files and
    /// marked records. These are not a person's changes.
    package static func ownAct(_ name: String) -> Self { Self("UNDO-OWN-ACT", .usage, ["import": name]) }
    /// The import was made by a version of Fichero that stored no trail.
    package static func noTrail(_ name: String) -> Self { Self("UNDO-NO-TRAIL", .usage, ["import": name]) }
    /// The import changed rows of projects of which the actor is not a member.
    package static func notMember(_ name: String) -> Self { Self("UNDO-NOT-MEMBER", .notPermitted, ["import": name]) }
    package static func builtOn(_ name: String, _ obstacle: UndoObstacle, records: [String], count: Int) -> Self {
        Self(
            obstacle.rawValue, obstacle == .barred ? .notPermitted : .badInput,
            ["import": name, "records": records.joined(separator: "; "), "count": count])
    }
}
