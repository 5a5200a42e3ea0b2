package import Model

extension ReadSession {
    /// The photos of a bundle, once each, by name: the unchanged name, where the file lies, its SHA-256.
    package func photos(of definition: ExportDefinition) throws -> any RowSource {
        guard let query = photoQuery(definition) else { return MemoryRows(columnCount: 3, rows: []) }
        return StatementRows(try connection.prepare("SELECT name, path, sha256 FROM (\(query))"), on: connection)
    }

    /// What stands for a bundle's photos in a fingerprint.
    package func photoFacts(of definition: ExportDefinition) throws -> [String] {
        guard let query = photoQuery(definition) else { return [] }
        let statement = try connection.prepare("SELECT count(*), coalesce(sum(stamp), 0), coalesce(max(stamp), 0) FROM (\(query))")
        return try statement.step() ? ["photos \(statement.integer(0)) \(statement.integer(1)) \(statement.integer(2))"] : []
    }

    private func photoQuery(_ definition: ExportDefinition) -> String? {
        guard let bundle = definition.bundle, let photo = bundle.photoEntity.flatMap({ pack.entity($0) }), let name = bundle.photoName else { return nil }
        func column(_ fact: Entity.FileFact) -> String { photo.field(of: fact).map { "t0." + SQLText.name($0.name) } ?? "NULL" }
        return """
            SELECT t0.\(SQLText.name(name)) AS name, \(column(.path)) AS path, \(column(.sha256)) AS sha256,
              t0.content_stamp AS stamp
            FROM \(SQLText.name(photo.name)) AS t0 WHERE t0.id IN (\(idsReached(photo.name))) ORDER BY name, t0.id
            """
    }
}
