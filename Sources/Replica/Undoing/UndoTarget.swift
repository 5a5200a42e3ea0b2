import GRDB
import Model

/// The import that is to be undone.
struct UndoTarget {
    var id: String
    var source: String
    /// Whether the change was made by a person's command.
    var isCommand: Bool
    var stamp: Int64
    /// How many exports there were at that time.
    var exports: Int

    static func find(_ name: String, for actor: Model.Actor, _ db: Database) throws -> UndoTarget {
        if name == "last", let done = try undoneUntold(by: actor, db) { throw UndoFailure.alreadyUndone(done.0, at: done.1) }
        let isAdministrator = actor.role.permissions.contains(.administer)
        let condition =
            name == "last"
            ? "d.undone_at IS NULL AND d.import_id IS NOT NULL AND (?2 OR d.actor_id = ?3) AND ?1 = 'last' AND i.format <> '\(ExchangeTerms.format)' AND (\(Self.didSomething)) ORDER BY i.format = '\(ImportRequest.founding)', d.stamp DESC LIMIT 1"
            : "(i.id = ?1 OR (length(?1) >= 6 AND substr(i.id, -length(?1)) = ?1)) AND (?2 OR 1 OR ?3) LIMIT 2"
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT i.id, i.source, d.stamp, d.actor_id, d.exports, d.undone_at, i.format
                FROM imports AS i LEFT JOIN import_details AS d ON d.import_id = i.id WHERE \(condition)
                """, arguments: [name, isAdministrator, actor.id])
        if name == "last", found.isEmpty { throw UndoFailure.nothing }
        guard let row = found.first else { throw try isRegistration(name, db) ? UndoFailure.ownAct(name) : UndoFailure.unknown(name) }
        guard found.count == 1 else { throw UndoFailure.ambiguous(name) }
        // Of changes of others, nobody learns that they exist.
        guard isAdministrator || row[3] == actor.id else { throw UndoFailure.unknown(name) }
        guard row[6] != ImportRequest.founding, row[6] != ExchangeTerms.format else { throw UndoFailure.ownAct(row[0]) }
        guard let stamp: Int64 = row[2] else { throw UndoFailure.noTrail(row[0]) }
        if let undone: String = row[5] { throw UndoFailure.alreadyUndone(row[0], at: undone) }
        return UndoTarget(id: row[0], source: row[1], isCommand: row[6] == "command", stamp: stamp, exports: row[4])
    }
}

extension UndoTarget {
    /// SQL condition: the import changed records. A file that brought none is never meant, not even
    /// where its rows were rejected; a command that changes nothing makes no change set.
    private static let didSomething = """
        i.format IN ('command', '\(ImportRequest.founding)')
        OR EXISTS (
          SELECT 1 FROM json_tree(CASE WHEN json_valid(i.counts) THEN i.counts ELSE '[]' END) AS l WHERE l.key IN ('imported', 'updated') AND l.value > 0)
        OR EXISTS (SELECT 1 FROM import_changes AS c WHERE c.import_id = i.id)
        OR EXISTS (SELECT 1 FROM import_removals AS g WHERE g.import_id = i.id)
        """

    /// Whether a name is that of a run that registered files or marked records.
    private static func isRegistration(_ name: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (
                  SELECT 1 FROM (SELECT run_id FROM main.exports UNION SELECT run_id FROM main.own_marks)
                  WHERE run_id = ?1 OR (length(?1) >= 6 AND substr(run_id, -length(?1)) = ?1))
                """, arguments: [name]) ?? false
    }

    /// The change that the actor's last undo reverted, if its run was killed before it could report
    /// it. A new request for the last change then means this one, not the one before it. It is
    /// reported once; from then on the run that reports it is the newest.
    private static func undoneUntold(by actor: Model.Actor, _ db: Database) throws -> (String, String)? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT d.import_id, d.undone_at FROM (
                  SELECT as_of, state FROM pipeline_runs WHERE command = 'undo' AND actor_id = ?1 AND state <> 'running' ORDER BY rowid DESC LIMIT 1
                ) AS r JOIN import_details AS d ON d.undone_at = r.as_of AND d.undone_by = ?1 WHERE r.state = 'interrupted' ORDER BY d.stamp DESC LIMIT 1
                """, arguments: [actor.id]
        ).map { ($0[0], $0[1]) }
    }
}
