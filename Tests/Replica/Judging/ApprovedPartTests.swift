import Foundation
import Testing
import Validating
import Workbench

@testable import Model
@testable import Replica

/// A part that has states of its own is vouched for like a record: by its own rows alone.
@Suite struct ApprovedPartTests {
    /// Strata are closed, and a closed one must say where it begins.
    private static func pack() throws -> Pack {
        var pack = PitPack.make { entities in
            guard let index = entities.firstIndex(where: { $0.name == "calicata_cortes" }) else { return }
            entities[index].states = StateMachine(
                field: "sucs", initial: "ABIERTO", transitions: [.init(from: "ABIERTO", to: "CERRADO", roles: ["GERENCIA"])],
                approves: ["CERRADO"])
        }
        pack.rules = try [
            Rule(
                code: "CLOSED-BEGINS", entity: "calicata_cortes", severity: .error, when: ExpressionParser.parse("sucs = 'CERRADO'"),
                check: .row(ExpressionParser.parse("depth_from_m is not null"))),
            Rule(
                code: "ENDS", entity: "calicata_cortes", severity: .error,
                check: .row(ExpressionParser.parse("depth_to_m > depth_from_m"))),
        ]
        return pack
    }

    private static func id(_ number: Int) -> String { "0190a000-0000-7000-8000-0000000000\(number + 10)" }

    @Test func anErrorOfThePartHoldsItBack() throws {
        let pack = try Self.pack()
        let scene = try ReplicaScene(pack: pack)
        let (pit, strata) = (Self.id(10), (1...3).map(Self.id))
        func close(_ number: Int, from: MemoryRows.Value, to: Double = 9) throws {
            var request = scene.request(policy: .update)
            request.origin = .person
            request.validation = RecordValidation(in: .gmt) { reading in
                _ = try Validator(pack: pack).validate(reading, into: reading.findings)
            }
            _ = try scene.replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) { session in
                let entity = try #require(pack.entity("calicata_cortes"))
                try session.store(row("calicata_cortes", strata[number - 1], ["sucs": .text("CERRADO"), "depth_from_m": from, "depth_to_m": .real(to)]), of: entity)
            }
        }
        func states() throws -> [String] { try scene.sql("SELECT sucs FROM calicata_cortes ORDER BY id") }
        let project = ["code": MemoryRows.Value.text("TPA"), "org_id": .text(Self.id(11))]
        try scene.importing(
            [row("projects", ReplicaScene.project, project), row("calicatas", pit, ["project_id": .text(ReplicaScene.project), "code": .text("C-01")])]
                + strata.enumerated().map { index, id in
                    row("calicata_cortes", id, ["calicata_id": .text(pit), "number": .integer(Int64(index + 1)), "depth_to_m": .real(2)])
                })
        try scene.join(ReplicaScene.project, scene.actor.id)
        _ = try scene.sql("UPDATE calicata_cortes SET sucs = 'ABIERTO'")
        // What the new state itself brings, and what was wrong in the draft.
        for refused in [(MemoryRows.Value.null, 9.0, "CLOSED-BEGINS"), (.real(3), 2, "ENDS")] {
            #expect { try close(2, from: refused.0, to: refused.1) } throws: { error in
                (error as? any Failure)?.code == "CHANGE-FINDINGS" && "\(error)".contains("C-01 / 2 (\(refused.2))")
            }
        }
        #expect(try states() == ["ABIERTO", "ABIERTO", "ABIERTO"])
        // Another part's error is that part's.
        _ = try scene.sql("UPDATE calicata_cortes SET depth_from_m = 5 WHERE id = '\(strata[0])'")
        try close(2, from: .real(1))
        #expect(try states() == ["ABIERTO", "CERRADO", "ABIERTO"])
    }

    @Test func aPartHasThePartsThatLeadToIt() throws {
        var pack = PitPack.make()
        let samples = RecordKind.Part(entity: "samples", by: FieldPath("corte_id.calicata_id"))
        pack.records[0].parts.append(samples)
        let kinds = pack.records(rootedAt: "calicata_cortes")
        #expect(kinds == [RecordKind(name: "calicata_cortes", root: "calicata_cortes", parts: [.init(entity: "samples", by: FieldPath("corte_id"))])])
        #expect(pack.records(rootedAt: "calicatas") == pack.records && pack.records(rootedAt: "samples").map(\.parts) == [[]])
    }
}
