import Foundation
import GRDB
import Model

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A killed import's remains beside a replica: rows that were read but not applied.
struct UnfinishedImport {
    /// The staging file.
    var path: String
    /// The source as the user specified it; nil if the staging file does not contain it.
    var source: String?
    /// Time at which the import was last started or resumed.
    var startedAt: String?
    /// Number of complete batches, and number of rows read.
    var batches = 0
    var rows = 0
    /// Whether the same command can resume the import.
    var isResumable: Bool

    /// The unfinished imports beside a replica whose process is dead, by file name. Changes no
    /// file: half-written data is rolled back in a copy of the file.
    static func all(besideReplica path: String) -> [UnfinishedImport] {
        let folder = StagingFile.folder(ofReplica: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".db") }.sorted().compactMap { name in
            let own = name.contains("-") ? name.split(separator: "-").first.flatMap { Int($0) } : nil
            if let own, RunProcess.isAlive(own) { return nil }
            var found = UnfinishedImport(path: folder + "/" + name, isResumable: own == nil)
            guard let facts = found.read() else { return found }
            if let process = facts["pid"].flatMap({ Int($0) }), RunProcess.isAlive(process) { return nil }
            found.source = facts["source"]
            found.startedAt = facts["started"]
            found.batches = facts["batches"].flatMap { Int($0) } ?? 0
            return found
        }
    }

    /// The entries of the file's `journal` table; nil if they cannot be read.
    private mutating func read() -> [String: String]? {
        guard let snapshot = try? SQLiteSnapshot(path) else { return nil }
        var configuration = Configuration()
        configuration.readonly = !snapshot.isCopy
        let found = try? DatabaseQueue(path: snapshot.uri, configuration: configuration).read { db in
            (
                try Row.fetchAll(db, sql: "SELECT key, value FROM journal").map { ($0[0] as String, $0[1] as String) },
                try Int.fetchOne(db, sql: "SELECT coalesce(sum(taken), 0) FROM progress") ?? 0
            )
        }
        guard let found else { return nil }
        rows = found.1
        return Dictionary(found.0) { first, _ in first }
    }
}

extension Replica {
    /// Deletes staged rows of dead processes that nobody can resume: those staged in another state
    /// of the replica (such as before their import), and those not resumed for a week.
    package func removeForgottenStaging() {
        let folder = StagingFile.folder(ofReplica: path)
        guard FileManager.default.fileExists(atPath: folder) else { return }
        StagingFile.removeForgotten(in: folder, state: try? contentState())
        unsafe rmdir(folder)
    }
}
