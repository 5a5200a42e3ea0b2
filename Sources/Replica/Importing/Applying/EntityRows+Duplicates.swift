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

    /// The name of a staged row for people: from the replica's row, else from its own key.
    func name(ofStaged n: Int64, id: String) throws -> String? {
        if let name = try name(of: id), !name.isEmpty { return name }
        let own = importer.entity.key.compactMap { importer.entity.field($0) }.filter { $0.references == nil && pack.mayQuote($0) && $0.name != "id" }
        guard !own.isEmpty else { return nil }
        let names = own.map { "CAST(\(StagedEntity.column($0)) AS TEXT)" }.joined(separator: ", ")
        let row = try Row.fetchOne(db, sql: "SELECT \(names) FROM \(staged) WHERE n = ?", arguments: [n])
        let texts = own.indices.compactMap { index -> String? in row?[index] }
        return texts.isEmpty ? nil : texts.joined(separator: " / ")
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
