import Foundation
import Model
import OutputFiles
import Replica

/// Replaced files that were kept beside their replacements and that no run takes back any more: a
/// run was killed before it registered the new files, and its folder has moved since. Nobody sees
/// them, because their names are hidden.
struct KeptReplaced {
    private let session: CommandSession
    /// Folders may be large, and `doctor` is no search of a disk.
    private static let mostEntries = 200_000

    init(_ session: CommandSession) { self.session = session }

    func check() -> DoctorCheck {
        let found = found
        return DoctorCheck(
            "REPLICA-REPLACED", found.isEmpty ? .ok : .warning,
            found.isEmpty ? [:] : ["count": String(found.count), "paths": found.prefix(20).joined(separator: ", ")])
    }

    /// Below the replica's folder, below the configured folder of outputs, and beside registered
    /// files. Those that the journal knows are taken back by the next run.
    private var found: [String] {
        let replica = try? session.openReplica()
        let registered = (try? replica?.registeredFiles()) ?? []
        let interrupted = (try? replica?.interruptedRuns()) ?? []
        let known = Set(interrupted.flatMap(\.outputs).map { FileName.resolved(TemporaryName.replaced(by: $0.temporaryPath)) })
        var found: Set<String> = []
        for folder in [session.replicaFolder, session.configuration.output].compactMap(\.self) { found.formUnion(below(folder)) }
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
            guard number < Self.mostEntries, let path = entry as? String, let name = path.split(separator: "/").last.map(String.init) else { break }
            if TemporaryName.matchesReplaced(name) { found.append(FileName.resolved(folder + "/" + path)) }
            let isFolder = walk.fileAttributes?[.type] as? FileAttributeType == .typeDirectory
            if isFolder, name.hasPrefix(".") || name.hasSuffix(".files") { walk.skipDescendants() }
        }
        return found
    }
}
