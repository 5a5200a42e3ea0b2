import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// Whatever the door, the same rules decide: a command, a file, a rejected row, a conflict, an undo
/// and an erasure are tried by every role in every state on a record and its parts, and a table made
/// from the pack says what must happen.
@Suite struct SameVerdictTests {
    private enum Door: CaseIterable { case edit, file, proposal, rejects, conflict, undo, erasure }

    /// What the program's sources call to change records, and by which door of this table.
    private static let doors: [String: Set<Door>] = [
        "Changing/ChangeRun.swift importRows": [.edit, .conflict],
        "Importing/ImportRun.swift importRows": [.file, .proposal],
        "Importing/RejectRetry.swift importRows": [.rejects],
        "Changing/Removals.swift undoImport": [.undo],
        "Changing/Removals.swift erase": [.erasure],
    ]
    private enum Act: CaseIterable { case changeRecord, changePart, addPart, removePart, signRecord }

    private struct Case: Hashable {
        var door: Door
        var act: Act
        var role: String
        var state: String
        var hasReason: Bool

        /// Whether this door can do this at all.
        var isPossible: Bool {
            switch door {
            case .edit: true
            case .file, .rejects: act != .removePart
            // A proposal about a row that is not there is an addition.
            case .proposal: act == .changeRecord || act == .changePart || act == .signRecord
            // The other side's value of a field is taken.
            case .conflict: act == .changeRecord
            // It asks for no state.
            case .erasure: act == .changeRecord && !hasReason
            // What was changed since is never taken back.
            case .undo: act != .changeRecord && act != .signRecord && role != "LECTOR"
            }
        }
    }

    private static let states = StateMachine(
        field: "status", initial: "BORRADOR",
        transitions: [
            .init(from: "BORRADOR", to: "EN_REVISION", roles: ["CAMPO", "COORDINADOR"]),
            .init(from: "EN_REVISION", to: "APROBADO", roles: ["COORDINADOR"]),
            .init(from: "EN_REVISION", to: "ANULADO", roles: ["COORDINADOR"]),
            .init(from: "APROBADO", to: "BORRADOR", roles: ["JEFE"]),
            .init(from: "APROBADO", to: "ARCHIVADO", roles: ["JEFE", "COORDINADOR"]),
            .init(from: "ARCHIVADO", to: "BORRADOR", roles: ["JEFE"]),
            .init(from: "APROBADO", to: "FIJADO", roles: ["JEFE"]),
        ], closed: ["ARCHIVADO", "FIJADO"], frozen: ["FIJADO"])
    private static let all = ["BORRADOR", "EN_REVISION", "APROBADO", "ARCHIVADO", "FIJADO", "ANULADO"]

    private static func pack() -> Pack {
        var pack = PitPack.make { entities in
            for index in entities.indices {
                if entities[index].name == "calicatas" {
                    entities[index].states = states
                    // Who signed stands in the title here.
                    for field in entities[index].fields.indices where entities[index].fields[field].name == "title" {
                        entities[index].fields[field].act = "APROBADO"
                    }
                }
                guard entities[index].name == "calicata_cortes" else { continue }
                entities[index].deletion = .init(roles: ["CAMPO", "COORDINADOR", "JEFE", "GERENCIA"], states: [])
            }
        }
        // Pits stand for people here.
        pack.subjects = SubjectDefinition(
            entity: "calicatas", identity: ["id"], mentions: [],
            rows: [.init(entity: "calicata_cortes", by: "calicata_id", fate: .delete, clears: [])])
        pack.roles += ["CAMPO", "COORDINADOR", "JEFE"].map { name in
            Role(
                name: name, permissions: name == "JEFE" ? [.read, .import, .edit, .resolve] : [.read, .import, .edit],
                sees: ["public"])
        }
        return pack
    }

    /// What the pack says, in the words of its documentation: who may move a record on from a state
    /// may correct it there, where nobody may everybody does, and what is closed needs a reason.
    private func isAllowed(_ tried: Case) -> Bool {
        guard tried.role != "LECTOR" else { return false }
        if tried.door == .erasure { return tried.role == "GERENCIA" }
        // Nobody changes what is frozen, whatever the door (CHANGE-FROZEN).
        if tried.state == "FIJADO" { return false }
        if tried.door == .conflict, !["GERENCIA", "JEFE"].contains(tried.role) { return false }
        if tried.state == "ARCHIVADO", !tried.hasReason { return false }
        if tried.act == .signRecord, !signs(tried) { return false }
        let exits = Self.states.transitions.filter { move in
            move.from == tried.state || (tried.state == "ARCHIVADO" && move.to == tried.state)
        }
        let corrects = tried.state == "BORRADOR" || exits.isEmpty || exits.contains { $0.roles.contains(tried.role) }
        // What an administrator's file says may have been approved elsewhere, long ago.
        let isOfFile = tried.door == .file || tried.door == .rejects
        if isOfFile, tried.role == "GERENCIA" { return true }
        if isOfFile, tried.state == "ARCHIVADO" { return corrects && tried.hasReason }
        // A removal asks only whether the table's roles may remove and whether a reason is given.
        if tried.act == .removePart, tried.door == .edit { return true }
        return corrects
    }

