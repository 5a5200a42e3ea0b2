import ArgumentParser
import Foundation
import Importing
import Model
import Pipeline
import Replica

/// `fichero offline`: shows and sets what a person keeps offline.
struct OfflineCommand: FicheroCommand {
    static let task = CommandTask.setUp
    static let configuration = CommandConfiguration(
        commandName: "offline",
        abstract: "Say what you keep offline: a project, a folder, a document or a record.",
        discussion: """
            Everybody says it for himself. A project brings its rows; the mode of a folder, document or record \
            chooses its files. Without a name it lists what you keep.

            Examples:
              fichero offline
              fichero offline CSM-2025 --available
              fichero offline C-05 --project CSM-2025 --always
              fichero offline CSM-2025 --off
            """)

    /// The ways of keeping something offline.
    enum Mode: String, EnumerableFlag {
        case available, always, off

        /// The value in the tables; nil when not kept offline.
        var stored: String? {
            switch self {
            case .available: "available_offline"
            case .always: "always_synced"
            case .off: nil
            }
        }

        static func help(for mode: Mode) -> ArgumentHelp? {
            switch mode {
            case .available: "Bring it here when asked to."
            case .always: "Keep it in step whenever there is a connection."
            case .off: "Keep it no longer."
            }
        }
    }

    @OptionGroup var options: CommonOptions
    @OptionGroup var change: ChangeOptions

    @Argument(
        help: ArgumentHelp("A project's code, a folder's or document's path, or a record.", valueName: "name"),
        completion: .names(of: .projects))
    var name: String?

    @Flag(exclusivity: .exclusive) var mode: Mode?

    func run() throws {
        let run = try ChangeRun(options, change, may: .read)
        guard let name else {
            let found = try run.replica.offlineChoices(of: run.actor.id, projectIDs: run.projects)
            return options.output.show(found, text: list(found, run.session))
        }
        guard let mode else { throw OfflineFailure.noMode(name) }
        let target = try run.replica.offlineTarget(named: name, projectIDs: run.projects, actor: run.actor)
        let known = try run.replica.offlineRow(of: run.actor.id, target)
        var row = EnteredRows.Row(entity: "file_sync_states", id: known ?? UUIDv7.make(at: Date()), name: target.name)
        if let stored = mode.stored {
            row.values = [("sync_mode", stored)]
            if known == nil {
                row.values += [
                    ("profile_id", run.actor.id), ("project_id", target.projectID), ("document_node_id", target.nodeID),
                    ("path", target.path),
                    ("sync_status", SyncState.pendingDownload.rawValue),
                ]
            }
        } else {
            row.isDeletion = true
        }
        // What is not kept offline needs no change.
        let rows = known == nil && row.isDeletion ? [] : [row]
        try options.show(run.perform("offline", rows, permission: .read), of: run)
    }

    private func list(_ choices: [OfflineChoice], _ session: WorkSession) -> String {
        guard !choices.isEmpty else { return session.text("cli.offline.none") }
        var table = TextTable(
            ["project", "target", "mode"].map { session.text("cli.columns." + $0) }, [.left, .left, .left])
        for choice in choices {
            table.add([choice.project, choice.target ?? "—", session.text("vocabulary.sync_mode." + choice.mode)])
        }
        return table.text
    }
}
