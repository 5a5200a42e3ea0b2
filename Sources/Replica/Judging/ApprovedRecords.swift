package import Foundation
import GRDB
import JSONReading
import Model

/// Validates records within the transaction that changes them.
package struct RecordValidation {
    package var timeZone: TimeZone
    /// Validates the records that the session is restricted to; the session stores the findings.
    package var validate: (ReadSession) throws -> Void

    package init(in timeZone: TimeZone, _ validate: @escaping (ReadSession) throws -> Void) {
        (self.timeZone, self.validate) = (timeZone, validate)
    }
}

/// The records that a change set moves to a state that means approval. Whichever command moves
/// them, they must then be free of errors.
struct ApprovedRecords {
    /// Ids by table.
    private var moved: [String: Set<String>] = [:]

    /// - Parameter ids: ids of rows whose state changed, or that are new and have a state.
    mutating func add(_ ids: Set<String>, of entity: Entity, _ db: Database) throws {
        guard let states = entity.states, !states.approves.isEmpty, !ids.isEmpty else { return }
        let approving = states.approves.map(SQLText.literal).joined(separator: ", ")
        let found = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM main.\(SQLText.name(entity.name))
                WHERE \(SQLText.name(states.field)) IN (\(approving)) AND id IN (SELECT value FROM json_each(?))
                """, arguments: [Quarantine.json(ids.sorted())])
        moved[entity.name, default: []].formUnion(found)
    }

    /// Throws `ChangeFailure.findings` if one of the records has an error that nobody accepted.
    func ensureSound(by validation: RecordValidation, for actor: Model.Actor, asOf: Date, _ db: Database, pack: Pack)
        throws
    {
        let records = moved.filter { !$0.value.isEmpty }
        guard !records.isEmpty else { return }
        var projects: Set<String> = []
        for (name, ids) in records {
            guard let entity = pack.entity(name) else { continue }
            projects.formUnion(
                try RowProject(of: entity, in: pack).ids(
                    where: "t.id IN (SELECT value FROM json_each(?))", [Quarantine.json(ids.sorted())], db))
        }
        // Other projects do not affect these records.
        let reading = try ReadSession(
            changedIn: db, pack: pack, actor: actor, projects: projects, timeZone: validation.timeZone, asOf: asOf)
        try reading.lookAt(records: records)
        try validation.validate(reading)
        let found = try pack.entities.flatMap { entity in
            guard let ids = records[entity.name] else { return [LeftOutRecord]() }
            return try pack.records(rootedAt: entity.name).flatMap { kind in
                try reading.recordsWithErrors(of: kind, among: ids)
            }
        }.map { "\($0.key) (\($0.detail))" }
        if !found.isEmpty { throw ChangeFailure.findings(records: found) }
    }
}

extension ImportApplication {
    /// Checks records that a person's command moves to an approved state. If a person accepts the
    /// remote's version of a record, that is not an approval by the person.
    func checkApproved() throws {
        guard request.origin == .person, let validation = request.validation else { return }
        var vouched = ApprovedRecords()
        for rows in staged {
            let entity = rows.importer.entity
            guard let states = entity.states, !states.approves.isEmpty else { continue }
            let moved = try String.fetchAll(
                db, sql: "SELECT row_id FROM temp.import_updated WHERE entity = ? AND json_type(before, ?) IS NOT NULL",
                arguments: [entity.name, "$.\"\(states.field)\""])
            var ids = Set(moved).union(try rows.newIDs())
            if let end = conflictEnd, end.entity == entity.name, let theirs = end.theirs {
                // The upload replaces the remote's row, so the remote's state is compared.
                let isMoved = try rows.importer.states(of: end.rowID).first?.state != theirs[states.field]?.stated
                if isMoved, end.decision.side != .remote { ids.insert(end.rowID) } else { ids.remove(end.rowID) }
            }
            try vouched.add(ids, of: entity, db)
        }
        try vouched.ensureSound(by: validation, for: request.actor, asOf: request.startedAt, db, pack: pack)
    }
}
