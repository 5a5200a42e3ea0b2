import Foundation
import GRDB
import Model

/// Finds tables and columns that a replica lacks: somebody dropped them, or a page of the schema is
/// damaged.
package enum ReplicaDamage {
    /// If the replica is damaged, translates an unexpected failure, or one that is blamed on a
    /// rule, into the failure that reports the damage.
    package static func explaining(_ error: any Error, at path: String) -> any Error {
        if let failure = error as? ReplicaFailure, failure.isDamage,
            failure.arguments["reason"] == ReplicaFailure.malformed
        {
            return damageOrDisk(error, path)
        }
        guard let failure = error as? any Failure,
            failure.exitCode == .internalError || failure.code == "VALIDATION-QUERY", !Interruption.isAnswered
        else { return error }
        do {
            let queue = try Replica.openAnyPack(at: path, busyTimeout: 0)
            let missing = try queue.read { db in
                try Self.missing(db)
                    + (failure.exitCode == .internalError
                        ? String.fetchAll(db, sql: "PRAGMA quick_check(1)").filter { $0 != "ok" } : [])
            }
            return missing.isEmpty
                ? error : ReplicaFailure.damaged(path: path, reason: missing.prefix(5).joined(separator: ", "))
        } catch {
            let found = ReplicaFailure.translated(error, path: path)
            return (found as? ReplicaFailure)?.isDamage == true ? found : failure
        }
    }

    /// SQLite also calls a page malformed if the disk could not read it. If the disk still fails,
    /// or a second check finds no damage, the disk is to blame.
    private static func damageOrDisk(_ error: any Error, _ path: String) -> any Error {
        let failed = ReplicaFailure.inputOutput(path: path, code: "SQLite 10: EIO")
        guard let file = FileHandle(forReadingAtPath: path) else { return failed }
        defer { try? file.close() }
        do { while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {} } catch { return failed }
        let problems = try? Replica.openAnyPack(at: path, busyTimeout: 0).read {
            try String.fetchAll($0, sql: "PRAGMA quick_check(1)")
        }
        return problems == ["ok"] ? failed : error
    }

    /// Tables and columns that are part of this replica's stored schema and that are missing now;
    /// empty if another version created the replica.
    static func missing(_ db: Database) throws -> [String] {
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == ProgramTables.version,
            let schema = try ReplicaKey.value(of: .schema, db)
        else { return [] }
        let actual = try ActualSchema(db)
        let whole = try DatabaseQueue()
        let expected = try whole.write { db in
            try ReplicaSchema(json: schema).create(db)
            return try ActualSchema(db)
        }
        return expected.tables.sorted { $0.key < $1.key }.flatMap { table, columns -> [String] in
            guard let found = actual.tables[table] else { return ["\(table): ∅"] }
            let names = Set(found.map(\.name))
            return columns.map(\.name).filter { !names.contains($0) }.map { "\(table).\($0): ∅" }
        }
    }
}

extension Replica {
    /// Throws `ReplicaFailure.damaged` unless every page and every index of the file is sound: with
    /// a wrong index, queries would find wrong rows.
    package func ensureSound() throws {
        let problems = try read { try String.fetchAll($0, sql: "PRAGMA integrity_check(5)").filter { $0 != "ok" } }
        guard problems.isEmpty else {
            throw ReplicaFailure.damaged(path: path, reason: problems.joined(separator: ", "))
        }
    }
}

extension Replica {
    /// Makes a consistent copy of the replica under a name that does not exist yet; other processes
    /// can keep working with the replica.
    package func copy(to path: String) throws(ReplicaFailure) {
        try Self.failures(at: path) {
            let copy = try DatabaseQueue(path: path, configuration: Self.configuration(busyTimeout: 0))
            try queue.backup(to: copy)
            try copy.close()
        }
    }
}
