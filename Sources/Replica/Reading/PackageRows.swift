package import Model

extension ReadSession {
    /// One table of a survey package: the fields that go into it, and their rows, ordered by id, with sync state, local version and the
    /// remote's time behind them.
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

    /// The pack's own tables of the visible projects, parents first, without what the actor may not see. Who works with the records is
    /// each replica's own matter, and where a photo lies in this replica's store is nobody else's.
    package var packagedTables: [PackagedTable] {
        Self.parentsFirst(pack.entities.filter { !$0.isCore }).map { entity in
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

    /// Who made or reviewed a record is a profile of this replica, which another need not have.
    private func refersToCore(_ field: Field) -> Bool { field.references.flatMap { pack.entity($0) }?.isCore ?? false }

    /// Gives the photos one after the other, by name and id, then nil.
    package func packagedPhotos() throws -> () throws -> PackagedPhoto? {
        var statements = try pack.entities.filter { !$0.isCore }.compactMap { entity -> (String, SQLiteStatement)? in
            guard let path = entity.field(of: .path), let name = entity.field(of: .name).map({ SQLText.name($0.name) }) else { return nil }
            let sum = entity.field(of: .sha256).map { SQLText.name($0.name) } ?? "NULL"
            let sql = "SELECT id, \(name), \(SQLText.name(path.name)), \(sum) FROM \(SQLText.name(entity.name)) WHERE \(name) IS NOT NULL ORDER BY \(name), id"
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

    static func parentsFirst(_ entities: [Entity]) -> [Entity] {
        var rest = entities
        var order: [Entity] = []
        while !rest.isEmpty {
            let open = Set(rest.map(\.name))
            // Packs have no circles of references (`fichero doctor`); a table may refer to itself.
            let ready = rest.firstIndex { entity in
                entity.fields.allSatisfy { field in field.references.map { $0 == entity.name || !open.contains($0) } ?? true }
            } ?? 0
            order.append(rest.remove(at: ready))
        }
        return order
    }
}
