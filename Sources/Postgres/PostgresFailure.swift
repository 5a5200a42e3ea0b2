internal import CPQ
internal import Glibc
package import Model

/// Reason why a server cannot be reached, or refuses a statement.
package enum PostgresFailure: Failure, Equatable {
    /// There is no connection. `reason` is libpq's message, which contains no secret.
    case unreachable(address: String, reason: String)
    /// The server refused the login: the user is unknown or not permitted, or the password is
    /// wrong.
    case loginRefused(address: String, user: String, reason: String)
    /// The server has no such database.
    case noDatabase(address: String, reason: String)
    /// The server offers no encryption, and so no proof of its identity.
    case notEncrypted(address: String)
    /// The connection broke, or the server sent nothing in time.
    case broken(address: String, reason: String)
    /// The server refused a statement.
    ///
    /// - Parameters:
    ///   - state: SQLSTATE (PostgreSQL 15, appendix A).
    ///   - message: only the primary message, because the detail quotes values of rows.
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
        case .unreachable(let address, let reason), .broken(let address, let reason),
            .noDatabase(let address, let reason):
            ["address": address, "reason": reason]
        case .notEncrypted(let address): ["address": address]
        case .loginRefused(let address, let user, let reason): ["address": address, "user": user, "reason": reason]
        case .refused(let state, let message): ["state": state, "message": message]
        }
    }

    /// SQLSTATE; nil if no statement was refused.
    package var state: String? { if case .refused(let state, _) = self { state } else { nil } }

    /// Whether the server forbids the statement: by the rights of the role, or by row security.
    package var isForbidden: Bool { state.map { $0 == "42501" || $0.hasPrefix("28") } ?? false }

    /// Whether the statement may succeed later: deadlock, serialization, lack of resources,
    /// shutdown.
    package var isPassing: Bool {
        switch self {
        case .loginRefused, .noDatabase, .notEncrypted: return false
        case .unreachable, .broken, .refused: break
        }
        guard let state else { return true }
        return ["40", "53", "57", "58", "08"].contains { state.hasPrefix($0) } || state == "55P03"
    }
}

/// Finds the reason why a server refuses a login. A failed connection only returns a sentence in
/// the server's language and no SQLSTATE. So a second attempt connects step by step, which makes
/// libpq add the code to the sentence.
enum RefusedConnection {
    /// The SQLSTATE of the refusal (PostgreSQL 15, appendix A); nil if there was none.
    static func state(_ settings: PostgresSettings) -> String? {
        guard let made = unsafe PostgresConnection.begin(settings, PQconnectStartParams) else { return nil }
        defer { unsafe PQfinish(made) }
        _ = unsafe PQsetErrorVerbosity(made, PQERRORS_VERBOSE)
        var direction = Int16(POLLOUT)
        for _ in 0..<100 {
            var socket = pollfd(fd: unsafe PQsocket(made), events: direction, revents: 0)
            guard unsafe poll(&socket, 1, CInt(settings.patience * 1000)) > 0 else { return nil }
            switch unsafe PQconnectPoll(made) {
            case PGRES_POLLING_READING: direction = Int16(POLLIN)
            case PGRES_POLLING_WRITING: direction = Int16(POLLOUT)
            case PGRES_POLLING_FAILED:
                return unsafe PQerrorMessage(made).flatMap { code(in: unsafe String(cString: $0)) }
            default: return nil
            }
        }
        return nil
    }

    /// The code in `FATAL:  3D000: database "x" does not exist`.
    static func code(in message: String) -> String? {
        let words = message.split(whereSeparator: \.isWhitespace)
        return words.first { word in
            word.utf8.count == 6 && word.hasSuffix(":")
                && word.dropLast().utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
                && word.first?.isNumber == true
        }.map { String($0.dropLast()) }
    }

    /// - Parameter reason: the message of the first attempt.
    static func failure(_ settings: PostgresSettings, reason: String) -> PostgresFailure {
        if reason.contains("does not support SSL") { return .notEncrypted(address: settings.address) }
        // Only a message from the server contains this word.
        guard reason.contains("FATAL") else { return .unreachable(address: settings.address, reason: reason) }
        switch state(settings) {
        case "3D000"?: return .noDatabase(address: settings.address, reason: reason)
        case "28000"?, "28P01"?, "42501"?:
            return .loginRefused(address: settings.address, user: settings.user, reason: reason)
        default: return .unreachable(address: settings.address, reason: reason)
        }
    }
}
