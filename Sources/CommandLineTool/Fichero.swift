// The command line: one file per command in `Commands/`; `Setting/` finds configuration, pack,
// replica and actor; `Pipeline/` connects the stages (select → validate → export → record);
// `Output/` shows results, progress, errors and logs.
package import ArgumentParser
import Foundation
import Model
import Replica

/// The root command.
package struct Fichero: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "fichero",
        abstract: "Field records in, checked documents out: a staged pipeline over a local replica.",
        discussion: """
            A replica is an SQLite file that holds one system's records. Bring records in with `import`, check them with \
            `validate`, write files with `export`, `report` or `run`, and see what happened with `status`, `history` and `verify`.

            Exit codes: 0 done; 1 done, with findings at or above --fail-on; 64 usage; 65 bad input; 66 no such input; \
            70 internal error; 73 cannot create output; 74 I/O error; 75 busy, try later; 77 not permitted; \
            78 bad configuration or pack.
            """,
        version: ProgramVersion.current,
        groupedSubcommands: CommandTask.allCases.map(\.group))

    package init() {}

    /// Parses the arguments, runs the command and ends the process with its exit code.
    package static func start(_ arguments: [String]) -> Never {
        // If the reader of a pipe ends (`fichero … | head`), a write fails with an error that we
        // report, instead of a signal.
        SignalHandling.ignoreFailedWrites()
        Interruption.watch()
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
            if let failure = StandardOutput.failure { throw failure }
            exit(withError: nil)
        } catch let done as CommandExit {
            end(done, arguments: arguments)
        } catch {
            end(Interruption.answering(error), arguments: arguments)
        }
    }

    private static func end(_ error: any Error, arguments: [String]) -> Never {
        switch ReplicaDamage.explaining(error, at: EarlySetting(arguments).replicaPath) {
        case let failure as any Failure:
            ErrorOutput.show(failure, arguments: arguments)
            terminate(failure.exitCode)
        case let code as CommandExit:
            if let failure = StandardOutput.failure { end(failure, arguments: arguments) }
            ErrorOutput.tellQuiet(code, arguments: arguments)
            terminate(code.exitCode)
        default:
            switch ending(of: error) {
            case .usage:
                ErrorOutput.showUsage(error, arguments: arguments)
                terminate(.usage)
            case .internalError:
                let failure: any Failure = SystemFailure(error) ?? InternalFailure(error)
                ErrorOutput.show(failure, arguments: arguments)
                terminate(failure.exitCode)
            default: exit(withError: error)
            }
        }
    }

    /// The exit code of an error that no stage foresaw: usage and requests for help come from the
    /// parser, everything else is a fault of ours.
    static func ending(of error: any Error) -> Model.ExitCode {
        switch exitCode(for: error) {
        case .success: .done
        case .validationFailure: .usage
        default: .internalError
        }
    }

    private static func terminate(_ code: Model.ExitCode) -> Never {
        exit(withError: ArgumentParser.ExitCode(code.rawValue))
    }
}

/// Ends a command with an exit code after it has shown its results.
struct CommandExit: Error {
    var exitCode: Model.ExitCode
}
