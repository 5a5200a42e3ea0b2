package import Model

/// Why nobody was erased, or what of an erasure is left to do.
package enum ErasureFailure: Failure, Equatable {
    /// The pack does not say who its people are.
    case noSubjects(pack: String)
    /// Nobody has this id, address or number.
    case unknown
    /// Several people have this value.
    case ambiguous(ids: [String])
    /// Nobody said twice that it shall be.
    case unconfirmed
    /// The person is erased, and the file still has the pages of the rows that went.
    case uncleared(path: String, reason: String)

    package var code: String {
        switch self {
        case .noSubjects: "ERASE-NO-SUBJECTS"
        case .unknown: "ERASE-UNKNOWN"
        case .ambiguous: "ERASE-AMBIGUOUS"
        case .unconfirmed: "ERASE-UNCONFIRMED"
        case .uncleared: "ERASE-UNCLEARED"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .noSubjects, .unconfirmed: .usage
        case .unknown, .ambiguous: .noInput
        case .uncleared: .inputOutput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .noSubjects(let pack): ["pack": pack]
        case .ambiguous(let ids): ["ids": ids.joined(separator: ", "), "count": String(ids.count)]
        case .uncleared(let path, let reason): ["path": path, "reason": reason]
        case .unknown, .unconfirmed: [:]
        }
    }
}
