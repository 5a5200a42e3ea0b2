import Model

/// Finds for each row with findings the record that it is part of: a stratum belongs to its pit. A
/// row that is part of no record stands alone.
struct RecordOwners {
    /// SQL for counts of findings by record of the table `?1`: id, project, errors, warnings,
    /// notes.
    let counts = """
        SELECT o.root_id AS id, max(f.project_id) AS project, sum(f.severity = 'error') AS errors, sum(f.severity = 'warning') AS warnings,
          sum(f.severity = 'note') AS notes
        FROM temp.record_owners AS o CROSS JOIN temp.findings AS f ON f.tbl = o.tbl AND f.row_id = o.row_id
        WHERE o.root = ?1 GROUP BY o.root_id
        """

    init(connection: SQLiteConnection, pack: Pack) throws {
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS record_owners (
              tbl TEXT NOT NULL, row_id TEXT NOT NULL, root TEXT NOT NULL, root_id TEXT NOT NULL, PRIMARY KEY (tbl, row_id)) WITHOUT ROWID;
            CREATE INDEX IF NOT EXISTS temp.record_owners_root ON record_owners (root, root_id);
            DELETE FROM temp.record_owners;
            """)
        for kind in pack.records {
            for part in kind.parts {
                let root = SQLText.name(kind.root)
                guard let entity = pack.entity(part.entity) else { continue }
                let owner = part.isList
                    ? "SELECT j.value AS row_id, r.id AS root_id FROM \(root) AS r, \(ReadSession.items(of: "r." + SQLText.name(part.by.description))) AS j"
                    : "SELECT p.id AS row_id, \(ReferenceSQL(part.by, from: entity, in: pack).value("p")) AS root_id FROM \(SQLText.name(part.entity)) AS p"
                // A part whose root is missing stands alone; a part of two records counts for one
                // of them.
                try connection.run(
                    """
                    INSERT OR IGNORE INTO temp.record_owners SELECT ?1, o.row_id, ?2, o.root_id FROM (\(owner)) AS o
                    WHERE o.row_id IN (SELECT row_id FROM temp.findings WHERE tbl = ?1) AND o.root_id IN (SELECT id FROM \(root))
                    """, [.text(part.entity), .text(kind.root)])
            }
        }
        try connection.run(
            """
            INSERT OR IGNORE INTO temp.record_owners
            SELECT DISTINCT tbl, row_id, tbl, row_id FROM temp.findings WHERE tbl IS NOT NULL AND row_id IS NOT NULL
            """)
    }
}
