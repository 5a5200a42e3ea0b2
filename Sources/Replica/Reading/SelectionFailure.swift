package import Model

/// What can be wrong with a run's selection.
package enum SelectionFailure: Failure, Hashable {
    /// No such project, or the actor is no member of it; the message does not reveal which.
    case unknownProject(String, visible: [String])
    case unknownState(String, known: [String])
    /// A state or a date was requested, or a place or words, but records of this kind have none.
    case recordWithoutState(String)
    case recordWithoutDate(String)
    case recordWithoutPlace(String)
    case recordWithoutTexts(String)
    /// Nothing to look for.
    case noWords(String)
    /// None of the requested projects has a record that was requested.
    case nothingSelected(String)

    package var code: String {
        switch self {
        case .unknownProject: "PROJECT-UNKNOWN"
        case .unknownState: "STATE-UNKNOWN"
        case .recordWithoutState: "RECORD-NO-STATE"
        case .recordWithoutDate: "RECORD-NO-DATE"
        case .recordWithoutPlace: "RECORD-NO-PLACE"
        case .recordWithoutTexts: "RECORD-NO-TEXTS"
        case .noWords: "WORDS-EMPTY"
        case .nothingSelected: "SELECTION-EMPTY"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        // What a user may not see does not exist for that user.
        case .unknownProject, .nothingSelected: .noInput
        case .unknownState, .recordWithoutState, .recordWithoutDate, .recordWithoutPlace, .recordWithoutTexts, .noWords: .usage
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .unknownProject(let value, let known), .unknownState(let value, let known):
            ["value": value, "known": known.joined(separator: ", ")]
        case .nothingSelected(let name): ["name": name]
        case .recordWithoutState(let record), .recordWithoutDate(let record), .recordWithoutPlace(let record), .recordWithoutTexts(let record): ["record": record]
        case .noWords(let text): ["value": text]
        }
    }
}
