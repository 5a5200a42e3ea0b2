import Foundation
import Model
import OutputFiles
package import Replica

/// A copy of a replica with its photos in a folder beside it, in which an import can be tried. It
/// is deleted when the trial ends; the replica itself is only read.
package struct TrialCopy {
    /// The caller's session with the copy as its replica.
    package let session: WorkSession
    package let replica: Replica

    package static func perform<Result>(
        _ session: WorkSession, _ original: Replica, _ body: (TrialCopy) throws -> Result
    ) throws -> Result {
        let file = URL(fileURLWithPath: session.replicaPath)
        for path in leftovers(of: session.replicaPath) { try? FileManager.default.removeItem(atPath: path) }
        let name = "\(prefix(file))\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
        let folder = file.deletingLastPathComponent().appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
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
    package static func leftovers(of replica: String) -> [String] {
        let file = URL(fileURLWithPath: replica)
        return Leftovers.ofDeadProcesses(in: file.deletingLastPathComponent(), prefix: prefix(file))
    }

    /// Photos are named by their content and never change, so hard links to them take no space.
    private static func linkPhotos(of replica: URL, into folder: URL) throws {
        let name = replica.lastPathComponent + ".files"
        let source = replica.deletingLastPathComponent().appendingPathComponent(name)
        guard let entries = FileManager.default.enumerator(atPath: source.path) else { return }
        for case let entry as String in entries {
            let (from, to) = (
                source.appendingPathComponent(entry).path,
                folder.appendingPathComponent(name).appendingPathComponent(entry).path
            )
            switch entries.fileAttributes?[.type] as? FileAttributeType {
            case .typeDirectory: try FileManager.default.createDirectory(atPath: to, withIntermediateDirectories: true)
            case .typeRegular: try FileManager.default.linkItem(atPath: from, toPath: to)
            default: break
            }
        }
    }
}

/// Replaced files that are still stored beside their replacements, and that no run will restore: a
/// run was killed before it registered the new files, and its folder has moved since. Users do not
/// see them, because their names are hidden.
package struct KeptReplaced {
    private let session: WorkSession
    /// Most entries of a folder that are searched: `doctor` must not search a whole disk.
    private static let mostEntries = 200_000

    package init(_ session: WorkSession) { self.session = session }

    package func check() -> DoctorCheck {
        let found = found
        return DoctorCheck(
            "REPLICA-REPLACED", found.isEmpty ? .ok : .warning,
            found.isEmpty ? [:] : ["count": String(found.count), "paths": found.prefix(20).joined(separator: ", ")])
    }

    /// Replaced files in the replica's folder, in the configured output folder, and beside
    /// registered files. Those in the journal are left out, because the next run restores them.
    private var found: [String] {
        let replica = try? session.openReplica()
        let registered = (try? replica?.registeredFiles()) ?? []
        let interrupted = (try? replica?.interruptedRuns()) ?? []
        let known = Set(
            interrupted.flatMap(\.outputs).map { FileName.resolved(TemporaryName.replaced(by: $0.temporaryPath)) })
        var found: Set<String> = []
        for folder in [session.replicaFolder, session.outputFolder].compactMap(\.self) {
            found.formUnion(below(folder))
        }
        for folder in Set(registered.map { URL(fileURLWithPath: $0.localPath).deletingLastPathComponent().path }) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            found.formUnion(names.filter(TemporaryName.matchesReplaced).map { FileName.resolved(folder + "/" + $0) })
        }
        return found.subtracting(known).sorted()
    }

    private func below(_ folder: String) -> [String] {
        guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
        var found: [String] = []
        for (number, entry) in walk.enumerated() {
            guard number < Self.mostEntries, let path = entry as? String,
                let name = path.split(separator: "/").last.map(String.init)
            else { break }
            if TemporaryName.matchesReplaced(name) { found.append(FileName.resolved(folder + "/" + path)) }
            let isFolder = walk.fileAttributes?[.type] as? FileAttributeType == .typeDirectory
            if isFolder, name.hasPrefix(".") || name.hasSuffix(".files") { walk.skipDescendants() }
        }
        return found
    }
}
