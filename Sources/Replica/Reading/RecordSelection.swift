import Foundation
package import Model

/// Which records of one project a run takes: all but those in `temp.left_out`, so that taking everything costs nothing.
struct RecordSelection {
    var kind: RecordKind
    var project: ReadSession.Project
    var leavesOut: Bool
}

extension ReadSession {
    /// Chooses whole records of a project: a pit never without one of its strata. Records left out stand in `temp.left_out` with the
    /// first reason that applies, in the order of `LeftOutReason`. Replaces the last selection.
    package func select(
        _ kind: RecordKind, in project: Project, _ request: SelectionRequest, hasRemote: Bool
    ) throws -> SelectionSummary {
        guard let root = pack.entity(kind.root) else { throw SelectionFailure.unknownState(kind.root, known: pack.entities.map(\.name)) }
        try connection.execute(
            """
            DROP TABLE IF EXISTS temp.left_out;
            CREATE TEMP TABLE left_out (id TEXT PRIMARY KEY NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL) WITHOUT ROWID;
            DROP TABLE IF EXISTS temp.unsynced;
            CREATE TEMP TABLE unsynced (id TEXT PRIMARY KEY NOT NULL, rank INTEGER NOT NULL) WITHOUT ROWID;
            """)
        selection = RecordSelection(kind: kind, project: project, leavesOut: false)
        try findUnsynced(kind, root)
        var compiler = SelectionCompiler(root: root, pack: pack, timeZone: timeZone)
        try compiler.add(kind, request, hasRemote: hasRemote)
        try connection.run(compiler.insertion(project: project.id), compiler.bindings)
        return try summarize()
    }

    private func summarize() throws -> SelectionSummary {
        guard var selection else { preconditionFailure("summarize follows select") }
        let statement = try connection.prepare("SELECT reason, count(*) FROM temp.left_out GROUP BY reason")
        var leftOut: [LeftOutReason: Int] = [:]
        while try statement.step() {
            if let reason = LeftOutReason(rawValue: statement.text(0) ?? "") { leftOut[reason] = Int(statement.integer(1)) }
        }
        selection.leavesOut = !leftOut.isEmpty
        self.selection = selection
        let total = try Int(connection.integer("SELECT count(*) FROM \(rootSource(withoutLeftOut: false))"))
        return SelectionSummary(
            projectID: selection.project.id, projectCode: selection.project.code, projectName: selection.project.name,
            selected: total - leftOut.values.reduce(0, +), leftOut: leftOut)
    }

    /// Records with a row that is not synced, with the rank of the least synced one. Partial indexes on `sync_state <> 'synced'` serve this.
    private func findUnsynced(_ kind: RecordKind, _ root: Entity) throws {
        let rank = Self.rank("p")
        let keepLeast = "ON CONFLICT (id) DO UPDATE SET rank = min(rank, excluded.rank)"
        let rootName = SQLText.name(root.name)
        try connection.run(
            "INSERT INTO temp.unsynced (id, rank) SELECT p.id, \(rank) FROM \(rootName) AS p WHERE p.sync_state <> 'synced' \(keepLeast)")
        for part in kind.parts {
            let name = SQLText.name(part.entity), by = SQLText.name(part.by)
            let rows = part.isList
                ? "SELECT r.id AS id, \(rank) AS rank FROM \(rootName) AS r, json_each(r.\(by)) AS j JOIN \(name) AS p ON p.id = j.value WHERE p.sync_state <> 'synced'"
                : "SELECT p.\(by) AS id, \(rank) AS rank FROM \(name) AS p WHERE p.sync_state <> 'synced' AND p.\(by) IS NOT NULL"
            try connection.run("INSERT INTO temp.unsynced (id, rank) SELECT id, rank FROM (\(rows)) WHERE true \(keepLeast)")
        }
    }

    /// From least to most synced; Fichero's own mark leaves a row as synced as it was.
    static let ranks: [SyncState] = [.conflict, .error, .localOnly, .pendingUpload, .pendingDownload, .synced]

