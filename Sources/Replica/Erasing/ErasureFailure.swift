package import Model

/// Why nobody was erased; nothing has changed.
package enum ErasureFailure: Failure, Equatable {
    /// The pack does not say who its people are.
    case noSubjects(pack: String)
    /// Nobody has this id, address or number.
    case unknown
    /// Nobody said twice that it shall be.
    case unconfirmed

    package var code: String {
        switch self {
        case .noSubjects: "ERASE-NO-SUBJECTS"
        case .unknown: "ERASE-UNKNOWN"
        case .unconfirmed: "ERASE-UNCONFIRMED"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .noSubjects, .unconfirmed: .usage
        case .unknown: .noInput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .noSubjects(let pack): ["pack": pack]
        case .unknown, .unconfirmed: [:]
        }
    }
}
