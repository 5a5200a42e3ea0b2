package import Model

/// Why a person's change is refused as a whole; the findings say what stands in its way.
package enum ChangeFailure: Failure, Equatable {
    case refused(count: Int, mayNot: Bool)

    package var code: String { "CHANGE-REFUSED" }
    package var exitCode: ExitCode {
        switch self {
        case .refused(_, let mayNot): mayNot ? .notPermitted : .badInput
        }
    }
    package var arguments: [String: String] {
        switch self {
        case .refused(let count, _): ["count": String(count)]
        }
    }
}
