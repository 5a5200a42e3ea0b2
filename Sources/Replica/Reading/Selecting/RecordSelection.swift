import Databases
package import Model

/// The records of one project that a run uses: all except those in `temp.left_out`. Storing only
/// the exceptions makes it cheap to select everything.
struct RecordSelection {
    var kind: RecordKind
    var root: Entity
    var project: ReadSession.Project
    /// The conditions that chose the records; nil: all of them are chosen.
    var compiler: SelectionCompiler?
    var leavesOut = false {
        didSet { rowCounts = [:] }
    }
    /// Row counts of sheets, cached by their query, so that a million rows are not counted twice.
    var rowCounts: [String: Int] = [:]
}

extension ReadSession {
    /// Selects whole records of a project; for example, never a pit without one of its strata.
    /// `temp.left_out` lists the records left out with the first reason that applies, in the order
    /// of `LeftOutReason`. Replaces the last selection; if it throws, the selection is empty.
    ///
    /// - Parameter byDays: whether the days of the request restrict the records; otherwise they are
    ///   only available to SQL as `:from` and `:to`.
    package func select(
        _ kind: RecordKind, in project: Project, _ request: SelectionRequest, hasRemote: Bool, byDays: Bool = true
    ) throws -> SelectionSummary {
        selection = nil
        days = (request.from, request.to)
        var request = request
        if !byDays { (request.from, request.to) = (nil, nil) }
        guard projects.contains(where: { $0.id == project.id }) else {
            throw SelectionFailure.unknownProject(project.code, visible: projects.map(\.code))
        }
        guard let root = pack.entity(kind.root) else { throw connection.failure("no table \(kind.root)") }
        var compiler = SelectionCompiler(
            root: root, pack: pack, timeZone: timeZone, today: today, base: connection.base)
        try compiler.add(kind, request, hasRemote: hasRemote)
        try connection.execute("DELETE FROM temp.left_out; DELETE FROM temp.unsynced")
        let chosen = RecordSelection(kind: kind, root: root, project: project, compiler: compiler)
        try findUnsynced(chosen, allowed: SelectionCompiler.allowedStates(request, hasRemote: hasRemote))
        for statement in compiler.preparations(of: rootTable(chosen), project: project.id) {
            try connection.execute(statement)
        }
        try connection.run(compiler.insertion(of: rootTable(chosen), project: project.id), compiler.bindings)
        return try summarize(chosen)
    }

    private func summarize(_ chosen: RecordSelection) throws -> SelectionSummary {
        let statement = try connection.prepare("SELECT reason, count(*) FROM temp.left_out GROUP BY reason")
        var leftOut: [LeftOutReason: Int] = [:]
        while try statement.step() {
            if let reason = LeftOutReason(rawValue: statement.text(0) ?? "") {
                leftOut[reason] = Int(statement.integer(1))
            }
        }
        let total = try Int(
            connection.integer(
                "SELECT count(*) FROM \(rootTable(chosen)) AS r\(Self.filter(rootConditions(chosen, alias: "r")))"))
        selection = chosen
        selection?.leavesOut = !leftOut.isEmpty
        return SelectionSummary(
            projectID: chosen.project.id, projectCode: chosen.project.code, projectName: chosen.project.name,
            selected: total - leftOut.values.reduce(0, +), leftOut: leftOut)
    }

    /// Finds records of the project with a row that is not synced, with the rank of the record's
    /// least synced row. Uses indexes on `sync_state`, and partial ones on `sync_state <>
    /// 'synced'`.
    private func findUnsynced(_ chosen: RecordSelection, allowed: [SyncState]) throws {
        for query in unsynced(chosen, allowed: allowed) {
            try connection.run(
                """
                INSERT INTO temp.unsynced (id, rank) SELECT id, rank FROM (\(query)) WHERE true \
                ON CONFLICT (id) DO UPDATE SET rank = min(rank, excluded.rank)
                """
            )
        }
    }

