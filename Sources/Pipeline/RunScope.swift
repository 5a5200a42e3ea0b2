import Exporting
package import Foundation
import Logging
package import Model
import OutputFiles
import Recording
package import Replica

/// A run that writes: it has the replica's lock, cleans up after dead runs, writes the journal, and
/// records its end.
package struct RunScope {
    package let session: WorkSession
    package let replica: Replica
    package let context: RunContext
    /// The run's start by the machine's clock.
    package let startedAt: Date

    /// Performs a body as a run. The lock is kept from before the recovery until the run's end is
    /// recorded in the journal.
    package static func perform<Result>(
        _ session: WorkSession, _ replica: Replica, _ context: RunContext, command: String, job: String? = nil,
        waitSeconds: Int,
        selection: String = "{}", body: (RunScope) throws -> (Result, Model.ExitCode, String)
    ) throws -> Result {
        session.reportBroken()
        let lock = try RunLock.acquire(
            path: RunLock.path(forReplica: session.replicaPath), wait: waitSeconds, since: Timestamp.format(Date()))
        return try withExtendedLifetime(lock) {
            try performLocked(session, replica, context, command: command, job: job, selection: selection, body: body)
        }
    }

    private static func performLocked<Result>(
        _ session: WorkSession, _ replica: Replica, _ context: RunContext, command: String, job: String?,
        selection: String,
        body: (RunScope) throws -> (Result, Model.ExitCode, String)
    ) throws -> Result {
        let scope = RunScope(session: session, replica: replica, context: context, startedAt: Date())
        try scope.recover()
        try replica.beginRun(context, command: command, job: job, selection: selection, startedAt: scope.startedAt)
        var log = session.log
        log[metadataKey: "run"] = "\(context.id)"
        log.info("run begins", metadata: ["command": "\(command)", "environment": "\(context.environment)"])
        do {
            try Interruption.check()
            let (result, exitCode, summary) = try body(scope)
            do {
                try replica.finishRun(
                    id: context.id, state: .done, exitCode: exitCode.rawValue, summary: summary, finishedAt: Date())
                log.info("run ends", metadata: ["exit": "\(exitCode.rawValue)"])
            } catch {
                // The run's work is done and is reported as done; the next run closes its entry.
                log.warning(
                    "the run is done, its end could not be noted",
                    metadata: ["code": "\((error as? any Failure)?.code ?? "INTERNAL")"])
            }
            return result
        } catch {
            let error = ReplicaDamage.explaining(Interruption.answering(error), at: session.replicaPath)
            let exitCode = (error as? any Failure)?.exitCode ?? .internalError
            scope.takeBackUnregistered()
            try? Leftovers(replicaPath: session.replicaPath).remove(replica)
            // The thrown error reports the failure. If the replica cannot record it now, the next
            // run does.
            let state: PipelineRun.State = Interruption.isAnswered ? .interrupted : .failed
            try? replica.finishRun(
                id: context.id, state: state, exitCode: exitCode.rawValue, summary: nil, finishedAt: Date())
            log.error(
                Interruption.isAnswered ? "run stopped" : "run failed",
                metadata: ["exit": "\(exitCode.rawValue)", "code": "\((error as? any Failure)?.code ?? "INTERNAL")"])
            throw error
        }
    }

    /// Removes the files of a failed stage. Unregistered files under their final names would block
    /// the next run.
    package func takeBackUnregistered() { try? takeBack(replica.outputs(ofRun: context.id), run: context.id) }

    /// Files that were being written when a run died: temporary names beside planned ones, of which
    /// only the beginning is in the journal.
    private static func unfinished(_ outputs: [RunOutput]) -> [String] {
        outputs.filter { $0.state == .planned }.flatMap { output -> [String] in
            let url = URL(fileURLWithPath: output.finalPath)
            let folder = url.deletingLastPathComponent().path
            let stem = "." + url.deletingPathExtension().lastPathComponent
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { TemporaryName.matches($0) && $0.hasPrefix(stem) }.map { folder + "/" + $0 }
        }
    }

    /// Cleans up after dead runs. With the lock acquired, every run still marked as running is
    /// dead: its unfinished files are deleted, its registered ones stay.
    private func recover() throws {
        for interrupted in try replica.interruptedRuns() {
            try takeBack(interrupted.outputs, run: interrupted.run.id)
            // A run that is done and has open files was writing its report.
            guard interrupted.run.state == .running || interrupted.run.state == .done else { continue }
            try replica.finishRun(
                id: interrupted.run.id, state: .interrupted, exitCode: ExitCode.internalError.rawValue, summary: nil,
                finishedAt: Date())
            session.log.warning(
                "a run was interrupted; what it left unfinished is removed",
                metadata: ["interrupted": "\(interrupted.run.id)"])
        }
        // This is done last: until then, an existing temporary file shows that it was not renamed.
        try Leftovers(replicaPath: session.replicaPath).remove(replica)
    }

    /// Removes the files of a run that were not registered, and restores the files that they
    /// replaced. May be repeated.
    private func takeBack(_ outputs: [RunOutput], run: String) throws {
        for output in outputs where output.state == .registered {
            try OutputCommit.confirm(temporary: output.temporaryPath)
        }
        let open = outputs.filter { $0.state != .registered }
        guard !open.isEmpty else { return }
        let registered = Set(try replica.registeredFiles().map(\.localPath))
        for output in open where output.state != .planned {
            // The rename may have happened just before the journal recorded it.
            let isOurs =
                !registered.contains(output.finalPath) && !FileManager.default.fileExists(atPath: output.temporaryPath)
            try OutputCommit.takeBack(temporary: output.temporaryPath, final: output.finalPath, isOurs: isOurs)
        }
        // Files whose temporary file is deleted now were never renamed; the next run must not
        // interpret its absence as a rename.
        try replica.mark(
            open.filter { FileManager.default.fileExists(atPath: $0.temporaryPath) }, as: .planned, run: run)
        try OutputCommit.removeLeftovers(open.map(\.temporaryPath).filter { !$0.isEmpty } + Self.unfinished(open))
        try replica.forgetOpenOutputs(ofRun: run)
    }
}