    /// Who may lead a record to APROBADO signs; an administrator's file may tell of it.
    private func signs(_ tried: Case) -> Bool {
        tried.role == "COORDINADOR" || (tried.role == "GERENCIA" && tried.door != .edit && tried.door != .conflict)
    }

    @Test func everyDoorSaysTheSame() throws {
        let scene = try ReplicaScene(pack: Self.pack())
        try scene.importing([row("projects", "p1", ["code": .text("P1"), "name": .text("P1")])])
        var people: [String: Model.Actor] = ["GERENCIA": scene.actor]
        for (number, role) in ["CAMPO", "COORDINADOR", "JEFE", "LECTOR"].enumerated() {
            let id = "0190a000-0000-7000-8000-0000000000\(10 + number)"
            try scene.importing([
                row("profiles", id, [
                    "email": .text("\(role)@example.pe"), "role": .text(role), "status": .text("ACTIVO"),
                    "cached_at": .text("2026-01-01T00:00:00Z"),
                ])
            ])
            try scene.join("p1", id)
            people[role] = try scene.replica.actor(email: "\(role)@example.pe")
        }
        let cases = Door.allCases.flatMap { door in
            Act.allCases.flatMap { act in
                people.keys.sorted().flatMap { role in
                    Self.all.flatMap { state in
                        [false, true].map { Case(door: door, act: act, role: role, state: state, hasReason: $0) }
                    }
                }
            }
        }.filter(\.isPossible)
        try scene.importing(cases.indices.flatMap { number in
            [
                row("calicatas", "c\(number)", [
                    "project_id": .text("p1"), "code": .text("C-\(number)"), "depth_m": .integer(1),
                    "status": .text("BORRADOR"),
                ]),
                row("calicata_cortes", "s\(number)", [
                    "calicata_id": .text("c\(number)"), "number": .integer(1), "depth_to_m": .real(1),
                ]),
            ]
        })
        var (allowed, refused) = (0, 0)
        for (number, tried) in cases.enumerated() {
            let actor = try #require(people[tried.role])
            if tried.door == .undo {
                try #require(try act(tried, number, as: actor, scene, reason: nil, isFile: false), "\(tried)")
            }
            if tried.door == .conflict { try contest(number, scene) }
            _ = try scene.sql("""
                UPDATE calicatas SET status = '\(tried.state)',
                  content_stamp = content_stamp + (status <> '\(tried.state)') * 1000000 WHERE id = 'c\(number)'
                """)
            let before = try rows(scene, number)
            let reason = tried.hasReason ? "looked again" : nil
            let went =
                switch tried.door {
                case .undo: try undo(as: actor, scene, reason)
                case .erasure: try erase(number, as: actor, scene)
                default:
                    try act(
                        tried, number, as: actor, scene, reason: reason,
                        isFile: tried.door != .edit && tried.door != .conflict)
                }
            let expected = isAllowed(tried) && tried.door != .proposal
            #expect(went == expected, "\(tried)")
            #expect(try (rows(scene, number) != before) == expected, "\(tried)")
            if tried.door == .conflict {
                let open = try scene.sql(
                    "SELECT count(*) FROM conflicts WHERE entity_id = 'c\(number)' AND resolution_status = 'open'")
                #expect(open == [expected ? "0" : "1"], "\(tried)")
            }
            if tried.door == .proposal {
                // What the person could not correct is no conflict either, by which others would
                // lose the record.
                let exits = Self.states.transitions.filter { $0.from == tried.state }
                let corrects = isAllowed(with(tried) { $0.hasReason = true }) || exits.isEmpty
                let contests = tried.role != "LECTOR" && tried.state != "FIJADO" && (tried.role == "GERENCIA" || corrects)
                    && (tried.act != .signRecord || signs(tried))
                let rows = "entity_id IN ('c\(number)', 's\(number)')"
                let conflicts = try scene.sql("SELECT count(*) FROM conflicts WHERE \(rows)")
                #expect(conflicts == [contests ? "1" : "0"], "\(tried)")
            }
            if expected { allowed += 1 } else { refused += 1 }
        }
        #expect(allowed > 150 && refused > 150, "\(allowed) \(refused)")
        // Each row that an undo touched has its entry, in its project.
        let told = try scene.sql("""
            SELECT DISTINCT action, project_id FROM activity_logs
            WHERE action IN ('row_restored', 'row_put_back', 'row_taken_back') ORDER BY 1
            """)
        #expect(told == ["row_put_back|p1", "row_restored|p1", "row_taken_back|p1"])
    }

