import Databases
import Foundation
import GRDB
import Model

/// Records the origin of rows and the changes of an import. Provenance and undo are based on this.
final class ImportTrail {
    enum Kind: String {
        /// `before` contains the values that were replaced.
        case update
        /// The row is in conflict; `item` is the conflict's id.
        case conflict
        /// A photo's file was found for an existing row.
        case photo
        /// A row of the quarantine was retried.
        case retry
    }

    private let db: Database
    let importID: String
    private let insert: PreparedStatement
    /// Added to a staged place's number to get its number in `import_sources`.
    let offset: Int64

    init(_ db: Database, importID: String) throws {
        self.db = db
        self.importID = importID
        offset = try Int64.fetchOne(db, sql: "SELECT coalesce(max(number), 0) FROM import_sources") ?? 0
        insert = try PreparedStatement(
            db,
            """
            INSERT OR IGNORE INTO import_changes (entity, row_id, import_id, kind, source, row, before, states, item_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    /// Writes the row of the change set, to which its other rows refer, and the request. The counts
    /// are written at the end.
    func begin(_ request: ImportRequest, stamp: Int64) throws {
        let time = Timestamp.format(request.startedAt)
        try db.execute(
            sql:
                """
                INSERT INTO imports (id, run_id, source, sha256, format, started_at, finished_at, counts) \
                VALUES (?, ?, ?, ?, ?, ?, ?, '')
                """,
            arguments: [importID, request.runID, request.source, request.sha256, request.format, time, time])
        let exports = try Int.fetchOne(db, sql: "SELECT count(*) FROM exports") ?? 0
        try db.execute(
            sql:
                """
                INSERT INTO import_details (import_id, stamp, actor_id, policy, reason, exports) \
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [importID, stamp, request.actor.id, request.policy.rawValue, request.reason, exports])
        if let reading = request.reading {
            try db.execute(
                sql: "INSERT INTO import_readings (import_id, reading) VALUES (?, ?)", arguments: [importID, reading])
        }
    }

    /// Records the files and sheets from which the staged rows were read.
    func noteSources(_ request: ImportRequest) throws {
        var digests: [String: String?] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT number, file, sheet FROM staging.places ORDER BY number") {
            let file: String? = row[1]
            if let file, digests[file] == nil { digests[file] = .some(request.digest(file) ?? request.sha256) }
            try db.execute(
                sql: "INSERT INTO import_sources (number, import_id, file, sha256, sheet) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    offset + (row[0] as Int64), importID, file ?? request.source,
                    file.flatMap { digests[$0] ?? nil } ?? request.sha256, row[2] as String?,
                ])
        }
    }

    /// - Parameters:
    ///   - place: number of the staged place; `row` is the position in it.
    ///   - before: a JSON object of the values that were replaced.
    ///   - states: the replica's system columns before the change, as JSON.
    func note(
        _ kind: Kind, entity: String, id: String, place: Int64?, row: Int64?, before: String, states: String,
        item: String?
    ) throws {
        try insert.bind(entity, at: 1)
        try insert.bind(id, at: 2)
        try insert.bind(importID, at: 3)
        try insert.bind(kind.rawValue, at: 4)
        try insert.bind(place.map { .integer($0 + offset) } ?? .null, at: 5)
        try insert.bind(row.map { .integer($0) } ?? .null, at: 6)
        try insert.bind(before, at: 7)
        try insert.bind(states, at: 8)
        try insert.bind(item, at: 9)
        try insert.run()
    }
}

/// An import that was committed although its run did not finish. If the run is repeated, the
/// repeated run returns this import's report and writes no second entry to the logs.
struct StoredImport {
    let id: String
    /// The content stamp of the rows that the import wrote.
    let stamp: Int64
    private let lines: [ImportAccount.Line]

    /// Looks for an interrupted run's import of the same file, by the same person in the same way.
    /// Finds nothing if another run has imported anything since.
    init?(_ request: ImportRequest, _ db: Database) throws {
        guard request.origin == .file, request.exchange == nil, !request.isDryRun, let digest = request.sha256 else {
            return nil
        }
        let found = try Row.fetchOne(
            db,
            sql: """
                SELECT i.id, d.stamp, i.counts FROM imports AS i JOIN import_details AS d ON d.import_id = i.id \
                JOIN pipeline_runs AS r ON r.id = i.run_id
                WHERE r.state = 'interrupted' AND d.undone_at IS NULL AND i.source = ? AND i.sha256 = ? \
                AND i.format = ? AND d.actor_id = ? AND d.policy = ? AND d.reason IS ?
                AND NOT EXISTS (
                    SELECT 1 FROM import_details AS later JOIN imports AS l ON l.id = later.import_id \
                WHERE later.stamp > d.stamp AND l.run_id IS NOT i.run_id)
                ORDER BY d.stamp DESC LIMIT 1
                """,
            arguments: [
                request.source, digest, request.format, request.actor.id, request.policy.rawValue, request.reason,
            ])
        guard let found else { return nil }
        (id, stamp) = (found[0], found[1])
        guard let lines = try? JSONDecoder().decode([ImportAccount.Line].self, from: Data((found[2] as String).utf8))
        else { return nil }
        self.lines = lines
    }

    /// Whether the repeated run rejected the same rows. With another mapping, the same file might
    /// reject other rows, which must not be lost.
    func isRepeated(by report: ImportAccount) -> Bool {
        let rejected = { (lines: [ImportAccount.Line]) in
            lines.filter { $0.counts.rejected > 0 }.map { "\($0.entity) \($0.counts.rejected)" }.sorted()
        }
        return rejected(lines) == rejected(report.lines)
    }

    /// The report that the interrupted run would have returned, if the repeated run found nothing
    /// to change. The import then belongs to the repeated run.
    func complete(_ repeated: ImportAccount, photos: Int, run: String?, _ db: Database) throws -> ImportAccount {
        var report = repeated
        (report.id, report.lines, report.photosAttached, report.isCompleted) = (id, lines, photos, true)
        try db.execute(sql: "UPDATE imports SET run_id = ? WHERE id = ?", arguments: [run, id])
        return report
    }
}

extension Replica {
    /// The projects that were last created or changed by this import.
    package func projectIDs(ofImport id: String) throws -> Set<String> {
        try read { db in
            try Set(
                String.fetchAll(
                    db,
                    sql:
                        """
                        SELECT id FROM \(SQLText.name(pack.project.entity)) WHERE content_stamp = (SELECT stamp \
                        FROM import_details WHERE import_id = ?)
                        """,
                    arguments: [id]))
        }
    }
}
