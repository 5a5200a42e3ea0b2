package import Foundation
import GRDB
package import Model

/// Reads the register of exported files.
extension Replica {
    /// The last version of a document on a line; 0 if there is none.
    package func lastVersion(projectID: String, line: String, exportName: String) throws -> Int {
        try read { db in try Self.lastVersion(projectID, line, exportName, db) }
    }

    static func lastVersion(_ projectID: String, _ line: String, _ exportName: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT max(v.version) FROM exports e JOIN document_versions v ON v.export_id = e.id
                WHERE e.project_id = ? AND e.line = ? AND e.export_name = ?
                """, arguments: [projectID, line, exportName]) ?? 0
    }

    /// The files last registered on a line, in every format, if selection, data and pack are the
    /// same as now. Empty if one of them changed since.
    package func lastExport(projectID: String, line: String, exportName: String, fingerprint: String) throws
        -> [RegisteredExport]
    {
        try read { db in
            try exports(
                db,
                where: """
                    e.project_id = ? AND e.line = ? AND e.export_name = ? AND e.fingerprint = ? \
                    AND e.pack_fingerprint = ? AND e.status = 'registered'
                    """,
                arguments: [projectID, line, exportName, fingerprint, pack.fingerprint], order: "e.format, v.document",
                limit: nil)
        }
    }

    /// Every registered file, newest first, for `verify`: of one project or of all.
    package func registeredFiles(projectID: String? = nil) throws -> [RegisteredExport] {
        try read { db in
            try exports(
                db, where: "?1 IS NULL OR e.project_id = ?1", arguments: [projectID],
                order: "e.content_stamp DESC, e.rowid DESC", limit: nil)
        }
    }

    func exports(
        _ db: Database, where condition: String, arguments: StatementArguments, order: String, limit: Int?
    ) throws -> [RegisteredExport] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT e.id, e.project_id, e.export_name, e.format, e.dialect, v.document, v.version, e.file_name, \
                e.local_path,
                  e.storage_path, e.rows, e.bytes, e.sha256, e.is_draft, e.status, e.finished_at, e.line,
                  (SELECT p.\(SQLText.name(pack.project.code)) FROM main.\(SQLText.name(pack.project.entity)) AS p \
                WHERE p.id = e.project_id), e.selection,
                  e.actor_id, (SELECT email FROM profiles WHERE profiles.id = e.actor_id), e.as_of
                FROM exports e LEFT JOIN document_versions v ON v.export_id = e.id
                WHERE \(condition) ORDER BY \(order) LIMIT \(limit ?? -1)
                """, arguments: arguments
        ).map { row in
            RegisteredExport(
                id: row[0], projectID: row[1] ?? "", exportName: row[2] ?? "", line: row[16], format: row[3] ?? "",
                dialect: row[4],
                document: row[5] ?? "", version: row[6] ?? 0, fileName: row[7] ?? "", localPath: row[8] ?? "",
                storagePath: row[9] ?? "",
                rows: row[10] ?? 0, bytes: row[11] ?? 0, sha256: row[12] ?? "", isDraft: row[13] ?? false,
                status: row[14] ?? "",
                asOf: row[21] ?? "", finishedAt: row[15] ?? "", project: row[17], selection: row[18], actorID: row[19],
                actorEmail: row[20])
        }
    }
}

/// Numbers that a run assigned to rows of a project, as its files show them.
package struct StoredNumbers: Sendable {
    package var numbering: String
    package var projectID: String
    package var rows: [(rowID: String, number: Int64)]

    package init(numbering: String, projectID: String, rows: [(rowID: String, number: Int64)]) {
        self.numbering = numbering
        self.projectID = projectID
        self.rows = rows
    }
}

extension Replica {
    /// Records in the activity log that a survey package was written; a folder cannot be registered
    /// as an export. The same transaction deletes it from the run's journal, since a recorded
    /// package is not cleaned up.
    package func notePackage(
        path: String, sha256: String, rows: Int, photos: Int, projectID: String, run: String, actor: Actor,
        environment: String, at time: Date
    ) throws {
        try write { db in
            let changes = try ChangeLog(db, pack: pack, actorID: actor.id, environment: environment, now: time)
            try changes.logEntry(
                "package_written", of: pack.project.entity, id: projectID, project: projectID,
                details: RowJSON.object([
                    "path": path, "sha256": sha256, "rows": String(rows), "photos": String(photos),
                ]))
            try db.execute(sql: "DELETE FROM run_outputs WHERE run_id = ? AND final_path = ?", arguments: [run, path])
        }
    }
}
