import Foundation
import GRDB
import JSONReading
package import Model

/// A row with a local and a remote version, between which somebody has to decide.
package struct RowConflict: Sendable, Hashable, Codable {
    /// A field in which the versions differ, with values formatted for display; `•••` if the
    /// reader's role may not see the field.
    package struct Difference: Sendable, Hashable, Codable {
        package var field: String
        /// The value that the remote confirmed last; nil also if it is not known (`hasBase`).
        package var base: String?
        /// The row's present value in this replica.
        package var local: String?
        package var remote: String?
    }

    package var id: String
    package var entity: String
    package var rowID: String
    /// The row's readable name.
    package var key: String?
    package var projectID: String?
    package var detectedAt: String
    /// `open`, `local`, `remote` or `merged`.
    package var status: String
    package var resolvedAt: String?
    /// Whether the sync partner reports that the row was deleted.
    package var isDeletion: Bool
    /// Whether the row was removed locally; name and values are then the removed row's.
    package var isRemovedHere: Bool
    /// Whether the version before the local and the remote change is known.
    package var hasBase: Bool
    package var differences: [Difference]
}

/// Reason why a command cannot act on a conflict.
package typealias ConflictFailure = DeclaredFailure<RowConflict>

extension ConflictFailure {
    /// - Parameter nearest: the record with a conflict that was probably meant.
    package static func unknown(_ name: String, nearest: String? = nil) -> Self {
        Self("CONFLICT-UNKNOWN", .noInput, nearest.map { ["value": name, "nearest": $0] } ?? ["value": name])
    }
    package var isUnknown: Bool { code == "CONFLICT-UNKNOWN" }
    package static func ambiguous(_ name: String, ids: [String]) -> Self {
        Self("CONFLICT-AMBIGUOUS", .usage, ["value": name, "ids": ids])
    }
    package static func notOpen(_ name: String) -> Self { Self("CONFLICT-CLOSED", .usage, ["value": name]) }
    /// The sync partner has deleted the row, so there are no values to accept.
    package static func isDeletion(_ name: String) -> Self { Self("CONFLICT-DELETION", .usage, ["value": name]) }
    /// The version before the changes is not known, so local and remote changes cannot be
    /// distinguished.
    package static func noBase(_ name: String) -> Self { Self("CONFLICT-NO-BASE", .usage, ["value": name]) }
    /// These fields were changed locally and remotely, to different values.
    package static func bothChanged(_ name: String, fields: [String]) -> Self {
        Self("CONFLICT-BOTH-CHANGED", .badInput, ["value": name, "fields": fields])
    }
    /// A chosen value is for a field that is not in conflict; `fields` are those that differ.
    package static func noField(_ name: String, fields: [String]) -> Self {
        Self("CONFLICT-FIELD", .usage, ["value": name, "fields": fields])
    }
}

extension Replica {
    /// The conflicts of some projects that a reader may see, oldest first.
    ///
    /// - Parameter isOpen: whether only open conflicts are returned.
    package func conflicts(projectIDs: [String], reader: Model.Actor, isOpen: Bool = true) throws -> [RowConflict] {
        try read { db in
            try ConflictReader(db: db, pack: pack, reader: reader).conflicts(
                isOpen ? "resolution_status = 'open'" : "true", projectIDs)
        }
    }

    /// The conflict that a person means. It is identified by its id, by the id's last six or more
    /// characters, or by the record if only one of its conflicts is open.
    package func conflict(named name: String, projectIDs: [String], reader: Model.Actor) throws -> RowConflict {
        let all = try conflicts(projectIDs: projectIDs, reader: reader, isOpen: false)
        var found = all.filter { $0.id == name || (name.utf8.count >= 6 && $0.id.hasSuffix(name)) }
        if found.isEmpty { found = all.filter { $0.status == "open" && $0.isOf(record: name) } }
        guard let first = found.first else {
            let codes = all.filter { $0.status == "open" }.compactMap {
                $0.key?.components(separatedBy: Pack.nameSeparator).last
            }
            throw ConflictFailure.unknown(name, nearest: Spelling.nearestCode(to: name, among: codes))
        }
        guard found.count == 1 else { throw ConflictFailure.ambiguous(name, ids: found.map(\.id)) }
        return first
    }

