import Foundation
import GRDB
package import Model

extension Replica {
    /// Erases a person everywhere in the replica, in one transaction. Then it clears the remains of
    /// the erased rows in the file: freed pages and the write-ahead log. The caller must have the
    /// replica's lock.
    ///
    /// The photo files are not deleted: the caller deletes them afterwards. `lettingGo` receives
    /// their paths before the commit.
    ///
    /// - Parameter given: the person's id, or another identifying value that only one person has.
    /// - Returns: the counts of erased rows, and the paths of files that no row contains any more.
    package func erase(
        _ given: String, context: RunContext, isDryRun: Bool, lettingGo: ([String]) throws -> Void = { _ in }
    ) throws -> (account: ErasureAccount, files: [String]) {
        try context.actor.ensure(may: .administer)
        do {
            var result: Erasure.Result?
            try queue.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    let made = try Erasure(db, pack: pack, context: context).run(given)
                    result = made
                    try Interruption.check()
                    guard !isDryRun else { return .rollback }
                    try lettingGo(made.files)
                    return .commit
                }
            }
            guard var result else { throw ReplicaFailure.internal(path: path, code: "no result") }
            result.account.isDryRun = isDryRun
            if !isDryRun {
                removeStaging()
                do {
                    try compact()
                } catch let error as DatabaseError where error.resultCode != .SQLITE_BUSY {
                    throw ErasureFailure.uncleared(path: path, reason: ReplicaFailure(error, path: path).code)
                }
            }
            result.account.copies = NearbyFiles(replica: path).naming(result.traces).map {
                ErasureAccount.File(path: $0)
            }
            return (result.account, result.files)
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }

    /// Removes the rows of erased people from a server's row versions, which are listed by row id.
    /// Returns whether this replica has a list of erased people.
    package func leaveOutErased(_ versions: inout [String: String]) throws -> Bool {
        guard let people = try read({ try ErasedPeople.list($0) }) else { return false }
        versions = versions.filter { !people.has($0.key) }
        return true
    }

    /// Removes staging files of a killed import: they may contain the person. A retry reads the
    /// source.
    private func removeStaging() {
        try? FileManager.default.removeItem(atPath: StagingFile.folder(ofReplica: path))
    }

    /// Rewrites the file without the pages of deleted rows, and empties the write-ahead log.
    private func compact() throws {
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "VACUUM")
            let answer = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            // Another process still reads the old pages: the same command, run later, finishes.
            if answer?[0] as Int? != 0 { throw ReplicaFailure.busy(path: path) }
        }
    }
}

/// Files in the replica's folder beside the replica itself: copies, sources, outputs.
struct NearbyFiles {
    let replica: String

    /// Files are read in pieces of this size, which overlap so that no word is cut.
    private static let piece = 4 << 20
    private static let overlap = 4096

    /// Paths of files that name a person. Packed files (XLSX, ZIP) cannot be searched.
    func naming(_ traces: ErasureTraces) -> [String] {
        let folder = (replica as NSString).deletingLastPathComponent
        let own = Set(["", "-wal", "-shm", "-journal", ".lock"].map { (replica as NSString).lastPathComponent + $0 })
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.isEmpty ? "." : folder) else {
            return []
        }
        return names.sorted().filter { name in
            guard !own.contains(name) else { return false }
            let path = (folder as NSString).appendingPathComponent(name)
            let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
            return type == .typeRegular && (traces.mention(name) || isNamed(in: path, traces))
        }.map { (folder as NSString).appendingPathComponent($0) }
    }

    private func isNamed(in path: String, _ traces: ErasureTraces) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        var tail: [UInt8] = []
        while let data = try? file.read(upToCount: Self.piece), !data.isEmpty {
            let bytes = tail + data
            if traces.areIn(bytes) { return true }
            tail = Array(bytes.suffix(Self.overlap))
        }
        return false
    }
}
