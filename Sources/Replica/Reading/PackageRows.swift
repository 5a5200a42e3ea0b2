import Databases
import GRDB
import JSONReading
package import Model

extension ReadSession {
    /// One table of a survey package: its exported fields and their rows, ordered by id. The
    /// columns of sync state, local version and the remote's time follow the fields.
    package struct PackagedTable {
        package var entity: String
        package var fields: [Field]
        package var open: () throws -> any RowSource
    }

    /// A photo of the visible projects.
    package struct PackagedPhoto: Sendable, Hashable {
        package var entity: String
        package var id: String
        package var name: String
        /// Relative to the replica's folder.
        package var path: String?
        package var sha256: String?
    }

    /// The pack's tables of the visible projects, parents first, without fields that the actor may
    /// not see. Users and memberships belong to each replica, and so do the paths of photos in this
    /// replica's store: neither is exported.
    package var packagedTables: [PackagedTable] {
        pack.entities.filter { !$0.isCore }.parentsFirst.map { entity in
            let fields = entity.fields.filter { !isHidden($0.name, of: entity.name) && !refersToCore($0) }
            let columns = fields.map { field in
                let name = SQLText.name(field.name)
                    return field.name == entity.file[.path]
                        ? "CASE WHEN \(name) GLOB '*.files/*' THEN NULL ELSE \(name) END" : name
            } + ["sync_state", "local_version", "remote_updated_at"]
            let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(SQLText.name(entity.name)) ORDER BY id"
            return PackagedTable(entity: entity.name, fields: fields) { [connection] in
                StatementRows(try connection.prepareGuarded(sql), on: connection)
            }
        }
    }

    /// Whether a field refers to profiles, such as a record's author or reviewer. Profiles belong
    /// to this replica; another replica may not have them.
    private func refersToCore(_ field: Field) -> Bool { field.references.flatMap { pack.entity($0) }?.isCore ?? false }

    /// Returns a function that returns the photos one after the other, by name and id, then nil.
    package func packagedPhotos() throws -> () throws -> PackagedPhoto? {
        var statements = try pack.entities.filter { !$0.isCore }.compactMap { entity -> (String, PreparedStatement)? in
            guard let path = entity.field(of: .path) else { return nil }
            // A row without a file name is reported like any row whose file is missing.
            let name = entity.field(of: .name).map { "coalesce(nullif(\(SQLText.name($0.name)), ''), id)" } ?? "id"
            let sum = entity.field(of: .sha256).map { SQLText.name($0.name) } ?? "NULL"
            let columns = "id, \(name), \(SQLText.name(path.name)), \(sum)"
            let sql = "SELECT \(columns) FROM \(SQLText.name(entity.name)) ORDER BY \(name), id"
            return (entity.name, try connection.prepareGuarded(sql))
        }[...]
        return {
            while let (entity, statement) = statements.first {
                if try statement.step() {
                    return PackagedPhoto(
                        entity: entity, id: statement.text(0) ?? "", name: statement.text(1) ?? "",
                        path: statement.text(2), sha256: statement.text(3))
                }
                statements = statements.dropFirst()
            }
            return nil
        }
    }
}

extension ReadSession {
    /// The photos of the selected records, once each, ordered by name. Columns: the name, the
    /// file's path, its SHA-256, the row's id.
    package func photos(of entity: String?, named name: String?) throws -> any RowSource {
        guard let query = photoQuery(entity, name) else { return MemoryRows(columnCount: 4, rows: []) }
        return StatementRows(try connection.prepare("SELECT name, path, sha256, id FROM (\(query))"), on: connection)
    }

    /// Summary of these photos, for the fingerprint of an export's content.
    package func photoFacts(of entity: String?, named name: String?) throws -> [String] {
        guard let query = photoQuery(entity, name) else { return [] }
        let statement = try connection.prepare(
            "SELECT count(*), coalesce(sum(stamp), 0), coalesce(max(stamp), 0) FROM (\(query))")
        return try statement.step()
            ? ["photos \(statement.integer(0)) \(statement.integer(1)) \(statement.integer(2))"] : []
    }

