import GRDB
import Model

/// Undoes a change set's acceptances of findings: those that it made are withdrawn and stay in the
/// book; those that it ended are in force again.
struct AcceptanceUndo {
    private let db: Database
    private let changeID: String

    init(_ db: Database, changeID: String) { (self.db, self.changeID) = (db, changeID) }

    private var own: String { "SELECT row_id FROM import_changes WHERE import_id = ?1 AND entity = '\(AcceptanceChange.table)'" }

    /// Ids of the findings' projects.
    func projects() throws -> Set<String> {
        Set(try String?.fetchAll(db, sql: "SELECT DISTINCT project_id FROM finding_acceptances WHERE id IN (\(own))", arguments: [changeID]).compactMap(\.self))
    }

    /// Acceptances of the same findings that were made after the ended ones that would be in force
    /// again: the later one counts.
    var laterWords: String {
        """
        SELECT l.code || ' ' || coalesce(l.key, l.row_id, '') FROM finding_acceptances AS a
        JOIN import_changes AS c ON c.import_id = ?1 AND c.entity = '\(AcceptanceChange.table)' AND c.row_id = a.id AND c.before <> '{}'
        JOIN finding_acceptances AS l ON l.fingerprint = a.fingerprint AND l.arguments = a.arguments AND l.withdrawn_at IS NULL
        WHERE l.id NOT IN (\(own))
        """
    }

    /// - Parameter time: when they are withdrawn.
    func takeBack(at time: String) throws -> UndoAccount.Line? {
        try db.execute(
            sql: "UPDATE finding_acceptances SET withdrawn_at = ?2 WHERE withdrawn_at IS NULL AND id IN (\(own) AND before = '{}')", arguments: [changeID, time])
        let removed = db.changesCount
        try db.execute(sql: "UPDATE finding_acceptances SET withdrawn_at = NULL WHERE id IN (\(own) AND before <> '{}')", arguments: [changeID])
        let restored = db.changesCount
        return removed + restored > 0 ? UndoAccount.Line(entity: AcceptanceChange.table, removed: removed, restored: restored) : nil
    }
}
