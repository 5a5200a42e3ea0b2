import Importing
package import Model
package import Replica

/// What takes rows away again: an undo takes a change back, an erasure removes a person.
extension WorkSession {
    /// Takes a change back.
    ///
    /// - Parameters:
    ///   - reason: the reason for the log; closed records need one.
    ///   - wait: seconds to wait for another run.
    package func undo(_ name: String, reason: String?, wait: Int) throws -> UndoAccount {
        let replica = try openReplica(waiting: wait)
        let context = context(try actor(in: replica, to: .read))
        return try RunScope.perform(self, replica, context, command: "undo", waitSeconds: wait) { scope in
            let store = PhotoStore(beside: replicaPath)
            let account = try replica.undoImport(
                name, context: scope.context, reason: reason, validation: recordValidation
            ) { try store.pending.note($0, .leaving) }
            // The next run retries files that could not be deleted.
            if store.forget(account.photos) { store.pending.forget() }
            return (account, .done, JSONString.document(account))
        }
    }

    /// Removes a person from the replica permanently.
    ///
    /// - Parameter isDryRun: whether the account tells what would be removed.
    package func erase(_ subject: String, by actor: Actor, in replica: Replica, isDryRun: Bool, wait: Int) throws
        -> ErasureAccount
    {
        let context = context(actor)
        return try RunScope.perform(self, replica, context, command: "erase", waitSeconds: wait) { _ in
            let store = PhotoStore(beside: replicaPath)
            let (account, files) = try replica.erase(subject, context: context, isDryRun: isDryRun) {
                try store.pending.note($0, .leaving)
                // Workbooks as they were exported name the person, and nobody can take one name out of them.
                try BookStore(beside: replicaPath).removeAll()
            }
            // The next run retries files that could not be deleted.
            if !isDryRun, store.forget(files) { store.pending.forget() }
            // The run's journal entry contains no file paths, because they may contain the person's
            // name.
            var kept = account
            (kept.exports, kept.copies) = ([], [])
            return (account, .done, JSONString.document(kept))
        }
    }
}
