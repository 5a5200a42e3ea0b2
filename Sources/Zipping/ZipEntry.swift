/// One file in an archive.
package struct ZipEntry: Sendable, Hashable {
    package enum Method: Sendable, Hashable {
        case stored, deflated

        var number: UInt16 {
            switch self {
            case .stored: 0
            case .deflated: 8
            }
        }

        init?(number: UInt) {
            switch number {
            case 0: self = .stored
            case 8: self = .deflated
            default: return nil
            }
        }
    }

    /// With `/` between folders; checked by `ZipName`.
    package let name: String
    package let method: Method
    package let crc: UInt32
    package let compressedSize: UInt64
    package let size: UInt64
    /// Whether the archive marks the entry as a symbolic link (the mode that Unix programs store in
    /// the external attributes).
    package var isLink = false

    package var isDirectory: Bool { name.hasSuffix("/") }
}

/// The rules for an entry's name, read or written: a relative path that stays inside the archive's
/// folder.
package enum ZipName {
    package static let longest = 1024

    package static func check(_ name: String) throws(ZipFailure) {
        guard isSafe(name) else { throw .nameRefused(name) }
    }

    private static func isSafe(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= longest else { return false }
        guard !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || $0 == "\\" || $0 == ":" }) else { return false }
        let path = name.hasSuffix("/") ? name.dropLast() : name[...]
        return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part != "." && part != ".."
        }
    }
}
