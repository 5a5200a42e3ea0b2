import Foundation
import GRDB
import Testing
import Workbench

@testable import Model
@testable import Replica

/// People of every role give random commands, and a plain model of the rules says what must happen.
/// An allowed change goes in with its queue item and its log entry. A refused one leaves nothing
/// behind. A change that is taken back leaves the rows as they were.
@Suite struct GatePropertyTests {
    struct Pit: Hashable {
        var id: String
        var project: String
        var code: String
        var depth: Int
        var state: String
    }

    private static let states = ["BORRADOR", "EN_REVISION", "APROBADO", "EXPORTADO", "ANULADO"]
    private static let moves: [(from: String, to: String, roles: [String])] = [
        ("BORRADOR", "EN_REVISION", ["CAMPO", "COORDINADOR"]), ("EN_REVISION", "APROBADO", ["COORDINADOR"]), ("EN_REVISION", "BORRADOR", ["COORDINADOR"]),
        ("APROBADO", "BORRADOR", ["JEFE"]), ("APROBADO", "EXPORTADO", ["COORDINADOR"]), ("EXPORTADO", "BORRADOR", ["JEFE"]),
        // A last state: nobody moves a record on, and whoever may edit corrects it.
        ("EN_REVISION", "ANULADO", ["COORDINADOR"]),
    ]
    private static let mayEdit: Set = ["CAMPO", "COORDINADOR", "JEFE"]
    private static let mayDelete: Set = ["CAMPO", "COORDINADOR"]

    private static func pack() -> Pack {
        var pack = PitPack.make { entities in
            for index in entities.indices where entities[index].name == "calicatas" {
                entities[index].states = StateMachine(
                    field: "status", initial: "BORRADOR", transitions: moves.map { .init(from: $0.from, to: $0.to, roles: $0.roles) },
                    exported: .init(from: "APROBADO", to: "EXPORTADO", roles: []))
                entities[index].deletion = .init(roles: mayDelete.sorted(), states: ["BORRADOR"])
            }
        }
        pack.roles += [
            Role(name: "CAMPO", permissions: [.read, .import, .edit], sees: ["public"]),
            Role(name: "COORDINADOR", permissions: [.read, .import, .edit, .resolve, .mark], sees: ["public"]),
            Role(name: "JEFE", permissions: [.read, .edit], sees: ["public"]),
        ]
        return pack
    }

    enum Word: CaseIterable {
        case edit, move, add, delete
        /// Fichero sets its own mark because somebody asked for it.
        case mark
        /// A file brings a new project, and the person who imports it becomes a member.
        case join
    }

