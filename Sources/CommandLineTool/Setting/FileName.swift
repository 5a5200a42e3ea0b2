import Foundation

/// Names of files as people state them.
enum FileName {
    /// The file itself if the name is a link to it: the files beside a replica (its lock, its
    /// photos) belong to the file, not to a link.
    /// The path without any link in it, of folders too.
    static func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path }

    static func real(_ path: String) -> String {
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil, FileManager.default.fileExists(atPath: path) else { return path }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
