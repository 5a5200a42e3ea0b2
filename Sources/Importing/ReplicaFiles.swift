import Foundation

/// The files of the replica that a program works with. They are no part of a source, also where they lie in the folder that is imported: they
/// change with every import.
package struct ReplicaFiles: Sendable, Hashable {
    private var replica: String?
    /// Other files, and folders with all that is in them.
    private var others: [String] = []

    /// None: nobody works with a replica.
    package init() {}

    /// - Parameters:
    ///   - others: files and folders that belong to it: the configuration, the folder that documents are written into.
    package init(of replica: String, and others: [String] = []) {
        self.replica = Self.real(replica)
        self.others = others.map(Self.real)
    }

    /// Tells them from other files below a folder, by their names from there.
    ///
    /// A folder that itself is one of theirs is all a source: somebody named it.
    package func filter(below folder: String) -> (_ name: String) -> Bool {
        let root = Self.real(folder) + "/"
        func within(_ path: String) -> String? { path.hasPrefix(root) ? String(path.dropFirst(root.count)) : nil }
        let own = replica.flatMap(within), others = others.compactMap(within)
        return { name in own.map { Self.belongs(name, to: $0) } == true || others.contains { name == $0 || name.hasPrefix($0 + "/") } }
    }

    /// Log, journal and lock, staged rows, photos, copies for trials, notes of files that grow. Exactly these: a table may have the replica's name and an ending.
    private static func belongs(_ name: String, to replica: String) -> Bool {
        let parts = replica.split(separator: "/")
        for ending in [".trial-", ".growing-"] where name.hasPrefix((parts.dropLast() + [".\(parts.last ?? "")\(ending)"]).joined(separator: "/")) {
            return true
        }
        guard name.hasPrefix(replica) else { return false }
        let rest = name.dropFirst(replica.count)
        return ["", "-wal", "-shm", "-journal", ".import", ".files"].contains(rest) || rest.hasPrefix(".import/") || rest.hasPrefix(".files/")
            || (rest.hasPrefix(".") && rest.hasSuffix(".lock"))
    }

    private static func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path }
}
