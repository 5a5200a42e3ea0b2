package import Model

/// Why a server on the web is of no use.
package enum WebFailure: Failure, Equatable {
    /// No connection: the name does not resolve, nobody listens, the certificate is not to be
    /// trusted. `reason` is libcurl's sentence; it names no secret.
    case unreachable(address: String, reason: String)
    /// The connection broke, or no sign of life came in time, however often it was tried.
    case broken(address: String, reason: String)

    package var code: String {
        switch self {
        case .unreachable: "REMOTE-UNREACHABLE"
        case .broken: "REMOTE-BROKEN"
        }
    }

    package var exitCode: ExitCode { .unavailable }

    package var arguments: [String: String] {
        switch self {
        case .unreachable(let address, let reason), .broken(let address, let reason): ["address": address, "reason": reason]
        }
    }
}
