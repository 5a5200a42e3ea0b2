import GRDB
import Model

extension Replica {
    /// Those of some rejected rows that are as a package of the other side of an exchange had them.
    /// A row that somebody edited since is a change of this side.
    package func receivedRejects(among rows: [RejectedRow]) throws -> Set<String> {
        try read { db in
            Set(
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT r.id FROM rejects AS r JOIN imports AS i ON i.id = r.import_id
                        WHERE i.format = ?1 AND r.id IN (SELECT value FROM json_each(?2)) AND r.id NOT IN (
                          SELECT json_extract(details, '$.reject') FROM activity_logs
                          WHERE action = 'reject_edited' AND json_extract(details, '$.reject') IS NOT NULL)
                        """, arguments: [ExchangeTerms.format, Quarantine.json(rows.map(\.id))]))
        }
    }
}
