import ArgumentParser
import Foundation
import Model

/// Which records a command is about.
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

    @Option(name: .customLong("where"), help: ArgumentHelp("A condition in the pack's expression language.", valueName: "expression"))
    var filter: String?

    func request(_ session: CommandSession) throws -> SelectionRequest {
        for date in [from, to].compactMap({ $0 }) where !Timestamp.isDate(date) {
            throw SettingFailure.badDate(date)
        }
        return SelectionRequest(
            projects: project, states: state, syncStates: syncState.isEmpty ? nil : syncState, from: from, to: to, filter: filter)
    }
}
