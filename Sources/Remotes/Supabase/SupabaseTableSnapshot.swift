internal import Digests
internal import Foundation
import Model
internal import Web

/// The tables of a Supabase project without Fichero's SQL that one person sees. Row versions are
/// the times of the last change.
///
/// A change's time is the start of its transaction, so rows are fetched with an overlap. Deletions
/// are not reported; they are found by comparing numbers of rows (`design/sync.md`, "The cursor").
struct SupabaseTableSnapshot: RemoteSnapshot {
    /// The server's time, to the second, as its replies give it.
    let position: RemotePosition
    private let remote: SupabaseRemote

    /// Names of a row's times in replies, chosen because a table may have fields with the columns'
    /// names.
    private static let versions = SupabaseRemote.times.map { "row_" + $0 }
    /// Overlap in seconds, longer than any transaction of a server with many users.
    private static let overlap = 3600.0

    /// Requests the server's time.
    init(_ remote: SupabaseRemote) throws {
        self.remote = remote
        let server = remote.server
        let answer = try server.ask(
            .init(
                method: .get, path: "profiles",
                query: [("select", "id"), ("id", "eq." + remote.actor.id), ("limit", "1")]))
        guard let time = answer.headers["date"].flatMap(Self.time) else {
            throw SupabaseFailure.notAnswering(address: remote.address, reason: "no time in the answer")
        }
        position = RemotePosition(
            snapshot: Timestamp.format(time), system: "updated_at " + remote.address, timeline: "-")
    }

    /// Parses a time in the form of RFC 9110 (5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func time(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 6, let month = months.firstIndex(of: String(parts[2])), parts[5] == "GMT" else {
            return nil
        }
        return Timestamp.parse("\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
    }

    var isOneMoment: Bool { false }
    var isExact: Bool { false }

    func fields(of entity: Entity) -> [Int] { entity.fields(among: remote.columns) }

    func isDated(_ entity: Entity) -> Bool { remote.columns[entity.name]?.contains("updated_at") == true }

    func projects() throws -> [String] { try remote.server.projects(remote.pack) }

    // MARK: Rows

    func rows(of entity: Entity, in project: String?, since: RemotePosition?, _ take: (inout RowBatch) throws -> Void)
        throws -> Int
    {
        let fields = fields(of: entity).map { entity.fields[$0] }
        var rows = RestRows(fields.map { ($0.name, $0.type) }, versions: Self.versions)
        let columns = fields.map(\.selected) + times(of: entity)
        let (taken, before) = try remote.server.batches(
            of: entity, &rows, columns: fields.count + 1, selecting: columns,
            { try page(entity, project, since, $2, after: $0, most: $1) }, take)
        guard taken != before else { return taken }
        // The server counts independently, before and afterwards, since people work meanwhile.
        let after = try count(of: entity, in: project, since: since)
        return (min(before, after)...max(before, after)).contains(taken) ? taken : after
    }

    /// The columns of a row's times that the server has, with their names in replies.
    private func times(of entity: Entity) -> [String] {
        zip(Self.versions, SupabaseRemote.times).filter { remote.columns[entity.name]?.contains($1) ?? false }.map {
            $0 + ":" + $1
        }
    }

    private func page(
        _ entity: Entity, _ project: String?, _ since: RemotePosition?, _ columns: [String], after: String?, most: Int
    ) throws -> WebAnswer {
        let query = [("order", "id.asc"), ("limit", String(most))] + (after.map { [("id", "gt." + $0)] } ?? [])
        return try ask(entity, project, since, columns, query, preferences: RestServer.preferences(after: after))
    }

    private func ask(
        _ entity: Entity, _ project: String?, _ since: RemotePosition?, _ columns: [String],
        _ query: [(name: String, value: String)], preferences: [String] = []
    ) throws -> WebAnswer {
        var (columns, conditions) = (columns, [(name: String, value: String)]())
        if let project, let scope = scope(entity, project) {
            if let embedded = scope.embedded { columns.append(embedded) }
            conditions.append(scope.condition)
        }
        if let since, remote.columns[entity.name]?.contains("updated_at") ?? false,
            let time = Timestamp.parse(since.snapshot)
        {
            conditions.append(
                (
                    "or",
                    "(updated_at.is.null,updated_at.gte.\(Timestamp.format(time.addingTimeInterval(-Self.overlap))))"
                ))
        }
        return try remote.server.ask(
            .init(
                method: .get, path: entity.name,
                query: [("select", columns.joined(separator: ","))] + conditions + query, preferences: preferences))
    }

    /// Filter for the rows of one project: by their project column, or by that of the record to
    /// which they belong. The reply must then embed the record.
    private func scope(_ entity: Entity, _ project: String) -> (
        embedded: String?, condition: (name: String, value: String)
    )? {
        guard let parts = entity.projectPath?.parts, let last = parts.last else { return nil }
        var (owner, names, hints) = (entity, [String](), [String]())
        for part in parts.dropLast() {
            guard let next = owner.field(part)?.references.flatMap({ remote.pack.entity($0) }) else { return nil }
            (owner, names, hints) = (next, names + [next.name], hints + [part])
        }
        let embedded = zip(names, hints).reversed().reduce("") { inner, step in
            "\(step.0)!\(step.1)!inner(id\(inner.isEmpty ? "" : "," + inner))"
        }
        return (embedded.isEmpty ? nil : embedded, ((names + [last]).joined(separator: "."), "eq." + project))
    }

    func count(of entity: Entity, in project: String?, since: RemotePosition?) throws -> Int {
        try remote.server.total(ask(entity, project, since, ["id"], [("limit", "1")], preferences: ["count=exact"]))
    }

    func removed(since: RemotePosition) throws -> [RemovedRow] { [] }

    // MARK: Versions

    /// Calculated in this program: the server must send every row's id and version.
    func proof(of entity: Entity, in project: String?) throws -> (proof: RowsProof, later: Set<String>) {
        var (count, sum, later) = (0, Int128(0), Set<String>())
        let moment = Timestamp.microseconds(position.snapshot) ?? .max
        try eachVersion(of: entity, in: project) { id, version in
            let time = Timestamp.microseconds(version)
            // The moment is known to the second.
            guard time.map({ $0 < moment }) ?? true else {
                later.insert(id)
                return
            }
            count += 1
            sum += Int128(PostgresHash.of(id: id.utf8.span, microseconds: time.map { $0 - PostgresHash.epoch }) ?? 0)
        }
        return (RowsProof(rows: count, digest: sum.description), later)
    }

    func versions(of entity: Entity, in project: String?) throws -> [String: String] {
        var versions: [String: String] = [:]
        try eachVersion(of: entity, in: project) { id, version in versions[id] = version }
        return versions
    }

    private func eachVersion(of entity: Entity, in project: String?, _ body: (String, String) -> Void) throws {
        var rows = RestRows([("id", .uuid)], versions: Self.versions)
        let columns = ["id"] + times(of: entity)
        try remote.server.eachRow(&rows) {
            try page(entity, project, nil, columns, after: $0, most: $1)
        } _: { row, id in
            body(id, row.version)
        }
    }
}
