import GRDB
import JSONReading
package import Model

/// A row of which two versions wait for somebody's decision.
package struct RowConflict: Sendable, Hashable, Codable {
    /// A field in which they differ, as people write values; `•••` where the reader's role may not see it.
    package struct Difference: Sendable, Hashable, Codable {
        package var field: String
        /// As the row is here now.
        package var local: String?
        package var remote: String?
    }

    package var id: String
    package var entity: String
    package var rowID: String
    /// What people know the row by.
    package var key: String?
    package var projectID: String?
    package var detectedAt: String
    /// `open`, `local`, `remote` or `merged`.
    package var status: String
    package var resolvedAt: String?
    /// Whether the other side says that the row was deleted.
    package var isDeletion: Bool
    package var differences: [Difference]
}

/// Why a conflict is not what a command takes it for.
package enum ConflictFailure: Failure, Equatable {
    case unknown(String)
    case ambiguous(String, ids: [String])
    case notOpen(String)
    /// The other side has deleted the row: there are no values to take.
    case isDeletion(String)

    package var code: String {
        switch self {
        case .unknown: "CONFLICT-UNKNOWN"
        case .ambiguous: "CONFLICT-AMBIGUOUS"
        case .notOpen: "CONFLICT-CLOSED"
        case .isDeletion: "CONFLICT-DELETION"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .unknown: .noInput
        case .ambiguous, .notOpen, .isDeletion: .usage
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .unknown(let name), .notOpen(let name), .isDeletion(let name): ["value": name]
        case .ambiguous(let name, let ids): ["value": name, "ids": ids.joined(separator: ", ")]
        }
    }
}

extension Replica {
    /// The conflicts of some projects, oldest first, as far as a reader may see them.
    ///
    /// - Parameter isOpen: whether only those that wait.
    package func conflicts(projectIDs: [String], reader: Model.Actor, isOpen: Bool = true) throws -> [RowConflict] {
        try read { db in
            try ConflictReader(db: db, pack: pack, reader: reader).conflicts(isOpen ? "resolution_status = 'open'" : "true", projectIDs)
        }
    }

    /// The conflict that a person means: by its id or six or more characters of its end, or by the record, if only one of its waits.
    package func conflict(named name: String, projectIDs: [String], reader: Model.Actor) throws -> RowConflict {
        let all = try conflicts(projectIDs: projectIDs, reader: reader, isOpen: false)
        var found = all.filter { $0.id == name || (name.utf8.count >= 6 && $0.id.hasSuffix(name)) }
        if found.isEmpty { found = all.filter { $0.status == "open" && ($0.rowID == name || $0.key == name || $0.key?.hasSuffix(" / " + name) == true) } }
        guard let first = found.first else { throw ConflictFailure.unknown(name) }
        guard found.count == 1 else { throw ConflictFailure.ambiguous(name, ids: found.map(\.id)) }
        return first
    }

    /// What the other side says of the row, by field, whoever may see it: for the change that takes it over.
    package func remoteValues(of conflict: RowConflict) throws -> [(field: String, value: String?)] {
        let payload = try read { try String.fetchOne($0, sql: "SELECT remote_payload FROM conflicts WHERE id = ?", arguments: [conflict.id]) }
        guard !conflict.isDeletion, let entity = pack.entity(conflict.entity), let row = payload.flatMap({ try? JSONValue.parse($0) }) else {
            throw ConflictFailure.isDeletion(conflict.id)
        }
        return (row.members ?? []).compactMap { member in
            guard member.key != "id", entity.field(member.key) != nil else { return nil }
            return (member.key, member.value.stated)
        }
    }
}

extension JSONValue {
    /// A value of a row as the replica would hold it, as a text; nil for null.
    var stated: String? {
        switch self {
        case .null: nil
        case .string(let text): text
        case .number(let digits): digits
        case .bool(let truth): truth ? "1" : "0"
        case .array, .object: description
        }
    }
}

private struct ConflictReader {
    let db: Database
    let pack: Pack
    let reader: Model.Actor

    func conflicts(_ condition: String, _ projects: [String]) throws -> [RowConflict] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, entity_type, entity_id, project_id, detected_at, resolution_status, resolved_at, remote_payload FROM main.conflicts
                WHERE \(condition) AND (project_id IN (SELECT value FROM json_each(?1)) OR project_id IS NULL AND ?2) ORDER BY detected_at, rowid
                """, arguments: [try Quarantine.json(projects), reader.role.permissions.contains(.administer)]
        ).compactMap { row in
            guard let entity = pack.entity(row[1]), entity.writer == .people else { return nil }
            let id: String = row[2]
            let remote = (row[7] as String?).flatMap { try? JSONValue.parse($0) }
            // What was deleted elsewhere comes as the event that says so, not as a row.
            let isDeletion = remote?["deleted"].map { if case .bool(true) = $0 { true } else { false } } ?? false
            return RowConflict(
                id: row[0], entity: entity.name, rowID: id, key: try EntityRows.name(of: id, entity, pack: pack, db), projectID: row[3],
                detectedAt: row[4] ?? "", status: row[5] ?? "", resolvedAt: row[6], isDeletion: isDeletion,
                differences: try isDeletion ? [] : differences(entity, id, remote))
        }
    }

    /// `1.5` and `1.50`.
    private func isSameNumber(_ first: String?, _ second: String?) -> Bool {
        guard let first = first.flatMap(Double.init), let second = second.flatMap(Double.init) else { return false }
        return first == second
    }

    private func differences(_ entity: Entity, _ id: String, _ remote: JSONValue?) throws -> [RowConflict.Difference] {
        guard let values = try RowReader(db, pack: pack, entity: entity).values(of: id) else { return [] }
        return zip(entity.fields, values).compactMap { field, value in
            guard let stated = remote?[field.name] else { return nil }
            let (here, there) = (value.shown, stated.stated)
            guard here != there, field.name != "id", !isSameNumber(here, there) else { return nil }
            guard reader.sees(field, of: pack) else { return .init(field: field.name, local: "•••", remote: "•••") }
            return .init(field: field.name, local: here, remote: there)
        }
    }
}
