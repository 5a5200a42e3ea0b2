internal import Model
internal import Postgres

/// The rows of a PostgreSQL server that one person sees at one moment: all queries run within one
/// transaction.
struct PostgresSnapshot: RemoteSnapshot {
    let position: RemotePosition
    private let remote: PostgresRemote

    init(_ remote: PostgresRemote, _ position: RemotePosition) { (self.remote, self.position) = (remote, position) }

    private var rows: ServerRows { remote.rows }

    var isOneMoment: Bool { true }
    var isExact: Bool { rows.isPrepared }

    func fields(of entity: Entity) -> [Int] { entity.fields(among: remote.columns) }

    func isDated(_ entity: Entity) -> Bool { remote.rows.isDated(entity) }

    func projects() throws -> [String] {
        let found = try remote.connection.run(
            "SELECT id FROM \(ServerRows.table(remote.pack.project.entity)) ORDER BY id")
        return (0..<found.count).compactMap { found[row: $0, column: 0] }
    }

    func rows(
        of entity: Entity, in project: String?, since: RemotePosition?, _ take: (inout RowBatch) throws -> Void
    ) throws -> Int {
        let positions = fields(of: entity)
        let names =
            positions.map { rows.value(of: entity.fields[$0], in: entity, "t") } + [rows.version(of: entity, "t")]
        let values = ArrivedValues(types: positions.map { entity.fields[$0].type } + [.datetime])
        var batch = RowBatch(columnCount: names.count)
        let sent = try remote.connection.copy(
            "SELECT \(names.joined(separator: ", ")) FROM \(changed(entity, project, since)) AS t"
        ) { row in
            if let long = ArrivedValues.firstLong(row), long < positions.count {
                throw RemoteFailure.longValue(
                    address: remote.address, table: entity.name, id: row.text(0) ?? "",
                    field: entity.fields[positions[long]].name)
            }
            values.append(row, to: &batch)
            if batch.isFull {
                try take(&batch)
                batch.removeAll()
            }
        }
        if batch.rowCount > 0 { try take(&batch) }
        return sent
    }

    private func changed(_ entity: Entity, _ project: String?, _ since: RemotePosition?) -> String {
        rows.changed(entity, in: project, since: since, until: position)
    }

    func count(of entity: Entity, in project: String?, since: RemotePosition?) throws -> Int {
        let found = try remote.connection.run("SELECT count(*) FROM \(changed(entity, project, since)) AS t")
        return found[row: 0, column: 0].flatMap(Int.init) ?? 0
    }

    func removed(since: RemotePosition) throws -> [RemovedRow] {
        guard isExact else { return [] }
        let found = try remote.connection.run(
            "SELECT entity, row_id, is_move FROM fichero.removed($1::pg_snapshot, $2::pg_snapshot)",
            [since.snapshot, position.snapshot])
        return (0..<found.count).map {
            RemovedRow(
                entity: found[row: $0, column: 0] ?? "", id: found[row: $0, column: 1] ?? "",
                isMove: found[row: $0, column: 2] == "t")
        }
    }

    func proof(of entity: Entity, in project: String?) throws -> (proof: RowsProof, later: Set<String>) {
        let found = try remote.connection.run(rows.proof(of: entity, in: project, until: position))
        return (
            RowsProof(rows: found[row: 0, column: 0].flatMap(Int.init) ?? 0, digest: found[row: 0, column: 1] ?? ""), []
        )
    }

    func versions(of entity: Entity, in project: String?) throws -> [String: String] {
        var versions: [String: String] = [:]
        let values = ArrivedValues(types: [.uuid, .datetime])
        _ = try remote.connection.copy(
            "SELECT t.id, \(rows.version(of: entity, "t")) FROM \(changed(entity, project, nil)) AS t"
        ) { row in
            var batch = RowBatch(columnCount: 2, rowCapacity: 1, textCapacity: 64)
            values.append(row, to: &batch)
            versions[batch.string(0, 0) ?? ""] = batch.string(0, 1)
        }
        return versions
    }
}
