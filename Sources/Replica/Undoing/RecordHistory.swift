import Foundation
import GRDB
import JSONReading
package import Model

/// Where the values of one row come from.
package struct RecordHistory: Sendable, Hashable, Codable {
    /// One value and the import that set it last; without an import where it came in another way.
    package struct Value: Sendable, Hashable, Codable {
        package var field: String
        package var value: String
        package var importID: String?
        package var file: String?
        package var sha256: String?
        package var sheet: String?
        /// Counted as the file's people count it.
        package var row: Int?
        package var importedAt: String?
        package var actorID: String?
    }

    package var entity: String
    package var id: String
    package var key: String?
    package var projectID: String?
    /// The fields with a value that the actor may see, in the pack's order.
    package var values: [Value]
    /// Whether the row's content changed after the last import that touched it: some of the values then come from that change.
    package var isChangedSince: Bool
}

/// Why a row's history is not shown.
package enum RecordFailure: Failure, Equatable {
    case unknown(String)
    case ambiguous(String, ids: [String])

    package var code: String {
        switch self {
        case .unknown: "RECORD-UNKNOWN"
        case .ambiguous: "RECORD-AMBIGUOUS"
        }
    }

    package var exitCode: ExitCode { .noInput }

    package var arguments: [String: String] {
        switch self {
        case .unknown(let name): ["name": name]
        case .ambiguous(let name, let ids): ["name": name, "ids": ids.joined(separator: ", ")]
        }
    }
}

extension Replica {
    /// Where the values of a row come from: by its id, or by its key (`C-12`) among the rows of the given projects; records before their parts.
    package func provenance(of name: String, projectIDs: [String], actor: Model.Actor) throws -> RecordHistory {
        try read { db in
            let search = RecordSearch(db: db, pack: pack, projects: try Quarantine.json(projectIDs), actor: actor)
            let (entity, id) = try search.find(name)
            return try ProvenanceReader(db: db, pack: pack, actor: actor).history(of: entity, id: id)
        }
    }
}

/// Finds the row that a person means.
private struct RecordSearch {
    let db: Database
    let pack: Pack
    /// JSON list of ids.
    let projects: String
    let actor: Model.Actor

    func find(_ name: String) throws -> (Entity, String) {
        let entities = pack.entities.filter { !IndexPlan.logs.contains($0.name) }
        let roots = Set(pack.records.map(\.root))
        for group in [entities.filter { roots.contains($0.name) }, entities.filter { !roots.contains($0.name) }] {
            if let found = try only(name, group.flatMap { entity in try rows(entity, "t.id = lower(?1)", name).map { (entity, $0) } }) { return found }
        }
        for group in [entities.filter { roots.contains($0.name) }, entities.filter { !roots.contains($0.name) }] {
            let found = try group.flatMap { entity -> [(Entity, String)] in
                guard entity.key.count == 1, let key = entity.key.first.flatMap({ entity.field($0) }), actor.sees(key, of: pack) else { return [] }
                return try rows(entity, "t.\(SQLText.name(key.name)) = ?1", name).map { (entity, $0) }
            }
            if let found = try only(name, found) { return found }
        }
        throw RecordFailure.unknown(name)
    }

    private func only(_ name: String, _ found: [(Entity, String)]) throws -> (Entity, String)? {
        guard found.count > 1 else { return found.first }
        throw RecordFailure.ambiguous(name, ids: found.map { "\($0.0.name) \($0.1)" })
    }

    private func rows(_ entity: Entity, _ condition: String, _ name: String) throws -> [String] {
        let visible = entity.projectPath == nil ? "?2 IS NOT NULL"
            : "\(EntityRows.project(of: entity, in: pack, row: "t")) IN (SELECT value FROM json_each(?2))"
        return try String.fetchAll(
            db, sql: "SELECT t.id FROM main.\(SQLText.name(entity.name)) AS t WHERE \(condition) AND \(visible) LIMIT 10", arguments: [name, projects])
    }
}

/// Reads the trail that imports left.
private struct ProvenanceReader {
    let db: Database
    let pack: Pack
    let actor: Model.Actor

    private struct Origin {
        var stamp: Int64
        var importID: String
        var file: String?
        var sha256: String?
        var sheet: String?
        var row: Int?
        var time: String
        var actorID: String?
    }

    func history(of entity: Entity, id: String) throws -> RecordHistory {
        let reader = try RowReader(db, pack: pack, entity: entity)
        guard let values = try reader.values(of: id) else { throw RecordFailure.unknown(id) }
        var origins: [String: Origin] = [:]
        var stamps: [Int64] = []
        // The last import that set a field comes first.
        for (fields, origin) in try updates(of: entity, id: id) {
            stamps.append(origin.stamp)
            for field in fields where origins[field] == nil { origins[field] = origin }
        }
        let first = try insertion(of: entity, id: id)
        if let first { stamps.append(first.stamp) }
        let stamp = try Int64.fetchOne(db, sql: "SELECT content_stamp FROM main.\(SQLText.name(entity.name)) WHERE id = ?", arguments: [id]) ?? 0
        let shown = zip(entity.fields, values).compactMap { field, value -> RecordHistory.Value? in
            guard actor.sees(field, of: pack), let text = value.shown else { return nil }
            let origin = origins[field.name] ?? first
            return RecordHistory.Value(
                field: field.name, value: text, importID: origin?.importID, file: origin?.file, sha256: origin?.sha256, sheet: origin?.sheet,
                row: origin?.row, importedAt: origin?.time, actorID: origin?.actorID)
        }
        let keys = entity.key.compactMap { key in entity.fields.firstIndex { $0.name == key } }
        let isNamed = !keys.isEmpty && keys.allSatisfy { actor.sees(entity.fields[$0], of: pack) }
        return RecordHistory(
            entity: entity.name, id: id, key: isNamed ? keys.compactMap { values[$0].shown }.joined(separator: " ") : nil,
            projectID: try reader.project(of: values), values: shown, isChangedSince: !stamps.isEmpty && stamp > (stamps.max() ?? 0))
    }

    private static let columns = "d.stamp, i.id, s.file, s.sha256, s.sheet, i.started_at, d.actor_id"

    private func origin(_ row: Row, position: Int?) -> Origin {
        Origin(stamp: row[0], importID: row[1], file: row[2], sha256: row[3], sheet: row[4], row: position, time: row[5], actorID: row[6])
    }

    private func updates(of entity: Entity, id: String) throws -> [([String], Origin)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(Self.columns), c.row, c.before FROM import_changes AS c JOIN imports AS i ON i.id = c.import_id
                JOIN import_details AS d ON d.import_id = i.id LEFT JOIN import_sources AS s ON s.number = c.source
                WHERE c.entity = ? AND c.row_id = ? AND c.kind IN ('update', 'photo') ORDER BY d.stamp DESC
                """, arguments: [entity.name, id]
        ).map { row in
            let fields = (try? JSONValue.parse(row[8] as String))?.members?.map(\.key) ?? []
            return (fields, origin(row, position: row[7]))
        }
    }

    private func insertion(of entity: Entity, id: String) throws -> Origin? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT \(Self.columns), t.import_row FROM main.\(SQLText.name(entity.name)) AS t JOIN import_sources AS s ON s.number = t.import_source
                JOIN imports AS i ON i.id = s.import_id JOIN import_details AS d ON d.import_id = i.id WHERE t.id = ?
                """, arguments: [id]
        ).map { origin($0, position: $0[7]) }
    }
}