    private func with(_ tried: Case, _ change: (inout Case) -> Void) -> Case {
        var other = tried
        change(&other)
        return other
    }

    private func rows(_ scene: ReplicaScene, _ number: Int) throws -> [String] {
        try scene.sql("""
            SELECT id, depth_m, title FROM calicatas WHERE id = 'c\(number)'
            UNION ALL SELECT id, number, depth_to_m FROM calicata_cortes WHERE calicata_id = 'c\(number)' ORDER BY 1
            """)
    }

    private func erase(_ number: Int, as actor: Model.Actor, _ scene: ReplicaScene) throws -> Bool {
        do {
            _ = try scene.replica.erase("c\(number)", context: context(actor), isDryRun: false)
            return true
        } catch is ActorFailure {
            return false
        }
    }

    /// A file of the administrator's differs, and nobody has decided yet.
    private func contest(_ number: Int, _ scene: ReplicaScene) throws {
        let request = scene.request(policy: .conflict)
        _ = try scene.replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) { session in
            try session.store(row("calicatas", "c\(number)", ["depth_m": .integer(7)]))
        }
    }

    @Test func theTableHasEveryDoor() throws {
        let root = ProjectFolder.root.appendingPathComponent("Sources/Pipeline")
        var found: Set<String> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) where name.hasSuffix(".swift") {
            let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
            for call in text.matches(of: /replica\.(importRows|undoImport|erase)\(/) {
                found.insert("\(name) \(call.output.1)")
            }
        }
        #expect(found == Set(Self.doors.keys))
        #expect(Set(Self.doors.values.joined()) == Set(Door.allCases))
    }

    private func act(
        _ tried: Case, _ number: Int, as actor: Model.Actor, _ scene: ReplicaScene, reason: String?, isFile: Bool
    ) throws -> Bool {
        var request = scene.request(policy: tried.door == .proposal ? .conflict : .update, as: actor)
        request.reason = reason
        if !isFile {
            (request.origin, request.permission) = (.person, .edit)
            (request.source, request.format) = ("edit", "command")
        }
        if tried.door == .conflict {
            let open = try scene.sql(
                "SELECT id FROM conflicts WHERE entity_id = 'c\(number)' AND resolution_status = 'open'")
            request.decision = ConflictDecision(conflictID: try #require(open.first), side: .remote)
            request.permission = actor.role.permissions.contains(.resolve) ? .resolve : .edit
        }
        if tried.door == .rejects { (request.source, request.format) = ("rejects", "rejects") }
        do {
            let findings = FindingList()
            let account = try scene.replica.importRows(request, findings: findings, finishedAt: { testTime }) {
                session in
                switch tried.act {
                case .changeRecord: try session.store(row("calicatas", "c\(number)", ["depth_m": .integer(7)]))
                case .signRecord: try session.store(row("calicatas", "c\(number)", ["title": .text("me")]))
                case .changePart: try session.store(row("calicata_cortes", "s\(number)", ["depth_to_m": .real(0.5)]))
                case .addPart:
                    try session.store(row("calicata_cortes", "n\(number)", [
                        "calicata_id": .text("c\(number)"), "number": .integer(2), "depth_to_m": .real(2),
                    ]))
                case .removePart:
                    let (entity, place) = ("calicata_cortes", Place(file: "delete"))
                    var batch = ImportedBatch(entity: entity, fields: [], place: place, raw: RawCells(headings: []))
                    batch.delete(ImportedDeletion(entity: entity, id: "s\(number)", remote: "{}", place: place))
                    try session.store(&batch)
                }
            }
            return account.lines.contains { $0.counts.imported + $0.counts.updated > 0 } || account.removed != nil
        } catch is ChangeFailure {
            return false
        } catch is ActorFailure {
            return false
        }
    }

    private func context(_ actor: Model.Actor) -> RunContext {
        RunContext(
            id: UUIDv7.make(at: testTime), asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV",
            actor: actor, programVersion: "1")
    }

    private func undo(as actor: Model.Actor, _ scene: ReplicaScene, _ reason: String?) throws -> Bool {
        do {
            _ = try scene.replica.undoImport("last", context: context(actor), reason: reason)
            return true
        } catch let failure as UndoFailure {
            #expect(["UNDO-STATE", "UNDO-CLOSED"].contains(failure.code), "\(failure)")
            return false
        }
    }
}
