internal import Model
internal import Postgres

/// What one person sees of a PostgreSQL server at one moment: all is answered within one
/// transaction.
struct PostgresLook: RemoteLook {
    let position: RemotePosition
    private let remote: PostgresRemote

    init(_ remote: PostgresRemote, _ position: RemotePosition) { (self.remote, self.position) = (remote, position) }

    var isOneMoment: Bool { true }

    func fields(of entity: Entity) -> [Int] { entity.fields(among: remote.columns) }

    func projects() throws -> [String] {
        let found = try remote.connection.run("SELECT id FROM \(Self.table(remote.pack.project.entity)) ORDER BY id")
        return (0..<found.count).compactMap { found[row: $0, column: 0] }
    }

    func rows(
        of entity: Entity, in project: String?, since: RemotePosition?, _ take: (inout RowBatch) throws -> Void
    ) throws -> Int {
        let positions = fields(of: entity)
        let names = positions.map { Self.name(entity.fields[$0].name) } + [Self.name("updated_at")]
        let values = ArrivedValues(types: positions.map { entity.fields[$0].type } + [.datetime])
        var batch = RowBatch(columnCount: names.count)
        let arguments = [project.map { "\(Self.literal($0))::uuid" } ?? "NULL", since.map { "\(Self.literal($0.snapshot))::pg_snapshot" } ?? "NULL",
            "\(Self.literal(position.snapshot))::pg_snapshot"]
        let query = "SELECT \(names.joined(separator: ", ")) FROM fichero.\(Self.name("changed_" + entity.name))(\(arguments.joined(separator: ", ")))"
        let sent = try remote.connection.copy(query) { row in
            values.append(row, to: &batch)
            if batch.isFull {
                try take(&batch)
                batch.removeAll()
            }
        }
        if batch.rowCount > 0 { try take(&batch) }
        return sent
    }

    func count(of entity: Entity, in project: String?, since: RemotePosition?) throws -> Int {
        let found = try remote.connection.run(
            "SELECT count(*) FROM fichero.\(Self.name("changed_" + entity.name))($1::uuid, $2::pg_snapshot, $3::pg_snapshot)",
            [project, since?.snapshot, position.snapshot])
        return found[row: 0, column: 0].flatMap(Int.init) ?? 0
    }

    func removed(since: RemotePosition) throws -> [RemovedRow] {
        let found = try remote.connection.run(
            "SELECT entity, row_id, is_move FROM fichero.removed($1::pg_snapshot, $2::pg_snapshot)", [since.snapshot, position.snapshot])
        return (0..<found.count).map {
            RemovedRow(entity: found[row: $0, column: 0] ?? "", id: found[row: $0, column: 1] ?? "", isMove: found[row: $0, column: 2] == "t")
        }
    }

    func proof(of entity: Entity, in project: String?) throws -> (proof: RowsProof, later: Set<String>) {
        let found = try remote.connection.run(
            "SELECT rows, digest FROM fichero.\(Self.name("proof_" + entity.name))($1::uuid, $2::pg_snapshot)", [project, position.snapshot])
        return (RowsProof(rows: found[row: 0, column: 0].flatMap(Int.init) ?? 0, digest: found[row: 0, column: 1] ?? ""), [])
    }

    func versions(of entity: Entity, in project: String?) throws -> [String: String] {
        var versions: [String: String] = [:]
        let project = project.map { "\(Self.literal($0))::uuid" } ?? "NULL"
        let values = ArrivedValues(types: [.uuid, .datetime])
        _ = try remote.connection.copy(
            "SELECT id, updated_at FROM fichero.\(Self.name("changed_" + entity.name))(\(project), NULL, \(Self.literal(position.snapshot))::pg_snapshot)"
        ) { row in
            var batch = RowBatch(columnCount: 2, rowCapacity: 1, textCapacity: 64)
            values.append(row, to: &batch)
            versions[batch.string(0, 0) ?? ""] = batch.string(0, 1)
        }
        return versions
    }

    private static func name(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
    private static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
    private static func table(_ name: String) -> String { "public." + self.name(name) }
}
