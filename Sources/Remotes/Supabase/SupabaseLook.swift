import Model
internal import Web

/// What one person sees of a Supabase project, as of one moment: what changed later is left out.
struct SupabaseLook: RemoteLook {
    let position: RemotePosition
    private let remote: SupabaseRemote

    /// The version's name in answers: a table may have `updated_at` among its own fields.
    private static let version = "row_version"
    /// Rows that are asked for at once. Servers may send fewer: Supabase's standard is 1,000.
    private static let pageSize = 5000

    init(_ remote: SupabaseRemote, _ position: RemotePosition) { (self.remote, self.position) = (remote, position) }

    var isOneMoment: Bool { false }
    var isExact: Bool { true }

    func fields(of entity: Entity) -> [Int] { entity.fields(among: remote.columns) }

    func projects() throws -> [String] {
        var found: [String] = []
        try remote.server.pages { last in
            let query = [("select", "id"), ("order", "id.asc"), ("limit", String(Self.pageSize))] + (last.map { [("id", "gt." + $0)] } ?? [])
            let page = try remote.server.rows(remote.server.ask(.init(method: .get, path: remote.pack.project.entity, query: query)), ["id"])
            found += page.compactMap(\.[0])
            return page.last?[0]
        }
        return found
    }

    func rows(of entity: Entity, in project: String?, since: RemotePosition?, _ take: (inout RowBatch) throws -> Void) throws -> Int {
        let columns = fields(of: entity).map { entity.fields[$0] }.map { (name: $0.name, type: $0.type) } + [(Self.version, .datetime)]
        var rows = RestRows(columns)
        var batch = RowBatch(columnCount: columns.count)
        var taken = 0
        try remote.server.pages { last in
            var newest: String?
            try remote.server.read(changed(entity, project, since, columns, after: last), &rows) { row in
                newest = try follow(row.text(0), newest ?? last)
                row.append(to: &batch)
                taken += 1
                if batch.isFull {
                    try take(&batch)
                    batch.removeAll()
                }
            }
            return newest
        }
        if batch.rowCount > 0 { try take(&batch) }
        // The server counts by itself. Rows that change while pages are read leave the count.
        return try taken == 0 ? 0 : max(taken, count(of: entity, in: project, since: since))
    }

    /// Ids rise within a page and from page to page, so that no row comes twice.
    private func follow(_ id: String?, _ last: String?) throws -> String {
        guard let id, last.map({ $0 < id }) ?? true else {
            throw SupabaseFailure.notAnswering(address: remote.address, reason: "rows out of order")
        }
        return id
    }

    private func changed(
        _ entity: Entity, _ project: String?, _ since: RemotePosition?, _ columns: [(name: String, type: FieldType)], after: String?,
        query: [(name: String, value: String)] = [], preferences: [String] = []
    ) throws -> WebAnswer {
        // JSON within JSON would lose the form in which it was written.
        let selected = columns.map { column in
            if column.name == Self.version { return column.name + ":updated_at" }
            return [.json, .point, .polygon, .list].contains(column.type) ? column.name + "::text" : column.name
        }.joined(separator: ",")
        return try remote.server.call(
            "changed_" + entity.name,
            [("project", project), ("since", since?.snapshot), ("until", position.snapshot), ("after", after)]
                + (query.isEmpty ? [("most", String(Self.pageSize))] : []),
            query: [("select", selected)] + query, preferences: preferences)
    }

    func count(of entity: Entity, in project: String?, since: RemotePosition?) throws -> Int {
        let answer = try changed(entity, project, since, [("id", .uuid)], after: nil, query: [("limit", "1")], preferences: ["count=exact"])
        // `Content-Range: 0-0/2500`, or `*/0`
        guard let range = answer.headers["content-range"], let total = Int(range.split(separator: "/").last ?? "") else {
            throw SupabaseFailure.notAnswering(address: remote.address, reason: "no count in the answer")
        }
        return total
    }

    func removed(since: RemotePosition) throws -> [RemovedRow] {
        var found: [RemovedRow] = []
        let names = ["n", "entity", "row_id", "is_move"]
        try remote.server.pages { last in
            let answer = try remote.server.call(
                "removed", [("since", since.snapshot), ("until", position.snapshot), ("after", last ?? "0"), ("most", String(Self.pageSize))],
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
        try remote.server.pages { last in
            var newest: String?
            try remote.server.read(changed(entity, project, nil, [("id", .uuid), ("updated_at", .datetime)], after: last), &rows) { row in
                newest = try follow(row.text(0), newest ?? last)
                versions[newest ?? ""] = row.text(1).map(ArrivedValues.instant)
            }
            return newest
        }
        return versions
    }
}
