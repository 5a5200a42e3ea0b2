package import Foundation
import GRDB
package import Model

extension Replica {
    /// Registers the files of a step, with versions, log entries, upload items and marks, in one transaction.
    ///
    /// The run's journal must know each file as renamed to its final name (`plan`, `mark`). Throws `ActorFailure` when records are to
    /// be marked and the actor may not, `RegistrationFailure`, `ReplicaFailure`.
    package func register(_ registration: ExportRegistration) throws -> RegistrationOutcome {
        try register([registration])[0]
    }

    /// Registers several formats of a step at once, and stores the numbers that their sheets show: all of it or nothing.
    package func register(_ registrations: [ExportRegistration], numbers: [StoredNumbers] = [], records: LineChanges? = nil) throws -> [RegistrationOutcome] {
        for registration in registrations where registration.marks != nil { try registration.actor.ensure(may: .mark) }
        return try write { db in
            for given in numbers where !given.rows.isEmpty {
                guard let first = registrations.first else { break }
                try store(given, actor: first.actor, environment: first.environment, now: first.asOf, db)
            }
            // The formats of a delivery are one version: which one, is settled before the first of them is there.
            let versions = try registrations.map { try Self.lastVersion($0.projectID, $0.line, $0.exportName, db) + 1 }
            if let records, let first = registrations.first { try keep(records, of: first, db) }
            return try zip(registrations, versions).map { try register($0, next: $1, db) }
        }
    }

    /// Gives each record by which a line's list has to be changed: a name where it comes in, nil where it goes.
    package typealias LineChanges = (_ body: (_ id: String, _ name: String?) throws -> Void) throws -> Void

    private func keep(_ records: LineChanges, of registration: ExportRegistration, _ db: Database) throws {
        let insertion = try PreparedStatement(
            db, "INSERT OR REPLACE INTO line_records (project_id, line, export_name, record_id, name) VALUES (?, ?, ?, ?, ?)")
        let removal = try PreparedStatement(
            db, "DELETE FROM line_records WHERE project_id = ? AND line = ? AND export_name = ? AND record_id = ?")
        for statement in [insertion, removal] {
            for (index, value) in [registration.projectID, registration.line, registration.exportName].enumerated() { try statement.bind(value, at: index + 1) }
        }
        try records { id, name in
            let statement = name == nil ? removal : insertion
            try statement.bind(id, at: 4)
            if let name { try statement.bind(name, at: 5) }
            try statement.run()
        }
    }

    private func register(_ registration: ExportRegistration, next: Int, _ db: Database) throws -> RegistrationOutcome {
        let changes = try ChangeLog(
            db, pack: pack, actorID: registration.actor.id, environment: registration.environment, now: registration.asOf)
        if let version = registration.files.map({ $0.expectedVersion ?? next }).min() { try supersede(registration, before: version, changes, db) }
        let exports = try registration.files.map { file in
            let export = try insert(file, of: registration, next: next, db)
            try changes.record(
                .upload, "export_registered", of: "exports", id: export.id,
                details: [
                    "document": export.document, "version": String(export.version), "sha256": export.sha256,
                    "rows": String(export.rows), "run_id": registration.runID,
                ])
            return export
        }
        let marked = try registration.marks.map { marks in
            try Marking(
                db: db, pack: pack, changes: changes, actor: registration.actor, environment: registration.environment,
                time: registration.asOf
            ).mark(marks, runID: registration.runID)
        }
        return RegistrationOutcome(exports: exports, marked: marked ?? 0)
    }

    /// Marks records whose document is registered already; how many were moved.
    package func mark(_ marks: ExportRegistration.Marks, _ context: RunContext, at time: Date) throws -> Int {
        try context.actor.ensure(may: .mark)
        return try write { db in
            let changes = try ChangeLog(db, pack: pack, actorID: context.actor.id, environment: context.environment, now: time)
            return try Marking(
                db: db, pack: pack, changes: changes, actor: context.actor, environment: context.environment, time: time
            ).mark(marks, runID: context.id)
        }
    }

