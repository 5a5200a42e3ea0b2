internal import Model

/// SQL of a server table's rows, with the versions that a sync compares.
///
/// A server with Fichero's SQL reports exactly what changed between two snapshots. Another server
/// has only `updated_at`, the time at which a transaction began. A transaction that commits late
/// may thus have a time before the last position. So rows are fetched with an overlap, and
/// deletions are found by comparing (`design/sync.md`, "The cursor").
struct ServerRows {
    let pack: Pack
    /// The columns of each table that the person may read.
    let columns: [String: Set<String>]
    /// Columns of each table that are arrays: a replica stores them as JSON.
    let arrays: [String: Set<String>]
    /// Whether the server has Fichero's SQL.
    let isPrepared: Bool

    /// Overlap of two fetches, longer than any transaction of a server with many users.
    private static let overlap = "interval '1 hour'"

    static func name(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
    static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
    static func table(_ name: String) -> String { "public." + self.name(name) }

    /// SQL of a column, with arrays as the JSON that a replica stores.
    func value(of field: Field, in entity: Entity, _ row: String) -> String {
        let column = row + "." + Self.name(field.name)
        return arrays[entity.name]?.contains(field.name) == true ? "to_json(\(column))" : column
    }

    private func has(_ column: String, _ entity: Entity) -> Bool { columns[entity.name]?.contains(column) ?? false }

    /// Whether the server reports when a row of a table changed.
    func isDated(_ entity: Entity) -> Bool { has("updated_at", entity) }

    /// SQL of a row's version, an instant. Without a finite time on the server, the version is
    /// always the same.
    func version(of entity: Entity, _ row: String) -> String {
        if isPrepared { return row + ".updated_at" }
        let known = ["updated_at", "created_at"].filter { has($0, entity) }.map {
            "CASE WHEN isfinite(\(row).\($0)::timestamptz) THEN \(row).\($0)::timestamptz END"
        }
        return "coalesce(\((known + ["'epoch'::timestamptz"]).joined(separator: ", ")))"
    }

    /// SQL after `FROM`: the rows that changed after the position `since` and before `until`.
    ///
    /// - Parameters:
    ///   - project: only rows of this project; nil: all that the person sees.
    ///   - since: the last pull's position; nil: every row.
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

    /// SQL condition: a row belongs to a project, by the references that lead to the project.
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

    /// A query for the number and the digest of rows, as `RowsProof` describes.
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
