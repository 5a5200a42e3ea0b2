import ArgumentParser
import Foundation
import Model
import Replica

/// `fichero history`: runs, exports and activity, newest first.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Runs, exports and activity, newest first.",
        discussion: "Example: fichero history exports --project CHU-2025 --limit 20")

    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case runs, exports, activity
    }

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("runs, exports or activity; all three by default.", valueName: "kind"))
    var kind: Kind?

    @Option(name: .long, help: ArgumentHelp("Only what belongs to this project.", valueName: "code"))
    var project: String?

    @Option(name: .long, help: ArgumentHelp("How many of each.", valueName: "n"))
    var limit: Int = 20

    func run() throws {
        let session = try CommandSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .read)
        let history = try replica.history(projectIDs: session.projectIDs(of: actor, project, replica), limit: limit)
        session.output.show(history, text: HistoryText(session).text(history, kind: kind))
    }
}
