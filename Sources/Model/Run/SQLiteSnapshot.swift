import Foundation

/// A database file that can be opened without changes beside it: the file itself, or a copy
/// together with its log.
package final class SQLiteSnapshot: Sendable {
    /// The file as it was named.
    package let path: String
    /// What to open: a URI.
    package let uri: String
    private let folder: PrivateFolder?

    /// Throws the file system's error when a copy cannot be made.
    package init(_ path: String) throws {
        self.path = path
        let logs = ["-wal", "-journal"].filter { ending in
            let size = (try? FileManager.default.attributesOfItem(atPath: path + ending))?[.size] as? Int
            return (size ?? 0) > 0
        }
        guard !logs.isEmpty else {
            folder = nil
            uri = Self.uri(URL(fileURLWithPath: path).path) + "?immutable=1"
            return
        }
        let copies = try PrivateFolder()
        for ending in [""] + logs {
            try FileManager.default.copyItem(
                at: URL(fileURLWithPath: path + ending).resolvingSymlinksInPath(), to: copies.url.appendingPathComponent("copy.db" + ending))
        }
        folder = copies
        uri = Self.uri(copies.url.appendingPathComponent("copy.db").path)
    }

    /// Whether the file is a copy, into which SQLite may write the log.
    package var isCopy: Bool { folder != nil }

    private static func uri(_ path: String) -> String { "file:" + path.percentEncoded(keeping: "/") }
}
