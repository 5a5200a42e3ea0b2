import GRDB

extension Replica {
    /// Makes a consistent copy of the replica under a name that does not exist yet, while others go
    /// on working with this one.
    package func copy(to path: String) throws(ReplicaFailure) {
        try Self.failures(at: path) {
            let copy = try DatabaseQueue(path: path, configuration: Self.configuration(busyTimeout: 0))
            try queue.backup(to: copy)
            try copy.close()
        }
    }
}
