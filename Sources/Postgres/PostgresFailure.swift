package import Model

/// Why a server cannot be reached, or refuses a statement.
package enum PostgresFailure: Failure, Equatable {
    /// No connection. `reason` is libpq's sentence; it names no secret.
    case unreachable(address: String, reason: String)
    /// The server did not let the user in: it knows none of this name, may not let it in, or did not
    /// take the password.
    case loginRefused(address: String, user: String, reason: String)
    /// The server has no such database.
    case noDatabase(address: String, reason: String)
    /// The server offers no encryption, and so no proof of who it is.
    case notEncrypted(address: String)
    /// The connection broke, or the server gave no sign of life in time.
    case broken(address: String, reason: String)
    /// The server refused a statement.
    ///
    /// - Parameters:
    ///   - state: SQLSTATE (PostgreSQL 15, appendix A).
    ///   - message: the primary message only: the detail quotes values of rows.
    case refused(state: String, message: String)

    package var code: String {
        switch self {
        case .unreachable: "REMOTE-UNREACHABLE"
        case .loginRefused: "REMOTE-USER-REFUSED"
        case .noDatabase: "REMOTE-NO-DATABASE"
        case .notEncrypted: "REMOTE-NO-TLS"
        case .broken: "REMOTE-BROKEN"
        case .refused: "REMOTE-REFUSED"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .unreachable, .broken: .unavailable
        case .loginRefused: .notPermitted
        case .noDatabase, .notEncrypted: .badConfiguration
        case .refused: isForbidden ? .notPermitted : isPassing ? .unavailable : .badInput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .unreachable(let address, let reason), .broken(let address, let reason), .noDatabase(let address, let reason): ["address": address, "reason": reason]
        case .notEncrypted(let address): ["address": address]
        case .loginRefused(let address, let user, let reason): ["address": address, "user": user, "reason": reason]
        case .refused(let state, let message): ["state": state, "message": message]
        }
    }

    /// SQLSTATE; nil if no statement was refused.
    package var state: String? { if case .refused(let state, _) = self { state } else { nil } }

    /// The server does not allow it: the rights of the role, or row security.
    package var isForbidden: Bool { state.map { $0 == "42501" || $0.hasPrefix("28") } ?? false }

    /// The same statement may succeed later: deadlock, serialization, lack of resources, shutdown.
    package var isPassing: Bool {
        switch self {
        case .loginRefused, .noDatabase, .notEncrypted: return false
        case .unreachable, .broken, .refused: break
        }
        guard let state else { return true }
        return ["40", "53", "57", "58", "08"].contains { state.hasPrefix($0) } || state == "55P03"
    }
}
