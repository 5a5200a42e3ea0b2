internal import Model

/// The rows of a table as SQL, with the versions that a sync compares.
///
/// A server with Fichero's SQL reports exactly what changed between two snapshots. Another server
/// has only `updated_at`, the time at which a transaction began: a late commit may lie before a
/// position. So its rows are fetched with an overlap, and deletions are found by comparing
/// (`design/sync.md`, "The cursor").
struct ServerRows {
    let pack: Pack
    /// Columns of each table, as far as the person may read them.
    let columns: [String: Set<String>]
    /// Columns of each table that are arrays: a replica stores them as JSON.
    let arrays: [String: Set<String>]
    /// Whether the server carries Fichero's SQL.
    let isPrepared: Bool

    /// Longer than the transactions of a server that many use.
    private static let overlap = "interval '1 hour'"

    static func name(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
    static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
    static func table(_ name: String) -> String { "public." + self.name(name) }

    /// A column as the replica has its values.
    func value(of field: Field, in entity: Entity, _ row: String) -> String {
        let column = row + "." + Self.name(field.name)
        return arrays[entity.name]?.contains(field.name) == true ? "to_json(\(column))" : column
    }

    private func has(_ column: String, _ entity: Entity) -> Bool { columns[entity.name]?.contains(column) ?? false }

    /// Whether the server reports when a row of a table changed.
    func isDated(_ entity: Entity) -> Bool { has("updated_at", entity) }

    /// The version of a row: an instant. A row without a finite one on its server has the same
    /// version for ever.
    func version(of entity: Entity, _ row: String) -> String {
        if isPrepared { return row + ".updated_at" }
        let known = ["updated_at", "created_at"].filter { has($0, entity) }.map {
            "CASE WHEN isfinite(\(row).\($0)::timestamptz) THEN \(row).\($0)::timestamptz END"
        }
        return "coalesce(\((known + ["'epoch'::timestamptz"]).joined(separator: ", ")))"
    }

    /// SQL after `FROM`: the rows that changed since one position and that another one shows.
    ///
    /// - Parameters:
    ///   - project: only rows of this project; nil: all that the person sees.
    ///   - since: nil: every row.
    func changed(_ entity: Entity, in project: String?, since: RemotePosition?, until: RemotePosition) -> String {
        guard !isPrepared else {
            let snapshots = [since, until].map { $0.map { "\(Self.literal($0.snapshot))::pg_snapshot" } ?? "NULL" }
            let arguments = [project.map { "\(Self.literal($0))::uuid" } ?? "NULL"] + snapshots
            return "fichero.\(Self.name("changed_" + entity.name))(\(arguments.joined(separator: ", ")))"
        }
        var conditions: [String] = []
        if let project, let parts = entity.projectPath?.parts {
            conditions.append(condition(entity, parts[...], Self.literal(project)))
        }
        if let since, isDated(entity) {
            conditions.append(
                "(updated_at IS NULL OR updated_at >= \(Self.literal(since.snapshot))::timestamptz - \(Self.overlap))")
        }
        return
            """
            (SELECT * FROM \
            \(Self.table(entity.name))\(conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")))
            """
    }

    /// Whether a row belongs to a project: by the references that lead to the project.
    private func condition(_ entity: Entity, _ parts: ArraySlice<String>, _ project: String) -> String {
        guard let first = parts.first else { return "true" }
        guard parts.count > 1, let owner = entity.field(first)?.references.flatMap({ pack.entity($0) }) else {
            return "\(Self.name(first)) = \(project)"
        }
        return
            """
            \(Self.name(first)) IN (SELECT id FROM \(Self.table(owner.name)) \
            WHERE \(condition(owner, parts.dropFirst(), project)))
            """
    }

    /// A query for number and digest of rows, as `RowsProof` describes.
    func proof(of entity: Entity, in project: String?, until: RemotePosition) -> String {
        guard !isPrepared else {
            let project = project.map { "\(Self.literal($0))::uuid" } ?? "NULL"
            return
                """
                SELECT rows, digest FROM fichero.\(Self.name("proof_" + entity.name))(\(project), \
                \(Self.literal(until.snapshot))::pg_snapshot)
                """
        }
        return """
            SELECT count(*), coalesce(sum(uuid_hash_extended(t.id::uuid, \
            timestamp_hash_extended(\(version(of: entity, "t")) AT TIME ZONE 'UTC', 0))), 0)
            FROM \(changed(entity, in: project, since: nil, until: until)) AS t
            """
    }
}
