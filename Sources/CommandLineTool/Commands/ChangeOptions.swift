import ArgumentParser
import Model

/// Options of every command that changes records.
struct ChangeOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Only records of this project; a new record's project.", valueName: "code"))
    var project: String?

    @Option(name: .long, help: ArgumentHelp("Why; the log keeps it. A closed record is changed only with a reason.", valueName: "text"))
    var reason: String?

    @Flag(name: .long, help: "Do all but write.")
    var dryRun = false

    @Option(name: .long, help: ArgumentHelp("New findings of the records from which the exit code is 1: error, warning or never.", valueName: "severity"))
    var failOn: FailOn = .error

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60
}
