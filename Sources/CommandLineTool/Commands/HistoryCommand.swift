import ArgumentParser
import Foundation
import Model
import Replica

/// `fichero history`: changes, runs, exports and activity, newest first; or where the values of one
/// record come from.
struct HistoryCommand: FicheroCommand {
    static let task = CommandTask.look
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Changes, runs, exports and activity, newest first; or where a record's values come from.",
        discussion: """
            With a record, by its id or its code, it shows for each value the import that set it last: file, SHA-256, sheet, row, time.

            Examples:
              fichero history changes
              fichero history exports --project CHU-2025 --limit 20
              fichero history C-12 --project CHU-2025
            """)

    enum Kind: String, CaseIterable {
        case changes, runs, exports, activity
    }

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("changes, runs, exports or activity, all by default; or a record.", valueName: "what"))
    var what: String?

    @Option(name: .long, help: ArgumentHelp("Only what belongs to this project.", valueName: "code"))
    var project: String?

    @Option(name: .long, help: ArgumentHelp("How many of each.", valueName: "n"))
    var limit: Int = 20

    func run() throws {
        let session = try CommandSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: .read)
        let projects = try session.workProjectIDs(of: actor, project, replica)
        let kind = what.flatMap(Kind.init)
        if let what, kind == nil {
            let record = try replica.provenance(of: what, projectIDs: projects, actor: actor)
            session.output.show(record, text: RecordHistoryText(session).text(record))
            return
        }
        let history = try replica.history(projectIDs: projects, limit: limit, reader: actor)
        session.output.show(history, text: HistoryText(session).text(history, kind: kind))
    }
}
