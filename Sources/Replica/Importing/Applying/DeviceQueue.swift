import GRDB
import Model

/// A device's own upload queue, which an administrator imports. For rows that are queued here too,
/// it gives the operation, the number of attempts and the last error. The payloads stay this
/// replica's own.
struct DeviceQueue {
    private let db: Database
    private let rows: EntityRows

    init(_ db: Database, _ rows: EntityRows) { (self.db, self.rows) = (db, rows) }

    /// Where a row has several items, an INSERT counts before an UPDATE, and the highest number of
    /// attempts is kept.
    func takeOver() throws {
        try db.execute(
            sql: """
                CREATE TEMP TABLE import_trials (entity TEXT, row_id TEXT, operation TEXT, retries INTEGER, error TEXT, since TEXT, PRIMARY KEY (entity, row_id)) WITHOUT ROWID;
                INSERT INTO temp.import_trials
                SELECT f_entity_type, f_entity_id,
                  CASE WHEN sum(f_operation = 'INSERT') > 0 THEN 'INSERT' WHEN sum(f_operation = 'UPDATE') > 0 THEN 'UPDATE' ELSE max(f_operation) END,
                  max(coalesce(f_retry_count, 0)), max(f_last_error), min(f_created_at)
                FROM \(rows.staged) WHERE f_entity_type IS NOT NULL AND f_entity_id IS NOT NULL GROUP BY 1, 2
                """)
        try db.execute(
            sql: """
                UPDATE main.sync_queue SET operation = coalesce(t.operation, sync_queue.operation), retry_count = t.retries, last_error = t.error,
                  created_at = coalesce(t.since, sync_queue.created_at)
                FROM temp.import_trials AS t WHERE sync_queue.rowid > ? AND t.entity = sync_queue.entity_type AND t.row_id = sync_queue.entity_id
                """, arguments: [rows.before])
    }
}
