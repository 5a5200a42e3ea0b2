/// What of an address matters for how it is asked.
package enum WebAddress {
    /// Scheme, host and port: what messages may name.
    package static func origin(of url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return url }
        return String(url[..<(url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex)])
    }

    /// Whether the server is on this machine, by name or number.
    package static func isOfThisMachine(_ url: String) -> Bool {
        guard let start = url.firstRange(of: "://")?.upperBound else { return false }
        let host = url[start...].prefix { !"/?#".contains($0) }
        guard !host.contains("@") else { return false }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(name)
    }
}
