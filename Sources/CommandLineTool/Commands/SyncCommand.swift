import ArgumentParser
import Foundation
import Model
import Pipeline
import Replica

/// `fichero sync`: syncs the replica with the central database.
struct SyncCommand: FicheroCommand {
    static let task = CommandTask.bringIn
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Send your changes to the central database, and bring what changed there.",
        discussion: """
            The configuration names the server. Your changes go first, in the order in which you made them, then \
            your photos and registered documents. People, projects and memberships come always; records of a \
            project come if you keep the project offline, and their files if you keep it always synced. A row that \
            was changed here and there becomes a conflict: nothing is overwritten. Files need a Supabase project. \
            With packages in place of a server, changes and photos leave as survey packages in a folder, and wait \
            until a package in another folder acknowledges them.

            Examples:
              fichero sync --plan
              fichero sync
              fichero sync --prove
              fichero sync --retry
              fichero sync --watch 15m
            """)

    @OptionGroup var options: CommonOptions

    @Flag(name: .long, help: "Say what would go and come, and change nothing.")
    var plan = false

    @Flag(name: .long, help: "Only send your changes and files. With --pull: both, as without either.")
    var push = false

    @Flag(name: .long, help: "Only bring what changed there.")
    var pull = false

    @Flag(name: .long, help: "Afterwards compare every table with the server, row versions included.")
    var prove = false

    @Flag(name: .long, help: "With --prove: fetch every row again, and compare its values too.")
    var deep = false

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("With --prove: write the proof of each project here, and register it.", valueName: "dir"))
    var outputDir: String?

    @Flag(name: .customLong("no-files"), help: "Rows only: send and fetch no files.")
    var withoutFiles = false

    @Flag(name: .long, help: "Try now also what the server refused before and what waits since.")
    var retry = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Sync again and again, this long after each sync (15m, 2h; a minute to a day), until a signal comes.",
            valueName: "interval"))
    var watch: SyncInterval?

    @Flag(
        name: .customLong("new-server"),
        help: "The replica may follow another server than so far: its database was moved.")
    var newServer = false

    @Flag(name: .long, help: "Needed where the environment is PROD.")
    var yes = false

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another run.", valueName: "seconds"))
    var wait: Int = 60

    func validate() throws {
        if outputDir != nil, !prove {
            throw ValidationError("--output-dir is for the documents of a proof: add --prove.")
        }
        if deep, !prove { throw ValidationError("--deep is a thorough proof: add --prove.") }
        if push, prove, !pull { throw ValidationError("--prove compares what came; it does not go with --push alone.") }
        if plan, prove {
            throw ValidationError("--plan changes nothing and compares nothing; it does not go with --prove.")
        }
        if watch != nil, plan { throw ValidationError("--watch syncs; it does not go with --plan.") }
        if watch != nil, options.asOf != nil {
            throw ValidationError("Each round of --watch has its own time; it does not go with --as-of.")
        }
    }

    func run() throws {
        if let watch { return try follow(watch) }
        let (session, result) = try sync()
        options.output.show(result, text: SyncText(session).text(result))
        if result.exitCode != .done { throw CommandExit(exitCode: result.exitCode) }
    }

    private func follow(_ watch: SyncInterval) throws {
        let first = try WorkSession.existing(options)
        let watching = SyncWatch {
            let (session, result) = try sync()
            SyncRoundText(session: session, output: options.output).show(result)
        } tell: { failure in
            let now = Date()
            SyncRoundText.show(failure, at: now, again: now + TimeInterval(watch.minutes * 60), first, options.output)
        } rest: {
            if let failure = StandardOutput.failure { throw failure }
            try Interruption.rest(watch.duration)
        }
        try watching.run()
    }

    /// Syncs once, with freshly loaded settings.
    private func sync() throws -> (WorkSession, SyncResult) {
        let session = try WorkSession.existing(options)
        guard yes || plan || session.environment != "PROD" else { throw SettingFailure.productionUnconfirmed }
        let sync = try session.sync(wait: wait, isPlan: plan)
        guard sync.canProve || !prove else { throw SettingFailure.remoteNotAsked }
        if outputDir != nil { try sync.actor.ensure(may: .export) }
        let isOneWay = push != pull
        var request = SyncRequest()
        (request.isSending, request.isFetching) = (push || !isOneWay, pull || !isOneWay)
        (request.isProving, request.isDeep, request.proofFolder) = (prove, deep, outputDir)
        (request.isRetrying, request.isWithFiles, request.isNewServer) = (retry, !withoutFiles, newServer)
        return (session, try plan ? sync.plan(request) : sync.perform(request))
    }
}

/// The time between two syncs: `15m` or `2h`, from a minute to a day.
struct SyncInterval: ExpressibleByArgument, Equatable {
    let minutes: Int

    init?(argument: String) {
        guard let unit = ["m": 1, "h": 60][argument.last ?? " "], let count = Int(argument.dropLast()),
            (1...1440).contains(count), count * unit <= 1440
        else { return nil }
        minutes = count * unit
    }

    var duration: Duration { .seconds(minutes * 60) }
}
