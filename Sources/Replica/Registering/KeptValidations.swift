import Databases
package import Foundation
import GRDB
package import Model

/// A validation whose findings the replica still stores.
package struct KeptValidation: Sendable, Hashable {
    package var run: String
    package var asOf: String
    /// Ids of the validated projects.
    package var projects: Set<String>
}

/// Reason why there is no validation to compare with.
package typealias ValidationFailure = DeclaredFailure<KeptValidation>

extension ValidationFailure {
    package static func noSuchRun(_ run: String) -> Self { Self("VALIDATION-UNKNOWN", .usage, ["run": run]) }
    package static func ambiguousRun(_ run: String) -> Self { Self("VALIDATION-AMBIGUOUS", .usage, ["run": run]) }
}

extension Replica {
    /// Number of validations whose findings are stored; of older ones only the summary is stored.
    package static let keptValidations = 20

    /// Stores a complete validation, its run and its findings, in one transaction.
    package func keepValidation(
        _ context: RunContext, projects: [String], findings: FindingStore, summary: String, exitCode: ExitCode,
        startedAt: Date, finishedAt: Date
    ) throws {
        try findings.numberOccurrences()
        let selection = FlatJSON.write(["projects": projects.sorted().joined(separator: " ")])
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO pipeline_runs
                      (id, command, actor_id, environment, as_of, started_at, finished_at, state, exit_code, pid, \
                    selection, summary, pack)
                    VALUES (?, 'validate', ?, ?, ?, ?, ?, 'done', ?, ?, ?, ?, (SELECT max(number) FROM ruling_packs))
                    """,
                arguments: [
                    context.id, context.actor.id, context.environment, Timestamp.format(context.asOf),
                    Timestamp.format(startedAt),
                    Timestamp.format(finishedAt), Int(exitCode.rawValue),
                    Int(ProcessInfo.processInfo.processIdentifier), selection, summary,
                ])
            // Findings are written in the order of their key, so no page is needed twice and a
            // large cache would be wasted.
            try db.execute(sql: "PRAGMA cache_size = -1024")
            try Self.keep(findings, run: context.id, db)
            try Self.forgetFindings(ofRuns: "command = 'validate'", db)
        }
    }

    /// Stores a run's findings about gaps in its deliveries, so that people can accept them.
    package func keepGaps(_ findings: FindingStore, run: String) throws {
        let gaps = try findings.counts().filter { FindingCatalogue.isGap($0.code) }
        guard !gaps.isEmpty else { return }
        try findings.numberOccurrences()
        try write { db in
            try Self.keep(findings, of: FindingCatalogue.gaps, run: run, db)
            try Self.forgetFindings(ofRuns: "command <> 'validate' AND id IN (SELECT run_id FROM run_findings)", db)
        }
    }

    /// - Parameter codes: the codes of the findings to store; nil: all.
    private static func keep(_ findings: FindingStore, of codes: Set<String>? = nil, run: String, _ db: Database) throws
    {
        let insertion = try PreparedStatement(
            db,
            """
            INSERT OR IGNORE INTO run_findings
              (run_id, fingerprint, n, code, severity, tbl, row_id, key, field, arguments, spot, project_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        try insertion.bind(run, at: 1)
        try findings.forEachToKeep(of: codes) { values in
            for (index, value) in values.enumerated() { try insertion.bind(value, at: index + 2) }
            try insertion.run()
            insertion.reset()
        }
    }

    /// Deletes the findings of these runs, except the last `keptValidations` of them.
    private static func forgetFindings(ofRuns condition: String, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM run_findings WHERE run_id IN (
                  SELECT id FROM pipeline_runs WHERE \(condition) ORDER BY started_at DESC, id DESC LIMIT -1 OFFSET ?)
                """, arguments: [keptValidations])
    }

    /// The validation with this name: `last`, a run's id, or the end of an id. (Ids of one day
    /// begin alike.)
    package func keptValidation(_ name: String) throws -> KeptValidation {
        let found = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, as_of, selection FROM (
                      SELECT id, as_of, selection, started_at FROM pipeline_runs
                      WHERE command = 'validate' ORDER BY started_at DESC, id DESC LIMIT \(Self.keptValidations))
                    WHERE ?1 = 'last' OR id = ?1 OR (length(?1) >= 6 AND substr(id, -length(?1)) = ?1)
                    ORDER BY started_at DESC, id DESC
                    """, arguments: [name])
        }
        guard let first = found.first else { throw ValidationFailure.noSuchRun(name) }
        guard name == "last" || found.count == 1 else { throw ValidationFailure.ambiguousRun(name) }
        let projects = FlatJSON.read(first[2] ?? "")["projects"] ?? ""
        return KeptValidation(
            run: first[0], asOf: first[1], projects: Set(projects.split(separator: " ").map(String.init)))
    }
}
