import GRDB

extension Replica {
    /// Takes over the status that the central database gives a person. Nothing else of the profile
    /// is known then; the next sync brings it whole. A profile that was changed here stays, and a
    /// database that the replica has not followed says nothing about its people.
    package func noteStatus(_ status: String, of email: String, at remote: String) throws {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE main.profiles SET status = ?1, content_stamp = ?2
                    WHERE lower(email) = lower(?3) AND sync_state = 'synced' AND own_mark = 0 AND status IS NOT ?1
                      AND EXISTS (SELECT 1 FROM main.sync_cursors WHERE remote = ?4)
                    """, arguments: [status, ReplicaKey.nextStamp(db), email, remote])
        }
    }
}
