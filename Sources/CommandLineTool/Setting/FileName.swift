import Foundation

/// Names of files as people state them.
enum FileName {
    /// The file itself where the name is a link to it: what lies beside a replica (its lock, its photos) belongs to the file, not to a name.
    static func real(_ path: String) -> String {
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil, FileManager.default.fileExists(atPath: path) else { return path }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
