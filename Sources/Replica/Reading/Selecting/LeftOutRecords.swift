import Databases
package import Model

/// The records that a selection leaves out, and the reasons.
extension ReadSession {
    /// Removes selected records with unaccepted findings of severity error from the selection;
    /// returns their number.
    package func withholdRecordsWithErrors() throws -> Int {
        guard let selection else { return 0 }
        try findings.locate()
        guard try hasErrors else { return 0 }
        try findings.indexRows()
        try connection.execute(
            """
            DELETE FROM temp.faulty;
            INSERT OR IGNORE INTO temp.faulty (id, code) SELECT id, code \
            FROM (\(errors(selection, "f.accepted IS NULL"))) WHERE id IS NOT NULL;
            """)
        let conditions = ["r.id IN (SELECT id FROM temp.faulty)"] + selectedConditions(alias: "r")
        let withheld = try connection.run(
            """
            INSERT INTO temp.left_out (id, reason, detail)
            SELECT r.id, 'findings', (SELECT group_concat(code, ', ') FROM (SELECT code FROM temp.faulty AS f \
            WHERE f.id = r.id ORDER BY code))
            FROM \(rootTable(selection)) AS r\(Self.filter(conditions))
            """)
        if withheld > 0 { self.selection?.leavesOut = true }
        return withheld
    }

    /// Query for the findings of severity error about records of the selected kind and their parts:
    /// the record's id, and the finding's code and number.
    private func errors(_ selection: RecordSelection, _ condition: String) -> String {
        let root = SQLText.name(selection.root.name), isError = "f.severity = 'error' AND \(condition)"
        var errors = [
            """
            SELECT f.row_id AS id, f.code AS code, f.n AS n FROM temp.findings AS f WHERE \(isError) \
            AND f.tbl = \(SQLText.literal(selection.root.name))
            """
        ]
        for part in selection.kind.parts {
            guard let entity = pack.entity(part.entity) else { continue }
            let isOfPart = "\(isError) AND f.tbl = \(SQLText.literal(part.entity))"
            errors.append(
                part.isList
                    ? """
                        SELECT r.id, f.code, f.n FROM \(root) AS r, \
                        \(Self.items(of: "r." + SQLText.name(part.by.description))) AS j JOIN temp.findings AS f \
                        ON f.row_id = j.value WHERE \(isOfPart)
                        """
                    : """
                        SELECT \(ReferenceSQL(part.by, from: entity, in: pack).value("p")), f.code, f.n \
                        FROM temp.findings AS f JOIN \(SQLText.name(part.entity)) AS p ON p.id = f.row_id \
                        WHERE \(isOfPart)
                        """
            )
        }
        return errors.joined(separator: " UNION ALL ")
    }

    /// The findings of severity error about a record of the selected kind and its parts, also the
    /// accepted ones.
    package func errors(of record: String) throws -> [Finding] {
        guard let selection else { return [] }
        try findings.locate()
        let statement = try connection.prepare(
            """
            SELECT \(FindingStore.columns), accepted FROM temp.findings \
            WHERE n IN (SELECT n FROM (\(errors(selection, "1"))) WHERE id = ?1) ORDER BY \(FindingStore.order), n
            """, [.text(record)])
        var found: [Finding] = []
        while try statement.step() { found.append(FindingStore.finding(statement)) }
        return found
    }

    private var hasErrors: Bool {
        get throws {
            let errors = "SELECT 1 FROM temp.findings WHERE severity = 'error' AND accepted IS NULL"
            return try connection.integer("SELECT EXISTS (\(errors))") == 1
        }
    }

    /// Records of a kind with unaccepted findings of severity error, in the session's projects and
    /// in any sync state. Must be called after validation; replaces the selection.
    ///
    /// - Parameter ids: ids of the records to look at.
    package func recordsWithErrors(of kind: RecordKind, among ids: Set<String>) throws -> [LeftOutRecord] {
        // Without errors there is nothing to look for in a possibly large project.
        try findings.locate()
        guard try hasErrors else { return [] }
        var request = SelectionRequest()
        request.syncStates = SyncState.allCases
        return try projects.flatMap { project in
            _ = try select(kind, in: project, request, hasRemote: true)
            guard try withholdRecordsWithErrors() > 0 else { return [LeftOutRecord]() }
            return try leftOut(limit: -1).filter { ids.contains($0.id) && $0.reason == .findings }
        }
    }