    private func insert(_ file: ExportRegistration.File, of registration: ExportRegistration, next: Int, _ db: Database) throws -> RegisteredExport {
        let version = file.expectedVersion ?? next
        // Versions only grow; a format that was not asked for before joins the version of the others.
        let isFree = try version >= next || version == next - 1 && !Self.has(file.document, version, registration, db)
        guard isFree else { throw RegistrationFailure.versionTaken(document: file.document, version: version) }
        let id = UUIDv7.make(at: registration.asOf)
        let export = RegisteredExport(
            id: id, projectID: registration.projectID, exportName: registration.exportName, line: registration.line, format: file.format,
            dialect: registration.dialect, document: file.document, version: version, fileName: file.fileName, localPath: file.localPath,
            // No file goes up in the place of another, whatever they are called.
            storagePath: "\(registration.storageFolder)/\(id)/\(file.fileName)",
            rows: file.rows, bytes: file.bytes, sha256: file.sha256, isDraft: registration.isDraft, status: "registered",
            asOf: Timestamp.format(registration.asOf), finishedAt: Timestamp.format(registration.finishedAt))
        let stamp = try ReplicaKey.nextStamp(db)
        try insert(export, of: registration, stamp: stamp, db)
        try db.execute(
            sql: """
                INSERT INTO document_versions (id, project_id, line, document, version, export_id, file_name, storage_path, sha256, bytes,
                  created_by, created_at, content_stamp)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                UUIDv7.make(at: registration.asOf), export.projectID, export.line, export.document, version, export.id, export.fileName,
                export.storagePath, export.sha256, export.bytes, registration.actor.id, export.asOf, stamp,
            ])
        try db.execute(
            sql: "UPDATE run_outputs SET state = 'registered' WHERE run_id = ? AND step = ? AND final_path = ? AND state = 'renamed'",
            arguments: [registration.runID, registration.step, file.localPath])
        guard db.changesCount == 1 else { throw RegistrationFailure.notJournalled(document: file.document) }
        return export
    }

    private func insert(_ export: RegisteredExport, of registration: ExportRegistration, stamp: Int64, _ db: Database) throws {
        let values: [(String, (any DatabaseValueConvertible)?)] = [
            ("id", export.id), ("project_id", export.projectID), ("run_id", registration.runID), ("export_name", export.exportName), ("line", export.line),
            ("format", export.format), ("dialect", export.dialect), ("environment", registration.environment),
            ("selection", registration.selection), ("pack_name", pack.name), ("pack_version", pack.version),
            ("pack_fingerprint", pack.fingerprint), ("rows", export.rows), ("bytes", export.bytes), ("sha256", export.sha256),
            ("file_name", export.fileName), ("local_path", export.localPath), ("storage_path", export.storagePath),
            ("actor_id", registration.actor.id), ("as_of", export.asOf),
            ("started_at", Timestamp.format(registration.startedAt)), ("finished_at", export.finishedAt),
            ("findings", registration.findings), ("fingerprint", registration.fingerprint), ("is_draft", registration.isDraft ? 1 : 0),
            ("status", export.status), ("content_stamp", stamp),
        ]
        try db.execute(
            sql: "INSERT INTO exports (\(SQLText.names(values.map(\.0)))) VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))",
            arguments: StatementArguments(values.map(\.1)))
    }

    /// Whatever an earlier version on the line made is past, in every format: a delivery is one thing.
    private func supersede(_ registration: ExportRegistration, before version: Int, _ changes: ChangeLog, _ db: Database) throws {
        let ids = try String.fetchAll(
            db,
            sql: """
                UPDATE exports SET status = 'superseded', local_version = local_version + 1
                WHERE status = 'registered' AND project_id = ? AND line = ? AND export_name = ?
                  AND id IN (SELECT export_id FROM document_versions WHERE version < ?)
                RETURNING id
                """, arguments: [registration.projectID, registration.line, registration.exportName, version])
        for id in ids { try changes.record(.update, "export_superseded", of: "exports", id: id) }
    }

    /// The last version of a document on a line; 0: there is none yet.
    package func lastVersion(projectID: String, line: String, exportName: String) throws -> Int {
        try read { db in try Self.lastVersion(projectID, line, exportName, db) }
    }

    private static func lastVersion(_ projectID: String, _ line: String, _ exportName: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT max(v.version) FROM exports e JOIN document_versions v ON v.export_id = e.id
                WHERE e.project_id = ? AND e.line = ? AND e.export_name = ?
                """, arguments: [projectID, line, exportName]) ?? 0
    }

    private static func has(_ document: String, _ version: Int, _ registration: ExportRegistration, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM document_versions WHERE project_id = ? AND line = ? AND document = ? AND version = ?)",
            arguments: [registration.projectID, registration.line, document, version]) ?? false
    }

    /// The files last registered on a line, in every format, if they are of the same selection over the same state of the data; empty when the
    /// data, the selection or the pack changed since.
    package func lastExport(projectID: String, line: String, exportName: String, fingerprint: String) throws -> [RegisteredExport] {
        try read { db in
            try exports(
                db,
                where: """
                    e.project_id = ? AND e.line = ? AND e.export_name = ? AND e.fingerprint = ? AND e.pack_fingerprint = ? AND e.status = 'registered'
                    """,
                arguments: [projectID, line, exportName, fingerprint, pack.fingerprint], order: "e.format, v.document", limit: nil)
        }
    }

    /// Every registered file, newest first, for `verify`: of one project or of all.
    package func registeredFiles(projectID: String? = nil) throws -> [RegisteredExport] {
        try read { db in
            try exports(
                db, where: "?1 IS NULL OR e.project_id = ?1", arguments: [projectID], order: "e.content_stamp DESC, e.rowid DESC", limit: nil)
        }
    }

    func exports(
        _ db: Database, where condition: String, arguments: StatementArguments, order: String, limit: Int?
    ) throws -> [RegisteredExport] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT e.id, e.project_id, e.export_name, e.format, e.dialect, v.document, v.version, e.file_name, e.local_path,
                  e.storage_path, e.rows, e.bytes, e.sha256, e.is_draft, e.status, e.finished_at, e.line,
                  (SELECT p.\(SQLText.name(pack.project.code)) FROM main.\(SQLText.name(pack.project.entity)) AS p WHERE p.id = e.project_id), e.selection,
                  e.actor_id, (SELECT email FROM profiles WHERE profiles.id = e.actor_id), e.as_of
                FROM exports e LEFT JOIN document_versions v ON v.export_id = e.id
                WHERE \(condition) ORDER BY \(order) LIMIT \(limit ?? -1)
                """, arguments: arguments
        ).map { row in
            RegisteredExport(
                id: row[0], projectID: row[1] ?? "", exportName: row[2] ?? "", line: row[16], format: row[3] ?? "", dialect: row[4],
                document: row[5] ?? "", version: row[6] ?? 0, fileName: row[7] ?? "", localPath: row[8] ?? "", storagePath: row[9] ?? "",
                rows: row[10] ?? 0, bytes: row[11] ?? 0, sha256: row[12] ?? "", isDraft: row[13] ?? false, status: row[14] ?? "",
                asOf: row[21] ?? "", finishedAt: row[15] ?? "", project: row[17], selection: row[18], actorID: row[19], actorEmail: row[20])
        }
    }
}
