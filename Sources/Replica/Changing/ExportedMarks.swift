import GRDB
import Model

/// Moves records whose document was registered to the pack's exported state (`APROBADO` →
/// `EXPORTADO`).
///
/// This is Fichero's own mark: a selection finds the record as before (`own_marks`). The judge
/// decides who may have it made. It cannot be undone, because the document has been delivered.
struct ExportedMarks {
    private let change: BookChange

    init(_ change: BookChange) { self.change = change }

    /// Returns how many records were moved. Records in another state, in conflict, or of other
    /// people's projects stay as they are.
    func mark(_ marks: ExportRegistration.Marks, runID: String) throws -> Int {
        let (db, actor) = (change.db, change.request.actor)
        guard let entity = change.pack.entity(marks.entity), let states = entity.states, let move = states.exported else { return 0 }
        guard change.judge.mayMove(states, from: move.from, to: move.to) else {
            throw RegistrationFailure.moveNotAllowed(role: actor.role.name, from: move.from, to: move.to)
        }
        let rows = try OwnRows(db, pack: change.pack, entity, change.changes, ids: change.ids)
        try rows.stage(marks.ids)
        let state = "t." + SQLText.name(states.field)
        try rows.keep(
            where: """
                \(state) = \(SQLText.literal(move.from)) AND t.sync_state NOT IN ('conflict', 'pending_download') AND \(change.judge.isCovered(entity, row: "t"))
                """)
        let marked = try rows.set(states.field, to: SQLText.literal(move.to))
        guard marked > 0 else { return 0 }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO own_marks (entity, row_id, from_state, to_state, run_id, actor_id, marked_at)
                SELECT ?, id, ?, ?, ?, ?, ? FROM temp.import_own_rows
                """, arguments: [entity.name, move.from, move.to, runID, actor.id, change.time])
        try rows.log("marked_exported", details: RowJSON.object(["from": move.from, "to": move.to, "run_id": runID]))
        return marked
    }
}
