import Blocks
import Model

/// Renders a report anew whenever one of its files was saved, until a signal ends it, or an error
/// that no save can mend. A mistake in a template is told, and the next save tried.
struct ReportWatch {
    /// Renders once, by the files as they are now.
    let round: () throws -> Void
    let files: () -> TemplateFiles
    let tell: (any Failure) -> Void
    /// Waits for a moment. Throws `RunStopped` after a signal.
    let rest: () throws -> Void

    func run() throws -> Never {
        while true {
            // Taken before they are read: what is saved meanwhile is rendered next.
            let read = files()
            do { try round() } catch is CommandExit {
                // The findings were shown.
            } catch {
                let error = Interruption.answering(error)
                guard let failure = error as? any Failure, Self.canBeMended(failure) else { throw error }
                report(failure)
            }
            if let failure = StandardOutput.failure { throw failure }
            try waitForSave(after: read)
        }
    }

    private static func canBeMended(_ failure: any Failure) -> Bool {
        !(failure is RunStopped) && (failure is ReportFailure || [.badConfiguration, .busy].contains(failure.exitCode))
    }

    /// Returns once the files differ and nothing more was saved for a moment: an editor may write a
    /// file in parts.
    private func waitForSave(after read: TemplateFiles) throws {
        var last = read
        while true {
            try rest()
            let now = files()
            if now != read, now == last { return }
            last = now
        }
    }
}
