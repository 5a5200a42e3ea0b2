package import Foundation
import GRDB
package import Model

/// One run of the pipeline, as the journal records it.
package struct PipelineRun: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Codable {
        case running, done, failed, interrupted
    }

    /// UUIDv7.
    package var id: String
    package var command: String
    package var job: String?
    package var actorID: String?
    package var environment: String
    package var asOf: String
    package var startedAt: String
    package var finishedAt: String?
    package var state: State
    package var exitCode: Int?
    package var pid: Int
    /// JSON.
    package var selection: String?
    /// JSON.
    package var summary: String?
    /// The path of the run's log.
    package var log: String?
}

/// A file that a run writes, and its state.
package struct RunOutput: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Codable {
        /// The file is about to be written under its temporary name.
        case planned
        /// Complete under its temporary name.
        case written
        /// Complete under its final name, not registered yet.
        case renamed
        /// Registered in the replica, or a complete draft, which is never registered.
        case registered
    }

    package var step: Int
    package var temporaryPath: String
    package var finalPath: String
    package var state: State

    package init(step: Int = 0, temporaryPath: String, finalPath: String, state: State = .planned) {
        self.step = step
        self.temporaryPath = temporaryPath
        self.finalPath = finalPath
        self.state = state
    }
}

/// A run that was interrupted, with the files that it left.
package struct InterruptedRun: Sendable, Hashable {
    package var run: PipelineRun
    package var outputs: [RunOutput]
}

