import ArgumentParser
import Foundation
import Model
import Replica

/// `fichero sync`: keeps the replica in step with the central database.
struct SyncCommand: FicheroCommand {
    static let task = CommandTask.bringIn
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Send your changes to the central database, and bring what changed there.",
        discussion: """
            The configuration names the server. Your changes go first, in the order in which you made them, then your photos and registered \
            documents. People, projects and memberships come always; records of a project come if you keep the project offline, and their files if you keep \
            it always synced. A row that was changed here and there becomes a conflict: nothing is overwritten. Files need a Supabase project.

            Examples:
              fichero sync --plan
              fichero sync
              fichero sync --prove
              fichero sync --retry
            """)

    @OptionGroup var options: CommonOptions

    @Flag(name: .long, help: "Say what would go and come, and change nothing.")
    var plan = false

    @Flag(name: .long, help: "Afterwards compare every table with the server, row versions included.")
    var prove = false

    @Flag(name: .customLong("no-files"), help: "Rows only: send and fetch no files.")
    var withoutFiles = false

    @Flag(name: .long, help: "Try now also what the server refused before and what waits since.")
    var retry = false

    @Flag(name: .long, help: "Needed where the environment is PROD.")
    var yes = false

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func run() throws {
        let session = try CommandSession.existing(options)
        guard yes || plan || session.environment != "PROD" else { throw SettingFailure.productionUnconfirmed }
        let sync = try SyncRun(session, wait: wait)
        let result = try plan ? sync.plan(retrying: retry) : sync.perform(proving: prove, retrying: retry, withFiles: !withoutFiles)
        session.output.show(result, text: SyncText(session).text(result))
        let worst = result.proof?.contains { !$0.isEqual } == true ? Severity.error : result.findings.map(\.severity).max()
        if worst == .error { throw CommandExit(exitCode: .findings) }
    }
}
