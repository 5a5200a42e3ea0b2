// Replica stores changes as rows in SQLite and runs queries given in Model's types. It returns
// rows, findings, history and logs. It does not know any file format.
//
// - `Schema/`      the tables, columns and indexes that a pack needs: creates them, and adds them
//   to an older replica
// - `Opening/`     creating, opening and checking a replica; its users; SQLite's errors as typed
//   failures
// - `Judging/`     permission and consistency checks for every change set
// - `Changing/`    changes by people and by Fichero itself: corrections, conflicts, marks,
//   registrations, acceptances of findings; queue and log
// - `Importing/`   rows from files: staged in batches and applied in one transaction; values are
//   never overwritten silently, and rejected rows are stored
// - `Pulling/`     rows from a central database: staged, applied in one transaction and compared;
//   the position reached in its change feed
// - `Pushing/`     the upload queue in pages, what is excluded from the upload, and the remote's
//   replies
// - `Undoing/`     undoing a change set; the origin of values
// - `Registering/` the record of runs, registered files, history and status
// - `Keeping/`     the findings of earlier validations, and the rows that changed since
// - `Querying/`    SQL that a person writes, within limits
// - `Reading/`     what an actor may see: selections, sheets, rows to validate

internal import GRDB
package import Model

/// A replica opened for reading and writing, through one connection that one caller uses at a time.
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

    /// Reads within one transaction, so that all reads see the same state.
    func read<T>(_ body: (Database) throws -> T) throws -> T { try transaction(.deferred, body) }

    /// Writes in one transaction that acquires the write lock at once, so it cannot fail half way
    /// because of another writer.
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
