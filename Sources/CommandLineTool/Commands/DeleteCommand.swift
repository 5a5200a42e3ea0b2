import ArgumentParser
import Importing
import Model
import Pipeline
import Replica

/// `fichero delete`: removes a record, with its parts.
struct DeleteCommand: FicheroCommand {
    static let task = CommandTask.change
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Take a record away, with its parts, where the pack allows it.",
        discussion: """
            Who may delete what, and in which state, stands in fichero describe. The log keeps the whole row; \
            fichero undo brings it back.

            Example: fichero delete C-31 --project CSM-2025 --reason "dug twice"
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup var change: ChangeOptions

    @Argument(
        help: ArgumentHelp("Records: code, code/part, or id.", valueName: "record"),
        completion: .names(of: .records))
    var records: [String]

    func run() throws {
        let run = try ChangeRun(options, change, may: .edit)
        let rows = try records.map { name in
            let (entity, id): (Entity, String)
            do { (entity, id) = try run.record(name) } catch let failure as RecordFailure {
                if failure.isUnknown { try run.ensureUnreported("delete") { $0.removed(name) } }
                throw failure
            }
            return EnteredRows.Row(entity: entity.name, id: id, isDeletion: true)
        }
        try options.show(run.perform("delete", rows, permission: .edit), of: run)
    }
}
