package import Foundation

/// Opens the photos that lie beside a replica. Their stored paths come from outside, so it opens
/// only regular files below a photo folder there, and follows no symbolic link.
package struct PhotoFolder: Sendable {
    package enum Outcome: Sendable {
        case read(PhotoFile)
        case missing
        /// Not a regular file, a link, a file without permission to read, or one beyond
        /// `maximumBytes`.
        case unreadable
    }

    /// The limit of a photo's size; photos of phones have up to twenty million bytes.
    package static let maximumBytes = 64 << 20

    /// The folder of the replica, to which stored paths are relative.
    private let base: String
    /// Photos lie in `NAME.files`, after the name of the replica when they were imported.
    private static let suffix = ".files"

    package init(beside replica: String) {
        base = URL(fileURLWithPath: replica).deletingLastPathComponent().path
    }

    package func read(_ storedPath: String) -> Outcome {
        // Other paths were never imported: a device's own path, or a name in a cloud.
        guard let parts = parts(of: storedPath) else { return .missing }
        return FileOpening.read(parts, below: base, limit: Self.maximumBytes)
    }

    /// A file of any size, to be read in pieces; nil: it is not there, or may not be opened.
    package func open(_ storedPath: String) -> FileHandle? {
        guard let parts = parts(of: storedPath) else { return nil }
        let (file, _) = FileOpening.open(parts, below: base)
        return file >= 0 ? FileHandle(fileDescriptor: file, closeOnDealloc: true) : nil
    }

    /// A text that changes when a file changes, without reading the file: its size, its times and
    /// its number on the disk. Empty where there is no such file.
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
