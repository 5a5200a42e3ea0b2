import Databases
package import Model

extension ReadSession {
    /// One table of a survey package: its exported fields and their rows, ordered by id, followed
    /// by sync state, local version and the remote's time.
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

    /// The pack's own tables of the visible projects, parents first, without the fields that the
    /// actor may not see. Users and memberships belong to each replica, and so do the paths of
    /// photos in this replica's store: neither is exported.
    package var packagedTables: [PackagedTable] {
        pack.entities.filter { !$0.isCore }.parentsFirst.map { entity in
            let fields = entity.fields.filter { !isHidden($0.name, of: entity.name) && !refersToCore($0) }
            let columns = fields.map { field in
                let name = SQLText.name(field.name)
                return field.name == entity.file[.path] ? "CASE WHEN \(name) GLOB '*.files/*' THEN NULL ELSE \(name) END" : name
            } + ["sync_state", "local_version", "remote_updated_at"]
            let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(SQLText.name(entity.name)) ORDER BY id"
            return PackagedTable(entity: entity.name, fields: fields) { [connection] in
                StatementRows(try connection.prepareGuarded(sql), on: connection)
            }
        }
    }

    /// Profiles of those who made or reviewed a record belong to this replica; another replica may
    /// not have them.
    private func refersToCore(_ field: Field) -> Bool { field.references.flatMap { pack.entity($0) }?.isCore ?? false }

    /// Returns a function that gives the photos one after the other, by name and id, then nil.
    package func packagedPhotos() throws -> () throws -> PackagedPhoto? {
        var statements = try pack.entities.filter { !$0.isCore }.compactMap { entity -> (String, PreparedStatement)? in
            guard let path = entity.field(of: .path) else { return nil }
            // A row without a name of its file is told like any other whose file is not here.
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
                        entity: entity, id: statement.text(0) ?? "", name: statement.text(1) ?? "", path: statement.text(2), sha256: statement.text(3))
                }
                statements = statements.dropFirst()
            }
            return nil
        }
    }
}
