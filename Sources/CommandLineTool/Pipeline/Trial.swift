import Foundation
import Model
import Replica

/// A copy of a replica with its photos in a folder of its own beside it, in which an import can be tried out. It is gone when the
/// trial ends; the replica itself is only read.
struct Trial {
    /// The same session, on the copy.
    let session: CommandSession
    let replica: Replica

    static func perform<Result>(_ session: CommandSession, _ original: Replica, _ body: (Trial) throws -> Result) throws -> Result {
        let file = URL(fileURLWithPath: session.replicaPath)
        let prefix = ".\(file.lastPathComponent).trial-"
        removeLeftovers(in: file.deletingLastPathComponent(), prefix)
        let name = "\(prefix)\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
        let folder = file.deletingLastPathComponent().appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent(file.lastPathComponent)
        try original.copy(to: copy.path)
        try linkPhotos(of: file, into: folder)
        var inTrial = session
        inTrial.replicaPath = copy.path
        return try body(Trial(session: inTrial, replica: try Replica.open(at: copy.path, pack: session.pack)))
    }

    /// A trial that was killed left a whole copy of people's data behind: the next one takes it away.
    private static func removeLeftovers(in folder: URL, _ prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let process = name.dropFirst(prefix.count).prefix { $0.isNumber }
            guard !process.isEmpty, !FileManager.default.fileExists(atPath: "/proc/\(process)") else { continue }
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    /// Photos are named by their content and never change: a second name for each takes no room.
    private static func linkPhotos(of replica: URL, into folder: URL) throws {
        let name = replica.lastPathComponent + ".files"
        let source = replica.deletingLastPathComponent().appendingPathComponent(name)
        guard let entries = FileManager.default.enumerator(atPath: source.path) else { return }
        for case let entry as String in entries {
            let (from, to) = (source.appendingPathComponent(entry).path, folder.appendingPathComponent(name).appendingPathComponent(entry).path)
            switch entries.fileAttributes?[.type] as? FileAttributeType {
            case .typeDirectory: try FileManager.default.createDirectory(atPath: to, withIntermediateDirectories: true)
            case .typeRegular: try FileManager.default.linkItem(atPath: from, toPath: to)
            default: break
            }
        }
    }
}
