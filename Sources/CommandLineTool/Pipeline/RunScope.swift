import Exporting
import Foundation
import Logging
import Model
import OutputFiles
import Recording
import Replica

/// A run that writes: it holds the replica's lock, mends what a dead run left, keeps the journal, and says how it ended.
struct RunScope {
    let session: CommandSession
    let replica: Replica
    let context: RunContext
    /// By the machine's clock.
    let startedAt: Date

    /// Performs a body as a run. The lock is held from before the recovery until the run's end stands in the journal.
    static func perform<Result>(
        _ session: CommandSession, _ replica: Replica, _ context: RunContext, command: String, job: String? = nil, waitSeconds: Int,
        selection: String = "{}", body: (RunScope) throws -> (Result, Model.ExitCode, String)
    ) throws -> Result {
        session.tellBroken()
        let lock = try RunLock.acquire(
            path: RunLock.path(forReplica: session.replicaPath), wait: waitSeconds, since: Timestamp.format(Date()))
        return try withExtendedLifetime(lock) {
            try performLocked(session, replica, context, command: command, job: job, selection: selection, body: body)
        }
    }

    private static func performLocked<Result>(
        _ session: CommandSession, _ replica: Replica, _ context: RunContext, command: String, job: String?, selection: String,
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
                try replica.finishRun(id: context.id, state: .done, exitCode: exitCode.rawValue, summary: summary, finishedAt: Date())
                log.info("run ends", metadata: ["exit": "\(exitCode.rawValue)"])
            } catch {
                // What the run did is done, and is told as done; the next run closes its entry.
                log.warning("the run is done, its end could not be noted", metadata: ["code": "\((error as? any Failure)?.code ?? "INTERNAL")"])
            }
            return result
        } catch {
            let error = ReplicaDamage.explaining(Interruption.answering(error), at: session.replicaPath)
            let exitCode = (error as? any Failure)?.exitCode ?? .internalError
            // Files that have their names and are in no book would stand in the next run's way.
            try? scope.takeBack(replica.outputs(ofRun: context.id), run: context.id)
            try? Leftovers(replicaPath: session.replicaPath).remove(replica)
            // What failed is told by the error itself; a replica that cannot even note it is mended by the next run.
            let state: PipelineRun.State = Interruption.isAnswered ? .interrupted : .failed
            try? replica.finishRun(id: context.id, state: state, exitCode: exitCode.rawValue, summary: nil, finishedAt: Date())
            log.error(Interruption.isAnswered ? "run stopped" : "run failed", metadata: ["exit": "\(exitCode.rawValue)", "code": "\((error as? any Failure)?.code ?? "INTERNAL")"])
            throw error
        }
    }

    /// Files that were growing when a run died: temporary names beside planned ones, which the journal knows by their beginning only.
    private static func unfinished(_ outputs: [RunOutput]) -> [String] {
        outputs.filter { $0.state == .planned }.flatMap { output -> [String] in
            let url = URL(fileURLWithPath: output.finalPath)
            let folder = url.deletingLastPathComponent().path
            let stem = "." + url.deletingPathExtension().lastPathComponent
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { TemporaryName.matches($0) && $0.hasPrefix(stem) }.map { folder + "/" + $0 }
        }
    }

    /// Whoever holds the lock knows that every run still marked as running is dead: what it left unfinished goes, what it registered stays.
    private func recover() throws {
        for interrupted in try replica.interruptedRuns() {
            try takeBack(interrupted.outputs, run: interrupted.run.id)
            // One that did its work and has open files was writing its account.
            guard interrupted.run.state == .running || interrupted.run.state == .done else { continue }
            try replica.finishRun(
                id: interrupted.run.id, state: .interrupted, exitCode: ExitCode.internalError.rawValue, summary: nil, finishedAt: Date())
            session.log.warning(
                "a run was interrupted; what it left unfinished is removed", metadata: ["interrupted": "\(interrupted.run.id)"])
        }
        // After that: a temporary file that is there says that it has not got its name.
        try Leftovers(replicaPath: session.replicaPath).remove(replica)
    }

    /// Takes the files of a run back that it did not register, and gives those that they replaced their names again. Can be done twice.
    private func takeBack(_ outputs: [RunOutput], run: String) throws {
        for output in outputs where output.state == .registered { try OutputCommit.settle(temporary: output.temporaryPath) }
        let open = outputs.filter { $0.state != .registered }
        guard !open.isEmpty else { return }
        let registered = Set(try replica.registeredFiles().map(\.localPath))
        for output in open where output.state != .planned {
            // The rename may have happened just before its note in the journal.
            let isOurs = !registered.contains(output.finalPath) && !FileManager.default.fileExists(atPath: output.temporaryPath)
            try OutputCommit.takeBack(temporary: output.temporaryPath, final: output.finalPath, isOurs: isOurs)
        }
        // Whose temporary file goes now was never renamed: the next run must not take its absence for a rename.
        try replica.mark(open.filter { FileManager.default.fileExists(atPath: $0.temporaryPath) }, as: .planned, run: run)
        try OutputCommit.removeLeftovers(open.map(\.temporaryPath).filter { !$0.isEmpty } + Self.unfinished(open))
        try replica.forgetOpenOutputs(ofRun: run)
    }
}
