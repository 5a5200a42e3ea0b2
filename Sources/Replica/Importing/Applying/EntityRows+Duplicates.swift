import GRDB
import Model

extension EntityRows {
    /// The name of a record of the replica for people: `P-1 / C-2`; nil if it has no name that
    /// everybody may see.
    func name(of id: String) throws -> String? { try Self.name(of: id, importer.entity, pack: pack, db) }

    static func name(of id: String, _ entity: Entity, pack: Pack, _ db: Database) throws -> String? {
        guard !entity.key.isEmpty, pack.namePaths(of: entity).allSatisfy({ pack.mayQuote(pack.field(at: $0, from: entity)) }) else { return nil }
        var joins = PathJoins(from: entity, pack: pack)
        let key = RowNaming.key(of: entity, pack: pack, joins: &joins)
        return try String.fetchOne(db, sql: "SELECT \(key) FROM \(SQLText.name(entity.name)) AS t0\(joins.sql) WHERE t0.id = ?", arguments: [id])
    }

    /// The name of a staged row for people: from the replica's row, else from its own key below its
    /// owner's name.
    func name(ofStaged n: Int64, id: String) throws -> String? {
        // The id in place of a missing key says nothing to people where the owner has a name.
        if let name = try name(of: id), !name.isEmpty { return name.hasSuffix(Pack.nameSeparator + id) ? String(name.dropLast((Pack.nameSeparator + id).count)) : name }
        return try Self.name(ofStaged: ("n", n), importer.entity, pack: pack, db)
    }

    /// The owner may be a row that this import has taken out again.
    private static func name(
        ofStaged row: (column: String, value: any DatabaseValueConvertible), _ entity: Entity, pack: Pack, _ db: Database
    ) throws -> String? {
        let own = entity.key.compactMap { entity.field($0) }.filter { $0.references == nil && pack.mayQuote($0) && $0.name != "id" }
        let isStaged = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM staging.entities WHERE entity = ?)", arguments: [entity.name])
        guard isStaged == true, !own.isEmpty else { return nil }
        let scope = entity.keyScope.flatMap { entity.field($0) }
        let columns = (own + [scope].compactMap(\.self)).map { "CAST(\(StagedEntity.column($0)) AS TEXT)" }.joined(separator: ", ")
        let table = StagedEntity.table(of: entity.name)
        // Thousands of parts may name thousands of owners that were taken out.
        if row.column == "f_id" { try db.execute(sql: "CREATE INDEX IF NOT EXISTS staging.\(SQLText.name("owners_" + entity.name)) ON \(table) (f_id)") }
        let staged = try Row.fetchOne(
            db, sql: "SELECT \(columns) FROM staging.\(table) WHERE \(row.column) = ? ORDER BY n LIMIT 1", arguments: [row.value])
        guard let staged else { return nil }
        var names = own.indices.compactMap { index in (staged[index] as String?).map { String($0.prefix(80)) } }
        if names.isEmpty { return nil }
        if let outer = scope?.references.flatMap({ pack.entity($0) }), outer.name != entity.name, let id: String = staged[own.count] {
            let owner = try name(of: id, outer, pack: pack, db) ?? name(ofStaged: ("f_id", id), outer, pack: pack, db)
            if let owner { names.insert(owner, at: 0) }
        }
        return names.joined(separator: Pack.nameSeparator)
    }

    /// Fields in which a staged row differs from an earlier one: `depth_m: 2.0 ≠ 3.1`.
    func differences(_ n: Int64, from first: Int64) throws -> [String] {
        let entity = importer.entity
        let columns = entity.fields.map { "CAST(\(StagedEntity.column($0)) AS TEXT)" }.joined(separator: ", ")
        func values(_ n: Int64) throws -> Row? { try Row.fetchOne(db, sql: "SELECT \(columns) FROM \(staged) WHERE n = ?", arguments: [n]) }
        guard let before = try values(first), let after = try values(n) else { return [] }
        return entity.fields.indices.compactMap { index in
            let (old, new): (String?, String?) = (before[index], after[index])
            guard old != new else { return nil }
            let field = entity.fields[index]
            return pack.mayQuote(field) ? "\(field.name): \(old.map { String($0.prefix(40)) } ?? "—") ≠ \(new.map { String($0.prefix(40)) } ?? "—")" : field.name
        }
    }
}
