import ArgumentParser
import Foundation
import Model

/// The options that every command takes.
struct CommonOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The replica's file.", discussion: "FICHERO_REPLICA, the configuration, or ./fichero.db.", valueName: "file"))
    var replica: String?

    @Option(name: .long, help: ArgumentHelp("The folder with the packs.", discussion: "FICHERO_TEMPLATES, the configuration, or beside the program.", valueName: "dir"))
    var templates: String?

    @Option(name: .long, help: ArgumentHelp("A configuration file (YAML).", discussion: "FICHERO_CONFIG, or ./fichero.yaml when it is there.", valueName: "file"))
    var config: String?

    @Option(name: .long, help: ArgumentHelp("On whose behalf: the e-mail of a profile in the replica.", discussion: "FICHERO_ACTOR, or the configuration. A claim, not a proof.", valueName: "email"))
    var actor: String?

    @Option(name: .long, help: ArgumentHelp("Language of messages and documents: es, en, it.", valueName: "lang"))
    var lang: String?

    @Flag(name: .long, help: "Print the result as one JSON document.")
    var json = false

    @Option(name: .long, help: ArgumentHelp("Form of the log on standard error: text or json.", valueName: "format"))
    var logFormat: LogFormat = .text

    @Flag(name: .shortAndLong, help: "Say only what went wrong.")
    var quiet = false

    @Option(name: .long, help: ArgumentHelp("Progress on standard error: auto, always or never.", valueName: "when"))
    var progress: ProgressChoice = .auto

    @Option(name: .long, help: ArgumentHelp("The clock of the run, e.g. 2026-01-31T12:00:00Z.", valueName: "time"))
    var asOf: String?

    @Option(name: .long, help: ArgumentHelp("The office's time zone, e.g. America/Lima.", valueName: "zone"))
    var timeZone: String?
}

enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

package enum ProgressChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

extension Language: ExpressibleByArgument {}
extension FailOn: ExpressibleByArgument {}
extension FindingsPolicy: ExpressibleByArgument {}
extension CSVDialect: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
extension SyncState: ExpressibleByArgument {}
