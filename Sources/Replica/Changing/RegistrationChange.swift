import Databases
package import Foundation
import GRDB
package import Model

extension Replica {
    /// Registers the files of a step, with versions, log entries, upload items and marks, in one
    /// transaction.
    ///
    /// The run's journal must record each file as renamed to its final name (`plan`, `mark`).
    /// Throws `ActorFailure` if records are to be marked and the actor may not mark them,
    /// `RegistrationFailure`, `ReplicaFailure`.
    package func register(_ registration: ExportRegistration) throws -> RegistrationOutcome {
        try register([registration])[0]
    }

    /// Registers several formats of a step at once, and stores the numbers assigned to rows.
    /// Everything is stored, or nothing.
    package func register(
        _ registrations: [ExportRegistration], numbers: [StoredNumbers] = [], records: LineChanges? = nil
    ) throws -> [RegistrationOutcome] {
        guard let first = registrations.first else { return [] }
        let marks = registrations.contains { $0.marks != nil }
        return try change(
            "registration", by: first.actor, may: marks ? .mark : nil, in: first.environment, at: first.asOf
        ) { change in
            try RegistrationChange(change).register(registrations, numbers, records)
        }
    }

    /// Calls `body` for each record that has to be added to the list of a delivery line.
    package typealias LineChanges = (_ body: (_ id: String, _ name: String) throws -> Void) throws -> Void

    /// Marks records whose document is registered already; returns the number of marked records.
    package func mark(_ marks: ExportRegistration.Marks, _ context: RunContext, at time: Date) throws -> Int {
        try change("mark", by: context.actor, may: .mark, in: context.environment, at: time) {
            try ExportedMarks($0).mark(marks, runID: context.id)
        }
    }
}

/// Records what a run delivered: documents with their versions, and the records that each delivery
/// line contained last. It is not a person's change: no rows are staged, and it cannot be undone.
struct RegistrationChange {
    private let change: UnstagedChange
    private var db: Database { change.db }
    private var pack: Pack { change.pack }

    init(_ change: UnstagedChange) { self.change = change }

    func register(_ registrations: [ExportRegistration], _ numbers: [StoredNumbers], _ records: Replica.LineChanges?)
        throws -> [RegistrationOutcome]
    {
        for registration in registrations {
            guard try change.judge.covers(project: registration.projectID) else {
                throw RegistrationFailure.notMember(email: registration.actor.email)
            }
        }
        for given in numbers where !given.rows.isEmpty {
            try NumberedRows(db, pack: pack, change.changes, ids: change.ids).store(given)
        }
        // All formats of a delivery share one version number, chosen before the first of them is
        // registered.
        let versions = try registrations.map { try Replica.lastVersion($0.projectID, $0.line, $0.exportName, db) + 1 }
        if let records, let first = registrations.first { try keep(records, of: first) }
        return try zip(registrations, versions).map { try register($0, next: $1) }
    }

    private func keep(_ records: Replica.LineChanges, of registration: ExportRegistration) throws {
        let insertion = try PreparedStatement(
            db,
            """
            INSERT OR REPLACE INTO line_records (project_id, line, export_name, record_id, name) \
            VALUES (?, ?, ?, ?, ?)
            """
        )
        for (index, value) in [registration.projectID, registration.line, registration.exportName].enumerated() {
            try insertion.bind(value, at: index + 1)
        }
        try records { id, name in
            try insertion.bind(id, at: 4)
            try insertion.bind(name, at: 5)
            try insertion.run()
        }
    }

    private func register(_ registration: ExportRegistration, next: Int) throws -> RegistrationOutcome {
        let changes = change.changes
        if let version = registration.files.map({ $0.expectedVersion ?? next }).min() {
            try supersede(registration, before: version, changes)
        }
        let exports = try registration.files.map { file in
            let export = try insert(file, of: registration, next: next)
            try changes.record(
                .upload, "export_registered", of: "exports", id: export.id,
                details: [
                    "document": export.document, "version": String(export.version), "sha256": export.sha256,
                    "rows": String(export.rows), "run_id": registration.runID,
                ].merging(registration.notes) { $1 })
            return export
        }
        let marked = try registration.marks.map { try ExportedMarks(change).mark($0, runID: registration.runID) }
        return RegistrationOutcome(exports: exports, marked: marked ?? 0)
    }

