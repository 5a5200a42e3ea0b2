import Foundation
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

    /// The names of all records of the given projects that an actor sees.
    package func recordNames(projectIDs: [String], actor: Model.Actor) throws -> [String] {
        try read { db in
            try RecordSearch(db: db, pack: pack, projects: try Quarantine.json(projectIDs), actor: actor).names()
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

    func names() throws -> [String] { try keys(of: entities[0], "1 = 1") }

    func find(_ name: String) throws -> (Entity, String) {
        if let found = try search(name) { return found }
        throw RecordFailure.unknown(name, nearest: try nearest(to: name))
    }

    /// The same for records that were deleted, in a project to search, by their id or their key.
    func findAlsoDeleted(_ name: String) throws -> (Entity, String) {
        if let found = try search(name) { return found }
        for group in entities {
            let gone = try group.flatMap { entity in try deleted(named: name, entity).map { (entity, $0) } }
            if let found = try only(name, gone) { return found }
        }
        return try find(name)
    }

    private func deleted(named name: String, _ entity: Entity) throws -> [String] {
        let key = entity.key.count == 1 ? entity.key.first.flatMap { entity.field($0) } : nil
        let path = key.flatMap { actor.sees($0, of: pack) ? "$.\"\($0.name)\"" : nil }
        return try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT r.row_id FROM main.import_removals AS r
                WHERE r.entity = ?1 AND (r.row_id = lower(?2) OR json_extract(r.row, ?3) = ?2) AND EXISTS (
                  SELECT 1 FROM main.activity_logs AS l
                  WHERE l.entity_id = r.row_id AND l.project_id IN (SELECT value FROM json_each(?4)))
                LIMIT 10
                """, arguments: [entity.name, name, path ?? "$.\"id\"", projects])
    }

    private func search(_ name: String) throws -> (Entity, String)? {
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
        return nil
    }

    /// The name of a record, or of a part of one, that was probably meant.
    private func nearest(to name: String) throws -> String? {
        if let code = Spelling.nearestCode(to: name, among: try names()) { return code }
        guard let slash = name.lastIndex(of: "/"), slash != name.startIndex else { return nil }
        let owner = String(name[..<slash]), part = String(name[name.index(after: slash)...])
        guard let (entity, id) = try search(owner) else { return try nearest(to: owner).map { $0 + "/" + part } }
        let parts = try pack.entities.filter { isPart($0, of: entity) }.flatMap {
            try keys(of: [$0], "t.\(SQLText.name($0.keyScope ?? "id")) = \(SQLText.literal(id))")
        }
        return Spelling.nearestCode(to: part, among: parts).map { owner + "/" + $0 }
    }

    /// The names of visible rows that meet a condition, at most 100,000 of each entity.
    private func keys(of entities: [Entity], _ condition: String) throws -> [String] {
        try entities.flatMap { entity -> [String] in
            guard entity.key.count == 1, let key = entity.key.first.flatMap({ entity.field($0) }),
                actor.sees(key, of: pack)
            else { return [] }
            return try String.fetchAll(
                db,
                sql: """
                    SELECT t.\(SQLText.name(key.name)) FROM main.\(SQLText.name(entity.name)) AS t \
                    WHERE \(condition) AND \(visible(entity, "?1")) AND t.\(SQLText.name(key.name)) IS NOT NULL \
                    LIMIT 100000
                    """, arguments: [projects])
        }
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

    /// `C-12/3`: part 3 of the record C-12. Lists write it with spaces, as `HYO-2025 / C-12 / 3`.
    private func part(_ name: String) throws -> (Entity, String)? {
        guard let slash = name.lastIndex(of: "/"), slash != name.startIndex else { return nil }
        guard let (owner, id) = try search(name[..<slash].trimmingCharacters(in: .whitespaces)) else { return nil }
        let own = name[name.index(after: slash)...].trimmingCharacters(in: .whitespaces)
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
        try String.fetchAll(
            db,
            sql: """
                SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t \
                WHERE \(condition) AND \(visible(entity, "?2")) LIMIT 10
                """,
            arguments: [name, projects] + (condition.contains("?3") ? [KeyText.form(of: name)] : []))
    }

    /// SQL for whether a row is in the projects to search.
    private func visible(_ entity: Entity, _ projects: String) -> String {
        entity.projectPath == nil ? "\(projects) IS NOT NULL"
            : "\(RowProject(of: entity, in: pack).expression("t")) IN (SELECT value FROM json_each(\(projects)))"
    }
}

/// Reason why a row is unknown or ambiguous.
package typealias RecordFailure = DeclaredFailure<MissingRecord>

extension RecordFailure {
    /// - Parameter nearest: the name that was probably meant.
    package static func unknown(_ name: String, nearest: String? = nil) -> Self {
        Self("RECORD-UNKNOWN", .noInput, nearest.map { ["name": name, "nearest": $0] } ?? ["name": name])
    }
    package var isUnknown: Bool { code == "RECORD-UNKNOWN" }
    package static func ambiguous(_ name: String, ids: [String]) -> Self {
        Self("RECORD-AMBIGUOUS", .noInput, ["name": name, "ids": ids])
    }
}
