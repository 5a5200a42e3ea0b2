import ArgumentParser
import Foundation
import Model

/// Which records a command selects.
struct SelectionOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Project, by the code that people know; may be repeated. All of the actor's by default.", valueName: "code"))
    var project: [String] = []

    @Option(name: .long, help: ArgumentHelp("Record state; may be repeated.", valueName: "state"))
    var state: [String] = []

    @Option(name: .long, help: ArgumentHelp("Sync state; may be repeated.", valueName: "state"))
    var syncState: [SyncState] = []

    @Option(name: .long, help: ArgumentHelp("First day, e.g. 2025-01-01.", valueName: "date"))
    var from: String?

    @Option(name: .long, help: ArgumentHelp("Last day.", valueName: "date"))
    var to: String?

    @Option(name: .long, help: ArgumentHelp("The days that the files are for, instead of --from and --to: last-month, this-month, last-week, 2026-11, 2026-W48, 2026.", valueName: "period"))
    var period: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Records near a place: latitude and longitude in degrees. Needs --within.", valueName: "lat,lon"))
    var near: String?

    @Option(name: .long, help: ArgumentHelp("How far from the place, e.g. 500m or 10km.", valueName: "distance"))
    var within: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Records whose texts have these words, or begin like them; a phrase stands in quotation marks.", valueName: "words"))
    var text: String?

    @Option(name: .customLong("where"), help: ArgumentHelp("A condition in the pack's expression language.", valueName: "expression"))
    var filter: String?

    func request(_ session: CommandSession) throws -> SelectionRequest {
        for date in [from, to].compactMap({ $0 }) where !Timestamp.isDate(date) {
            throw SettingFailure.badDate(date)
        }
        guard period == nil || (from == nil && to == nil) else { throw ValidationError("Say --period, or --from and --to.") }
        let request = SelectionRequest(
            projects: project, states: state, syncStates: syncState.isEmpty ? nil : syncState, from: from, to: to, near: try circle(), words: text,
            filter: filter)
        return try period.map { request.of(try session.period($0), .within) } ?? request
    }

    private func circle() throws -> Nearby? {
        guard near != nil || within != nil else { return nil }
        guard let near, let within else { throw ValidationError("Say --near and --within together.") }
        guard let circle = Nearby(place: near, distance: within) else { throw SettingFailure.badCircle(near, within: within) }
        return circle
    }
}

extension CommandSession {
    /// A period as a person or a job writes it, relative to the run's clock in the office's time
    /// zone.
    func period(_ text: String) throws -> Period {
        guard let period = Period(text, now: asOf, in: timeZone) else { throw SettingFailure.badPeriod(text) }
        return period
    }
}
