import GRDB
package import Model

extension Replica {
    /// Finds the row with a name, among the rows of the given projects. Throws `RecordFailure`.
    package func record(named name: String, projectIDs: [String], actor: Model.Actor) throws -> (
        entity: Entity, id: String
    ) {
        try read { db in
            try RecordSearch(db: db, pack: pack, projects: try Quarantine.json(projectIDs), actor: actor).find(name)
        }
    }

    /// A row's readable name, such as `HYO-2025 / C-05 / 2`; nil if the row does not exist or has
    /// no meaningful name.
    package func name(of entity: Entity, id: String) throws -> String? {
        guard entity.key.allSatisfy({ $0 != "id" && entity.field($0)?.references == nil }) else { return nil }
        return try read { db in try EntityRows.name(of: id, entity, pack: pack, db) }
    }

    /// The code of a row's project; nil if it has none.
    package func projectCode(of entity: Entity, id: String) throws -> String? {
        guard entity.projectPath != nil else { return nil }
        return try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT p.\(SQLText.name(pack.project.code)) FROM main.\(SQLText.name(entity.name)) AS t
                    JOIN main.\(SQLText.name(pack.project.entity)) AS p \
                    ON p.id = \(RowProject(of: entity, in: pack).expression("t")) WHERE t.id = ?
                    """, arguments: [id])
        }
    }
}

/// Finds the row that a person specifies: by its id or its name, such as `C-12`; a part also by its
/// record's name, such as `C-12/3`.
struct RecordSearch {
    let db: Database
    let pack: Pack
    /// JSON list of the ids of the projects to search.
    let projects: String
    let actor: Model.Actor

    private var entities: [[Entity]] {
        let roots = Set(pack.records.map(\.root))
        let all = pack.entities.filter { !IndexPlan.logs.contains($0.name) }
        // Records are tried before their parts.
        return [all.filter { roots.contains($0.name) }, all.filter { !roots.contains($0.name) }]
    }

    func find(_ name: String) throws -> (Entity, String) {
        for group in entities {
            if let found = try only(
                name, group.flatMap { entity in try rows(entity, "t.id = lower(?1)", name).map { (entity, $0) } })
            {
                return found
            }
        }
        if let found = try part(name) { return found }
        for group in entities {
            if let found = try only(
                name, group.flatMap { entity in try rows(named: name, entity).map { (entity, $0) } })
            {
                return found
            }
        }
        throw RecordFailure.unknown(name)
    }

    /// Rows whose key equals the name.
    private func rows(named name: String, _ entity: Entity) throws -> [String] {
        guard entity.key.count == 1, let key = entity.key.first.flatMap({ entity.field($0) }), actor.sees(key, of: pack)
        else { return [] }
        return try rows(entity, isNamed(key, entity), name)
    }

    private func isNamed(_ key: Field, _ entity: Entity) -> String {
        let column = "t." + SQLText.name(key.name)
        return key == entity.keyText ? "(\(column) IN (?1, ?3) OR t.\(KeyText.column) = ?3)" : "\(column) = ?1"
    }

    /// `C-12/3`: part 3 of the record C-12.
    private func part(_ name: String) throws -> (Entity, String)? {
        guard let slash = name.lastIndex(of: "/"), slash != name.startIndex else { return nil }
        let owner: Entity, id: String
        do {
            (owner, id) = try find(String(name[..<slash]))
        } catch let failure as RecordFailure where failure.isUnknown {
            return nil
        }
        let own = String(name[name.index(after: slash)...])
        let parts = pack.entities.filter { isPart($0, of: owner) }
        return try only(name, parts.flatMap { entity -> [(Entity, String)] in
                guard entity.key.count == 1, let key = entity.key.first.flatMap({ entity.field($0) }),
                    actor.sees(key, of: pack)
                else { return [] }
                return try rows(
                    entity,
                    "\(isNamed(key, entity)) AND t.\(SQLText.name(entity.keyScope ?? "id")) = \(SQLText.literal(id))",
                    own
                ).map { (entity, $0) }
        })
    }

    private func isPart(_ entity: Entity, of owner: Entity) -> Bool {
        guard let scope = entity.keyScope else { return false }
        return entity.field(scope)?.references == owner.name
    }

    private func only(_ name: String, _ found: [(Entity, String)]) throws -> (Entity, String)? {
        guard found.count > 1 else { return found.first }
        throw RecordFailure.ambiguous(
            name,
            ids: try found.map { entity, id in
                "\(try EntityRows.name(of: id, entity, pack: pack, db).map { $0 + " " } ?? "")(\(entity.name) \(id))"
            })
    }

    private func rows(_ entity: Entity, _ condition: String, _ name: String) throws -> [String] {
        let visible = entity.projectPath == nil ? "?2 IS NOT NULL"
            : "\(RowProject(of: entity, in: pack).expression("t")) IN (SELECT value FROM json_each(?2))"
        return try String.fetchAll(
            db,
            sql: "SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t WHERE \(condition) AND \(visible) LIMIT 10",
            arguments: [name, projects] + (condition.contains("?3") ? [KeyText.form(of: name)] : []))
    }
}

/// Reason why a row is unknown or ambiguous.
package typealias RecordFailure = DeclaredFailure<MissingRecord>

extension RecordFailure {
    package static func unknown(_ name: String) -> Self { Self("RECORD-UNKNOWN", .noInput, ["name": name]) }
    package var isUnknown: Bool { code == "RECORD-UNKNOWN" }
    package static func ambiguous(_ name: String, ids: [String]) -> Self {
        Self("RECORD-AMBIGUOUS", .noInput, ["name": name, "ids": ids])
    }
}