    private static func rank(_ alias: String) -> String {
        let cases = ranks.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }.joined(separator: " ")
        return "CASE WHEN \(alias).own_mark = 1 AND \(alias).sync_state = 'pending_upload' THEN \(ranks.count - 1) ELSE CASE \(alias).sync_state \(cases) END END"
    }

    /// The root rows of the selection's project, as a FROM clause whose table is `r`.
    func rootSource(withoutLeftOut: Bool = true) -> String {
        guard let selection, let root = pack.entity(selection.kind.root) else { return "(SELECT NULL AS id WHERE 0) AS r" }
        let name = SQLText.name(root.name)
        var conditions: [String] = []
        if let path = root.projectPath {
            conditions.append(Self.projectCondition(path, alias: "r", root, pack, project: selection.project.id))
        }
        if withoutLeftOut, selection.leavesOut {
            conditions.append("NOT EXISTS (SELECT 1 FROM temp.left_out AS l WHERE l.id = r.id)")
        }
        return "\(name) AS r" + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }

    /// A condition on a row's project, over its parents where need be.
    static func projectCondition(_ path: FieldPath, alias: String, _ entity: Entity, _ pack: Pack, project: String) -> String {
        var condition = "= " + SQLText.literal(project)
        var owners = [entity]
        for part in path.parts.dropLast() {
            if let target = owners.last?.field(part)?.references, let next = pack.entity(target) { owners.append(next) }
        }
        for (owner, part) in zip(owners, path.parts).dropFirst().reversed() {
            condition = "IN (SELECT id FROM \(SQLText.name(owner.name)) WHERE \(SQLText.name(part)) \(condition))"
        }
        return "\(alias).\(SQLText.name(path.parts[0])) \(condition)"
    }

    /// Takes selected records with findings of severity error out of the selection; tells how many.
    package func withholdRecordsWithErrors() throws -> Int {
        guard var selection, let root = pack.entity(selection.kind.root) else { return 0 }
        guard try connection.integer("SELECT EXISTS (SELECT 1 FROM temp.findings WHERE severity = 'error')") == 1 else { return 0 }
        var faulty = ["SELECT row_id AS id, code FROM temp.findings WHERE severity = 'error' AND tbl = \(SQLText.literal(root.name))"]
        for part in selection.kind.parts {
            let name = SQLText.name(part.entity), by = SQLText.name(part.by)
            let isOfPart = "f.severity = 'error' AND f.tbl = \(SQLText.literal(part.entity))"
            faulty.append(
                part.isList
                    ? "SELECT r.id, f.code FROM \(SQLText.name(root.name)) AS r, json_each(r.\(by)) AS j JOIN temp.findings AS f ON f.row_id = j.value WHERE \(isOfPart)"
                    : "SELECT p.\(by), f.code FROM temp.findings AS f JOIN \(name) AS p ON p.id = f.row_id WHERE \(isOfPart)")
        }
        let conditions = rootSource().components(separatedBy: " AS r WHERE ").dropFirst().first
        try connection.execute(
            """
            DROP TABLE IF EXISTS temp.faulty;
            CREATE TEMP TABLE faulty (id TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (id, code)) WITHOUT ROWID;
            INSERT OR IGNORE INTO temp.faulty (id, code) SELECT id, code FROM (\(faulty.joined(separator: " UNION ALL "))) WHERE id IS NOT NULL;
            """)
        let withheld = try connection.run(
            """
            INSERT INTO temp.left_out (id, reason, detail)
            SELECT r.id, 'findings', (SELECT group_concat(code, ', ') FROM temp.faulty AS f WHERE f.id = r.id)
            FROM \(SQLText.name(root.name)) AS r WHERE r.id IN (SELECT id FROM temp.faulty)\(conditions.map { " AND " + $0 } ?? "")
            """)
        if withheld > 0 { selection.leavesOut = true }
        self.selection = selection
        return withheld
    }

    /// The first records that were left out, by name.
    package func leftOut(limit: Int) throws -> [LeftOutRecord] {
        let statement = try connection.prepare("SELECT id, name, reason, detail FROM (\(leftOutQuery)) LIMIT \(limit)")
        var records: [LeftOutRecord] = []
        while try statement.step() {
            records.append(LeftOutRecord(
                id: statement.text(0) ?? "", key: statement.text(1) ?? "", reason: LeftOutReason(rawValue: statement.text(2) ?? "") ?? .filter,
                detail: statement.text(3) ?? ""))
        }
        return records
    }

    /// Name, reason (as `words` say it) and detail of every record left out, for a sheet.
    package func leftOutRows(words: [LeftOutReason: String]) throws -> any RowSource {
        let cases = LeftOutReason.allCases.map { "WHEN \(SQLText.literal($0.rawValue)) THEN \(SQLText.literal(words[$0] ?? $0.rawValue))" }
        return StatementRows(
            try connection.prepare("SELECT name, CASE reason \(cases.joined(separator: " ")) END, detail FROM (\(leftOutQuery))"), on: connection)
    }

    private var leftOutQuery: String {
        guard let selection, let root = pack.entity(selection.kind.root) else { return "SELECT NULL, NULL, NULL, NULL WHERE 0" }
        var joins = PathJoins(from: root, pack: pack)
        let key = RowNaming.key(of: root, pack: pack, joins: &joins)
        return """
            SELECT l.id AS id, \(key) AS name, l.reason AS reason, l.detail AS detail
            FROM temp.left_out AS l JOIN \(SQLText.name(root.name)) AS t0 ON t0.id = l.id\(joins.sql) ORDER BY name, l.id
            """
    }

    /// Ids of selected records that are in a state, for the mark.
    package func selectedRecordIDs(inState state: String) throws -> [String] {
        guard let selection, let field = pack.entity(selection.kind.root)?.states?.field else { return [] }
        let statement = try connection.prepare("SELECT * FROM (SELECT r.id, r.\(SQLText.name(field)) AS state FROM \(rootSource())) WHERE state = ?1 ORDER BY id", [.text(state)])
        var ids: [String] = []
        while try statement.step() { ids += [statement.text(0)].compactMap { $0 } }
        return ids
    }
}
