import Model

/// Decides which texts of a link column become links. A text stays a text when it would run
/// something or open a share, or cannot be part of a formula.
enum LinkRule {
    /// The longest text in quotes in a formula, in UTF-16 units.
    private static let longest = 255

    /// - Parameter files: what the text names; nil: it is an address.
    static func isSafe(_ bytes: UnsafeBufferPointer<UInt8>, of files: LinkedFiles?) -> Bool {
        let most = longest - (files?.folder.utf16.count ?? 0)
        guard let first = unsafe bytes.first, unsafe CellText.prefix(of: bytes, units: most).bytes == bytes.count else { return false }
        // A control character, a space at the start, a quotation mark, or bytes that are not UTF-8.
        guard first > 0x20, unsafe !bytes.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == 0x7F }) else { return false }
        guard unsafe isText(bytes) else { return false }
        // `#` points into the workbook; two slashes of either kind point to a share.
        if unsafe first == UInt8(ascii: "#") || startsWithTwoSlashes(bytes) { return false }
        if let files { return unsafe isName(bytes) && (files.absent.isEmpty || !files.absent.contains(String(decoding: bytes, as: UTF8.self))) }
        guard let scheme = unsafe scheme(bytes) else { return true }
        return ["http", "https", "mailto"].contains(scheme)
    }

    /// Whether a file's name means itself in an address.
    private static func isName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe !bytes.contains { "#%?/\\".utf8.contains($0) }
    }

    private static func isText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            guard unsafe bytes[index] >= 0x80 else {
                index += 1
                continue
            }
            let sequence = unsafe UTF8Sequence(bytes, at: index)
            guard sequence.isCharacter else { return false }
            index += sequence.length
        }
        return true
    }

    private static func startsWithTwoSlashes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe bytes.count >= 2 && bytes.prefix(2).allSatisfy { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    }

    /// The scheme before the first colon, in lower case, when no slash is before it (RFC 3986,
    /// 3.1); nil for a path.
    private static func scheme(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        for unsafe (index, byte) in unsafe bytes.enumerated() {
            if byte == UInt8(ascii: ":") { return unsafe String(decoding: bytes[..<index], as: UTF8.self).lowercased() }
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") { return nil }
        }
        return nil
    }
}
