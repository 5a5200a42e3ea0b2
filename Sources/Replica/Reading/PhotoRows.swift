import Databases
package import Model

extension ReadSession {
    /// The photos of the selected records, once each, by name: the unchanged name, the file's path,
    /// its SHA-256, the row's id.
    package func photos(of entity: String?, named name: String?) throws -> any RowSource {
        guard let query = photoQuery(entity, name) else { return MemoryRows(columnCount: 4, rows: []) }
        return StatementRows(try connection.prepare("SELECT name, path, sha256, id FROM (\(query))"), on: connection)
    }

    /// The facts about these photos for a fingerprint.
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
              t0.id, t0.content_stamp AS stamp
            FROM \(SQLText.name(photo.name)) AS t0 WHERE t0.id IN (\(idsReached(photo.name))) ORDER BY name, t0.id
            """
    }
}
