import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// A move with `own` is made only by the person whom the record named before, by every door; a
/// second move without it frees its roles.
@Suite struct OwnMoveTests {
    private static let (ana, luis, rosa) = (
        "0190a000-0000-7000-8000-000000000011", "0190a000-0000-7000-8000-000000000012",
        "0190a000-0000-7000-8000-000000000013"
    )

    private static func pack() -> Pack {
        var pack = PitPack.make { entities in
            for index in entities.indices where entities[index].name == "calicatas" {
                entities[index].fields.append(PitPack.reference("inspector_id", "profiles"))
                entities[index].states = StateMachine(
                    field: "status", initial: "BORRADOR",
                    transitions: [
                        .init(from: "BORRADOR", to: "CERRADO", roles: ["CAMPO", "JEFE"], own: "inspector_id"),
                        .init(from: "BORRADOR", to: "CERRADO", roles: ["JEFE"]),
                        .init(from: "CERRADO", to: "BORRADOR", roles: ["CAMPO", "JEFE"]),
                    ])
            }
        }
        pack.roles += ["CAMPO", "JEFE"].map {
            Role(name: $0, permissions: [.read, .import, .edit], sees: ["public"])
        }
        return pack
    }

    private func scene() throws -> ReplicaScene {
        let scene = try ReplicaScene(pack: Self.pack())
        try scene.importing([row("projects", "p1", ["code": .text("P1"), "name": .text("P1")])])
        for (id, name, role) in [(Self.ana, "ana", "CAMPO"), (Self.luis, "luis", "CAMPO"), (Self.rosa, "rosa", "JEFE")] {
            try scene.importing([
                row("profiles", id, [
                    "email": .text("\(name)@example.pe"), "role": .text(role), "status": .text("ACTIVO"),
                    "cached_at": .text("2026-01-01T00:00:00Z"),
                ])
            ])
            try scene.join("p1", id)
        }
        try scene.importing([
            row("calicatas", "c1", [
                "project_id": .text("p1"), "code": .text("C-1"), "status": .text("BORRADOR"),
                "inspector_id": .text(Self.ana),
            ])
        ])
        return scene
    }

    /// Returns the codes of the findings.
    private func change(
        _ scene: ReplicaScene, as name: String, isFile: Bool, id: String = "c1", _ values: [String: MemoryRows.Value]
    ) throws -> Set<String> {
        var request = scene.request(policy: .update, as: try scene.replica.actor(email: "\(name)@example.pe"))
        if !isFile {
            (request.origin, request.permission) = (.person, .edit)
            (request.source, request.format) = ("edit", "command")
        }
        let findings = FindingList()
        do {
            _ = try scene.replica.importRows(request, findings: findings, finishedAt: { testTime }) { session in
                try session.store(row("calicatas", id, values))
            }
        } catch is ChangeFailure {
        } catch is ActorFailure {}
        return Set(findings.findings.map(\.code))
    }

    @Test func onlyThePersonNamedMovesIt() throws {
        let scene = try scene()
        let state = "SELECT status FROM calicatas WHERE id = 'c1'"
        for isFile in [false, true] {
            // Naming oneself by the same change does not help.
            for values in [["status": MemoryRows.Value.text("CERRADO")], ["status": .text("CERRADO"), "inspector_id": .text(Self.luis)]] {
                #expect(try change(scene, as: "luis", isFile: isFile, values).contains("CHANGE-OWN-MOVE"), "\(isFile)")
                #expect(try scene.sql(state) == ["BORRADOR"])
            }
            for name in ["ana", "rosa"] {
                #expect(try change(scene, as: name, isFile: isFile, ["status": .text("CERRADO")]).isEmpty, "\(name)")
                #expect(try scene.sql(state) == ["CERRADO"])
                #expect(try change(scene, as: name, isFile: isFile, ["status": .text("BORRADOR")]).isEmpty)
            }
        }
    }

    @Test func aNewRecordInThatStateNamesItsPerson() throws {
        let scene = try scene()
        func new(_ id: String, _ person: String) -> [String: MemoryRows.Value] {
            ["project_id": .text("p1"), "code": .text(id), "status": .text("CERRADO"), "inspector_id": .text(person)]
        }
        #expect(try change(scene, as: "luis", isFile: true, id: "c2", new("C-2", Self.ana)) == ["CHANGE-OWN-MOVE"])
        #expect(try change(scene, as: "luis", isFile: true, id: "c3", new("C-3", Self.luis)).isEmpty)
        #expect(try scene.sql("SELECT id FROM calicatas ORDER BY id") == ["c1", "c3"])
    }

    /// The undo of a person's own step back would be another's step on.
    @Test func undoIsSuchAMoveToo() throws {
        let scene = try scene()
        _ = try change(scene, as: "ana", isFile: false, ["status": .text("CERRADO")])
        func undo(_ name: String) throws {
            let context = RunContext(
                id: UUIDv7.make(at: testTime), asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV",
                actor: try scene.replica.actor(email: "\(name)@example.pe"), programVersion: "1")
            _ = try scene.replica.undoImport("last", context: context, reason: nil)
        }
        #expect(throws: ActorFailure.self) { try undo("luis") }
        #expect(try scene.sql("SELECT status FROM calicatas") == ["CERRADO"])
        try undo("ana")
        #expect(try scene.sql("SELECT status FROM calicatas") == ["BORRADOR"])
    }
}
