package import Model

/// Why a server on the web is of no use.
package enum WebFailure: Failure, Equatable {
    /// No connection: the name does not resolve, nobody listens, the certificate is not to be
    /// trusted. `reason` is libcurl's sentence; it names no secret.
    case unreachable(address: String, reason: String)
    /// The connection broke, or no sign of life came in time, however often it was tried.
    case broken(address: String, reason: String)
    /// The answer, or a value in it, is longer than this side takes. It would be so again.
    ///
    /// - Parameter limit: bytes.
    case tooLarge(address: String, limit: Int)

    package var code: String {
        switch self {
        case .unreachable: "REMOTE-UNREACHABLE"
        case .broken: "REMOTE-BROKEN"
        case .tooLarge: "REMOTE-TOO-LARGE"
        }
    }

    package var exitCode: ExitCode { if case .tooLarge = self { .badInput } else { .unavailable } }

    package var arguments: [String: String] {
        switch self {
        case .unreachable(let address, let reason), .broken(let address, let reason): ["address": address, "reason": reason]
        case .tooLarge(let address, let limit): ["address": address, "limit": String(limit >> 20)]
        }
    }
}
