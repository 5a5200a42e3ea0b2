import ArgumentParser
import Foundation
import Importing
import Model
import Replica

/// `fichero undo`: undoes a change.
struct UndoCommand: FicheroCommand {
    static let task = CommandTask.bringIn
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take a change back, as long as nothing was built on it.",
        discussion: """
            Rows that an import or a command brought go, rows that it changed are again what they were, with queue items, conflicts, \
            rejected rows and photos. Refused with the records concerned when one was changed, synced or referred to since, when a \
            document of its project was registered since, when a later change touched one, or when its record is now in a state in \
            which the role may not change it. Own changes, or any for whoever may \
            administer.

            Examples:
              fichero undo last
              fichero undo 5f0e92
            """)

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("The change's id, the last six or more characters of it, or last.", valueName: "change"))
    var name: String

    @Option(name: .long, help: ArgumentHelp("Why; the log keeps it. Parts of a closed record are taken back only with a reason.", valueName: "text"))
    var reason: String?

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func run() throws {
        let session = try CommandSession.existing(options)
        let replica = try session.openReplica(waiting: wait)
        let context = session.context(try session.actor(in: replica, to: .read))
        let report = try RunScope.perform(session, replica, context, command: "undo", waitSeconds: wait) { scope in
            let store = PhotoStore(beside: session.replicaPath)
            let report = try replica.undoImport(
                name, context: scope.context, reason: reason, validation: session.recordValidation
            ) { try store.pending.note($0, .leaving) }
            // Files that the disk refuses to delete are tried again by the next run.
            if store.forget(report.photos) { store.pending.forget() }
            return (report, .done, JSONString.document(report))
        }
        session.output.show(report, text: UndoText(session).text(report))
    }
}
