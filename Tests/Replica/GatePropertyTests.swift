import Foundation
import GRDB
import Testing
import Workbench

@testable import Model
@testable import Replica

/// People of every role give random commands and bring files, and a plain model of the rules says what must happen.
/// An allowed change goes in with its queue item and its log entry. A refused one leaves nothing
/// behind. A change that is taken back leaves the rows as they were.
@Suite struct GatePropertyTests {
    struct Pit: Hashable {
        var id: String
        var project: String
        var code: String
        var depth: Int
        var state: String
        var parts = 0
        /// What a file says of its depth; nil: no conflict waits.
        var theirs: Int?
    }

    /// A change set that its author may take back.
    private struct Made {
        var id: String
        var author: String
        var word: Word
        var old: Pit?
        var new: Pit?
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
        /// A file adds a part.
        case part
        /// An administrator's file says something else, and a conflict waits.
        case contest
        /// Somebody ends the conflict for one side.
        case keepMine, keepTheirs
        /// Somebody takes an earlier change of theirs back.
        case undo
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
        var made: [Made] = []
        var (done, refused, undone) = (0, 0, 0)
        for step in 0..<1_500 {
            let speaker = people.indices.randomElement(using: &random)!
            let person = people[speaker]
            var word = pits.count < 4 ? Word.add : Word.allCases.randomElement(using: &random)!
            if word == .join, projects.count > 4 { word = .add }
            if word == .undo {
                let isAllowed = try takeBack(
                    as: person.actor, from: Int.random(in: 0..<6, using: &random), &made, &pits, scene,
                    "seed \(seed), step \(step)")
                if isAllowed == true { own[.undo, default: 0] += 1 }
                continue
            }
            let isDecision = word == .keepMine || word == .keepTheirs
            let candidates = pits.values.filter {
                isDecision ? $0.theirs != nil : word == .contest || word == .mark ? $0.theirs == nil : true
            }
            let old =
                word == .add || word == .join ? nil : candidates.sorted { $0.id < $1.id }.randomElement(using: &random)
            if old == nil, word != .add, word != .join { continue }
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
            case .join, .undo: break
            case .part: new?.parts += 1
            // A value that was decided against does not come up again.
            case .contest: new?.theirs = 100 + step
            case .keepMine: new?.theirs = nil
            case .keepTheirs:
                new?.depth = old?.theirs ?? 0
                new?.theirs = nil
            }
            let isAllowed = allows(word, old, new, person, pits)
            let isChange = old != new || word == .join
            own[word, default: 0] += 1
            let joined = "p\(projects.count + 1)"
            let before = try dump(scene)
            let counts = try self.counts(scene)
            let went = try say(
                word, word == .join ? Pit(id: joined, project: joined, code: joined, depth: 0, state: "") : old, new,
                as: person.actor, scene)
            #expect(went == (isAllowed && isChange), "seed \(seed), step \(step): \(word) \(String(describing: old)) → \(String(describing: new)) by \(person.actor.role.name)")
            guard went else {
                refused += 1
                // A file leaves its rejected row, and says so.
                #expect(
                    try dump(scene) == before && (word == .part || self.counts(scene) == counts),
                    "seed \(seed), step \(step): what was refused left something behind")
                continue
            }
            done += 1
            let after = try self.counts(scene)
            // A mark is not a change set. A new project comes with a membership, which the server
            // gives by itself: who is no administrator does not send it.
            let written =
                switch word {
                case .mark: [1, 1, 0]
                case .join: [1, 3, 1]
                case .contest: [0, 2, 1]
                case .keepTheirs: [1, 3, 1]
                // The parts go too, each with its own entry.
                case .delete: [1 + (old?.parts ?? 0), 2 + (old?.parts ?? 0), 1]
                default: [1, 2, 1]
                }
            #expect(after == zip(counts, written).map(+), "seed \(seed), step \(step): \(word) \(counts) → \(after)")
            if word != .mark, word != .contest, Int.random(in: 0..<3, using: &random) == 0 {
                _ = try scene.replica.undoImport("last", context: context(person.actor))
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
            if word != .join {
                let id = try scene.sql("SELECT import_id FROM import_details ORDER BY stamp DESC LIMIT 1")[0]
                made.append(
                    Made(
                        id: word == .mark ? "" : id, author: word == .contest ? "" : person.actor.id, word: word,
                        old: old, new: new))
            }
            #expect(try rows(scene) == Set(pits.values), "seed \(seed), step \(step)")
        }
        // Every kind of command was used often enough.
        #expect(done > 150 && refused > 150 && undone > 20, "\(done) \(refused) \(undone)")
        #expect(Word.allCases.allSatisfy { own[$0, default: 0] > 10 }, "\(own)")
        #expect(own[.mark, default: 0] > 50 && projects.count == 5, "\(own) \(projects)")
        #expect(try members(scene) == Set(people.flatMap { person in person.projects.map { "\($0) \(person.actor.id)" } }))
        #expect(try scene.sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == ["ok"])
    }

    private static func corrects(_ state: String, _ role: String) -> Bool {
        ["BORRADOR", "ANULADO"].contains(state) || moves.contains { $0.from == state && $0.roles.contains(role) }
    }

    private func allows(_ word: Word, _ old: Pit?, _ new: Pit?, _ person: (actor: Model.Actor, projects: Set<String>), _ pits: [String: Pit]) -> Bool {
        let role = person.actor.role.name
        if word == .join { return ["CAMPO", "COORDINADOR"].contains(role) }
        if word == .contest { return true }
        guard Self.mayEdit.contains(role), let project = old?.project ?? new?.project, person.projects.contains(project)
        else { return false }
        let corrects = { Self.corrects($0, role) }
        let isContested = old?.theirs != nil
        switch word {
        case .edit: return corrects(old?.state ?? "") && !isContested
        case .part: return role != "JEFE" && corrects(old?.state ?? "")
        case .contest: return true
        case .keepMine: return role == "COORDINADOR"
        case .keepTheirs: return role == "COORDINADOR" && corrects(old?.state ?? "")
        case .undo: return false
        case .move:
            return !isContested
                && Self.moves.contains { $0.from == old?.state && $0.to == new?.state && $0.roles.contains(role) }
        case .add: return !pits.values.contains { $0.project == project && $0.code == new?.code }
        case .mark: return role == "COORDINADOR" && old?.state == "APROBADO"
        case .join: return false
        case .delete: return Self.mayDelete.contains(role) && old?.state == "BORRADOR" && !isContested
        }
    }

    /// Does what a command would do, and returns whether anything changed.
    private func say(_ word: Word, _ old: Pit?, _ new: Pit?, as actor: Model.Actor, _ scene: ReplicaScene) throws -> Bool {
        if word == .mark {
            return
                (try? scene.replica.mark(
                    ExportRegistration.Marks(entity: "calicatas", ids: [old?.id ?? ""]), context(actor), at: testTime))
                == 1
        }
        var request = scene.request(policy: .update, as: actor)
        (request.origin, request.permission, request.source, request.format) = (.person, .edit, "edit", "command")
        if word == .part {
            (request.origin, request.permission, request.source, request.format) = (.file, .import, "p.json", "json")
        }
        if word == .contest { request = scene.request(policy: .conflict) }
        if word == .keepMine || word == .keepTheirs {
            let open = try scene.sql(
                "SELECT id FROM conflicts WHERE entity_id = '\(old?.id ?? "")' AND resolution_status = 'open'")
            request.decision = ConflictDecision(conflictID: open[0], side: word == .keepMine ? .local : .remote)
            request.permission = actor.role.permissions.contains(.resolve) ? .resolve : .edit
        }
        if word == .join { (request.origin, request.permission, request.source, request.format, request.joins) = (.file, .import, "p.json", "json", true) }
        do {
            let number = try Int64(scene.sql("SELECT coalesce(max(number), 0) + 1 FROM calicata_cortes")[0]) ?? 1
            let account = try scene.replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) {
                session in
                switch word {
                case .delete:
                    var batch = ImportedBatch(entity: "calicatas", fields: [], place: Place(file: "delete"), raw: RawCells(headings: []))
                    batch.delete(ImportedDeletion(entity: "calicatas", id: old?.id ?? "", remote: "{}", place: Place(file: "delete")))
                    try session.store(&batch)
                case .mark, .undo: break
                case .keepMine: try session.store(row("calicatas", old?.id, [:]))
                case .contest:
                    try session.store(row("calicatas", old?.id, ["depth_m": .integer(Int64(new?.theirs ?? 0))]))
                case .part:
                    try session.store(row("calicata_cortes", UUIDv7.make(at: testTime), [
                        "calicata_id": .text(old?.id ?? ""), "number": .integer(number),
                            ]))
                case .join:
                    try session.store(
                        row("projects", old?.id, ["code": .text(old?.code ?? ""), "name": .text(old?.code ?? "")]))
                case .edit, .keepTheirs:
                    try session.store(row("calicatas", old?.id, ["depth_m": .integer(Int64(new?.depth ?? 0))]))
                case .move: try session.store(row("calicatas", old?.id, ["status": .text(new?.state ?? "")]))
                case .add:
                    try session.store(row("calicatas", new?.id, [
                        "project_id": .text(new?.project ?? ""), "code": .text(new?.code ?? ""), "depth_m": .integer(1), "status": .text("BORRADOR"),
                    ]))
                }
            }
            return word == .contest ? account.total.conflict > 0 : account.changesSomething
        } catch is ChangeFailure {
            return false
        } catch is ActorFailure {
            return false
        }
    }

    private func rows(_ scene: ReplicaScene) throws -> Set<Pit> {
        let parts = try counted(scene, "SELECT calicata_id, count(*) FROM calicata_cortes GROUP BY 1")
        let theirs = try counted(
            scene,
            "SELECT entity_id, CAST(remote_payload ->> '$.depth_m' AS INTEGER) FROM conflicts WHERE resolution_status = 'open'"
        )
        return Set(
            try scene.replica.texts(of: "calicatas", fields: ["project_id", "code", "depth_m", "status"]).map { row in
                Pit(
                    id: row.id, project: row.values[0] ?? "", code: row.values[1] ?? "",
                    depth: Int(Double(row.values[2] ?? "") ?? -1),
                    state: row.values[3] ?? "", parts: parts[row.id] ?? 0, theirs: theirs[row.id])
        })
    }

    private func counted(_ scene: ReplicaScene, _ query: String) throws -> [String: Int] {
        try scene.replica.read { db in
            try Row.fetchAll(db, sql: query).reduce(into: [:]) { $0[$1[0]] = $1[1] }
        }
    }

    /// Takes back a random change of the person's, of those that are still known; nil: there is none.
    /// It must go if nothing has happened to the pit since, and must leave everything as it is if
    /// something has.
    private func takeBack(
        as actor: Model.Actor, from end: Int, _ made: inout [Made], _ pits: inout [String: Pit], _ scene: ReplicaScene,
        _ comment: String
    ) throws -> Bool? {
        let own = made.indices.filter { made[$0].author == actor.id }
        guard !own.isEmpty else { return nil }
        // One that nothing was built on yet is not rare among the last.
        let index = own[max(0, own.count - 1 - end)]
        let target = made[index]
        let id = target.new?.id ?? target.old?.id
        // A part is a row of its own: it goes with its pit's state as it is now. Nothing is built on it.
        let later = made[(index + 1)...].filter {
            ($0.new?.id == id || $0.old?.id == id) && ($0.word != .part || target.word == .add)
        }
        let pit = id.flatMap { pits[$0] }
        let isBarred =
            target.word == .part ? pit.map { !Self.corrects($0.state, actor.role.name) } ?? true : !later.isEmpty
        let isTaken =
            target.new == nil
            && pits.values.contains { $0.project == target.old?.project && $0.code == target.old?.code }
        let before = try dump(scene)
        do {
            _ = try scene.replica.undoImport(target.id, context: context(actor))
            #expect(!isBarred && !isTaken, "\(comment): \(target) was taken back")
        } catch let failure as UndoFailure {
            #expect(isBarred || isTaken, "\(comment): \(target) stays: \(failure)")
            #expect(try dump(scene) == before, "\(comment)")
            return false
        }
        made.remove(at: index)
        if let new = target.new { pits[new.id] = nil }
        if var back = target.word == .part ? pit : target.old {
            if let pit { back.parts = pit.parts - (target.word == .part ? 1 : 0) }
            pits[back.id] = back
        }
        #expect(try rows(scene) == Set(pits.values), "\(comment)")
        return true
    }

    private func context(_ actor: Model.Actor) -> RunContext {
        RunContext(
            id: UUIDv7.make(at: testTime), asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV",
            actor: actor, programVersion: "1")
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
