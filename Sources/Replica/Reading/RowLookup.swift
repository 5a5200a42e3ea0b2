import Model

extension Replica {
    /// Tells whether a table has a row with an id, on a read-only connection of its own: what was there before an import began.
    package func rowLookup() throws -> (_ entity: String, _ id: String) throws -> Bool {
        let connection = try SQLiteConnection(path: path)
        let known = Set(pack.entities.map(\.name))
        var statements: [String: SQLiteStatement] = [:]
        return { entity, id in
            guard known.contains(entity) else { return false }
            let sql = "SELECT 1 FROM \(connection.base).\(SQLText.name(entity)) WHERE id = ?1"
            let statement = try statements[entity] ?? connection.prepare(sql)
            statements[entity] = statement
            try statement.reset([.text(id)])
            let isThere = try statement.step()
            // A statement that is still being stepped would hold on to an old state of the file.
            try statement.reset([.null])
            return isThere
        }
    }

    /// Tells which row a row refers to by a field, on a read-only connection of its own that is opened when it is first asked.
    package func parentLookup() -> (_ entity: String, _ field: String, _ id: String) throws -> String? {
        var opened: SQLiteConnection?
        var statements: [String: SQLiteStatement] = [:]
        return { [path, pack] entity, field, id in
            guard pack.entity(entity)?.field(field) != nil else { return nil }
            let connection = try opened ?? SQLiteConnection(path: path)
            opened = connection
            let sql = "SELECT \(SQLText.name(field)) FROM \(connection.base).\(SQLText.name(entity)) WHERE id = ?1"
            let statement = try statements[sql] ?? connection.prepare(sql)
            statements[sql] = statement
            try statement.reset([.text(id)])
            let parent = try statement.step() ? statement.text(0) : nil
            // A statement that is still being stepped would hold on to an old state of the file.
            try statement.reset([.null])
            return parent
        }
    }
}
