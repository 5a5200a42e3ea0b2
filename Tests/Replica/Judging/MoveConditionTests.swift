import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// A transition with conditions is made only by the person whom the record named before, and only
/// if the record breaks none of its rules then, by every door.
@Suite struct MoveConditionTests {
    private static let people = [
        ("ana", "0190a000-0000-7000-8000-000000000011", "CAMPO"), ("luis", "0190a000-0000-7000-8000-000000000012", "CAMPO"),
        ("rosa", "0190a000-0000-7000-8000-000000000013", "JEFE"),
    ]
    private static let (ana, luis) = (people[0].1, people[1].1)
    private static let closed = ["status": MemoryRows.Value.text("CERRADO"), "depth_m": .integer(2)]

    private static func pack() throws -> Pack {
        var pack = PitPack.make { entities in
            for index in entities.indices where entities[index].name == "calicatas" {
                entities[index].fields.append(PitPack.reference("inspector_id", "profiles"))
                entities[index].states = StateMachine(
                    field: "status", initial: "BORRADOR",
                    transitions: [
                        .init(from: "BORRADOR", to: "CERRADO", roles: ["CAMPO"], own: "inspector_id", require: ["DEPTH", "CLIENT"]),
                        .init(from: "BORRADOR", to: "CERRADO", roles: ["JEFE"], require: ["DEPTH"]),
                        .init(from: "CERRADO", to: "BORRADOR", roles: ["CAMPO", "JEFE"]),
                    ])
            }
        }
        pack.roles += ["CAMPO", "JEFE"].map {
            Role(name: $0, permissions: [.read, .import, .edit], sees: ["public"])
        }
        pack.rules = try [("DEPTH", "depth_m is not null"), ("CLIENT", "project_id.client is not null")].map { code, demand in
            Rule(
                code: code, entity: "calicatas", severity: .warning, when: try ExpressionParser.parse("status = 'CERRADO'"),
                check: .row(try ExpressionParser.parse(demand)))
        }
        return pack
    }

    private func scene() throws -> ReplicaScene {
        let scene = try ReplicaScene(pack: Self.pack())
        try scene.importing([
            row("projects", "p1", ["code": .text("P1"), "name": .text("P1"), "client": .text("Obras")]),
            row("projects", "p2", ["code": .text("P2"), "name": .text("P2")]),
        ])
        try scene.importing(Self.people.map { name, id, role in
            row("profiles", id, [
                "email": .text("\(name)@example.pe"), "role": .text(role), "status": .text("ACTIVO"),
                "cached_at": .text("2026-01-01T00:00:00Z"),
            ])
        })
        for (_, id, _) in Self.people { for project in ["p1", "p2"] { try scene.join(project, id) } }
        try scene.importing(["p1", "p2"].map { project in
            row("calicatas", "c" + project, [
                "project_id": .text(project), "code": .text("C-1"), "status": .text("BORRADOR"), "inspector_id": .text(Self.ana),
            ])
        })
        return scene
    }

    /// Returns the codes of the findings.
    private func change(
        _ scene: ReplicaScene, as name: String, isFile: Bool, id: String = "cp1", _ values: [String: MemoryRows.Value]
    ) throws -> Set<String> {
        var request = scene.request(policy: .update, as: try scene.replica.actor(email: "\(name)@example.pe"))
        if !isFile {
            (request.origin, request.permission) = (.person, .edit)
            (request.source, request.format) = ("edit", "command")
        }
        let findings = FindingList()
        do {
            _ = try scene.replica.importRows(request, findings: findings, finishedAt: { testTime }) { session in
                try session.store(row("calicatas", id, values), in: scene.pack)
            }
        } catch let failure as ChangeFailure {
            if findings.findings.isEmpty { throw failure }
        }
        return Set(findings.findings.map { $0.code + ($0.arguments["demand"].map { " " + $0 } ?? "") })
    }

    @Test(arguments: [false, true])
    func onlyThePersonNamedMovesIt(isFile: Bool) throws {
        let scene = try scene()
        let state = "SELECT status FROM calicatas WHERE id = 'cp1'"
        // Naming oneself by the same change does not help.
        for own in [[:], ["inspector_id": MemoryRows.Value.text(Self.luis)]] {
            let values = Self.closed.merging(own) { first, _ in first }
            #expect(try change(scene, as: "luis", isFile: isFile, values) == ["CHANGE-OWN-MOVE"])
        }
        for name in ["ana", "rosa"] {
            // What the move demands may come with it, and not without it.
            let without = ["status": MemoryRows.Value.text("CERRADO"), "depth_m": .null]
            #expect(try change(scene, as: name, isFile: isFile, without) == ["CHANGE-MOVE-RULE DEPTH"])
            #expect(try scene.sql(state) == ["BORRADOR"])
            #expect(try change(scene, as: name, isFile: isFile, Self.closed).isEmpty)
            #expect(try scene.sql(state) == ["CERRADO"])
            #expect(try change(scene, as: name, isFile: isFile, ["status": .text("BORRADOR"), "depth_m": .null]).isEmpty)
        }
        // A rule may look at the record's project; one of another transition does not count.
        #expect(try change(scene, as: "ana", isFile: isFile, id: "cp2", Self.closed) == ["CHANGE-MOVE-RULE CLIENT"])
        #expect(try change(scene, as: "rosa", isFile: isFile, id: "cp2", Self.closed).isEmpty)
    }

    @Test func aNewRecordInThatStateMeetsTheConditionsToo() throws {
        let scene = try scene()
        func new(_ id: String, _ person: String, _ depth: MemoryRows.Value) throws -> Set<String> {
            let values: [String: MemoryRows.Value] = [
                "project_id": .text("p1"), "code": .text(id), "status": .text("CERRADO"), "inspector_id": .text(person), "depth_m": depth,
            ]
            return try change(scene, as: "luis", isFile: true, id: id, values)
        }
        #expect(try new("c2", Self.ana, .integer(1)) == ["CHANGE-OWN-MOVE"])
        #expect(try new("c3", Self.luis, .null) == ["CHANGE-MOVE-RULE DEPTH"])
        #expect(try new("c4", Self.luis, .integer(1)).isEmpty)
        #expect(try scene.sql("SELECT id FROM calicatas ORDER BY id") == ["c4", "cp1", "cp2"])
    }

    /// Whoever could not have made a move does not take it back either.
    @Test func undoIsSuchAMoveToo() throws {
        let scene = try scene()
        #expect(try change(scene, as: "ana", isFile: false, Self.closed).isEmpty)
        let id = try scene.sql("SELECT import_id FROM import_details ORDER BY stamp DESC LIMIT 1")[0]
        func undo(_ email: String, as role: String) throws {
            var actor = try scene.replica.actor(email: email)
            actor.role = try #require(scene.pack.role(role))
            actor.role.permissions.insert(.administer)
            let context = RunContext(
                id: UUIDv7.make(at: testTime), asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV",
                actor: actor, programVersion: "1")
            _ = try scene.replica.undoImport(id, context: context, reason: nil)
        }
        #expect(throws: ActorFailure.self) { try undo("luis@example.pe", as: "CAMPO") }
        #expect(try scene.sql("SELECT status FROM calicatas WHERE id = 'cp1'") == ["CERRADO"])
        try undo("ana@example.pe", as: "CAMPO")
        #expect(try scene.sql("SELECT status FROM calicatas WHERE id = 'cp1'") == ["BORRADOR"])
    }
}