    @Test(arguments: SeededNumbers.seeds(20_261_122, 7)) func whatGoesInIsWhatTheRulesSay(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        let scene = try ReplicaScene(pack: Self.pack())
        var projects = ["p1", "p2"]
        try scene.importing(projects.map { row("projects", $0, ["code": .text($0.uppercased()), "name": .text($0)]) })
        var people: [(actor: Model.Actor, projects: Set<String>)] = []
        for (index, role) in ["CAMPO", "COORDINADOR", "JEFE", "LECTOR"].flatMap({ [$0, $0] }).enumerated() {
            let id = "0190a000-0000-7000-8000-0000000000\(10 + index)"
            try scene.importing([
                row("profiles", id, ["email": .text("p\(index)@example.pe"), "role": .text(role), "status": .text("ACTIVO"), "cached_at": .text("2026-01-01T00:00:00Z")])
            ])
            let own = Set(projects.filter { _ in Bool.random(using: &random) })
            for project in own {
                try scene.join(project, id)
            }
            people.append((try scene.replica.actor(email: "p\(index)@example.pe"), own))
        }
        var pits: [String: Pit] = [:]
        var next = 0
        var own: [Word: Int] = [:]
        var (done, refused, undone) = (0, 0, 0)
        for step in 0..<1_500 {
            let speaker = people.indices.randomElement(using: &random)!
            let person = people[speaker]
            var word = pits.count < 4 ? Word.add : Word.allCases.randomElement(using: &random)!
            if word == .join, projects.count > 4 { word = .add }
            let old = word == .add || word == .join ? nil : pits.values.sorted { $0.id < $1.id }.randomElement(using: &random)
            var new: Pit? = old
            switch word {
            case .edit: new?.depth = Int.random(in: 0...9, using: &random)
            case .move: new?.state = Self.states.randomElement(using: &random)!
            case .add:
                next += 1
                new = Pit(
                    id: "0190b000-0000-7000-8000-00000000\(1000 + next)", project: projects.randomElement(using: &random)!, code: "C-\(Int.random(in: 0...30, using: &random))",
                    depth: 1, state: "BORRADOR")
            case .delete: new = nil
            case .mark: new?.state = "EXPORTADO"
            case .join: break
            }
            let isAllowed = allows(word, old, new, person, pits)
            let isChange = old != new || word == .join
            if word == .mark || word == .join { own[word, default: 0] += 1 }
            let joined = "p\(projects.count + 1)"
            let before = try dump(scene)
            let counts = try self.counts(scene)
            let went = try say(word, word == .join ? Pit(id: joined, project: joined, code: joined, depth: 0, state: "") : old, new, as: person.actor, scene)
            #expect(went == (isAllowed && isChange), "seed \(seed), step \(step): \(word) \(String(describing: old)) → \(String(describing: new)) by \(person.actor.role.name)")
            guard went else {
                refused += 1
                #expect(try dump(scene) == before && self.counts(scene) == counts, "seed \(seed), step \(step): what was refused left something behind")
                continue
            }
            done += 1
            let after = try self.counts(scene)
            // A mark is not a change set. A new project comes with a membership, which the server
            // gives by itself: who is no administrator does not send it.
            let written = word == .mark ? [1, 1, 0] : word == .join ? [1, 3, 1] : [1, 2, 1]
            #expect(after == zip(counts, written).map(+), "seed \(seed), step \(step): \(counts) → \(after)")
            if word != .mark, Int.random(in: 0..<3, using: &random) == 0 {
                let context = RunContext(
                    id: UUIDv7.make(at: testTime), asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV", actor: person.actor, programVersion: "1")
                _ = try scene.replica.undoImport("last", context: context)
                undone += 1
                #expect(try dump(scene) == before, "seed \(seed), step \(step): taken back is not as before")
                continue
            }
            if word == .join {
                projects.append(joined)
                people[speaker].projects.insert(joined)
            }
            if let old { pits[old.id] = nil }
            if let new { pits[new.id] = new }
            #expect(try rows(scene) == Set(pits.values), "seed \(seed), step \(step)")
        }
        // Every kind of command was used often enough.
        #expect(done > 150 && refused > 150 && undone > 40, "\(done) \(refused) \(undone)")
        #expect(own[.mark, default: 0] > 50 && projects.count == 5, "\(own) \(projects)")
        #expect(try members(scene) == Set(people.flatMap { person in person.projects.map { "\($0) \(person.actor.id)" } }))
        #expect(try scene.sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == ["ok"])
    }

    private func allows(_ word: Word, _ old: Pit?, _ new: Pit?, _ person: (actor: Model.Actor, projects: Set<String>), _ pits: [String: Pit]) -> Bool {
        let role = person.actor.role.name
        if word == .join { return ["CAMPO", "COORDINADOR"].contains(role) }
        guard Self.mayEdit.contains(role), let project = old?.project ?? new?.project, person.projects.contains(project) else { return false }
        func corrects(_ state: String) -> Bool { ["BORRADOR", "ANULADO"].contains(state) || Self.moves.contains { $0.from == state && $0.roles.contains(role) } }
        switch word {
        case .edit: return corrects(old?.state ?? "")
        case .move: return Self.moves.contains { $0.from == old?.state && $0.to == new?.state && $0.roles.contains(role) }
        case .add: return !pits.values.contains { $0.project == project && $0.code == new?.code }
        case .mark: return role == "COORDINADOR" && old?.state == "APROBADO"
        case .join: return false
        case .delete: return Self.mayDelete.contains(role) && old?.state == "BORRADOR"
        }
    }

    /// Does what a command would do, and returns whether anything changed.
    private func say(_ word: Word, _ old: Pit?, _ new: Pit?, as actor: Model.Actor, _ scene: ReplicaScene) throws -> Bool {
        if word == .mark {
            let context = RunContext(
                id: "run", asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV", actor: actor, programVersion: "1")
            return (try? scene.replica.mark(ExportRegistration.Marks(entity: "calicatas", ids: [old?.id ?? ""]), context, at: testTime)) == 1
        }
        var request = scene.request(policy: .update, as: actor)
        (request.origin, request.permission, request.source, request.format) = (.person, .edit, "edit", "command")
        if word == .join { (request.origin, request.permission, request.source, request.format, request.joins) = (.file, .import, "p.json", "json", true) }
        do {
            return try scene.replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) { session in
                switch word {
                case .delete:
                    var batch = ImportedBatch(entity: "calicatas", fields: [], place: Place(file: "delete"), raw: RawCells(headings: []))
                    batch.delete(ImportedDeletion(entity: "calicatas", id: old?.id ?? "", remote: "{}", place: Place(file: "delete")))
                    try session.store(&batch)
                case .mark: break
                case .join: try session.store(row("projects", old?.id, ["code": .text(old?.code ?? ""), "name": .text(old?.code ?? "")]))
                case .edit: try session.store(row("calicatas", old?.id, ["depth_m": .integer(Int64(new?.depth ?? 0))]))
                case .move: try session.store(row("calicatas", old?.id, ["status": .text(new?.state ?? "")]))
                case .add:
                    try session.store(row("calicatas", new?.id, [
                        "project_id": .text(new?.project ?? ""), "code": .text(new?.code ?? ""), "depth_m": .integer(1), "status": .text("BORRADOR"),
                    ]))
                }
            }.changesSomething
        } catch is ChangeFailure {
            return false
        } catch is ActorFailure {
            return false
        }
    }

    private func rows(_ scene: ReplicaScene) throws -> Set<Pit> {
        Set(try scene.replica.texts(of: "calicatas", fields: ["project_id", "code", "depth_m", "status"]).map { row in
            Pit(id: row.id, project: row.values[0] ?? "", code: row.values[1] ?? "", depth: Int(Double(row.values[2] ?? "") ?? -1), state: row.values[3] ?? "")
        })
    }

    private func members(_ scene: ReplicaScene) throws -> Set<String> {
        Set(try scene.sql("SELECT project_id || ' ' || profile_id FROM project_members"))
    }

    /// Every row and every queue item, including the replica's own columns.
    private func dump(_ scene: ReplicaScene) throws -> [String] {
        try scene.replica.read { db in
            try ["projects ORDER BY id", "project_members ORDER BY id", "calicatas ORDER BY id", "sync_queue ORDER BY rowid", "conflicts ORDER BY id"].flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM " + table).map(\.description)
            }
        }
    }

    /// The numbers of queue items, log entries and change sets.
    private func counts(_ scene: ReplicaScene) throws -> [Int] {
        try scene.replica.read { db in
            try ["sync_queue", "activity_logs", "imports"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM " + $0) ?? 0 }
        }
    }
}
