internal import Foundation

/// Opens the photos that lie beside a replica. Their stored paths come from outside: nothing is opened but regular files below a
/// folder of photos there, and no symbolic link is followed on the way.
package struct PhotoFolder: Sendable {
    package enum Reading: Sendable {
        case read(PhotoFile)
        case missing
        /// Not a regular file, a link, not allowed to be read, or beyond `maximumBytes`.
        case unreadable
    }

    /// Photos of phones have up to twenty million bytes.
    package static let maximumBytes = 64 << 20

    /// The folder of the replica, to which stored paths are relative.
    private let base: String
    /// Photos lie in `NAME.files`, after the name that the replica had when they came in.
    private static let suffix = ".files"

    package init(beside replica: String) {
        base = URL(fileURLWithPath: replica).deletingLastPathComponent().path
    }

    /// Reads a photo once, to its end.
    package func read(_ storedPath: String) -> Reading {
        // What does not lie in such a folder was never brought in: a device's own path, a name in a cloud.
        guard let parts = parts(of: storedPath) else { return .missing }
        return FileOpening.read(parts, below: base, limit: Self.maximumBytes)
    }

    /// What tells, without reading it, that a file is another than before: its size, its times and its number on the disk; empty where none
    /// can be read.
    package func stamp(of storedPath: String) -> String {
        guard let parts = parts(of: storedPath) else { return "" }
        return FileOpening.stamp(parts, below: base)
    }

    private func parts(of path: String) -> [String]? {
        guard path.utf8.count <= 1024, !path.utf8.contains(0) else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (2...16).contains(parts.count), parts[0].hasSuffix(Self.suffix), !parts.contains(where: { ["", ".", ".."].contains($0) }) else { return nil }
        return parts
    }
}