    func unsynced(_ chosen: RecordSelection, allowed: [SyncState]) -> [String] {
        guard let condition = Self.deciding(allowed) else { return [] }
        let rank = Self.rank("p")
        let ofProject = rootConditions(chosen, alias: "r"), root = rootTable(chosen)
        var rows = [
            """
            SELECT p.id AS id, \(rank) AS rank FROM \(root) AS \
            p\(Self.filter([condition] + rootConditions(chosen, alias: "p")))
            """
        ]
        for part in chosen.kind.parts {
            guard let entity = pack.entity(part.entity) else { continue }
            // CROSS JOIN: few rows are not synced, but there are many records.
            let owners = part.isList
                ? """
                    \(root) AS r, \(Self.items(of: "r." + SQLText.name(part.by.description))) AS j \
                    JOIN \(SQLText.name(part.entity)) AS p ON p.id = j.value
                    """
                : """
                    \(views.everyProject(entity)) AS p CROSS JOIN \(root) AS r \
                    ON r.id = \(ReferenceSQL(part.by, from: entity, in: pack).value("p"))
                    """
            rows.append("SELECT r.id AS id, \(rank) AS rank FROM \(owners)\(Self.filter([condition] + ofProject))")
        }
        return rows
    }

    /// SQL condition for the rows that decide whether a record is allowed; nil: no row decides. If
    /// every state that is not allowed ranks below all allowed states, rows in other states do not
    /// matter. Then a replica with a million local rows need not be scanned.
    private static func deciding(_ allowed: [SyncState]) -> String? {
        let isAllowed = ranks.map { allowed.contains($0) }
        // Always included: this is the condition of the partial indexes, and SQLite would not
        // derive it from a list of states.
        let unsynced = "p.sync_state <> 'synced'"
        guard let firstAllowed = isAllowed.firstIndex(of: true), !isAllowed[firstAllowed...].contains(false),
            firstAllowed < ranks.count - 1
        else {
            return unsynced
        }
        guard firstAllowed > 0 else { return nil }
        return unsynced
            + """
                 AND p.sync_state IN \
                (\(ranks[..<firstAllowed].map { SQLText.literal($0.rawValue) }.joined(separator: ", ")))
                """
    }

    /// States from least to most synced.
    static let ranks: [SyncState] = [.conflict, .error, .localOnly, .pendingUpload, .pendingDownload, .synced]

    /// SQL for the rank of a row; a mark that Fichero set on the row does not change its rank.
    private static func rank(_ alias: String) -> String {
        let cases = ranks.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }.joined(separator: " ")
        return
            """
            CASE WHEN \(alias).own_mark = 1 AND \(alias).sync_state = 'pending_upload' THEN \(ranks.count - 1) \
            ELSE CASE \(alias).sync_state \(cases) END END
            """
    }

    /// The first ten of the actor's records with a code in the session's projects: readable names,
    /// with ids.
    package func records(_ kind: RecordKind, code: String) throws -> [String] {
        guard let root = pack.entity(kind.root) else { return [] }
        var joins = PathJoins(from: root, pack: pack)
        let name = RowNaming.key(of: root, pack: pack, joins: &joins)
        let statement = try connection.prepare(
            """
            SELECT \(name), t0.id FROM \(SQLText.name(root.name)) AS t0\(joins.sql) \
            WHERE t0.\(SQLText.name(root.key.first ?? "id")) = ?1 ORDER BY 1, 2 LIMIT 10
            """,
            [.text(code)])
        var found: [String] = []
        while try statement.step() { found.append("\(statement.text(0) ?? "") (\(statement.text(1) ?? ""))") }
        return found
    }

    /// The failure of a code that no record has, with the code that was probably meant.
    package func unknownRecord(_ kind: RecordKind?, code: String) throws -> RecordFailure {
        guard let root = kind.flatMap({ pack.entity($0.root) }), let key = root.key.first else { return .unknown(code) }
        let statement = try connection.prepare(
            """
            SELECT \(SQLText.name(key)) FROM \(SQLText.name(root.name)) \
            WHERE \(SQLText.name(key)) IS NOT NULL LIMIT 100000
            """)
        var codes: [String] = []
        while try statement.step() { codes += [statement.text(0)].compactMap { $0 } }
        return .unknown(code, nearest: Spelling.nearestCode(to: code, among: codes))
    }

    /// Ids of selected records that are in a state, so that they can be marked.
    package func selectedRecordIDs(inState state: String) throws -> [String] {
        guard let selection, let field = selection.root.states?.field else { return [] }
        let conditions = selectedConditions(alias: "r") + ["r.\(SQLText.name(field)) = ?1"]
        let statement = try connection.prepare(
            "SELECT r.id FROM \(rootTable(selection)) AS r\(Self.filter(conditions)) ORDER BY r.id", [.text(state)])
        var ids: [String] = []
        while try statement.step() { ids += [statement.text(0)].compactMap { $0 } }
        return ids
    }
}
