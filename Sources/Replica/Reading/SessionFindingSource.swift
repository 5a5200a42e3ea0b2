import Databases
package import Model

/// The findings of a session in the form that reports need, with the project, the row and the
/// record of each. Lookups are made in SQL as the findings are read, so memory use does not grow
/// with their number.
package final class SessionFindingSource: FindingRowSource {
    private let session: ReadSession
    private let language: Language
    private let wholeTableLimit: Int
    private let strips: StripReader
    private let projectCodes: [String: String]
    /// The copied tables; nil until `tables` is called.
    private var known: [FindingTable]?

    /// - Parameter wholeTableLimit: number of rows up to which a whole table is copied; from larger
    ///   tables, only rows with findings are copied.
    package init(_ session: ReadSession, language: Language, wholeTableLimit: Int = 50_000) {
        self.session = session
        self.language = language
        self.wholeTableLimit = wholeTableLimit
        strips = StripReader(session)
        projectCodes = Dictionary(session.projects.map { ($0.id, $0.code) }) { first, _ in first }
    }

    private var connection: SQLiteConnection { session.connection }
    private var pack: Pack { session.pack }

    package func forEach(_ body: (PlacedFinding) throws -> Void) throws {
        try forEach(status: nil, body)
    }

    /// After a comparison with an earlier run: calls the body for the findings of one status.
    package func forEach(status: FindingStatus?, _ body: (PlacedFinding) throws -> Void) throws {
        try session.findings.locate()
        try session.findings.indexRows()
        let hasRows = known != nil
        let place = try connection.prepare(
            "SELECT project_id, "
                + (hasRows ? "(SELECT n FROM temp.report_rows AS r WHERE r.tbl = f.tbl AND r.id = f.row_id)" : "NULL")
                + " FROM temp.findings AS f WHERE f.tbl = ?1 AND f.row_id = ?2 LIMIT 1")
        try session.findings.forEach(status: status) { finding in
            var reported = PlacedFinding(finding, status: status)
            if let table = finding.place.table, let id = finding.place.id {
                try place.reset([.text(table), .text(id)])
                if try place.step() {
                    reported.project = place.text(0).flatMap { projectCodes[$0] }
                    reported.row = place.isNull(1) ? nil : Int(place.integer(1))
                }
            }
            try body(reported)
        }
    }

    package func strip(of finding: Finding) throws -> StrataStrip? { try strips.strip(of: finding) }

    // MARK: Copies of tables

    package func tables() throws -> [FindingTable] {
        if let known { return known }
        try session.findings.locate()
        try session.findings.indexRows()
        try connection.execute(
            """
            CREATE TEMP TABLE report_rows (tbl TEXT NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY \
            (tbl, id)) WITHOUT ROWID;
            CREATE INDEX temp.report_rows_order ON report_rows (tbl, n);
            """)
        var tables: [FindingTable] = []
        for entity in pack.entities {
            let found = try connection.integer(
                "SELECT EXISTS (SELECT 1 FROM temp.findings WHERE tbl = ?1 AND row_id IS NOT NULL)",
                [.text(entity.name)])
            guard found > 0 else { continue }
            let all = Int(try connection.integer("SELECT count(*) FROM \(SQLText.name(entity.name))"))
            let count = try number(entity, isWhole: all <= wholeTableLimit)
            tables.append(
                FindingTable(
                    entity: entity.name, title: pack.texts.text(entity.textKey, in: language),
                    columns: shownFields(of: entity).map { column($0, of: entity) },
                    rowCount: count, isWhole: all <= wholeTableLimit, allRows: all))
        }
        known = tables
        return tables
    }

    /// Numbers the rows to be copied, ordered by their readable names; returns the number of rows.
    private func number(_ entity: Entity, isWhole: Bool) throws -> Int {
        var joins = PathJoins(from: entity, pack: pack)
        let order = (RowNaming.columns(of: entity, pack: pack, joins: &joins) + ["t0.id"]).joined(separator: ", ")
        let filter = isWhole ? "" : " WHERE t0.id IN (SELECT row_id FROM temp.findings WHERE tbl = ?1)"
        return try connection.run(
            """
            INSERT INTO temp.report_rows (tbl, id, n) SELECT ?1, t0.id, row_number() OVER (ORDER BY \(order)) - 1
            FROM \(SQLText.name(entity.name)) AS t0\(joins.sql)\(filter)
            """, [.text(entity.name)])
    }

    /// The fields that the actor may see and messages may quote.
    private func shownFields(of entity: Entity) -> [Field] {
        entity.fields.filter { pack.mayQuote($0) && !session.isHidden($0.name, of: entity.name) }
    }

    private func column(_ field: Field, of entity: Entity) -> SheetColumn {
        SheetColumn(
            name: field.name, label: pack.texts.text(entity.textKey(of: field), in: language), unit: field.unit,
            kind: field.type.sheetKind(decimals: field.decimals), expectedWidth: field.maximumLength)
    }

    package func rows(of table: FindingTable) throws -> any RowSource {
        let columns = table.columns.map { "t0." + SQLText.name($0.name) }.joined(separator: ", ")
        return StatementRows(
            try connection.prepare(
                """
                SELECT \(columns) FROM temp.report_rows AS r CROSS JOIN \(SQLText.name(table.entity)) AS t0 \
                ON t0.id = r.id
                WHERE r.tbl = ?1 ORDER BY r.n
                """, [.text(table.entity)]), on: connection)
    }

    package func forEach(in table: FindingTable, _ body: (PlacedFinding) throws -> Void) throws {
        let statement = try connection.prepare(
            """
            SELECT f.code, f.severity, f.tbl, f.row_id, f.key, f.field, f.arguments, f.spot, f.accepted, r.n
            FROM temp.report_rows AS r CROSS JOIN temp.findings AS f ON f.tbl = r.tbl AND f.row_id = r.id
            WHERE r.tbl = ?1 ORDER BY r.n, f.n
            """, [.text(table.entity)])
        while try statement.step() {
            try body(PlacedFinding(FindingStore.finding(statement), row: Int(statement.integer(9))))
        }
    }

    // MARK: Records

    package func records(_ body: (RecordCount) throws -> Void) throws {
        try session.findings.locate()
        try session.findings.indexRows()
        let owners = try RecordOwners(connection: connection, pack: pack)
        for entity in pack.entities {
            var joins = PathJoins(from: entity, pack: pack)
            let key = RowNaming.quotableKey(of: entity, pack: pack, joins: &joins) { session.isHidden($0, of: $1) }
            let statement = try connection.prepare(
                """
                SELECT x.id, x.project, x.errors, x.warnings, x.notes, \(key) FROM (\(owners.counts)) AS x
                LEFT JOIN \(SQLText.name(entity.name)) AS t0 ON t0.id = x.id\(joins.sql) ORDER BY 6, 1
                """, [.text(entity.name)])
            while try statement.step() {
                let id = statement.text(0) ?? ""
                try body(
                    RecordCount(
                        project: statement.text(1).flatMap { projectCodes[$0] }, table: entity.name, id: id,
                        key: statement.text(5) ?? id,
                        counts: [
                            .error: Int(statement.integer(2)), .warning: Int(statement.integer(3)),
                            .note: Int(statement.integer(4)),
                        ]))
            }
        }
    }
}

