import ArgumentParser
import Model

/// What a command makes; supplies the words in which the help of its options differs.
protocol Product: Sendable {
    /// `export`, as in “the export's own policy”.
    static var word: String { get }
    /// The kind of file in which a handed-over record appears.
    static var file: String { get }
    /// The lowest severity of findings for exit code 1, unless the command line sets another.
    static var failOn: FailOn { get }
}

/// Data files, in which rows with errors must not appear unnoticed.
enum DataFiles: Product {
    static let word = "export"
    static let file = "workbook"
    static let failOn = FailOn.error
}

/// Documents for people, in which findings are marked.
enum Documents: Product {
    static let word = "report"
    static let file = "document"
    static let failOn = FailOn.never
}

/// Where the files go and what they are called.
struct OutputOptions: ParsableArguments {
    @Option(name: [.short, .long], help: ArgumentHelp("Where the files go.", valueName: "dir"))
    var outputDir: String?

    @Option(name: .long, help: ArgumentHelp("Names of the files; placeholders {export} {line} {project} {date} {year} {month} {period} {version} {format}.", valueName: "pattern"))
    var outputName: String = FileRequest.defaultPattern

    @Option(name: .customLong("line"), help: ArgumentHelp("The line that the files are the next version of, whatever they select. By default what is selected is a line.", valueName: "name"))
    var lineName: String?

    func line(_ selection: SelectionRequest, records: [String] = []) -> DeliveryLine {
        lineName.map { .named($0) } ?? .selection(selection, records: records)
    }

    func directory(_ session: CommandSession) -> String { outputDir ?? session.configuration.output ?? "." }
}

/// What findings do to the files and to the exit code.
struct FindingOptions<Of: Product>: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Records with errors: withhold-records, withhold-file or mark. The \(Of.word)'s own by default.", valueName: "policy"))
    var policy: FindingsPolicy?

    @Option(name: .long, help: ArgumentHelp("Findings from which the exit code is 1: error, warning or never.", valueName: "severity"))
    var failOn: FailOn = Of.failOn

    @Option(name: .long, help: ArgumentHelp("Make no file when there are more findings of severity error.", valueName: "n"))
    var maxErrors: Int?
}

/// How the run deals with what is registered already, with the records that it hands over, and with
/// other runs.
struct RegisteringOptions<Of: Product>: ParsableArguments {
    @Flag(name: .long, help: "Make and register the files anew although nothing has changed.")
    var again = false

    @Flag(name: .long, help: "Hand over: approved records only, moved to the exported state once they stand in a registered \(Of.file).")
    var markExported = false

    @Flag(name: .long, help: "Write files that say that they are drafts, register and mark nothing.")
    var draft = false

    @Flag(name: .long, help: "Make the files although no record is selected.")
    var allowEmpty = false

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func validate() throws {
        if draft && markExported { throw ValidationError("--draft registers nothing: leave out --mark-exported.") }
    }
}
