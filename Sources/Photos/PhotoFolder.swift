internal import Foundation

/// Opens the photos that lie beside a replica. Their stored paths come from outside: nothing is opened but regular files below this
/// folder, and no symbolic link is followed on the way.
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
    /// The one folder in it that holds photos.
    private let name: String

    /// - Parameter replica: path of the replica's file; its photos lie in `NAME.files` beside it.
    package init(beside replica: String) {
        let url = URL(fileURLWithPath: replica)
        base = url.deletingLastPathComponent().path
        name = url.lastPathComponent + ".files"
    }

    /// Reads a photo once, to its end.
    package func read(_ storedPath: String) -> Reading {
        // What does not lie in this folder was never brought in: a device's own path, a name in a cloud.
        guard let parts = parts(of: storedPath) else { return .missing }
        return FileOpening.read(parts, below: base, limit: Self.maximumBytes)
    }

    private func parts(of path: String) -> [String]? {
        guard path.utf8.count <= 1024, !path.utf8.contains(0) else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (2...16).contains(parts.count), parts.first == name, !parts.contains(where: { ["", ".", ".."].contains($0) }) else { return nil }
        return parts
    }
}
