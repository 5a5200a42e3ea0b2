package import Model

/// Why a person's change is refused as a whole; the findings give the reasons.
package enum ChangeFailure: Failure, Equatable {
    case refused(count: Int, mayNot: Bool)
    /// After the change no profile could administer users any more.
    case lastAdministrator

    package var code: String { self == .lastAdministrator ? "CHANGE-LAST-ADMINISTRATOR" : "CHANGE-REFUSED" }
    package var exitCode: ExitCode {
        switch self {
        case .refused(_, let mayNot): mayNot ? .notPermitted : .badInput
        case .lastAdministrator: .notPermitted
        }
    }
    package var arguments: [String: String] {
        switch self {
        case .refused(let count, _): ["count": String(count)]
        case .lastAdministrator: [:]
        }
    }
}
