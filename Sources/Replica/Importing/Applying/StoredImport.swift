import Foundation
import GRDB
import Model

/// An import that was committed although its run did not come to its end. Whoever repeats the run
/// gets the report of this import, and no second entry is made in the books.
struct StoredImport {
    let id: String
    let stamp: Int64
    private let lines: [ImportAccount.Line]

    /// Looks for the same file, imported by the same person in the same way, by a run that was
    /// interrupted, if no other run has imported anything since.
    init?(_ request: ImportRequest, _ db: Database) throws {
        guard request.origin == .file, request.exchange == nil, !request.isDryRun, let digest = request.sha256 else { return nil }
        let found = try Row.fetchOne(
            db,
            sql: """
                SELECT i.id, d.stamp, i.counts FROM imports AS i JOIN import_details AS d ON d.import_id = i.id JOIN pipeline_runs AS r ON r.id = i.run_id
                WHERE r.state = 'interrupted' AND d.undone_at IS NULL AND i.source = ? AND i.sha256 = ? AND i.format = ? AND d.actor_id = ? AND d.policy = ? AND d.reason IS ?
                AND NOT EXISTS (
                    SELECT 1 FROM import_details AS later JOIN imports AS l ON l.id = later.import_id WHERE later.stamp > d.stamp AND l.run_id IS NOT i.run_id)
                ORDER BY d.stamp DESC LIMIT 1
                """,
            arguments: [request.source, digest, request.format, request.actor.id, request.policy.rawValue, request.reason])
        guard let found else { return nil }
        (id, stamp) = (found[0], found[1])
        guard let lines = try? JSONDecoder().decode([ImportAccount.Line].self, from: Data((found[2] as String).utf8)) else { return nil }
        self.lines = lines
    }

    /// Whether the repetition rejected the same rows. Another mapping of the same file would reject
    /// other rows, which must not be lost.
    func isRepeated(by report: ImportAccount) -> Bool {
        let rejected = { (lines: [ImportAccount.Line]) in lines.filter { $0.counts.rejected > 0 }.map { "\($0.entity) \($0.counts.rejected)" }.sorted() }
        return rejected(lines) == rejected(report.lines)
    }

    /// The report that the interrupted run would have given, for a repetition that found nothing to
    /// change. From now on the import belongs to the repeating run.
    func complete(_ repeated: ImportAccount, photos: Int, run: String?, _ db: Database) throws -> ImportAccount {
        var report = repeated
        (report.id, report.lines, report.photosAttached, report.isCompleted) = (id, lines, photos, true)
        try db.execute(sql: "UPDATE imports SET run_id = ? WHERE id = ?", arguments: [run, id])
        return report
    }
}

extension Replica {
    /// The projects that this import was the last to make or change.
    package func projectIDs(ofImport id: String) throws -> Set<String> {
        try read { db in
            try Set(String.fetchAll(
                db, sql: "SELECT id FROM \(SQLText.name(pack.project.entity)) WHERE content_stamp = (SELECT stamp FROM import_details WHERE import_id = ?)",
                arguments: [id]))
        }
    }
}
