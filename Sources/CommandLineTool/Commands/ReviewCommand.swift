import ArgumentParser
import Importing
import Model
import Pipeline

/// `fichero review`: moves records to another state, if the actor's role allows the move and no
/// open errors prevent it.
struct ReviewCommand: FicheroCommand {
    static let task = CommandTask.change
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Move records to another state: send to review, approve, observe.",
        discussion: """
            Which role may make which move stands in the pack. Records with findings of severity error that nobody \
            accepted are not moved to a state further on; the findings are shown. All records move, or none.

            Examples:
              fichero review C-05 C-06 --to APROBADO
              fichero review C-07 --to OBSERVADO --reason "water level missing"
            """)

    @OptionGroup var options: CommonOptions
    @OptionGroup var change: ChangeOptions

    @Argument(
        help: ArgumentHelp("Records: codes or ids.", valueName: "record"),
        completion: .names(of: .records))
    var records: [String]

    @Option(
        name: .long, help: ArgumentHelp("The state that they move to.", valueName: "state"),
        completion: .names(of: .states))
    var to: String

    func run() throws {
        let run = try ChangeRun(options, change, may: .read)
        let found = try records.map { try run.record($0) }
        let rows = try found.map { entity, id in
            EnteredRows.Row(entity: entity.name, id: id, values: [try run.state(to, of: entity)])
        }
        try options.show(run.perform("review", rows, permission: .read), of: run)
    }
}
