import Databases
import GRDB
package import Model

/// Finds rows of a replica by natural keys, on a separate connection that sees the replica as it
/// was when the object was created.
package final class NaturalKeys: RecordKeys {
    private let queue: DatabaseQueue
    private let pack: Pack
    private let path: String
    private let actor: Model.Actor
    /// By entity, whether the replica has no rows of it.
    private var empty: [String: Bool] = [:]
    /// By entity, whether any name's spelling differs from the normalized form used in comparisons.
    private var otherwise: [String: Bool] = [:]
    private var indexed: Set<String> = []
    private var queries: [String: PreparedStatement] = [:]
    /// The query for the keys that were looked up last.
    private var last: (entity: String, fields: [String], name: String?, query: PreparedStatement)?

    init(path: String, pack: Pack, actor: Model.Actor) throws {
        (self.path, self.pack, self.actor) = (path, pack, actor)
        do {
            queue = try Self.connect(path)
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }

    private static func connect(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        // One transaction for the object's lifetime, so that it sees one consistent state.
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA temp_store = FILE; BEGIN") }
        return queue
    }

    package func match(_ entity: String, _ key: [(field: String, value: String)]) throws -> KeyMatch {
        do {
            if let last, last.entity == entity, last.fields.elementsEqual(key.lazy.map(\.field)) {
                return try match(key, by: last.query, name: last.name)
            }
            guard let description = pack.entity(entity), key.allSatisfy({ description.field($0.field) != nil }) else {
                return .none
            }
            try checkSeen(description, key.map(\.field))
            guard try !isEmpty(entity) else { return .none }
            let name = ([entity] + key.map(\.field)).joined(separator: " ")
            let query = try queries[name] ?? queue.inDatabase { db in
                let table = try indexedTable(of: entity, key.map(\.field), db)
                let fields = key.map(\.field)
                func rows(_ columns: [String]) -> String {
                        "SELECT id FROM \(table) WHERE "
                            + columns.enumerated().map { "\(SQLText.name($1)) = ?\($0 + 1)" }.joined(separator: " AND ")
                }
                guard let name = description.keyText?.name, fields.contains(name), try isOtherwise(entity, db) else {
                    return try PreparedStatement(db, rows(fields) + " LIMIT 2")
                }
                    return try PreparedStatement(
                        db,
                        rows(fields) + " UNION ALL " + rows(fields.map { $0 == name ? KeyText.column : $0 })
                            + " LIMIT 2")
            }
            queries[name] = query
            last = (entity, key.map(\.field), description.keyText?.name, query)
            return try match(key, by: query, name: description.keyText?.name)
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }

    /// Throws `ActorFailure` for a field that the actor does not see: finding a row by a guessed
    /// value would confirm the guess.
    private func checkSeen(_ entity: Entity, _ fields: [String]) throws {
        let hidden = fields.first { entity.field($0).map { !actor.sees($0, of: pack) } == true }
        if let hidden { throw ActorFailure.cannotLookUp(role: actor.role.name, entity: entity.name, field: hidden) }
    }

    package func values(
        of entity: String, _ field: String, with key: [(field: String, value: String)]
    ) throws -> [String] {
        let fields = key.map(\.field)
        let all = fields + [field]
        guard let description = pack.entity(entity), all.allSatisfy({ description.field($0) != nil }) else { return [] }
        do {
            try checkSeen(description, all)
            let name = SQLText.name(field)
            let conditions = ["\(name) IS NOT NULL"] + fields.map { SQLText.name($0) + " = ?" }
            return try queue.inDatabase { db in
                try String.fetchAll(
                    db,
                    sql: "SELECT DISTINCT \(name) FROM \(SQLText.name(entity)) WHERE "
                        + conditions.joined(separator: " AND ") + " ORDER BY 1",
                    arguments: StatementArguments(key.map(\.value)))
            }
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }

    /// Uses the query without waiting for the connection: only the reader of the source calls this,
    /// from one thread at a time.
    private func match(_ key: [(field: String, value: String)], by query: PreparedStatement, name: String?) throws
        -> KeyMatch
    {
        for (index, part) in key.enumerated() {
            try query.bind(part.field == name ? KeyText.form(of: part.value) : part.value, at: index + 1)
        }
        defer { query.reset() }
        guard try query.step(), let id = query.text(0) else { return .none }
        return try query.step() ? .several : .one(id: id)
    }

    package func close() {
        last = nil
        queries.removeAll()
        try? queue.close()
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

    /// Whether any name of an entity differs from its normalized form.
    private func isOtherwise(_ entity: String, _ db: Database) throws -> Bool {
        if let known = otherwise[entity] { return known }
        let isOtherwise =
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM \(SQLText.name(entity)) WHERE \(KeyText.column) IS NOT NULL)")
            ?? false
        otherwise[entity] = isOtherwise
        return isOtherwise
    }

    /// The entity's table if an index covers the key; otherwise a temporary table with the key
    /// columns alone. Scanning a large table for each row of a file would take far too long.
    private func indexedTable(of entity: String, _ fields: [String], _ db: Database) throws -> String {
        let name = "keys_" + ([entity] + fields).joined(separator: "_")
        let table = SQLText.name(entity)
        if indexed.contains(name) { return "temp." + SQLText.name(name) }
        if indexed.contains("own " + name) { return table }
        let condition = fields.map { SQLText.name($0) + " = ?" }.joined(separator: " AND ")
        let plan = try Row.fetchAll(
            db, sql: "EXPLAIN QUERY PLAN SELECT id FROM \(table) WHERE \(condition)",
            arguments: StatementArguments(fields.map { _ in "" }))
        if plan.allSatisfy({ ($0["detail"] as String? ?? "").hasPrefix("SEARCH") }) {
            indexed.insert("own " + name)
            return table
        }
        let names = SQLText.names(fields)
        try db.execute(
            sql: "CREATE TEMP TABLE \(SQLText.name(name)) AS SELECT \(names), \(KeyText.column), id FROM \(table)")
        try db.execute(sql: "CREATE INDEX temp.\(SQLText.name("ix_" + name)) ON \(SQLText.name(name)) (\(names))")
        indexed.insert(name)
        return "temp." + SQLText.name(name)
    }
}

extension Replica {
    /// Finds rows by natural keys in the present state of the replica; throws `ActorFailure` for a
    /// key that the actor's role does not see.
    package func naturalKeys(for actor: Model.Actor) throws -> NaturalKeys {
        try NaturalKeys(path: path, pack: pack, actor: actor)
    }
}
