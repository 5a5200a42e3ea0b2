/// The forms of names in packs. Each is safe as a table, a column, a file and an XML element.
enum NameForm: Sendable {
    case name, title, code, path

    private static let maximumLength = 60

    /// The pattern of the form for the JSON Schema, with the same meaning in PCRE2 and ECMAScript.
    var pattern: String {
        switch self {
        case .name: "^[a-z][a-z0-9_]{0,59}$"
        case .title: "^[a-z][a-z0-9_-]{0,59}$"
        case .code: "^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$"
        case .path: "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){0,7}$"
        }
    }

    var example: String {
        switch self {
        case .name: "snake_case (a–z, 0–9, _)"
        case .title: "kebab-case (a–z, 0–9, -, _)"
        case .code: "UPPER-CASE (A–Z, 0–9, -)"
        case .path: "field.field.field (a–z, 0–9, _)"
        }
    }

    func accepts(_ text: String) -> Bool {
        switch self {
        case .name: Self.isWord(text.utf8, further: "_")
        case .title: Self.isWord(text.utf8, further: "_-")
        case .path:
            text.utf8.count { $0 == UInt8(ascii: ".") } < 8
                && text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
                    Self.isWord($0, further: "_")
                }
        case .code:
            text.utf8.count <= Self.maximumLength && text.utf8.first.map { (0x41...0x5A).contains($0) } ?? false
                && text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { part in
                    !part.isEmpty && part.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
                }
        }
    }

    private static func isWord(_ bytes: some Collection<UInt8>, further: String) -> Bool {
        guard let first = bytes.first, (0x61...0x7A).contains(first), bytes.count <= maximumLength else { return false }
        return bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || further.utf8.contains($0) }
    }
}
