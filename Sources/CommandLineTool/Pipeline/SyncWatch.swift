import Model

/// Syncs again and again, until a signal or an error ends it that does not pass by itself. A server
/// that is away, or another run that holds the replica, is told and met again in the next round.
struct SyncWatch {
    /// Syncs once, from connecting on, and tells how it went. It holds nothing when it returns.
    let round: () throws -> Void
    /// Tells what kept a round from being done.
    let tell: (any Failure) -> Void
    /// Waits for the next round. Throws `RunStopped` after a signal.
    let rest: () throws -> Void

    func run() throws -> Never {
        while true {
            do { try round() } catch {
                let error = Interruption.answering(error)
                guard let failure = error as? any Failure, Self.passes(failure) else { throw error }
                report(failure)
            }
            if let failure = StandardOutput.failure { throw failure }
            try rest()
        }
    }

    private static func passes(_ failure: any Failure) -> Bool {
        !(failure is RunStopped) && [.unavailable, .busy].contains(failure.exitCode)
    }
}
