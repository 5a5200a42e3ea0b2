package import Model

extension ReadSession {
    /// The photos of the selected records, once each, by name: the unchanged name, where the file lies, its SHA-256.
    package func photos(of entity: String?, named name: String?) throws -> any RowSource {
        guard let query = photoQuery(entity, name) else { return MemoryRows(columnCount: 3, rows: []) }
        return StatementRows(try connection.prepare("SELECT name, path, sha256 FROM (\(query))"), on: connection)
    }

    /// What stands for these photos in a fingerprint.
    package func photoFacts(of entity: String?, named name: String?) throws -> [String] {
        guard let query = photoQuery(entity, name) else { return [] }
        let statement = try connection.prepare("SELECT count(*), coalesce(sum(stamp), 0), coalesce(max(stamp), 0) FROM (\(query))")
        return try statement.step() ? ["photos \(statement.integer(0)) \(statement.integer(1)) \(statement.integer(2))"] : []
    }

    private func photoQuery(_ entity: String?, _ name: String?) -> String? {
        guard let photo = entity.flatMap({ pack.entity($0) }), let name else { return nil }
        func column(_ fact: Entity.FileFact) -> String { photo.field(of: fact).map { "t0." + SQLText.name($0.name) } ?? "NULL" }
        return """
            SELECT t0.\(SQLText.name(name)) AS name, \(column(.path)) AS path, \(column(.sha256)) AS sha256,
              t0.content_stamp AS stamp
            FROM \(SQLText.name(photo.name)) AS t0 WHERE t0.id IN (\(idsReached(photo.name))) ORDER BY name, t0.id
            """
    }
}
