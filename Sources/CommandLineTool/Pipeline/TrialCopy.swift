import Foundation
import Model
import Replica

/// A copy of a replica with its photos in a folder beside it, in which an import can be tried. It
/// is deleted when the trial ends; the replica itself is only read.
struct TrialCopy {
    /// The same session, on the copy.
    let session: CommandSession
    let replica: Replica

    static func perform<Result>(_ session: CommandSession, _ original: Replica, _ body: (TrialCopy) throws -> Result) throws -> Result {
        let file = URL(fileURLWithPath: session.replicaPath)
        for path in leftovers(of: session.replicaPath) { try? FileManager.default.removeItem(atPath: path) }
        let name = "\(prefix(file))\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
        let folder = file.deletingLastPathComponent().appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent(file.lastPathComponent)
        try original.copy(to: copy.path)
        try linkPhotos(of: file, into: folder)
        var inTrial = session
        inTrial.replicaPath = copy.path
        return try body(
            TrialCopy(
                session: inTrial,
                replica: try Replica.open(at: copy.path, pack: session.pack, source: session.packSource)))
    }

    private static func prefix(_ replica: URL) -> String { ".\(replica.lastPathComponent).trial-" }

    /// Copies of whole replicas that killed trials left behind.
    static func leftovers(of replica: String) -> [String] {
        let file = URL(fileURLWithPath: replica)
        return Leftovers.ofDeadProcesses(in: file.deletingLastPathComponent(), prefix: prefix(file))
    }

    /// Photos are named by their content and never change, so hard links to them take no space.
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
