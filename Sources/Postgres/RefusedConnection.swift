internal import CPQ
internal import Glibc
internal import Model

/// Why a server that answers does not let somebody in. A connection that fails tells a sentence in
/// the server's language and no SQLSTATE. So it is tried once more, in steps, and the sentence comes
/// with its code.
enum RefusedConnection {
    /// The SQLSTATE of the refusal (PostgreSQL 15, appendix A); nil: there was none.
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
            case PGRES_POLLING_FAILED: return unsafe PQerrorMessage(made).flatMap { code(in: unsafe String(cString: $0)) }
            default: return nil
            }
        }
        return nil
    }

    /// The code in `FATAL:  3D000: database "x" does not exist`.
    static func code(in message: String) -> String? {
        let words = message.split(whereSeparator: \.isWhitespace)
        return words.first { word in
            word.utf8.count == 6 && word.hasSuffix(":") && word.dropLast().utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) } && word.first?.isNumber == true
        }.map { String($0.dropLast()) }
    }

    /// - Parameter reason: the sentence of the first attempt.
    static func failure(_ settings: PostgresSettings, reason: String) -> PostgresFailure {
        if reason.contains("does not support SSL") { return .notEncrypted(address: settings.address) }
        // Only a server that answered says this.
        guard reason.contains("FATAL") else { return .unreachable(address: settings.address, reason: reason) }
        switch state(settings) {
        case "3D000"?: return .noDatabase(address: settings.address, reason: reason)
        case "28000"?, "28P01"?, "42501"?: return .loginRefused(address: settings.address, user: settings.user, reason: reason)
        default: return .unreachable(address: settings.address, reason: reason)
        }
    }
}