    /// Whether the replica has a conflict's row. It has not if the row was removed locally.
    package func hasRow(of conflict: RowConflict) throws -> Bool {
        guard let entity = pack.entity(conflict.entity) else { return false }
        return try read { db in try RowReader(db, pack: pack, entity: entity).values(of: conflict.rowID) != nil }
    }

    /// The remote values of the row by field, for the change that applies them. Fields that the
    /// reader may not see are included.
    package func remoteValues(of conflict: RowConflict) throws -> [(field: String, value: String?)] {
        try read { try remoteValues(of: conflict, $0) }
    }

    /// The values that only the sync partner changed since the row was last confirmed (`theirs`).
    /// `both` are the fields that were also changed locally, to other values: a person must decide
    /// about them. `updated_at` is bookkeeping and is left out.
    package func merge(of conflict: RowConflict) throws -> (theirs: [(field: String, value: String?)], both: [String]) {
        try read { db in
            let remote = try remoteValues(of: conflict, db)
            guard let entity = pack.entity(conflict.entity),
                let base = try RowBases.row(entity.name, conflict.rowID, db),
                let values = try RowReader(db, pack: pack, entity: entity).values(of: conflict.rowID)
            else { throw ConflictFailure.noBase(conflict.id) }
            var merged: (theirs: [(field: String, value: String?)], both: [String]) = ([], [])
            for (field, value) in zip(entity.fields, values) {
                // Null is a value too: the sync partner emptied the field.
                guard field.name != "updated_at", let stated = remote.first(where: { $0.field == field.name }) else {
                    continue
                }
                let theirs = stated.value
                let before = base[field.name]?.stated, mine = value.shown
                if RowConflict.isSame(theirs, before) || RowConflict.isSame(theirs, mine) { continue }
                if RowConflict.isSame(mine, before) {
                    merged.theirs.append((field.name, theirs))
                } else {
                    merged.both.append(field.name)
                }
            }
            return merged
        }
    }

    private func remoteValues(of conflict: RowConflict, _ db: Database) throws -> [(field: String, value: String?)] {
        let payload = try String.fetchOne(
            db, sql: "SELECT remote_payload FROM conflicts WHERE id = ?", arguments: [conflict.id])
        guard !conflict.isDeletion, let entity = pack.entity(conflict.entity),
            let row = payload.flatMap({ try? JSONValue.stored($0) })
        else {
            throw ConflictFailure.isDeletion(conflict.id)
        }
        return (row.members ?? []).compactMap { member in
            guard member.key != "id", entity.field(member.key) != nil else { return nil }
            return (member.key, member.value.stated)
        }
    }
}

