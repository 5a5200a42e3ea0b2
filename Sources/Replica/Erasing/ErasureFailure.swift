package import Model

/// Why nobody was erased; nothing has changed.
package enum ErasureFailure: Failure, Equatable {
    /// The pack does not say who its people are.
    case noSubjects(pack: String)
    /// Nobody has this id, address or number.
    case unknown
    /// Several people have this value.
    case ambiguous(ids: [String])
    /// Nobody said twice that it shall be.
    case unconfirmed

    package var code: String {
        switch self {
        case .noSubjects: "ERASE-NO-SUBJECTS"
        case .unknown: "ERASE-UNKNOWN"
        case .ambiguous: "ERASE-AMBIGUOUS"
        case .unconfirmed: "ERASE-UNCONFIRMED"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .noSubjects, .unconfirmed: .usage
        case .unknown, .ambiguous: .noInput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .noSubjects(let pack): ["pack": pack]
        case .ambiguous(let ids): ["ids": ids.joined(separator: ", "), "count": String(ids.count)]
        case .unknown, .unconfirmed: [:]
        }
    }
}
