import GRDB
import Model

/// Moves records whose document was registered to the pack's exported state (`APROBADO` → `EXPORTADO`).
///
/// This is Fichero's own mark: it goes up like every local change, yet the row's content counts as unchanged (the stamp stays), and
/// a row that was synced before still counts as synced (`own_mark`).
struct Marking {
    let db: Database
    let pack: Pack
    let changes: ChangeLog

    /// Returns how many records were moved; those in another state, or in conflict, stay as they are.
    func mark(_ marks: ExportRegistration.Marks, runID: String) throws -> Int {
        guard let entity = pack.entity(marks.entity), let states = entity.states, let exported = states.exported else { return 0 }
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
        var marked = 0
        for id in marks.ids {
            try update.bind(id, at: 1)
            guard try update.run() == 1 else { continue }
            try changes.record(
                .update, "marked_exported", of: entity.name, id: id, details: ["from": exported.from, "to": exported.to, "run_id": runID])
            marked += 1
        }
        return marked
    }
}
