package import Model

/// A request to a server over HTTP.
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
    /// Whether plain HTTP is acceptable: without secrets, and with a signed response.
    package var mayGoInTheClear = false

    package init(_ method: Method, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
}

/// The response of a server.
package struct WebAnswer: Sendable {
    /// The status code of RFC 9110, section 15.
    package var status: Int
    /// The headers by lowercase name; if a name is repeated, the last value counts.
    package var headers: [String: String]
    /// The bytes of the response; empty if `receive` handled them.
    package var body: [UInt8]

    package var isSuccess: Bool { (200..<300).contains(status) }
}

/// Reason why a request to a server failed.
package typealias WebFailure = DeclaredFailure<WebConnection>

extension WebFailure {
    /// No connection: the name does not resolve, no server listens, or the certificate is not
    /// trusted. `reason` is libcurl's message, which contains no secrets.
    package static func unreachable(address: String, reason: String) -> Self {
        Self("REMOTE-UNREACHABLE", .unavailable, ["address": address, "reason": reason])
    }
    /// The connection broke, or the server sent nothing in time, in all attempts.
    package static func broken(address: String, reason: String) -> Self {
        Self("REMOTE-BROKEN", .unavailable, ["address": address, "reason": reason])
    }
    /// The response, or a value in it, is longer than this program accepts. A retry would not help.
    ///
    /// - Parameter limit: bytes.
    package static func tooLarge(address: String, limit: Int) -> Self {
        Self("REMOTE-TOO-LARGE", .badInput, ["address": address, "limit": limit >> 20])
    }
    package var isTooLarge: Bool { code == "REMOTE-TOO-LARGE" }
}
