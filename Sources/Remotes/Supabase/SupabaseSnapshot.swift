import Model
internal import Web

/// The rows of a Supabase project that one person sees, as of one moment. Rows that changed later
/// are left out.
struct SupabaseSnapshot: RemoteSnapshot {
    let position: RemotePosition
    private let remote: SupabaseRemote
    private let answers = Answers()

    /// Replies are cached, as the moment is the same.
    private final class Answers {
        var news: [RemotePosition: Set<String>] = [:]
        var removed: [RemotePosition: [RemovedRow]] = [:]
    }

    /// The version's name in replies: a table may have `updated_at` among its fields.
    private static let version = "row_version"

    init(_ remote: SupabaseRemote, _ position: RemotePosition) { (self.remote, self.position) = (remote, position) }

    var isOneMoment: Bool { false }
    var isExact: Bool { true }

    func fields(of entity: Entity) -> [Int] { entity.fields(among: remote.columns) }

    func isDated(_ entity: Entity) -> Bool { remote.columns[entity.name]?.contains("updated_at") == true }

    func projects() throws -> [String] { try remote.server.projects(remote.pack) }

    func rows(of entity: Entity, in project: String?, since: RemotePosition?, _ take: (inout RowBatch) throws -> Void)
        throws -> Int
    {
        if let since, try !hasNews(entity, since: since) { return 0 }
        let fields = fields(of: entity).map { entity.fields[$0] }
        let columns = fields.map { (name: $0.name, type: $0.type) } + [(Self.version, .datetime)]
        var rows = RestRows(columns)
        let selected = fields.map(\.selected) + [Self.version + ":updated_at"]
        let (taken, counted) = try remote.server.batches(
            of: entity, &rows, columns: columns.count, selecting: selected,
            { try page(entity, project, since, $2, after: $0, most: $1) }, take)
        // The server counts independently. Rows that change between pages drop out of the count.
        return try taken == counted ? taken : max(taken, count(of: entity, in: project, since: since))
    }

    /// Whether any row of a table changed since a position: one request for all tables, and one row
    /// in the reply, which no server cuts. A server with older SQL gets a request for each table.
    private func hasNews(_ entity: Entity, since: RemotePosition) throws -> Bool {
        if let known = answers.news[since] { return known.contains(entity.name) }
        var tables: Set<String>?
        do {
            var rows = RestRows([("tables", .text)])
            try remote.server.read(
                remote.server.call("news", [("since", since.snapshot), ("until", position.snapshot)]), &rows
            ) { tables = Set($0.texts(0)) }
        } catch let failure as SupabaseFailure where failure.isRefused(SupabaseRemote.unknownFunction) {
            tables = Set(remote.pack.centralEntities.map(\.name))
        }
        guard let tables else {
            throw SupabaseFailure.notAnswering(address: remote.address, reason: "no row in the answer")
        }
        answers.news[since] = tables
        return tables.contains(entity.name)
    }

    private func page(
        _ entity: Entity, _ project: String?, _ since: RemotePosition?, _ selected: [String], after: String?, most: Int
    ) throws -> WebAnswer {
        try changed(
            entity, project, since, selected, after: after, most: most,
            preferences: RestServer.preferences(after: after))
    }

    private func changed(
        _ entity: Entity, _ project: String?, _ since: RemotePosition?, _ selected: [String], after: String?,
        most: Int? = nil, query: [(name: String, value: String)] = [], preferences: [String] = []
    ) throws -> WebAnswer {
        try remote.server.call(
            "changed_" + entity.name,
            [("project", project), ("since", since?.snapshot), ("until", position.snapshot), ("after", after)]
                + (most.map { [("most", String($0))] } ?? []),
            query: [("select", selected.joined(separator: ","))] + query, preferences: preferences)
    }

    func count(of entity: Entity, in project: String?, since: RemotePosition?) throws -> Int {
        try remote.server.total(
            changed(entity, project, since, ["id"], after: nil, query: [("limit", "1")], preferences: ["count=exact"]))
    }

    func removed(since: RemotePosition) throws -> [RemovedRow] {
        if let known = answers.removed[since] { return known }
        var found: [RemovedRow] = []
        let names = ["n", "entity", "row_id", "is_move"]
        try remote.server.pages { last in
            let answer = try remote.server.call(
                "removed",
                [
                    ("since", since.snapshot), ("until", position.snapshot), ("after", last ?? "0"),
                    ("most", String(RestServer.pageSize)),
                ],
                query: [("select", names.joined(separator: ","))])
            let page = try remote.server.rows(answer, names)
            found += page.map { RemovedRow(entity: $0[1] ?? "", id: $0[2] ?? "", isMove: $0[3] == "true") }
            return page.last?[0]
        }
        answers.removed[since] = found
        return found
    }

    func proof(of entity: Entity, in project: String?) throws -> (proof: RowsProof, later: Set<String>) {
        var rows = RestRows([("rows", .integer), ("digest", .text), ("later", .text)])
        var found: (proof: RowsProof, later: Set<String>)?
        let answer = try remote.server.call(
            "proof_" + entity.name, [("project", project), ("until", position.snapshot)])
        try remote.server.read(answer, &rows) { row in
            found = (
                RowsProof(rows: row.text(0).flatMap { Int($0) } ?? 0, digest: row.text(1) ?? ""), Set(row.texts(2))
            )
        }
        guard let found else {
            throw SupabaseFailure.notAnswering(address: remote.address, reason: "no proof in the answer")
        }
        return found
    }

    func versions(of entity: Entity, in project: String?) throws -> [String: String] {
        var versions: [String: String] = [:]
        var rows = RestRows([("id", .uuid), ("updated_at", .datetime)])
        try remote.server.eachRow(&rows) {
            try page(entity, project, nil, ["id", "updated_at"], after: $0, most: $1)
        } _: { row, id in
            versions[id] = row.text(1).map(ArrivedValues.instant)
        }
        return versions
    }
}
