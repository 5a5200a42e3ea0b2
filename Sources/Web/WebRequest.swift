package import Model

/// What is asked of a server over HTTP.
package struct WebRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method
    /// The whole address; its path and query are percent-encoded.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]?
    /// Whether it holds no secret, and what comes back is signed: then it may go over plain HTTP.
    package var mayGoInTheClear = false

    package init(_ method: Method, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
}

/// What a server answered.
package struct WebAnswer: Sendable {
    /// The status code of RFC 9110, section 15.
    package var status: Int
    /// By lowercase name; of several with one name the last.
    package var headers: [String: String]
    /// Empty where a receiver took it.
    package var body: [UInt8]

    package var isSuccess: Bool { (200..<300).contains(status) }
}

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
        case .unreachable(let address, let reason), .broken(let address, let reason):
            ["address": address, "reason": reason]
        case .tooLarge(let address, let limit): ["address": address, "limit": String(limit >> 20)]
        }
    }
}
