import Model
internal import Web

/// What one person sees of a Supabase project, as of one moment: what changed later is left out.
struct SupabaseLook: RemoteLook {
    let position: RemotePosition
    private let remote: SupabaseRemote

    /// The version's name in answers: a table may have `updated_at` among its own fields.
    private static let version = "row_version"

    init(_ remote: SupabaseRemote, _ position: RemotePosition) { (self.remote, self.position) = (remote, position) }

    var isOneMoment: Bool { false }
    var isExact: Bool { true }

    func fields(of entity: Entity) -> [Int] { entity.fields(among: remote.columns) }

    func isDated(_ entity: Entity) -> Bool { remote.columns[entity.name]?.contains("updated_at") == true }

    func projects() throws -> [String] { try remote.server.projects(remote.pack) }

    func rows(of entity: Entity, in project: String?, since: RemotePosition?, _ take: (inout RowBatch) throws -> Void) throws -> Int {
        let fields = fields(of: entity).map { entity.fields[$0] }
        let columns = fields.map { (name: $0.name, type: $0.type) } + [(Self.version, .datetime)]
        var rows = RestRows(columns)
        let selected = fields.map(\.selected) + [Self.version + ":updated_at"]
        let taken = try remote.server.batches(&rows, columns: columns.count, { try changed(entity, project, since, selected, after: $0) }, take)
        // The server counts by itself. Rows that change while pages are read leave the count.
        return try taken == 0 ? 0 : max(taken, count(of: entity, in: project, since: since))
    }

    private func changed(
        _ entity: Entity, _ project: String?, _ since: RemotePosition?, _ selected: [String], after: String?,
        query: [(name: String, value: String)] = [], preferences: [String] = []
    ) throws -> WebAnswer {
        try remote.server.call(
            "changed_" + entity.name,
            [("project", project), ("since", since?.snapshot), ("until", position.snapshot), ("after", after)]
                + (query.isEmpty ? [("most", String(RestServer.pageSize))] : []),
            query: [("select", selected.joined(separator: ","))] + query, preferences: preferences)
    }

    func count(of entity: Entity, in project: String?, since: RemotePosition?) throws -> Int {
        try remote.server.total(changed(entity, project, since, ["id"], after: nil, query: [("limit", "1")], preferences: ["count=exact"]))
    }

    func removed(since: RemotePosition) throws -> [RemovedRow] {
        var found: [RemovedRow] = []
        let names = ["n", "entity", "row_id", "is_move"]
        try remote.server.pages { last in
            let answer = try remote.server.call(
                "removed", [("since", since.snapshot), ("until", position.snapshot), ("after", last ?? "0"), ("most", String(RestServer.pageSize))],
                query: [("select", names.joined(separator: ","))])
            let page = try remote.server.rows(answer, names)
            found += page.map { RemovedRow(entity: $0[1] ?? "", id: $0[2] ?? "", isMove: $0[3] == "true") }
            return page.last?[0]
        }
        return found
    }

    func proof(of entity: Entity, in project: String?) throws -> (proof: RowsProof, later: Set<String>) {
        var rows = RestRows([("rows", .integer), ("digest", .text), ("later", .text)])
        var found: (proof: RowsProof, later: Set<String>)?
        let answer = try remote.server.call("proof_" + entity.name, [("project", project), ("until", position.snapshot)])
        try remote.server.read(answer, &rows) { row in
            found = (RowsProof(rows: row.text(0).flatMap { Int($0) } ?? 0, digest: row.text(1) ?? ""), Set(row.texts(2)))
        }
        guard let found else { throw SupabaseFailure.notAnswering(address: remote.address, reason: "no proof in the answer") }
        return found
    }

    func versions(of entity: Entity, in project: String?) throws -> [String: String] {
        var versions: [String: String] = [:]
        var rows = RestRows([("id", .uuid), ("updated_at", .datetime)])
        try remote.server.eachRow(&rows) { try changed(entity, project, nil, ["id", "updated_at"], after: $0) } _: { row, id in
            versions[id] = row.text(1).map(ArrivedValues.instant)
        }
        return versions
    }
}
