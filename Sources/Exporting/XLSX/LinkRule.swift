/// Which texts of a link column become links. The rest stays a text: nothing that runs, opens a share, or cannot stand in a formula.
enum LinkRule {
    /// Longest text that a formula may hold in quotes, in UTF-16 units.
    private static let longest = 255

    static func isSafe(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = unsafe bytes.first, unsafe CellText.prefix(of: bytes, units: longest).bytes == bytes.count else { return false }
        // Controls, spaces at the start, quotes, and bytes that are no text.
        guard first > 0x20, unsafe !bytes.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == 0x7F }) else { return false }
        guard unsafe isText(bytes) else { return false }
        // `#` leads into the workbook; two slashes of either kind lead to a share.
        if unsafe first == UInt8(ascii: "#") || startsWithTwoSlashes(bytes) { return false }
        guard let scheme = unsafe scheme(bytes) else { return true }
        return ["http", "https", "mailto"].contains(scheme)
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

    /// What stands before the first colon, in lower case, when it comes before any slash (RFC 3986, 3.1); nil for a path.
    private static func scheme(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        for unsafe (index, byte) in unsafe bytes.enumerated() {
            if byte == UInt8(ascii: ":") { return unsafe String(decoding: bytes[..<index], as: UTF8.self).lowercased() }
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") { return nil }
        }
        return nil
    }
}
