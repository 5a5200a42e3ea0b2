import Foundation

/// A database file to be opened without changing anything beside it: itself, or a copy together with its log.
package final class SQLiteSnapshot: Sendable {
    /// The file as it was named.
    package let path: String
    /// What to open: a URI.
    package let uri: String
    private let folder: PrivateFolder?

    /// Throws what the file system says when a copy cannot be made.
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

    /// Whether the file is a copy of our own, whose log SQLite may put in.
    package var isCopy: Bool { folder != nil }

    private static func uri(_ path: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        return path.utf8.reduce(into: "file:") { uri, byte in
            if plain.contains(byte) {
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                uri += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
