package import Model

/// Why a Supabase project is of no use, although its server answers.
package enum SupabaseFailure: Failure, Equatable {
    /// The key passes by row security: it must not be on a person's machine.
    case secretKey
    /// The token is of another role than people have, such as one that passes by row security.
    case secretToken(role: String)
    /// Passwords and tokens would travel in the clear.
    case notSecure(address: String)
    /// Somebody must log in: there is no session and no password, or the session has ended.
    case loginNeeded(address: String, email: String)
    /// The server did not accept the address and the password.
    case loginRefused(address: String, email: String, reason: String)
    /// What answers is not the server, or a portal or a proxy stands between.
    case notAnswering(address: String, reason: String)
    /// The server refused a request.
    ///
    /// - Parameters:
    ///   - state: SQLSTATE, a code of PostgREST's or Storage's, or the status of HTTP.
    ///   - message: the primary message only: details quote values of rows.
    case refused(status: Int, state: String, message: String)

    package var code: String {
        switch self {
        case .secretKey: "REMOTE-KEY-SECRET"
        case .secretToken: "REMOTE-TOKEN-ROLE"
        case .notSecure: "REMOTE-NOT-SECURE"
        case .loginNeeded: "REMOTE-LOGIN"
        case .loginRefused: "REMOTE-LOGIN-REFUSED"
        case .notAnswering: "REMOTE-BROKEN"
        case .refused: "REMOTE-REFUSED"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .secretKey, .secretToken, .notSecure: .badConfiguration
        case .loginNeeded, .loginRefused: .notPermitted
        case .notAnswering: .unavailable
        case .refused(let status, _, _): status == 401 || status == 403 ? .notPermitted : isPassing ? .unavailable : .badInput
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .secretKey: [:]
        case .secretToken(let role): ["role": role]
        case .notSecure(let address): ["address": address]
        case .loginNeeded(let address, let email): ["address": address, "email": email]
        case .loginRefused(let address, let email, let reason): ["address": address, "email": email, "reason": reason]
        case .notAnswering(let address, let reason): ["address": address, "reason": reason]
        case .refused(_, let state, let message): ["state": state, "message": message]
        }
    }

    /// The same request may succeed later.
    package var isPassing: Bool {
        switch self {
        case .notAnswering: true
        // PostgREST answers 500 to much that the same statement would meet again: 21000, 54000, XX000.
        case .refused(500, let state, _) where state.utf8.count == 5 && state.first?.isNumber ?? false || state.hasPrefix("XX"):
            ["40", "53", "57", "58", "08"].contains { state.hasPrefix($0) }
        case .refused(let status, _, _): [408, 429, 500, 502, 503, 504].contains(status)
        default: false
        }
    }
}
