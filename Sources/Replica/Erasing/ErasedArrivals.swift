import GRDB
import JSONReading
import Model

/// Prevents an import or a pull from restoring erased people and the rows that were erased with
/// them. It removes rows that refer to such a person from the staging area, before permissions are
/// checked.
struct ErasedArrivals {
    private let db: Database
    private let pack: Pack
    private let people: ErasedPeople

    /// Nil: nobody was erased from this replica.
    init?(_ db: Database, pack: Pack) throws {
        guard pack.subjects != nil, let people = try ErasedPeople.list(db) else { return nil }
        (self.db, self.pack, self.people) = (db, pack, people)
        people.register(on: db)
    }

    /// Removes the rows of erased people from one entity, and references to them from its other
    /// rows. Call it for parents before their parts.
    ///
    /// - Parameters:
    ///   - table: the staged rows.
    ///   - fields: the fields of the staged rows.
    ///   - isRemote: whether the rows come from the central database. Its ids of people are
    ///     permanent; those of a file are valid only for that file.
    /// - Returns: the number of removed rows.
    func leaveOut(_ entity: Entity, from table: String, fields: [Field], isRemote: Bool) throws -> Int {
        if IndexPlan.logs.contains(entity.name) { return try redactLogs(table, fields) }
        let conditions = fields.filter { decides($0, of: entity) }.map { "fichero_erased(\(StagedEntity.column($0)))" }
        // A person already in the replica is not the erased one, but may have the same address.
        let ids = try String.fetchAll(
            db,
            sql:
                """
                SELECT f_id FROM \(table) WHERE (\(conditions.joined(separator: " OR "))) AND f_id NOT IN (SELECT id \
                FROM main.\(SQLText.name(entity.name)))
                """
        )
        if !ids.isEmpty {
            // The erased person may have a new id, and later rows may refer only to that id.
            if isRemote { try people.add(ids, db) } else { people.addForNow(ids) }
            try db.execute(
                sql: "DELETE FROM \(table) WHERE f_id IN (SELECT value FROM json_each(?))",
                arguments: [Quarantine.json(ids)])
        }
        for field in fields where field.references != nil { try leaveReference(field, of: entity, from: table, fields) }
        return ids.count
    }

    /// Whether a row is erased together with the row or person to which this field refers.
    private func decides(_ field: Field, of entity: Entity) -> Bool {
        (field.references != nil && field.deletesWithParent) || pack.subjects?.owns(entity, by: field) == true
    }

    /// Removes the traces of erased people from log entries; the entries stay.
    private func redactLogs(_ table: String, _ fields: [Field]) throws -> Int {
        let texts = fields.filter { $0.type.storage == "TEXT" && $0.name != "id" }
        let row =
            fields.first { $0.name == "entity_id" }.map { "fichero_erased(\(StagedEntity.column($0)))" } ?? "false"
        let sets = texts.map { field in
            let column = StagedEntity.column(field), redacted = "fichero_redacted_erased(\(column))"
            return "\(column) = "
                + (["entity_id", "details"].contains(field.name) ? "iif(\(row), NULL, \(redacted))" : redacted)
        }
        let isNamed = [row] + texts.map { "fichero_mentions_erased(\(StagedEntity.column($0)))" }
        try db.execute(
            sql: "UPDATE \(table) SET \(sets.joined(separator: ", ")) WHERE \(isNamed.joined(separator: " OR "))")
        return 0
    }

    /// Clears the references of remaining rows to erased people, and the fields that go with them.
    private func leaveReference(_ field: Field, of entity: Entity, from table: String, _ fields: [Field]) throws {
        let column = StagedEntity.column(field)
        guard field.type != .list else {
            return try db.execute(
                sql:
                    """
                    UPDATE \(table) SET \(column) = fichero_without_erased(\(column)) \
                    WHERE fichero_mentions_erased(\(column))
                    """
            )
        }
        let clears = pack.subjects?.cleared(with: field, of: entity) ?? []
        let empty = [field] + fields.filter { clears.contains($0.name) }
        try db.execute(
            sql:
                """
                UPDATE \(table) SET \(empty.map { StagedEntity.column($0) + " = NULL" }.joined(separator: ", ")) \
                WHERE fichero_erased(\(column))
                """
        )
    }

    /// A rejected row without erased people's identifying values. Names stay: namesakes may have
    /// them.
    func redacted(_ raw: String) -> String { people.redacted(raw, names: false) }

    // MARK: Files

    /// Removes erased people's rows from an import's staging area; reports how many of each table.
    func leaveOutOfImport(_ findings: any FindingSink) throws {
        let staged = try Set(String.fetchAll(db, sql: "SELECT entity FROM staging.entities"))
        for entity in pack.entities.parentsFirst where staged.contains(entity.name) && entity.writer != .fichero {
            let count = try leaveOut(
                entity, from: "staging." + StagedEntity.table(of: entity.name), fields: entity.fields, isRemote: false)
            try db.execute(
                sql: "UPDATE staging.entities SET rows = rows - ? WHERE entity = ?", arguments: [count, entity.name])
            try report(count, of: entity, findings)
        }
        try leaveOutFaults(findings)
    }

    /// Removes erased people's unreadable rows; other unreadable rows are rejected as usual.
    private func leaveOutFaults(_ findings: any FindingSink) throws {
        let faults = try Row.fetchAll(
            db,
            sql: "SELECT n, entity, raw FROM staging.faults WHERE entity IS NOT NULL AND fichero_mentions_erased(raw)")
        var counts: [String: Int] = [:]
        for fault in faults {
            guard let entity = pack.entity(fault[1]), let members = (try? JSONValue.stored(fault[2] as String))?.members
            else { continue }
            let names = Set(pack.membersOfPeople(in: entity))
            guard members.contains(where: { names.contains($0.key) && $0.value.text.map(people.has) == true }) else {
                continue
            }
            try db.execute(sql: "DELETE FROM staging.faults WHERE n = ?", arguments: [fault[0] as Int64])
            counts[entity.name, default: 0] += 1
        }
        for entity in pack.entities { try report(counts[entity.name] ?? 0, of: entity, findings) }
    }

    func report(_ count: Int, of entity: Entity, _ findings: any FindingSink) throws {
        guard count > 0 else { return }
        try findings.add(
            Finding(
                "ERASED-PERSON", place: Place(table: entity.name),
                arguments: ["name": entity.name, "count": String(count)]))
    }
}
