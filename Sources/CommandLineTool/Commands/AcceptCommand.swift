import ArgumentParser
import Foundation
import Model
import Pipeline
import Replica

/// `fichero accept`: accepts findings, so that they are tolerated for a while; lists and withdraws
/// acceptances.
struct AcceptCommand: FicheroCommand {
    static let task = CommandTask.check
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept findings for a while, with a reason; list or withdraw what was accepted.",
        discussion: """
            A finding is named by its fingerprint, which `validate` shows, or by the first eight or more digits of \
            it. It is still shown, as accepted, but withholds no record and fails no run, until the day ends or its \
            values change. Without a fingerprint, everything that was accepted is listed.

            Examples:
              fichero accept fe3c4751 --reason "Depth confirmed by the client" --until 2026-12-31
              fichero accept
              fichero accept fe3c4751 --withdraw
            """)

    @OptionGroup var options: CommonOptions

    @Argument(help: ArgumentHelp("Fingerprints of findings.", valueName: "fingerprint"))
    var fingerprints: [String] = []

    @Option(name: .long, help: ArgumentHelp("Why it may stay as it is.", valueName: "text"))
    var reason: String?

    @Option(name: .long, help: ArgumentHelp("The last day on which this holds, yyyy-MM-dd.", valueName: "date"))
    var until: String?

    @Flag(name: .long, help: "Take acceptances back.")
    var withdraw = false

    private struct Withdrawn: Encodable {
        var withdrawn: Int
    }

    func run() throws {
        let session = try WorkSession.existing(options)
        let replica = try session.openReplica()
        let actor = try session.actor(in: replica, to: fingerprints.isEmpty ? .read : .resolve)
        let context = session.context(actor)
        let projects = try session.projectIDs(of: actor, nil, replica)
        if fingerprints.isEmpty {
            show(
                try replica.acceptances(
                    asOf: context.asOf, timeZone: context.timeZone, projectIDs: projects, reader: actor.role), session)
        } else if withdraw {
            let count = try replica.withdrawAcceptances(fingerprints, context: context, projectIDs: projects)
            options.output.show(
                Withdrawn(withdrawn: count), text: session.text("cli.accept.withdrawn", ["count": String(count)]))
        } else {
            guard let until else { throw AcceptanceFailure.noDay }
            show(
                try replica.accept(
                    fingerprints, reason: reason ?? "", until: until, context: context, projectIDs: projects), session)
        }
    }

    private func show(_ acceptances: [StoredAcceptance], _ session: WorkSession) {
        options.output.show(acceptances, text: AcceptanceText(session).text(acceptances))
    }
}

/// The options that select a command's records.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Project, by the code that people know; may be repeated. All of the actor's by default.",
            valueName: "code"),
        completion: .names(of: .projects))
    var project: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Record state; may be repeated.", valueName: "state"),
        completion: .names(of: .states))
    var state: [String] = []

    @Option(name: .long, help: ArgumentHelp("Sync state; may be repeated.", valueName: "state"))
    var syncState: [SyncState] = []

    @Option(name: .long, help: ArgumentHelp("First day, e.g. 2025-01-01.", valueName: "date"))
    var from: String?

    @Option(name: .long, help: ArgumentHelp("Last day.", valueName: "date"))
    var to: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The days that the files are for, instead of --from and --to: last-month, this-month, last-week, 2026-11, \
            2026-W48, 2026.
            """,
            valueName: "period"))
    var period: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Records near a place: latitude and longitude in degrees. Needs --within.", valueName: "lat,lon"))
    var near: String?

    @Option(name: .long, help: ArgumentHelp("How far from the place, e.g. 500m or 10km.", valueName: "distance"))
    var within: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Records whose texts have these words, or begin like them; a phrase stands in quotation marks.",
            valueName: "words"))
    var text: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("A condition in the pack's expression language.", valueName: "expression"))
    var filter: String?

    func request(_ session: WorkSession) throws -> SelectionRequest {
        for date in [from, to].compactMap({ $0 }) where !Timestamp.isDate(date) {
            throw SettingFailure.badDate(date)
        }
        guard period == nil || (from == nil && to == nil) else {
            throw ValidationError("Say --period, or --from and --to.")
        }
        let request = SelectionRequest(
            projects: project, states: state.map(session.state), syncStates: syncState.isEmpty ? nil : syncState,
            from: from, to: to, near: try circle(), words: text,
            filter: filter)
        return try period.map { request.of(try session.period($0), .within) } ?? request
    }

    private func circle() throws -> Nearby? {
        guard near != nil || within != nil else { return nil }
        guard let near, let within else { throw ValidationError("Say --near and --within together.") }
        guard let circle = Nearby(place: near, distance: within) else {
            throw SettingFailure.badCircle(near, within: within)
        }
        return circle
    }
}

extension WorkSession {
    /// Parses a period such as `last-month` or `2026-W48`, relative to the run's time in the
    /// office's time zone.
    func period(_ text: String) throws -> Period {
        guard let period = Period(text, now: asOf, in: timeZone) else { throw SettingFailure.badPeriod(text) }
        return period
    }
}
