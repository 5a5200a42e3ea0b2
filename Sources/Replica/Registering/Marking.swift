import Foundation
import GRDB
import Model

/// Moves records whose document was registered to the pack's exported state (`APROBADO` → `EXPORTADO`).
///
/// This is Fichero's own mark: it goes up like every local change, yet the row's content counts as unchanged (the stamp stays), a row that was
/// synced before still counts as synced (`own_mark`), and a selection finds it as before (`own_marks`). Who may have it done is for the judge to say.
struct Marking {
    let db: Database
    let pack: Pack
    let changes: ChangeLog
    let actor: Model.Actor
    let environment: String
    let time: Date

    /// Returns how many records were moved; those in another state, or in conflict, stay as they are.
    func mark(_ marks: ExportRegistration.Marks, runID: String) throws -> Int {
        guard let entity = pack.entity(marks.entity), let states = entity.states, let exported = states.exported else { return 0 }
        let ids = try allowed(marks.ids, entity, states, exported)
        let state = SQLText.name(states.field)
        // Expressions on the right side of SET see the row as it was before.
        let update = try PreparedStatement(
            db,
            """
            UPDATE \(SQLText.name(entity.name)) SET \(state) = ?2,
              own_mark = CASE WHEN sync_state = 'synced' THEN 1 ELSE own_mark END,
              sync_state = CASE WHEN sync_state = 'synced' THEN 'pending_upload' ELSE sync_state END,
              local_version = local_version + 1
            WHERE id = ?1 AND \(state) = ?3 AND sync_state NOT IN ('conflict', 'pending_download')
            """)
        try update.bind(exported.to, at: 2)
        try update.bind(exported.from, at: 3)
        let note = try PreparedStatement(
            db, "INSERT OR REPLACE INTO own_marks (entity, row_id, from_state, to_state, run_id, actor_id, marked_at) VALUES (?, ?, ?, ?, ?, ?, ?)")
        var marked = 0
        for id in ids {
            try update.bind(id, at: 1)
            guard try update.run() == 1 else { continue }
            for (index, value) in [entity.name, id, exported.from, exported.to, runID, actor.id, Timestamp.format(time)].enumerated() { try note.bind(value, at: index + 1) }
            try note.run()
            try changes.record(
                .update, "marked_exported", of: entity.name, id: id, details: ["from": exported.from, "to": exported.to, "run_id": runID])
            marked += 1
        }
        return marked
    }

    /// The gate's own answers: whether the actor's role makes the move, and which records are of his projects.
    private func allowed(_ ids: [String], _ entity: Entity, _ states: StateMachine, _ move: StateMachine.Transition) throws -> [String] {
        for table in Judge.temporary + ChangeScope.temporary { try db.execute(sql: table) }
        defer { try? ImportApplication.dropTemporary(db) }
        var request = ImportRequest(
            runID: nil, source: "mark", format: "mark", actor: actor, environment: environment, startedAt: time, policy: .update)
        request.origin = .person
        let judge = try Judge(db, pack: pack, request: request)
        guard judge.mayMove(states, from: move.from, to: move.to) else {
            throw RegistrationFailure.moveNotAllowed(role: actor.role.name, from: move.from, to: move.to)
        }
        return try ids.filter { try judge.covers($0, entity) }
    }

    /// Takes over, from the log, what versions before this table marked.
    static func remember(_ db: Database) throws {
        guard try db.columns(in: "activity_logs").contains(where: { $0.name == "import_source" }) else { return }
        try db.execute(sql: """
            INSERT OR REPLACE INTO own_marks (entity, row_id, from_state, to_state, run_id, actor_id, marked_at)
            SELECT entity_type, entity_id, details ->> 'from', details ->> 'to', details ->> 'run_id', actor_id, created_at FROM activity_logs
            WHERE action = 'marked_exported' AND import_source IS NULL AND json_valid(details) AND entity_type IS NOT NULL AND entity_id IS NOT NULL
              AND details ->> 'from' IS NOT NULL AND details ->> 'to' IS NOT NULL ORDER BY created_at
            """)
    }
}