extension RowConflict {
    /// Whether a name identifies the conflict's record: its id, its name as lists show it
    /// (`HYO-2025 / C-01 / 1`), or the end of the name, also without spaces (`C-01/1`).
    package func isOf(record name: String) -> Bool {
        guard let key else { return rowID == name }
        let spaced = name.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: Pack.nameSeparator)
        return rowID == name || [name, spaced].contains { key == $0 || key.hasSuffix(Pack.nameSeparator + $0) }
    }

    /// Stored in place of the remote's row if the remote deleted the row.
    static func deletion(of id: String) -> String { "{\"id\":\(RowJSON.quoted(id)),\"deleted\":true}" }

    static func isDeletion(_ remote: String) -> Bool { (try? JSONValue.stored(remote))?["deleted"] == .bool(true) }

    /// Whether two texts are equal as values: `1.5` and `1.50` are.
    static func isSame(_ first: String?, _ second: String?) -> Bool {
        if first == second { return true }
        guard let first = first.flatMap(Double.init), let second = second.flatMap(Double.init) else { return false }
        return first == second
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
                SELECT id, entity_type, entity_id, project_id, detected_at, resolution_status, resolved_at, \
                remote_payload, local_payload FROM main.conflicts
                WHERE \(condition) AND (project_id IN (SELECT value FROM json_each(?1)) OR project_id IS NULL \
                AND ?2) ORDER BY detected_at, rowid
                """, arguments: [try Quarantine.json(projects), reader.role.permissions.contains(.administer)]
        ).compactMap { row in
            guard let entity = pack.entity(row[1]), entity.writer == .people else { return nil }
            let id: String = row[2]
            // A file may have set the conflict's project, so the row's project is checked.
            if let own = try RowProject(of: entity, in: pack).id(ofRow: id, db), !projects.contains(own) { return nil }
            let remote = (row[7] as String?).flatMap { try? JSONValue.stored($0) }
            // For a remote deletion, the stored text contains a mark instead of a row.
            let isDeletion = remote?["deleted"].map { if case .bool(true) = $0 { true } else { false } } ?? false
            let here = try RowReader(db, pack: pack, entity: entity).values(of: id)
            let removed = here == nil ? (row[8] as String?).flatMap { try? JSONValue.stored($0) } : nil
            let base = try removed ?? RowBases.row(entity.name, id, db)
            let values =
                here ?? removed.map { row in entity.values(ofPayload: row.description).map { $0 ?? .null } } ?? []
            return RowConflict(
                id: row[0], entity: entity.name, rowID: id,
                key: try here == nil
                    ? name(ofRemoved: values, entity) : EntityRows.name(of: id, entity, pack: pack, db),
                projectID: row[3],
                detectedAt: row[4] ?? "", status: row[5] ?? "", resolvedAt: row[6], isDeletion: isDeletion,
                isRemovedHere: here == nil,
                hasBase: base != nil,
                differences: differences(
                    entity, values, isDeletion ? base : remote, base, isDeletion: isDeletion, isRemoved: here == nil))
        }
    }

    /// The name of a row that is not in the replica: its key, after its record's name.
    private func name(ofRemoved values: [MemoryRows.Value], _ entity: Entity) throws -> String? {
        func shown(_ field: Field) -> String? { zip(entity.fields, values).first { $0.0.name == field.name }?.1.shown }
        let own = entity.key.compactMap { entity.field($0) }.filter {
            $0.references == nil && $0.name != "id" && pack.mayQuote($0)
        }.compactMap(shown)
        guard !own.isEmpty, let scope = entity.keyScope.flatMap({ entity.field($0) }) else {
            return own.isEmpty ? nil : own.joined(separator: Pack.nameSeparator)
        }
        let owner = try scope.references.flatMap { pack.entity($0) }.flatMap { owner in
            try shown(scope).flatMap { try EntityRows.name(of: $0, owner, pack: pack, db) }
        }
        return ([owner].compactMap(\.self) + own).joined(separator: Pack.nameSeparator)
    }

    /// - Parameter other: the remote's row; the base if the remote has deleted the row.
    private func differences(
        _ entity: Entity, _ values: [MemoryRows.Value], _ other: JSONValue?, _ base: JSONValue?, isDeletion: Bool,
        isRemoved: Bool
    ) -> [RowConflict.Difference] {
        zip(entity.fields, values).compactMap { field, value in
            guard let stated = other?[field.name] else { return nil }
            let (here, there) = (value.shown, stated.stated)
            // `updated_at` is bookkeeping and not a difference.
            guard field.name != "id", field.name != "updated_at", !RowConflict.isSame(here, there) else { return nil }
            guard reader.sees(field, of: pack) else {
                return .init(
                    field: field.name, base: base == nil ? nil : Pack.hiddenValue, local: Pack.hiddenValue,
                    remote: Pack.hiddenValue)
            }
            return .init(
                field: field.name, base: base?[field.name]?.stated,
                local: isRemoved ? nil : here,
                remote: isDeletion ? nil : there)
        }
    }
}
