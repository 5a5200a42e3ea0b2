import Databases
package import Model

/// The findings of a session in the form that reports need, with the project, the row and the
/// record of each. All lookups are made in SQL as the findings pass, so memory stays flat however
/// many there are.
package final class SessionFindingSource: FindingRowSource {
    private let session: ReadSession
    private let language: Language
    private let wholeTableLimit: Int
    private let strips: StripReader
    private let projectCodes: [String: String]
    private var known: [FindingTable]?

    /// - Parameter wholeTableLimit: Tables with more rows are copied with the rows that have
    ///   findings only.
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

    /// After a comparison: the findings of one status.
    package func forEach(status: FindingStatus?, _ body: (PlacedFinding) throws -> Void) throws {
        try session.findings.locate()
        try session.findings.indexRows()
        let hasRows = known != nil
        let place = try connection.prepare(
            "SELECT project_id, " + (hasRows ? "(SELECT n FROM temp.report_rows AS r WHERE r.tbl = f.tbl AND r.id = f.row_id)" : "NULL")
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
            CREATE TEMP TABLE report_rows (tbl TEXT NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (tbl, id)) WITHOUT ROWID;
            CREATE INDEX temp.report_rows_order ON report_rows (tbl, n);
            """)
        var tables: [FindingTable] = []
        for entity in pack.entities {
            let found = try connection.integer(
                "SELECT EXISTS (SELECT 1 FROM temp.findings WHERE tbl = ?1 AND row_id IS NOT NULL)", [.text(entity.name)])
            guard found > 0 else { continue }
            let all = Int(try connection.integer("SELECT count(*) FROM \(SQLText.name(entity.name))"))
            let count = try number(entity, isWhole: all <= wholeTableLimit)
            tables.append(FindingTable(
                entity: entity.name, title: pack.texts.text(entity.textKey, in: language), columns: shownFields(of: entity).map { column($0, of: entity) },
                rowCount: count, isWhole: all <= wholeTableLimit, allRows: all))
        }
        known = tables
        return tables
    }

    /// Numbers the rows to be copied, in the order in which people look for them; returns how many
    /// there are.
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
                SELECT \(columns) FROM temp.report_rows AS r CROSS JOIN \(SQLText.name(table.entity)) AS t0 ON t0.id = r.id
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
                try body(RecordCount(
                    project: statement.text(1).flatMap { projectCodes[$0] }, table: entity.name, id: id, key: statement.text(5) ?? id,
                    counts: [.error: Int(statement.integer(2)), .warning: Int(statement.integer(3)), .note: Int(statement.integer(4))]))
            }
        }
    }
}
