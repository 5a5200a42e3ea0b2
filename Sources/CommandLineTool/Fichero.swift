package import ArgumentParser
import Foundation
import Model
import Pipeline
import Replica

/// The root command; all other commands are its subcommands.
package struct Fichero: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "fichero",
        abstract: "Field records in, checked documents out: a staged pipeline over a local replica.",
        discussion: """
            A replica is an SQLite file that holds one system's records. Bring records in with `import`, check them \
            with `validate`, write files with `export`, `report` or `run`, and see what happened with `status`, \
            `history` and `verify`.

            Exit codes: 0 done; 1 done, with findings at or above --fail-on; 64 usage; 65 bad input; 66 no such input; \
            70 internal error; 73 cannot create output; 74 I/O error; 75 busy, try later; 77 not permitted; \
            78 bad configuration or pack.
            """,
        version: ProgramVersion.current,
        groupedSubcommands: CommandTask.allCases.map(\.group))

    package init() {}

    /// Parses the arguments, runs the command and ends the process with its exit code.
    package static func start(_ stated: [String]) -> Never {
        // If a pipe's reader exits (`fichero … | head`), writing must fail with an error that can
        // be reported. By default, a signal would end the process.
        SignalHandling.ignoreFailedWrites()
        Interruption.watch()
        let request = HelpRequest(stated)
        let arguments = request.arguments
        do {
            var command = try parseAsRoot(request.parsed)
            try command.run()
            if let failure = StandardOutput.failure { throw failure }
            exit(withError: nil)
        } catch let done as CommandExit {
            end(done, arguments: arguments)
        } catch let asked where !(asked is any Failure) && ending(of: asked) == .done {
            answer(request, asked)
        } catch {
            end(Interruption.answering(error), arguments: arguments)
        }
    }

    private static func answer(_ request: HelpRequest, _ asked: any Error) -> Never {
        if let words = request.unknownCommand {
            do { _ = try parseAsRoot(words) } catch { end(error, arguments: words + request.language) }
        }
        if request.answer(message(for: asked)) { exit(withError: nil) }
        exit(withError: asked)
    }

    private static func end(_ error: any Error, arguments: [String]) -> Never {
        switch ReplicaDamage.explaining(error, at: EarlySetting(arguments).replicaPath) {
        case let failure as any Failure:
            ErrorOutput.show(failure, arguments: arguments)
            terminate(failure.exitCode)
        case let code as CommandExit:
            if let failure = StandardOutput.failure { end(failure, arguments: arguments) }
            ErrorOutput.reportQuiet(code, arguments: arguments)
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

    /// The exit code of an unexpected error: usage and requests for help come from the parser,
    /// everything else is a fault of the program.
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

/// A command of the program, in a separate file `NameCommand.swift`. The list of commands
/// (`CommandList`) is made from the files' names when the program is built; help, completion and
/// man pages are made from the list.
package protocol FicheroCommand: ParsableCommand {
    /// The heading under which the help lists the command.
    static var task: CommandTask { get }
}

/// The headings of the help: the user's tasks, in the usual order of work.
package enum CommandTask: String, CaseIterable {
    case setUp = "Set up"
    case bringIn = "Bring records in"
    case change = "Change records"
    case check = "Check"
    case handOver = "Hand over"
    case look = "Look"

    /// The commands below this heading.
    var group: CommandGroup { CommandGroup(name: rawValue, subcommands: CommandList.all.filter { $0.task == self }) }
}

/// The process's handling of signals.
enum SignalHandling {
    /// Makes a write to a closed pipe, or beyond the file size limit, fail with an error. By
    /// default, a signal would end the process before it can remove its unfinished files.
    static func ignoreFailedWrites() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
    }
}
