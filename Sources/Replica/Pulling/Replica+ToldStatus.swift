import GRDB

extension Replica {
    /// Takes over the status that the central database gives a person. Nothing else of the profile
    /// is known then; the next sync brings it whole. A status that was changed here stays, and a
    /// database that the replica has not followed says nothing about its people.
    package func noteStatus(_ status: String, of email: String, at remote: String) throws {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE main.profiles AS t SET status = ?1, content_stamp = ?2
                    WHERE lower(email) = lower(?3) AND remote_updated_at IS NOT NULL AND status IS NOT ?1
                      AND NOT EXISTS (SELECT 1 FROM main.row_bases AS b WHERE b.entity = 'profiles' AND b.row_id = t.id AND json_extract(b.row, '$.status') IS NOT t.status)
                      AND EXISTS (SELECT 1 FROM main.sync_cursors WHERE remote = ?4)
                    """, arguments: [status, ReplicaKey.nextStamp(db), email, remote])
        }
    }
}