    private func insert(_ file: ExportRegistration.File, of registration: ExportRegistration, next: Int) throws
        -> RegisteredExport
    {
        let version = file.expectedVersion ?? next
        // Versions only grow. A format that is requested later joins the version of the other
        // formats.
        let isFree = try version >= next || version == next - 1 && !has(file.document, version, registration)
        guard isFree else { throw RegistrationFailure.versionTaken(document: file.document, version: version) }
        let id = UUIDv7.make(at: registration.asOf)
        let export = RegisteredExport(
            id: id, projectID: registration.projectID, exportName: registration.exportName, line: registration.line,
            format: file.format,
            dialect: registration.dialect, document: file.document, version: version, fileName: file.fileName,
            localPath: file.localPath,
            // The id in the path prevents a file from overwriting another one of the same name.
            storagePath: "\(registration.storageFolder)/\(id)/\(file.fileName)",
            rows: file.rows, bytes: file.bytes, sha256: file.sha256, isDraft: registration.isDraft,
            status: "registered",
            asOf: Timestamp.format(registration.asOf), finishedAt: Timestamp.format(registration.finishedAt))
        let stamp = try change.changes.number()
        try insert(export, of: registration, stamp: stamp)
        try db.execute(
            sql: """
                INSERT INTO document_versions (id, project_id, line, document, version, export_id, file_name, \
                storage_path, sha256, bytes,
                  created_by, created_at, content_stamp)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                UUIDv7.make(at: registration.asOf), export.projectID, export.line, export.document, version, export.id,
                export.fileName,
                export.storagePath, export.sha256, export.bytes, registration.actor.id, export.asOf, stamp,
            ])
        try db.execute(
            sql:
                """
                UPDATE run_outputs SET state = 'registered' WHERE run_id = ? AND step = ? AND final_path = ? \
                AND state = 'renamed'
                """,
            arguments: [registration.runID, registration.step, file.localPath])
        guard db.changesCount == 1 else { throw RegistrationFailure.notJournalled(document: file.document) }
        return export
    }

    private func insert(_ export: RegisteredExport, of registration: ExportRegistration, stamp: Int64) throws {
        let values: [(String, (any DatabaseValueConvertible)?)] = [
            ("id", export.id), ("project_id", export.projectID), ("run_id", registration.runID),
            ("export_name", export.exportName), ("line", export.line),
            ("format", export.format), ("dialect", export.dialect), ("environment", registration.environment),
            ("selection", registration.selection), ("pack_name", pack.name), ("pack_version", pack.version),
            ("pack_fingerprint", pack.fingerprint), ("rows", export.rows), ("bytes", export.bytes),
            ("sha256", export.sha256),
            ("file_name", export.fileName), ("local_path", export.localPath), ("storage_path", export.storagePath),
            ("actor_id", registration.actor.id), ("as_of", export.asOf),
            ("started_at", Timestamp.format(registration.startedAt)), ("finished_at", export.finishedAt),
            ("findings", registration.findings), ("fingerprint", registration.fingerprint),
            ("is_draft", registration.isDraft ? 1 : 0),
            ("status", export.status), ("content_stamp", stamp),
        ]
        try db.execute(
            sql:
                """
                INSERT INTO exports (\(SQLText.names(values.map(\.0)))) \
                VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))
                """,
            arguments: StatementArguments(values.map(\.1)))
    }

    /// Marks every earlier version on the line as superseded, in every format: a delivery is one
    /// unit. Like all log rows, exports are sent according to their sync state, without queue
    /// items.
    private func supersede(_ registration: ExportRegistration, before version: Int, _ changes: ChangeLog) throws {
        let ids = try String.fetchAll(
            db,
            sql: """
                UPDATE exports SET status = 'superseded', local_version = local_version + 1,
                  sync_state = CASE WHEN remote_updated_at IS NULL THEN sync_state ELSE 'pending_upload' END
                WHERE status = 'registered' AND project_id = ? AND line = ? AND export_name = ?
                  AND id IN (SELECT export_id FROM document_versions WHERE version < ?)
                RETURNING id
                """, arguments: [registration.projectID, registration.line, registration.exportName, version])
        for id in ids {
            try changes.logEntry(
                "export_superseded", of: "exports", id: id, project: registration.projectID, details: nil)
        }
    }

    private func has(_ document: String, _ version: Int, _ registration: ExportRegistration) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql:
                """
                SELECT EXISTS (SELECT 1 FROM document_versions WHERE project_id = ? AND line = ? AND document = ? \
                AND version = ?)
                """,
            arguments: [registration.projectID, registration.line, document, version]) ?? false
    }
}

/// Moves records whose document was registered to the pack's exported state (`APROBADO` →
/// `EXPORTADO`).
///
/// A selection treats a marked record as if it still had its previous state (`own_marks`). The
/// `Judge` decides who makes the change. It cannot be undone, because the document has been delivered.
struct ExportedMarks {
    private let change: UnstagedChange

    init(_ change: UnstagedChange) { self.change = change }

    /// Returns the number of moved records. Records in another state, in conflict, or in projects
    /// of which the actor is not a member are not changed.
    func mark(_ marks: ExportRegistration.Marks, runID: String) throws -> Int {
        let (db, actor) = (change.db, change.request.actor)
        guard let entity = change.pack.entity(marks.entity), let states = entity.states, let move = states.exported
        else { return 0 }
        guard change.judge.mayMove(states, from: move.from, to: move.to) else {
            throw RegistrationFailure.moveNotAllowed(role: actor.role.name, from: move.from, to: move.to)
        }
        let rows = try OwnRows(db, pack: change.pack, entity, change.changes, ids: change.ids)
        try rows.stage(marks.ids)
        let state = "t." + SQLText.name(states.field)
        try rows.keep(
            where: """
                \(state) = \(SQLText.literal(move.from)) AND t.sync_state NOT IN ('conflict', 'pending_download') \
                AND \(change.judge.isCovered(entity, row: "t"))
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
