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
