import GRDB
package import Model

/// Finds rows of a replica by natural keys, on a connection of its own, as the replica was when the finding began.
package final class NaturalKeys: RecordKeys {
    private let queue: DatabaseQueue
    private let pack: Pack
    private let path: String
    private var empty: [String: Bool] = [:]
    private var indexed: Set<String> = []

    init(path: String, pack: Pack) throws {
        self.path = path
        self.pack = pack
        var configuration = Configuration()
        configuration.readonly = true
        // One transaction as long as the object lives: its state is that of the beginning.
        configuration.allowsUnsafeTransactions = true
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inDatabase { try $0.execute(sql: "PRAGMA temp_store = FILE; BEGIN") }
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }

    package func match(_ entity: String, _ key: [(field: String, value: String)]) throws -> KeyMatch {
        guard let description = pack.entity(entity), key.allSatisfy({ description.field($0.field) != nil }) else { return .none }
        do {
            return try queue.inDatabase { db in
                if try isEmpty(entity, db) { return .none }
                let table = try indexedTable(of: entity, key.map(\.field), db)
                let condition = key.map { SQLText.name($0.field) + " = ?" }.joined(separator: " AND ")
                let statement = try db.cachedStatement(sql: "SELECT id FROM \(table) WHERE \(condition) LIMIT 2")
                let ids = try String.fetchAll(statement, arguments: StatementArguments(key.map(\.value)))
                return ids.isEmpty ? .none : ids.count == 1 ? .one(id: ids[0]) : .several
            }
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }

    package func isEmpty(_ entity: String) throws -> Bool {
        if let known = empty[entity] { return known }
        guard pack.entity(entity) != nil else { return true }
        do {
            return try queue.inDatabase { try isEmpty(entity, $0) }
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }

    private func isEmpty(_ entity: String, _ db: Database) throws -> Bool {
        if let known = empty[entity] { return known }
        let isEmpty = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(SQLText.name(entity)))") ?? true
        empty[entity] = isEmpty
        return isEmpty
    }

    /// The entity's own table where an index leads to the key; else a temporary one of the keys alone: to go through a large table for
    /// each row of a file would take for ever.
    private func indexedTable(of entity: String, _ fields: [String], _ db: Database) throws -> String {
        let name = "keys_" + ([entity] + fields).joined(separator: "_")
        let table = SQLText.name(entity)
        if indexed.contains(name) { return "temp." + SQLText.name(name) }
        if indexed.contains("own " + name) { return table }
        let condition = fields.map { SQLText.name($0) + " = ?" }.joined(separator: " AND ")
        let plan = try Row.fetchAll(
            db, sql: "EXPLAIN QUERY PLAN SELECT id FROM \(table) WHERE \(condition)", arguments: StatementArguments(fields.map { _ in "" }))
        if plan.allSatisfy({ ($0["detail"] as String? ?? "").hasPrefix("SEARCH") }) {
            indexed.insert("own " + name)
            return table
        }
        let names = SQLText.names(fields)
        try db.execute(sql: "CREATE TEMP TABLE \(SQLText.name(name)) AS SELECT \(names), id FROM \(table)")
        try db.execute(sql: "CREATE INDEX temp.\(SQLText.name("ix_" + name)) ON \(SQLText.name(name)) (\(names))")
        indexed.insert(name)
        return "temp." + SQLText.name(name)
    }
}

extension Replica {
    /// Finds rows by natural keys, as the replica is now.
    package func naturalKeys() throws -> NaturalKeys {
        try NaturalKeys(path: path, pack: pack)
    }
}
