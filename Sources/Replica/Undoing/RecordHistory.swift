import Foundation
import GRDB
import JSONReading
package import Model

/// Origin of the values of one row.
package struct RecordHistory: Sendable, Hashable, Codable {
    /// One value and the import that set it last. The import is nil if another kind of change set
    /// the value.
    package struct Value: Sendable, Hashable, Codable {
        package var field: String
        package var value: String
        package var importID: String?
        package var file: String?
        package var sha256: String?
        package var sheet: String?
        /// The row's number in the file, as the file's users count it.
        package var row: Int?
        /// Time by the clock of the run; `writtenAt` is the time by the machine's clock.
        package var importedAt: String?
        package var writtenAt: String?
        package var actorID: String?
        /// Whether Fichero itself set the value, by marking or numbering the record.
        package var isOwn = false
    }

    package var entity: String
    package var id: String
    package var key: String?
    package var projectID: String?
    /// The fields with a value that the actor may see, in the pack's order.
    package var values: [Value]
    /// Whether the row's content changed after the last import that changed it. If so, some values
    /// come from that later change.
    package var isChangedSince: Bool
}

extension Replica {
    /// Returns the origin of a row's values. The row is identified by its id, or by its key
    /// (`C-12`) in the given projects. If a record and a part match, the record is found.
    package func provenance(of name: String, projectIDs: [String], actor: Model.Actor) throws -> RecordHistory {
        try read { db in
            let search = RecordSearch(db: db, pack: pack, projects: try Quarantine.json(projectIDs), actor: actor)
            let (entity, id) = try search.find(name)
            return try ProvenanceReader(db: db, pack: pack, actor: actor).history(of: entity, id: id)
        }
    }
}

/// Reads the origins from the trail of imports.
struct ProvenanceReader {
    let db: Database
    let pack: Pack
    let actor: Model.Actor

    struct Origin: Equatable {
        var stamp: Int64
        var importID: String
        var file: String?
        var sha256: String?
        var sheet: String?
        var row: Int?
        var time: String
        var writtenAt: String?
        var actorID: String?
    }

    func history(of entity: Entity, id: String) throws -> RecordHistory {
        let reader = try RowReader(db, pack: pack, entity: entity)
        guard let values = try reader.values(of: id) else { throw RecordFailure.unknown(id) }
        var origins: [String: Origin] = [:]
        var stamps: [Int64] = []
        // The last import that set a field is first.
        for (fields, origin) in try updates(of: entity, id: id) {
            stamps.append(origin.stamp)
            for field in fields where origins[field] == nil { origins[field] = origin }
        }
        let first = try insertion(of: entity, id: id)
        if let first { stamps.append(first.stamp) }
        let stamp =
            try Int64.fetchOne(
                db, sql: "SELECT content_stamp FROM main.\(SQLText.name(entity.name)) WHERE id = ?", arguments: [id])
            ?? 0
        let shown = try zip(entity.fields, values).compactMap { field, value -> RecordHistory.Value? in
            guard actor.sees(field, of: pack), let text = value.shown else { return nil }
            let origin = origins[field.name] ?? first
            if let own = try own(field, text, of: entity, id: id) {
                return RecordHistory.Value(
                    field: field.name, value: text, importedAt: own.time, actorID: own.actorID, isOwn: true)
            }
            return RecordHistory.Value(
                field: field.name, value: text, importID: origin?.importID, file: origin?.file, sha256: origin?.sha256,
                sheet: origin?.sheet,
                row: origin?.row, importedAt: origin?.time,
                writtenAt: origin?.writtenAt, actorID: origin?.actorID)
        }
        let keys = entity.key.compactMap { key in entity.fields.firstIndex { $0.name == key } }
        let isNamed = !keys.isEmpty && keys.allSatisfy { actor.sees(entity.fields[$0], of: pack) }
        return RecordHistory(
            entity: entity.name, id: id,
            key: isNamed ? keys.compactMap { values[$0].shown }.joined(separator: " ") : nil,
            projectID: try reader.project(of: values), values: shown,
            isChangedSince: !stamps.isEmpty && stamp > (stamps.max() ?? 0))
    }

    private static let columns = """
        d.stamp, i.id, s.file, s.sha256, s.sheet, i.started_at, d.actor_id,
        (SELECT written_at FROM fichero_writes WHERE stamp = d.stamp)
        """

    private func origin(_ row: Row, position: Int?) -> Origin {
        Origin(
            stamp: row[0], importID: row[1], file: row[2], sha256: row[3], sheet: row[4], row: position, time: row[5],
            writtenAt: row[7], actorID: row[6])
    }

    /// Returns when and by whom Fichero set a value itself (its mark, or a number for a client);
    /// nil: it did not.
    private func own(_ field: Field, _ value: String, of entity: Entity, id: String) throws -> (
        time: String?, actorID: String?
    )? {
        if field.name == entity.states?.field {
            return try Row.fetchOne(
                db, sql: "SELECT marked_at, actor_id FROM own_marks WHERE entity = ? AND row_id = ? AND to_state = ?",
                arguments: [entity.name, id, value]
            ).map { ($0[0], $0[1]) }
        }
        guard let numbering = pack.numberings.first(where: { $0.entity == entity.name && $0.field == field.name })
        else { return nil }
        let isGiven = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM export_numbers WHERE numbering = ? AND row_id = ? AND number = ?)",
            arguments: [numbering.name, id, value])
        return isGiven == true ? (nil, nil) : nil
    }

    func updates(of entity: Entity, id: String) throws -> [([String], Origin)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(Self.columns), c.row, c.before FROM import_changes AS c JOIN imports AS i ON i.id = c.import_id
                JOIN import_details AS d ON d.import_id = i.id LEFT JOIN import_sources AS s ON s.number = c.source
                WHERE c.entity = ? AND c.row_id = ? AND c.kind IN ('update', 'photo') ORDER BY d.stamp DESC
                """, arguments: [entity.name, id]
        ).map { row in
            let fields = (try? JSONValue.stored(row[9] as String))?.members?.map(\.key) ?? []
            return (fields, origin(row, position: row[8]))
        }
    }

    func insertion(of entity: Entity, id: String) throws -> Origin? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT \(Self.columns), t.import_row FROM main.\(SQLText.name(entity.name)) AS t \
                JOIN import_sources AS s ON s.number = t.import_source
                JOIN imports AS i ON i.id = s.import_id JOIN import_details AS d ON d.import_id = i.id WHERE t.id = ?
                """, arguments: [id]
        ).map { origin($0, position: $0[8]) }
    }
}
