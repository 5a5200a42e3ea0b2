// Into Replica come changes as rows, and questions in words of Model; out of it come rows,
// findings, history and books. It knows SQLite, and no file format.
//
// - `Schema/`      the tables, columns and indexes that a pack asks for; creating them, and adding
//   to an older replica
// - `Opening/`     making, opening and examining a replica; its users; SQLite's errors as typed
//   failures
// - `Judging/`     who may change what, for every change set
// - `Changing/`    changes by people and by Fichero itself: corrections, conflicts, marks,
//   registrations, acceptances of findings; queue and log
// - `Importing/`   rows from files: staged in batches, applied in one transaction, nothing
//   overwritten in silence, rejected rows kept
// - `Pulling/`     what a central database brings: staged, applied in one transaction, compared; how
//   far it was followed
// - `Pushing/`     the queue in pages for the remote, what is held back, and what the remote
//   answered
// - `Undoing/`     undoing a change set; where values come from
// - `Registering/` the journal of runs, registered files, history and status
// - `Keeping/`     the findings of validations, and which rows changed since
// - `Querying/`    SQL that a person writes, within bounds
// - `Reading/`     what an actor may see: selections, sheets, rows to validate

internal import GRDB
package import Model

/// A replica opened for reading and writing, through one connection that is used by one caller at a
/// time.
///
/// Every method that writes does so in one transaction: when it throws, the transaction is rolled
/// back. Calls must not be nested: inside the closure of `importRows` no other method of the
/// replica may be called.
package final class Replica: Sendable {
    package let path: String
    package let pack: Pack
    let queue: DatabaseQueue

    init(path: String, pack: Pack, queue: DatabaseQueue) {
        self.path = path
        self.pack = pack
        self.queue = queue
    }

    /// Reads in one consistent state.
    func read<T>(_ body: (Database) throws -> T) throws -> T { try transaction(.deferred, body) }

    /// Writes in one transaction that takes the write lock at once, so that it never fails for
    /// another writer half way.
    func write<T>(_ body: (Database) throws -> T) throws -> T { try transaction(.immediate, body) }

    private func transaction<T>(_ kind: Database.TransactionKind, _ body: (Database) throws -> T) throws -> T {
        do {
            return try queue.writeWithoutTransaction { db in
                var result: T?
                try db.inTransaction(kind) {
                    result = try body(db)
                    return .commit
                }
                guard let result else { throw ReplicaFailure.internal(path: path, code: "no result") }
                return result
            }
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }
}