    /// Sets aside findings about records outside the selection, except records left out because of
    /// their findings: a user who selects some records does not see findings about other records.
    /// Findings about other kinds of record are set aside too, unless the files have rows of these
    /// kinds (`shown`). Findings that belong to no record stay.
    package func setFindingsAside(showing shown: ShownTables) throws {
        guard let selection else { return }
        try findings.locate()
        try findings.indexRows()
        let aside = ofOtherKinds(selection, shown) + (selection.leavesOut ? ofRecordsLeftOut(selection) : [])
        guard !aside.isEmpty else { return }
        try connection.run("INSERT OR IGNORE INTO temp.findings_aside (n) \(aside.joined(separator: " UNION "))")
        findings.setsAside = true
    }

    /// Queries for findings about kinds of record that are neither selected nor shown in the files.
    /// If there are several projects, each project's selection finds those of its rows.
    private func ofOtherKinds(_ selection: RecordSelection, _ shown: ShownTables) -> [String] {
        let others = Set(pack.records.flatMap(\.entities)).subtracting(selection.kind.entities).subtracting(shown.whole)
        return others.sorted().map { table in
            let ofTable = "SELECT f.n FROM temp.findings AS f WHERE f.tbl = \(SQLText.literal(table))"
            guard shown.reached.contains(table) else { return ofTable }
            return ofTable
                + """
                     AND f.project_id = \(SQLText.literal(selection.project.id)) \
                    AND coalesce(f.row_id IN (\(idsReached(table))), 0) = 0
                    """
        }
    }

    /// Queries for the findings of records that the selection leaves out.
    private func ofRecordsLeftOut(_ selection: RecordSelection) -> [String] {
        let outside = "SELECT id FROM temp.left_out WHERE reason <> 'findings'"
        var aside = [
            """
            SELECT f.n FROM temp.findings AS f WHERE f.tbl = \(SQLText.literal(selection.root.name)) \
            AND f.row_id IN (\(outside))
            """
        ]
        for part in selection.kind.parts {
            guard let entity = pack.entity(part.entity) else { continue }
            let ofPart = "SELECT f.n FROM temp.findings AS f WHERE f.tbl = \(SQLText.literal(part.entity))"
            guard part.isList else {
                let owner = ReferenceSQL(part.by, from: entity, in: pack).value("p")
                aside.append(
                    """
                    \(ofPart) AND (SELECT \(owner) FROM \(SQLText.name(part.entity)) AS p \
                    WHERE p.id = f.row_id) IN (\(outside))
                    """
                )
                continue
            }
            // A photo may belong to several records; it is outside only if all of them are.
            let items = { (condition: String) in
                """
                SELECT j.value FROM \(self.rootTable(selection)) AS r, \
                \(Self.items(of: "r." + SQLText.name(part.by.description))) AS \
                j\(Self.filter(self.rootConditions(selection, alias: "r") + [condition]))
                """
            }
            aside.append(
                """
                \(ofPart) AND f.row_id IN (\(items("r.id IN (\(outside))"))) \
                AND f.row_id NOT IN (\(items("r.id NOT IN (\(outside))")))
                """
            )
        }
        return aside
    }

    /// The first records that were left out, ordered by name.
    package func leftOut(limit: Int) throws -> [LeftOutRecord] {
        let statement = try connection.prepare(
            "SELECT id, name, reason, detail FROM (\(leftOutQuery)) ORDER BY name, id LIMIT \(limit)")
        var records: [LeftOutRecord] = []
        while try statement.step() {
            records.append(
                LeftOutRecord(
                    id: statement.text(0) ?? "", key: statement.text(1) ?? "",
                    reason: LeftOutReason(rawValue: statement.text(2) ?? "") ?? .filter,
                    detail: statement.text(3) ?? ""))
        }
        return records
    }

    /// Every reason for which the selection leaves a record out, with the deciding value; `leftOut`
    /// has only the first. Findings are a reason if the selection withholds records with errors.
    package func reasons(leavingOut id: String) throws -> [(reason: LeftOutReason, detail: String)] {
        guard let selection else { return [] }
        let withheld = "SELECT 0, reason, detail FROM temp.left_out WHERE id = ?1 AND reason = 'findings'"
        var queries: [(String, [MemoryRows.Value])] = [(withheld, [.text(id)])]
        if let conditions = selection.compiler {
            let stated = (conditions.reasons(in: rootTable(selection)), conditions.bindings + [.text(id)])
            queries.insert(stated, at: 0)
        }
        return try queries.flatMap { sql, bindings in
            let statement = try connection.prepare(sql, bindings)
            var found: [(reason: LeftOutReason, detail: String)] = []
            while try statement.step() {
                guard let reason = statement.text(1).flatMap(LeftOutReason.init) else { continue }
                found.append((reason, statement.text(2) ?? ""))
            }
            return found
        }
    }

