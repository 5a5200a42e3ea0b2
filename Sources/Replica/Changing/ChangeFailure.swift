package import Model

/// Why a person's change is refused as a whole; the findings give the reasons.
package enum ChangeFailure: Failure, Equatable {
    case refused(count: Int, mayNot: Bool)
    /// Records would get a state by which somebody vouches for them, and have errors.
    case findings(records: [String])
    /// After the change no profile could administer users any more.
    case lastAdministrator

    package var code: String {
        switch self {
        case .refused: "CHANGE-REFUSED"
        case .findings: "CHANGE-FINDINGS"
        case .lastAdministrator: "CHANGE-LAST-ADMINISTRATOR"
        }
    }
    package var exitCode: ExitCode {
        switch self {
        case .refused(_, let mayNot): mayNot ? .notPermitted : .badInput
        case .findings: .badInput
        case .lastAdministrator: .notPermitted
        }
    }
    package var arguments: [String: String] {
        switch self {
        case .refused(let count, _): ["count": String(count)]
        case .findings(let records): ["records": records.listed(separator: "; "), "count": String(records.count)]
        case .lastAdministrator: [:]
        }
    }
}
