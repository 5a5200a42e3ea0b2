import Foundation

/// The files of the replica in use.
///
/// They are not part of a source, even if they lie in the imported folder, because they change
/// with every import. No document may have their names.
package struct ReplicaFiles: Sendable, Hashable {
    private var replica: String?
    /// Other files, and folders with all their contents.
    private var others: [String] = []

    /// No files: no replica is in use.
    package init() {}

    /// - Parameters:
    ///   - others: files and folders that belong to the replica: the configuration, the output
    ///     folder of documents.
    package init(of replica: String, and others: [String] = []) {
        self.replica = Self.real(replica)
        self.others = others.map(Self.real)
    }

    /// Distinguishes these files from other files below a folder, by their relative names.
    ///
    /// A folder that is itself one of them counts as a source as a whole, because the user named it
    /// explicitly.
    package func filter(below folder: String) -> (_ name: String) -> Bool {
        let root = Self.real(folder) + "/"
        func within(_ path: String) -> String? { path.hasPrefix(root) ? String(path.dropFirst(root.count)) : nil }
        let own = replica.flatMap(within), others = others.compactMap(within)
        return { name in
            own.map { Self.belongs(name, to: $0) } == true || others.contains { name == $0 || name.hasPrefix($0 + "/") }
        }
    }

    /// Whether a file of this name belongs to the replica, or is the configuration. The file need
    /// not exist: another program's write-ahead log would be read as part of the replica.
    package func contains(_ path: String) -> Bool {
        let path = Self.real(path)
        return replica.map { Self.belongs(path, to: $0) } == true || others.contains(path)
    }

    /// Whether a file belongs to the replica: log, journal and lock, session, staged rows, photos,
    /// trial copies, records about growing files. The list is exact, because a table file may have
    /// the replica's name with another ending.
    private static func belongs(_ name: String, to replica: String) -> Bool {
        let parts = replica.split(separator: "/")
        let folder = (replica.hasPrefix("/") ? "/" : "") + parts.dropLast().map { $0 + "/" }.joined()
        for ending in [".trial-", ".growing-"] where name.hasPrefix("\(folder).\(parts.last ?? "")\(ending)") {
            return true
        }
        guard name.hasPrefix(replica) else { return false }
        let rest = name.dropFirst(replica.count)
        return ["", "-wal", "-shm", "-journal", ".import", ".files", ".session"].contains(rest)
            || rest.hasPrefix(".import/") || rest.hasPrefix(".files/")
            || (rest.hasPrefix(".") && rest.hasSuffix(".lock"))
    }

    private static func real(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
}

/// A database file that can be opened without changing files beside it: the file itself, or a copy
/// with its log.
package final class SQLiteSnapshot: Sendable {
    /// The path as given.
    package let path: String
    /// The URI to open.
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
                at: URL(fileURLWithPath: path + ending).resolvingSymlinksInPath(),
                to: copies.url.appendingPathComponent("copy.db" + ending))
        }
        folder = copies
        uri = Self.uri(copies.url.appendingPathComponent("copy.db").path)
    }

    /// Whether the file is a copy, into which SQLite may write the log.
    package var isCopy: Bool { folder != nil }

    private static func uri(_ path: String) -> String { "file:" + path.percentEncoded(keeping: "/") }
}