    /// The ids of the records of a kind to which a visible row belongs: the record itself, or the
    /// records that have it as a part.
    package func records(_ kind: RecordKind, holding id: String, of entity: Entity) throws -> [String] {
        let table = SQLText.name(entity.name), sql: String
        if entity.name == kind.root {
            sql = "SELECT id FROM \(table) WHERE id = ?1"
        } else if let part = kind.parts.first(where: { $0.entity == entity.name }) {
            sql = part.isList
                ? """
                    SELECT r.id FROM \(SQLText.name(kind.root)) AS r, \
                    \(Self.items(of: "r." + SQLText.name(part.by.description))) AS j WHERE j.value = ?1
                    """
                : """
                    SELECT \(ReferenceSQL(part.by, from: entity, in: pack).value("p")) FROM \(table) AS p \
                    WHERE p.id = ?1
                    """
        } else {
            return []
        }
        let statement = try connection.prepare(sql, [.text(id)])
        var found: [String] = []
        while try statement.step() { found += [statement.text(0)].compactMap(\.self) }
        return found
    }

    /// Name, reason (in the words of `words`) and detail of every record left out, for a sheet;
    /// ordered by name.
    ///
    /// - Parameter details: labels of details, by reason; others stand as they are.
    package func leftOutRows(words: [LeftOutReason: String], details: [LeftOutReason: [String: String]]) throws
        -> any RowSource
    {
        let cases = LeftOutReason.allCases.map {
            "WHEN \(SQLText.literal($0.rawValue)) THEN \(SQLText.literal(words[$0] ?? $0.rawValue))"
        }
        let labels = details.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { reason, labels in
            labels.sorted { $0.key < $1.key }.map { detail, label in
                "WHEN reason = \(SQLText.literal(reason.rawValue)) AND detail = \(SQLText.literal(detail)) "
                    + "THEN \(SQLText.literal(label))"
            }
        }
        let detail = labels.isEmpty ? "detail" : "CASE \(labels.joined(separator: " ")) ELSE detail END"
        return StatementRows(
            try connection.prepare(
                """
                SELECT name, CASE reason \(cases.joined(separator: " ")) END, \(detail) FROM (\(leftOutQuery)) \
                ORDER BY name, id
                """
            ),
            on: connection)
    }

    /// Id, name, reason and detail of every record left out.
    var leftOutQuery: String {
        guard let selection else { return "SELECT NULL AS id, NULL AS name, NULL AS reason, NULL AS detail WHERE 0" }
        var joins = PathJoins(from: selection.root, pack: pack)
        let key = RowNaming.key(of: selection.root, pack: pack, joins: &joins)
        return """
            SELECT l.id AS id, \(key) AS name, l.reason AS reason, l.detail AS detail
            FROM temp.left_out AS l JOIN \(SQLText.name(selection.root.name)) AS t0 ON t0.id = l.id\(joins.sql)
            """
    }
}

/// The tables whose rows are in the files of a run, besides the selected records. Findings about
/// other kinds of record count only if their tables are among these.
package struct ShownTables {
    /// Tables of which any row may be in the files: sheets of all rows, and tables in SQL.
    package private(set) var whole: Set<String> = []
    /// Tables of which the files have the rows that the selected records refer to.
    package private(set) var reached: Set<String> = []

    /// - Parameters:
    ///   - exports: The exports that the files are made from, including those in a package.
    ///   - reports: The reports that the files are made from, including those in a package.
    ///   - selected: The kind of the selected records. Exports and reports of another kind show all
    ///     its records.
    package init(exports: [ExportDefinition], reports: [ReportDefinition], selected: RecordKind, of pack: Pack) {
        for kind in Set(exports.map(\.record) + reports.map(\.record)) where kind != selected.name {
            whole.formUnion(pack.record(kind)?.entities ?? [])
        }
        for sheet in exports.flatMap(\.sheets) {
            if let query = sheet.query { whole.formUnion(pack.tables(inSQL: query.sql)) } else { add(sheet) }
        }
        for query in reports.flatMap(\.queries) {
            switch query.source {
            case .sql(let sql): whole.formUnion(pack.tables(inSQL: sql))
            case .rows(let sheet, _, _): add(sheet)
            }
        }
    }

    private mutating func add(_ sheet: ExportSheet) {
        if sheet.rows == .project { whole.insert(sheet.entity) } else { reached.insert(sheet.entity) }
    }
}

extension Pack {
    /// Tables whose names occur in SQL.
    package func tables(inSQL sql: String) -> Set<String> {
        let words = Set(sql.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        return Set(entities.map(\.name).filter(words.contains))
    }
}
