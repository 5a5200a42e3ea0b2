import Foundation

/// Two replicas with four people, a central database, people who change it from elsewhere, and
/// trouble of one kind or of every kind. Again and again it becomes quiet; then both replicas are
/// what their people see on the server, and nothing that anybody wrote is lost or there twice.
final class SyncSimulation {
    let server: SimulatedServer
    let offices: [SimulatedOffice]
    private let faults: Set<Fault>
    private let chance: Chance

    init(_ fault: Fault, seed: UInt64, isForeign: Bool) throws {
        chance = Chance(seed)
        faults = fault == .all ? Set(Fault.allCases) : [fault]
        server = try SimulatedServer(chance, isForeign: isForeign)
        offices = [try SimulatedOffice(server, ["ana@example.pe", "dora@example.pe"]), try SimulatedOffice(server, ["beto@example.pe", "carla@example.pe"])]
        for office in offices { try office.follow() }
    }

    /// - Parameter calmEvery: after so many steps it becomes quiet.
    func run(steps: Int, calmEvery: Int) throws {
        for step in 1...steps {
            try self.step()
            if step % calmEvery == 0 || step == steps { try calm(after: step) }
        }
    }

    private func step() throws {
        guard let office = chance.pick(offices) else { return }
        if server.isForeign, chance.isOne(in: 6) { try collide(with: office) }
        switch chance.number(0..<100) {
        case 0..<56: try office.act()
        case 56..<82: try server.act()
        case 82..<85: if faults.contains(.lateCommit) { try server.actSlowly() }
        case 85..<87: if faults.contains(.membership) { try server.changeMembership() }
        case 87..<89: if faults.contains(.clock) { office.lag += chance.number(-40_000_000.0...40_000_000.0) }
        default:
            let email = chance.isOne(in: 4) ? office.people.last : office.people.first
            try office.sync(as: email ?? "", faults, retrying: chance.isOne(in: 2), proving: chance.isOne(in: 5))
        }
    }

    /// An office removes something. Somebody changes what it has removed, and only the row's values tell.
    private func collide(with office: SimulatedOffice) throws {
        try office.act("delete")
        let (table, text) = chance.pick([("calicatas", "title"), ("calicata_cortes", "description")]) ?? ("", "")
        let removed = try office.ask(
            "SELECT DISTINCT entity_id FROM sync_queue WHERE operation = 'DELETE' AND entity_type = '\(table)' ORDER BY 1"
        )
        if let id = chance.pick(removed) { try server.changeInSilence(table, text, id) }
    }

    // MARK: Quiet

    struct Broken: Error, CustomStringConvertible {
        var description: String
    }

    /// Ends all trouble, syncs until nothing moves, and compares.
    private func calm(after step: Int) throws {
        try server.calm()
        var still = 0
        for round in 1... {
            var open = 0
            for office in offices {
                for email in office.people { guard try office.sync(as: email, proving: true) else { throw Broken(description: "step \(step): \(email) cannot sync") } }
                open += try office.decide()
            }
            let waiting = try offices.flatMap { try $0.ask("SELECT operation, entity_type, entity_id, last_error FROM sync_queue") }
            // What the last office sent comes to the first one in the next round.
            still = open == 0 && waiting.isEmpty ? still + 1 : 0
            // What the server refuses may be done there to a draft.
            if still == 0, round % 4 == 0 { try server.openDrafts() }
            if still == 2 { break }
            guard round < 15 else { throw Broken(description: "step \(step): it does not come to rest: \(open) conflicts, \(waiting.prefix(5))") }
        }
        do { try compare() } catch let broken as Broken { throw Broken(description: "step \(step): \(broken.description)") }
    }

    private static let columns = [
        ("calicatas", "id, project_id, code, coalesce(title, '-'), coalesce(location, '-'), coalesce(observations, '-'), status"),
        ("calicata_cortes", "id, calicata_id, number, coalesce(description, '-')"),
    ]

    private func compare() throws {
        for office in offices {
            for (table, columns) in Self.columns {
                let here = try office.ask("SELECT \(columns) FROM \(table) ORDER BY id")
                for email in office.people {
                    let there = try server.ask("SELECT \(columns) FROM \(table) ORDER BY id::text COLLATE \"C\"", as: email)
                    guard here == there else { throw Broken(description: "\(table) of \(email): here \(Self.only(here, there)), there \(Self.only(there, here))") }
                }
                let states = try office.ask("SELECT id, sync_state, own_mark FROM \(table) WHERE sync_state <> 'synced' OR own_mark <> 0")
                guard states.isEmpty else { throw Broken(description: "\(table): \(states.prefix(5))") }
            }
            let left = try office.ask(
                """
                SELECT 'base', entity, row_id FROM row_bases UNION ALL SELECT 'own base', entity, row_id FROM own_bases
                UNION ALL SELECT 'claim', entity, row_id FROM row_claims UNION ALL SELECT 'wait', count(*), '' FROM push_waits HAVING count(*) > 0
                """)
            guard left.isEmpty else { throw Broken(description: "left over: \(left.prefix(5))") }
        }
        try findTexts()
    }

