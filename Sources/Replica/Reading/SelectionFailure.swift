package import Model

/// What can be wrong with what a run asks to see.
package enum SelectionFailure: Failure, Hashable {
    /// No such project, or not one of the actor's: which of the two is not told.
    case unknownProject(String, visible: [String])
    case unknownState(String, known: [String])
    /// A state or a date was asked for, and records of this kind have none.
    case recordWithoutState(String)
    case recordWithoutDate(String)
    /// Of the projects asked for, none has a record that was asked for.
    case nothingSelected(String)

    package var code: String {
        switch self {
        case .unknownProject: "PROJECT-UNKNOWN"
        case .unknownState: "STATE-UNKNOWN"
        case .recordWithoutState: "RECORD-NO-STATE"
        case .recordWithoutDate: "RECORD-NO-DATE"
        case .nothingSelected: "SELECTION-EMPTY"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        // What one may not see does not exist.
        case .unknownProject, .nothingSelected: .noInput
        case .unknownState, .recordWithoutState, .recordWithoutDate: .usage
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .unknownProject(let value, let known), .unknownState(let value, let known):
            ["value": value, "known": known.joined(separator: ", ")]
        case .nothingSelected(let name): ["name": name]
        case .recordWithoutState(let record), .recordWithoutDate(let record): ["record": record]
        }
    }
}