/// A row's name (`Pack.namePaths`) in SQL.
enum RowNaming {
    /// SQL text for a row's name; joins to its owners are added to `joins`. If the last part is
    /// missing, the id replaces it.
    static func key(of entity: Entity, pack: Pack, joins: inout PathJoins) -> String {
        key(columns(of: entity, pack: pack, joins: &joins))
    }

    /// SQL text for a row's name in messages. Keys of owners that messages may not quote are left
    /// out; if the row's key may not be quoted, its id is used.
    ///
    /// - Parameter isHidden: whether the reader may not see a field.
    static func quotableKey(
        of entity: Entity, pack: Pack, joins: inout PathJoins,
        isHidden: (_ field: String, _ entity: String) -> Bool = { _, _ in false }
    ) -> String {
        func isShown(_ field: String, _ entity: Entity) -> Bool {
            pack.mayQuote(entity.field(field)) && !isHidden(field, entity.name)
        }
        guard entity.key.allSatisfy({ isShown($0, entity) }) else { return "t0.id" }
        return key(pack.namePaths(of: entity, where: isShown).map { joins.column($0) })
    }

    private static func key(_ parts: [String]) -> String {
        guard let last = parts.last else { return "t0.id" }
        // Uses only operators and functions that do not truncate a text at a NUL character.
        let owners = parts.dropLast().map { "coalesce(\($0) || \(SQLText.literal(Pack.nameSeparator)), '') || " }
            .joined()
        return "\(owners)coalesce(\(last), t0.id)"
    }

    /// The columns that a name consists of, outermost first.
    static func columns(of entity: Entity, pack: Pack, joins: inout PathJoins) -> [String] {
        pack.namePaths(of: entity).map { joins.column($0) }
    }
}

/// Finds the record of each row with findings: a stratum belongs to its pit. A row that is not part
/// of a record counts as a record itself.
struct RecordOwners {
    /// SQL for counts of findings by record of the table `?1`: id, project, errors, warnings,
    /// notes.
    let counts = """
        SELECT o.root_id AS id, max(f.project_id) AS project, sum(f.severity = 'error') AS errors, sum(f.severity = \
        'warning') AS warnings,
          sum(f.severity = 'note') AS notes
        FROM temp.record_owners AS o CROSS JOIN temp.findings AS f ON f.tbl = o.tbl AND f.row_id = o.row_id
        WHERE o.root = ?1 GROUP BY o.root_id
        """

    init(connection: SQLiteConnection, pack: Pack) throws {
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS record_owners (
              tbl TEXT NOT NULL, row_id TEXT NOT NULL, root TEXT NOT NULL, root_id TEXT NOT NULL, PRIMARY KEY (tbl, \
            row_id)) WITHOUT ROWID;
            CREATE INDEX IF NOT EXISTS temp.record_owners_root ON record_owners (root, root_id);
            DELETE FROM temp.record_owners;
            """)
        for kind in pack.records {
            for part in kind.parts {
                let root = SQLText.name(kind.root)
                guard let entity = pack.entity(part.entity) else { continue }
                let owner = part.isList
                    ? """
                        SELECT j.value AS row_id, r.id AS root_id FROM \(root) AS r, \
                        \(ReadSession.items(of: "r." + SQLText.name(part.by.description))) AS j
                        """
                    : """
                        SELECT p.id AS row_id, \(ReferenceSQL(part.by, from: entity, in: pack).value("p")) AS root_id \
                        FROM \(SQLText.name(part.entity)) AS p
                        """
                // A part whose root is missing counts as a record itself; a part of two records
                // counts for one of them.
                try connection.run(
                    """
                    INSERT OR IGNORE INTO temp.record_owners SELECT ?1, o.row_id, ?2, o.root_id FROM (\(owner)) AS o
                    WHERE o.row_id IN (SELECT row_id FROM temp.findings WHERE tbl = ?1) AND o.root_id IN (SELECT id \
                    FROM \(root))
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
