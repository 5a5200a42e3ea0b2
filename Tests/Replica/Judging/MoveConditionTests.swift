import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// A transition with conditions is made only by the person whom the record named before, and only
/// if the record breaks none of its rules then, by every door.
@Suite struct MoveConditionTests {
    private static let (ana, luis) = (JudgedScene.id(of: "ana"), JudgedScene.id(of: "luis"))
    private static let closed = ["status": MemoryRows.Value.text("CERRADO"), "depth_m": .integer(2)]

    private static func pack() throws -> Pack {
        var pack = PitPack.make { entities in
            for index in entities.indices where entities[index].name == "calicatas" {
                entities[index].fields.append(PitPack.reference("inspector_id", "profiles"))
                entities[index].states = StateMachine(
                    field: "status", initial: "BORRADOR",
                    transitions: [
                        .init(
                            from: "BORRADOR", to: "CERRADO", roles: ["CAMPO"], own: "inspector_id",
                            require: ["DEPTH", "CLIENT"]),
                        .init(from: "BORRADOR", to: "CERRADO", roles: ["JEFE"], require: ["DEPTH"]),
                        .init(from: "CERRADO", to: "BORRADOR", roles: ["CAMPO", "JEFE"]),
                        // A new record was never there, so this move frees none.
                        .init(from: "OBSERVADO", to: "CERRADO", roles: ["CAMPO"]),
                    ])
            }
        }
        pack.rules = try [("DEPTH", "depth_m is not null"), ("CLIENT", "project_id.client is not null")].map {
            code, demand in
            Rule(
                code: code, entity: "calicatas", severity: .warning,
                when: try ExpressionParser.parse("status = 'CERRADO'"),
                check: .row(try ExpressionParser.parse(demand)))
        }
        return pack
    }

    @Test(arguments: [false, true])
    func onlyThePersonNamedMovesIt(isFile: Bool) throws {
        let scene = try JudgedScene(Self.pack())
        let state = "SELECT status FROM calicatas WHERE id = 'cp1'"
        // Naming oneself by the same change does not help.
        for own in [[:], ["inspector_id": MemoryRows.Value.text(Self.luis)]] {
            let values = Self.closed.merging(own) { first, _ in first }
            #expect(try scene.change(as: "luis", isFile: isFile, values) == ["CHANGE-OWN-MOVE"])
        }
        for name in ["ana", "rosa"] {
            // What the move demands may come with it, and not without it.
            let without = ["status": MemoryRows.Value.text("CERRADO"), "depth_m": .null]
            #expect(try scene.change(as: name, isFile: isFile, without) == ["CHANGE-MOVE-RULE DEPTH"])
            #expect(try scene.replica.sql(state) == ["BORRADOR"])
            #expect(try scene.change(as: name, isFile: isFile, Self.closed).isEmpty)
            #expect(try scene.replica.sql(state) == ["CERRADO"])
            #expect(
                try scene.change(as: name, isFile: isFile, ["status": .text("BORRADOR"), "depth_m": .null]).isEmpty)
        }
        // A rule may look at the record's project; one of another transition does not count.
        #expect(try scene.change(as: "ana", isFile: isFile, id: "cp2", Self.closed) == ["CHANGE-MOVE-RULE CLIENT"])
        #expect(try scene.change(as: "rosa", isFile: isFile, id: "cp2", Self.closed).isEmpty)
    }

    @Test func aNewRecordInThatStateMeetsTheConditionsToo() throws {
        let scene = try JudgedScene(Self.pack())
        func new(_ id: String, _ person: String, _ depth: MemoryRows.Value) throws -> Set<String> {
            let values: [String: MemoryRows.Value] = [
                "project_id": .text("p1"), "code": .text(id), "status": .text("CERRADO"), "inspector_id": .text(person),
                "depth_m": depth,
            ]
            return try scene.change(as: "luis", isFile: true, id: id, values)
        }
        #expect(try new("c2", Self.ana, .integer(1)) == ["CHANGE-OWN-MOVE"])
        #expect(try new("c3", Self.luis, .null) == ["CHANGE-MOVE-RULE DEPTH"])
        #expect(try new("c4", Self.luis, .integer(1)).isEmpty)
        #expect(try scene.replica.sql("SELECT id FROM calicatas ORDER BY id") == ["c4", "cp1", "cp2"])
    }

    /// Whoever could not have made a move does not take it back either.
    @Test func undoIsSuchAMoveToo() throws {
        let scene = try JudgedScene(Self.pack())
        #expect(try scene.change(as: "ana", isFile: false, Self.closed).isEmpty)
        let id = try scene.lastChange()
        #expect(throws: ActorFailure.self) { try scene.undo(id, as: "luis") }
        #expect(try scene.replica.sql("SELECT status FROM calicatas WHERE id = 'cp1'") == ["CERRADO"])
        try scene.undo(id, as: "ana")
        #expect(try scene.replica.sql("SELECT status FROM calicatas WHERE id = 'cp1'") == ["BORRADOR"])
    }
}
