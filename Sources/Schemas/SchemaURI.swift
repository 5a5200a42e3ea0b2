/// A URI reference in its five parts (RFC 3986, section 3 and appendix B), for resolving `$id` and
/// `$ref`.
struct SchemaURI: Sendable, Hashable {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    init(_ text: some StringProtocol) {
        var rest = Substring(text)
        if let hash = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (first | 0x20) &- UInt8(ascii: "a") < 26 else { return false }
        return text.utf8.allSatisfy { byte in
            (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") <= 9 || "+-.".utf8.contains(byte)
        }
    }

    /// The reference resolved against a base (section 5.2.2).
    func resolved(from base: SchemaURI) -> SchemaURI {
        guard scheme == nil else { return self }
        var target = self
        target.scheme = base.scheme
        guard authority == nil else { return target }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.hasPrefix("/") {
            target.path = Self.withoutDots(path)
        } else {
            let slash = base.path.lastIndex(of: "/")
            let folder = slash.map { String(base.path[...$0]) } ?? (base.authority == nil ? "" : "/")
            target.path = Self.withoutDots(folder + path)
        }
        return target
    }

    private static func withoutDots(_ path: String) -> String {
        var parts: [Substring] = []
        let given = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, part) in given.enumerated() {
            let isLast = index == given.count - 1
            switch part {
            case ".": if isLast { parts.append("") }
            case "..":
                if parts.count > 1 || parts.first.map({ !$0.isEmpty }) ?? false { parts.removeLast() }
                if isLast { parts.append("") }
            default: parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    /// The URI without its fragment: the address of a document.
    var address: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
    }

    /// The fragment with its escapes resolved; nil if the bytes are not UTF-8.
    var plainFragment: String? {
        var bytes: [UInt8] = []
        var source = Array((fragment ?? "").utf8)[...]
        while let byte = source.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard source.count >= 2, let value = UInt8(String(decoding: source.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            source = source.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
