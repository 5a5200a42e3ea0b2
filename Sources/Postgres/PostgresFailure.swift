internal import CPQ
internal import Glibc
package import Model

/// Reason why a server cannot be reached, or refuses a statement.
package typealias PostgresFailure = DeclaredFailure<PostgresConnection>

extension PostgresFailure {
    /// There is no connection. `reason` is libpq's message, which contains no secret.
    package static func unreachable(address: String, reason: String) -> Self {
        Self("REMOTE-UNREACHABLE", .unavailable, ["address": address, "reason": reason])
    }
    /// The server refused the login: the user is unknown or not permitted, or the password is
    /// wrong.
    package static func loginRefused(address: String, user: String, reason: String) -> Self {
        Self("REMOTE-USER-REFUSED", .notPermitted, ["address": address, "user": user, "reason": reason])
    }
    /// The server has no such database.
    package static func noDatabase(address: String, reason: String) -> Self {
        Self("REMOTE-NO-DATABASE", .badConfiguration, ["address": address, "reason": reason])
    }
    /// The server offers no encryption, and so no proof of its identity.
    package static func notEncrypted(address: String) -> Self {
        Self("REMOTE-NO-TLS", .badConfiguration, ["address": address])
    }
    /// The connection broke, or the server sent nothing in time.
    package static func broken(address: String, reason: String) -> Self {
        Self("REMOTE-BROKEN", .unavailable, ["address": address, "reason": reason])
    }
    /// The server refused a statement.
    ///
    /// - Parameters:
    ///   - state: SQLSTATE (PostgreSQL 15, appendix A).
    ///   - message: only the primary message, because the detail quotes values of rows.
    package static func refused(state: String, message: String) -> Self {
        let exitCode: ExitCode = isForbidden(state) ? .notPermitted : passes(state) ? .unavailable : .badInput
        return Self("REMOTE-REFUSED", exitCode, ["state": state, "message": message])
    }

    /// SQLSTATE; nil if no statement was refused.
    package var state: String? { arguments["state"] }

    /// Whether the server forbids the statement: by the rights of the role, or by row security.
    package var isForbidden: Bool { state.map(Self.isForbidden) ?? false }

    /// Whether the statement may succeed later: deadlock, serialization, lack of resources,
    /// shutdown.
    package var isPassing: Bool { exitCode == .unavailable }

    private static func isForbidden(_ state: String) -> Bool { state == "42501" || state.hasPrefix("28") }

    private static func passes(_ state: String) -> Bool {
        ["40", "53", "57", "58", "08"].contains { state.hasPrefix($0) } || state == "55P03"
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
