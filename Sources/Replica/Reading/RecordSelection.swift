package import Model

/// Which records of one project a run takes: all but those in `temp.left_out`, so that taking everything costs nothing.
struct RecordSelection {
    var kind: RecordKind
    var root: Entity
    var project: ReadSession.Project
    var leavesOut = false
}

extension ReadSession {
    /// Chooses whole records of a project: a pit never without one of its strata. Records left out stand in `temp.left_out` with the
    /// first reason that applies, in the order of `LeftOutReason`. Replaces the last selection, if only by an empty one when it throws.
    package func select(
        _ kind: RecordKind, in project: Project, _ request: SelectionRequest, hasRemote: Bool
    ) throws -> SelectionSummary {
        selection = nil
        guard let root = pack.entity(kind.root) else { throw connection.failure("no table \(kind.root)") }
        var compiler = SelectionCompiler(root: root, pack: pack, timeZone: timeZone)
        try compiler.add(kind, request, hasRemote: hasRemote)
        try connection.execute("DELETE FROM temp.left_out; DELETE FROM temp.unsynced")
        try findUnsynced(kind, root)
        try connection.run(compiler.insertion(project: project.id), compiler.bindings)
        return try summarize(RecordSelection(kind: kind, root: root, project: project))
    }

    private func summarize(_ chosen: RecordSelection) throws -> SelectionSummary {
        let statement = try connection.prepare("SELECT reason, count(*) FROM temp.left_out GROUP BY reason")
        var leftOut: [LeftOutReason: Int] = [:]
        while try statement.step() {
            if let reason = LeftOutReason(rawValue: statement.text(0) ?? "") { leftOut[reason] = Int(statement.integer(1)) }
        }
        let total = try Int(connection.integer("SELECT count(*) FROM \(SQLText.name(chosen.root.name)) AS r\(Self.filter(rootConditions(chosen, alias: "r")))"))
        selection = chosen
        selection?.leavesOut = !leftOut.isEmpty
        return SelectionSummary(
            projectID: chosen.project.id, projectCode: chosen.project.code, projectName: chosen.project.name,
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
                ? "SELECT r.id AS id, \(rank) AS rank FROM \(rootName) AS r, \(Self.items(of: "r." + by)) AS j JOIN \(name) AS p ON p.id = j.value WHERE p.sync_state <> 'synced'"
                : "SELECT p.\(by) AS id, \(rank) AS rank FROM \(name) AS p WHERE p.sync_state <> 'synced' AND p.\(by) IS NOT NULL"
            try connection.run("INSERT INTO temp.unsynced (id, rank) SELECT id, rank FROM (\(rows)) WHERE true \(keepLeast)")
        }
    }

    /// From least to most synced.
    static let ranks: [SyncState] = [.conflict, .error, .localOnly, .pendingUpload, .pendingDownload, .synced]

    /// The rank of a row: Fichero's own mark leaves it as synced as it was.
    private static func rank(_ alias: String) -> String {
        let cases = ranks.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }.joined(separator: " ")
        return "CASE WHEN \(alias).own_mark = 1 AND \(alias).sync_state = 'pending_upload' THEN \(ranks.count - 1) ELSE CASE \(alias).sync_state \(cases) END END"
    }

    /// Ids of selected records that are in a state, for the mark.
    package func selectedRecordIDs(inState state: String) throws -> [String] {
        guard let selection, let field = selection.root.states?.field else { return [] }
        let conditions = selectedConditions(alias: "r") + ["r.\(SQLText.name(field)) = ?1"]
        let statement = try connection.prepare(
            "SELECT r.id FROM \(SQLText.name(selection.root.name)) AS r\(Self.filter(conditions)) ORDER BY r.id", [.text(state)])
        var ids: [String] = []
        while try statement.step() { ids += [statement.text(0)].compactMap { $0 } }
        return ids
    }
}