    private static func only(_ some: [String], _ others: [String]) -> [String] { Array(Set(some).subtracting(others).sorted().prefix(3)) }

    /// Every text that an office wrote over, on the server or in its replica, is in a row, a
    /// conflict or the log.
    private func findTexts() throws {
        let logs = try server.ask("SELECT l::text FROM activity_logs AS l")
        let twice = try server.ask("SELECT code FROM calicatas GROUP BY code HAVING count(*) > 1")
        guard twice.isEmpty else { throw Broken(description: "there twice: \(twice)") }
        var known = Self.texts(in: logs)
        for (table, columns) in Self.columns { known.formUnion(Self.texts(in: try server.ask("SELECT \(columns) FROM \(table)"))) }
        for office in offices {
            let local = try office.ask("SELECT * FROM activity_logs")
            let unsent = Self.texts(in: local).subtracting(Self.texts(in: logs))
            guard unsent.isEmpty else { throw Broken(description: "logged here alone: \(unsent.sorted().prefix(3))") }
            known.formUnion(Self.texts(in: try office.ask("SELECT local_payload, remote_payload FROM conflicts")))
        }
        let overwritten = try server.ask("SELECT before, id FROM seen_changes WHERE before IS NOT NULL AND after IS DISTINCT FROM before AND actor <> ''")
        let lost = overwritten.filter { !known.contains(String($0.prefix { $0 != "|" })) }
        guard lost.isEmpty else { throw Broken(description: "written over unseen: \(lost.prefix(3))") }
    }

    private static func texts(in lines: [String]) -> Set<String> {
        Set(lines.flatMap { line in line.matches(of: /tok[0-9]+x/).map { String($0.output) } })
    }

    /// What is known of the rows that a message names, and of the records of parts.
    func facts(of message: String) -> String {
        let named = message.matches(of: /[0-9a-f]{8}-[0-9a-f-]{27}/).prefix(2).map { String($0.output) }
        let records = named.flatMap { id in offices.flatMap { (try? $0.ask(Self.records(of: id))) ?? [] } }
        let ids = Set(named + records).sorted()
        let here = offices.flatMap { office in ids.flatMap { (try? office.ask(Self.here($0))) ?? ["?"] }.map { "\(office.people[0]): \($0)" } }
        let there = ids.flatMap { id in
            (try? server.ask(
                """
                SELECT 'there', c.*::text FROM calicatas AS c WHERE id = '\(id)'
                UNION ALL SELECT 'there', c.*::text FROM calicata_cortes AS c WHERE id = '\(id)'
                UNION ALL SELECT 'changed', s.*::text FROM seen_changes AS s WHERE id = '\(id)'
                \(server.isForeign ? "" : "UNION ALL SELECT 'removed', r.*::text FROM fichero.removed_rows AS r WHERE row_id = '\(id)'")
                """)) ?? ["?"]
        }
        return (here + there).joined(separator: "\n")
    }

    /// The record of a part, also of one that was removed here.
    private static func records(of id: String) -> String {
        """
        SELECT calicata_id FROM calicata_cortes WHERE id = '\(id)'
        UNION SELECT json_extract(payload_json, '$.calicata_id') FROM sync_queue WHERE entity_id = '\(id)'
        """
    }

    private static func here(_ id: String) -> String {
        """
        SELECT 'row', id, project_id, title, status, sync_state, own_mark, remote_updated_at FROM calicatas WHERE id = '\(id)'
        UNION ALL SELECT 'part', id, calicata_id, description, '', sync_state, own_mark, remote_updated_at FROM calicata_cortes WHERE id = '\(id)'
        UNION ALL SELECT 'conflict', entity_id, resolution_status, remote_payload, detected_at, '', '', '' FROM conflicts WHERE entity_id = '\(id)'
        UNION ALL SELECT 'queue', entity_id, operation, last_error, payload_json, project_id, content_stamp, retry_count || coalesce(' due ' || due_at, '')
          FROM sync_queue LEFT JOIN push_waits ON item_id = id WHERE entity_id = '\(id)'
        """
    }

    /// What happened, in numbers.
    var counts: [String: Int] { offices.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) } }
}