extension Replica {
    /// Records the start of a run, before it does anything.
    package func beginRun(
        _ context: RunContext, command: String, job: String? = nil, selection: String? = nil, log: String? = nil,
        startedAt: Date
    ) throws {
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO pipeline_runs (id, command, job, actor_id, environment, as_of, started_at, state, \
                    pid, selection, log, pack)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, (SELECT max(number) FROM ruling_packs))
                    """,
                arguments: [
                    context.id, command, job, context.actor.id, context.environment, Timestamp.format(context.asOf),
                    Timestamp.format(startedAt), Int(ProcessInfo.processInfo.processIdentifier), selection, log,
                ])
        }
    }

    /// Records the files that a run is about to write. A file that is planned again gets its first
    /// state.
    ///
    /// - Parameter planned: planned paths of the same step that the outputs replace. A writer may
    ///   write one table for each sheet instead of the planned file.
    package func plan(_ outputs: [RunOutput], insteadOf planned: [String] = [], run id: String) throws {
        try write { db in
            for path in planned {
                try db.execute(
                    sql:
                        """
                        DELETE FROM run_outputs WHERE run_id = ? AND step = ? \
                        AND final_path = ? AND state = 'planned'
                        """,
                    arguments: [id, outputs.first?.step ?? 0, path])
            }
            for output in outputs {
                try db.execute(
                    sql: """
                        INSERT INTO run_outputs (run_id, step, temporary_path, final_path, state) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT (run_id, step, final_path) DO UPDATE \
                        SET temporary_path = excluded.temporary_path, state = excluded.state
                        """,
                    arguments: [id, output.step, output.temporaryPath, output.finalPath, output.state.rawValue])
            }
        }
    }

    /// Records the state of several files at once.
    package func mark(_ outputs: [RunOutput], as state: RunOutput.State, run id: String) throws {
        try write { db in
            for output in outputs {
                try db.execute(
                    sql: "UPDATE run_outputs SET state = ? WHERE run_id = ? AND step = ? AND final_path = ?",
                    arguments: [state.rawValue, id, output.step, output.finalPath])
            }
        }
    }

    /// Records the end of a run, with its summary as JSON.
    package func finishRun(
        id: String, state: PipelineRun.State, exitCode: Int32, summary: String?, finishedAt: Date
    ) throws {
        try write { db in
            try db.execute(
                sql: "UPDATE pipeline_runs SET state = ?, exit_code = ?, summary = ?, finished_at = ? WHERE id = ?",
                arguments: [state.rawValue, Int(exitCode), summary, Timestamp.format(finishedAt), id])
        }
    }

    /// Runs that were killed (recorded as running, with a dead process), and other runs with files
    /// that are neither registered nor cleaned up. A run that is done may still be writing such
    /// files as its report, so it counts only if its process is dead. Recovery calls this under the
    /// replica's lock.
    package func interruptedRuns() throws -> [InterruptedRun] {
        try read { db in
            try RunJournal.interrupted(db).map { run in
                InterruptedRun(run: run, outputs: try RunJournal.outputs(of: run.id, db))
            }
        }
    }

    /// Removes the unregistered files of a run from the journal, once they have been deleted.
    package func forgetOpenOutputs(ofRun id: String) throws {
        try write { db in
            try db.execute(sql: "DELETE FROM run_outputs WHERE run_id = ? AND state <> 'registered'", arguments: [id])
        }
    }

    /// Paths of drafts that runs wrote: complete files that are not registered.
    package func drafts() throws -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql:
                    """
                    SELECT DISTINCT final_path FROM run_outputs WHERE state = 'registered' \
                    AND final_path NOT IN (SELECT local_path FROM exports WHERE local_path IS NOT NULL)
                    """
            )
        }
    }

    /// The files of a run, by step and final path.
    package func outputs(ofRun id: String) throws -> [RunOutput] {
        try read { db in try RunJournal.outputs(of: id, db) }
    }
}

/// Reads the journal of runs.
enum RunJournal {
    static func interrupted(_ db: Database) throws -> [PipelineRun] {
        let open =
            "EXISTS (SELECT 1 FROM run_outputs AS o WHERE o.run_id = pipeline_runs.id AND o.state <> 'registered')"
        return try runs(db, where: "state = 'running' OR \(open)", arguments: [], limit: nil)
            .filter { ($0.state != .running && $0.state != .done) || !RunProcess.isAlive($0.pid) }.reversed()
    }

    /// Runs, newest first.
    static func runs(_ db: Database, where condition: String, arguments: StatementArguments, limit: Int?) throws
        -> [PipelineRun]
    {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, command, job, actor_id, environment, as_of, started_at, finished_at, state, exit_code, \
                pid, selection, summary, log
                FROM pipeline_runs WHERE \(condition) ORDER BY started_at DESC, rowid DESC LIMIT \(limit ?? -1)
                """, arguments: arguments
        ).map { row in
            PipelineRun(
                id: row[0], command: row[1], job: row[2], actorID: row[3], environment: row[4], asOf: row[5],
                startedAt: row[6],
                finishedAt: row[7], state: PipelineRun.State(rawValue: row[8]) ?? .failed, exitCode: row[9],
                pid: row[10],
                selection: row[11], summary: row[12], log: row[13])
        }
    }

    static func outputs(of run: String, _ db: Database) throws -> [RunOutput] {
        try Row.fetchAll(
            db,
            sql:
                """
                SELECT step, temporary_path, final_path, state FROM run_outputs WHERE run_id = ? \
                ORDER BY step, final_path
                """,
            arguments: [run]
        ).map { row in
            RunOutput(
                step: row[0], temporaryPath: row[1], finalPath: row[2],
                state: RunOutput.State(rawValue: row[3]) ?? .planned)
        }
    }
}

/// Finds out whether a run's process is still alive.
enum RunProcess {
    /// Whether a process with this number runs this program. Numbers are reused, so another
    /// program's process is not the run's.
    static func isAlive(_ pid: Int) -> Bool {
        if pid == Int(ProcessInfo.processInfo.processIdentifier) { return true }
        guard FileManager.default.fileExists(atPath: "/proc/\(pid)") else { return false }
        guard let program = program(String(pid)), let own = Self.program("self") else { return true }
        return program == own
    }

    /// The path of a process's program; nil if the process belongs to another user. If the
    /// program's file was replaced meanwhile, the system appends ` (deleted)`.
    private static func program(_ process: String) -> String? {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe") else {
            return nil
        }
        return path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : path
    }
}