    private func photoQuery(_ entity: String?, _ name: String?) -> String? {
        guard let photo = entity.flatMap({ pack.entity($0) }), let name else { return nil }
        func column(_ fact: Entity.FileFact) -> String {
            photo.field(of: fact).map { "t0." + SQLText.name($0.name) } ?? "NULL"
        }
        return """
            SELECT t0.\(SQLText.name(name)) AS name, \(column(.path)) AS path, \(column(.sha256)) AS sha256,
              t0.id, t0.content_stamp AS stamp
            FROM \(SQLText.name(photo.name)) AS t0 WHERE t0.id IN (\(idsReached(photo.name))) ORDER BY name, t0.id
            """
    }
}

extension Replica {
    /// Text that identifies the state of the replica's content; every change results in another
    /// text.
    package func contentState() throws -> String {
        try read { try ReplicaKey.value(of: .stamp, $0) ?? "" }
    }
}

extension Replica {
    /// The number of imports so far, including those that were undone; no other change adds photos.
    package func importCount() throws -> Int {
        try read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM imports WHERE format NOT IN ('command', 'init')") ?? 0
        }
    }

    /// Those of the given photo paths that no row contains.
    package func unnamedPhotos(_ paths: [String]) throws -> [String] {
        let columns = pack.entities.compactMap { entity in
            PhotoColumns(entity).path.map { (SQLText.name(entity.name), SQLText.name(entity.fields[$0].name)) }
        }
        let named = columns.map { " AND value NOT IN (SELECT \($1) FROM \($0) WHERE \($1) IS NOT NULL)" }.joined()
        let list = JSONValue.array(paths.map { .string($0) }).description
        return try read {
            try String.fetchAll(
                $0, sql: "SELECT DISTINCT value FROM json_each(?) WHERE 1\(named) ORDER BY 1", arguments: [list])
        }
    }
}

/// Looks up single rows by their ids, on a separate read-only connection that is opened at the
/// first lookup.
package final class RowLookup {
    private let path: String
    private let pack: Pack
    private var opened: SQLiteConnection?
    private var statements: [String: PreparedStatement] = [:]

    init(path: String, pack: Pack) {
        (self.path, self.pack) = (path, pack)
    }

    /// Whether a table has a row with an id.
    package func isKnown(_ entity: String, _ id: String) throws -> Bool {
        guard pack.entity(entity) != nil else { return false }
        return try ask("1", of: entity, id) { _ in true } ?? false
    }

    /// Id of the row that a row refers to by a field.
    package func parent(_ entity: String, _ field: String, _ id: String) throws -> String? {
        guard pack.entity(entity)?.field(field) != nil else { return nil }
        return try ask(SQLText.name(field), of: entity, id) { $0.text(0) } ?? nil
    }

    /// Closes the connection until the next lookup: writing is faster for a process that alone has
    /// the replica open.
    package func close() {
        statements.removeAll()
        opened = nil
    }

    private func ask<T>(_ column: String, of entity: String, _ id: String, _ answer: (PreparedStatement) -> T) throws
        -> T?
    {
        let connection = try opened ?? SQLiteConnection(path: path)
        opened = connection
        let sql = "SELECT \(column) FROM \(connection.base).\(SQLText.name(entity)) WHERE id = ?1"
        let statement = try statements[sql] ?? connection.prepare(sql)
        statements[sql] = statement
        try statement.reset([.text(id)])
        let found = try statement.step() ? answer(statement) : nil
        // A statement that is not reset would keep an old state of the file in use.
        try statement.reset([.null])
        return found
    }
}

extension Replica {
    /// Looks up single rows of the replica.
    package func rowLookup() -> RowLookup { RowLookup(path: path, pack: pack) }
}
