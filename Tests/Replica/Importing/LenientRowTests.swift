import Model
import Testing
import Workbench

@testable import Replica

/// Rows of lenient targets come in without a reference that leads nowhere, values for new rows only
/// leave old ones alone, and a doubled membership is told.
@Suite struct LenientRowTests {
    private let scene: ReplicaScene
    private let strata: Entity

    init() throws {
        let pack = PitPack.make { entities in
            guard let strata = entities.firstIndex(where: { $0.name == "calicata_cortes" }) else { return }
            entities[strata].fields.append(PitPack.reference("below_id", "calicata_cortes"))
        }
        scene = try ReplicaScene(pack: pack)
        strata = try #require(pack.entity("calicata_cortes"))
        try scene.importing(smallPit)
    }

    /// Imports one stratum, as a lenient target's row.
    private func bring(_ id: String, _ values: [String: MemoryRows.Value], _ findings: FindingList) throws
        -> ImportAccount
    {
        try scene.importing(
            [], policy: .update, findings: findings,
            after: { session in
                var batch = row("calicata_cortes", id, values).batch(of: strata)
                batch.isLenient = true
                var stretch = ImportedStretch([batch], read: 1)
                try session.store(&stretch)
            })
    }

    @Test func aReferenceThatLeadsNowhereIsLeftOut() throws {
        let findings = FindingList()
        let new = ["calicata_id": MemoryRows.Value.text("c1"), "number": .integer(9), "below_id": .text("nowhere")]
        #expect(try bring("s9", new, findings).total.imported == 1)
        // An update keeps the reference that was there, and takes the rest.
        _ = try bring("s1", ["below_id": .text("s2")], findings)
        #expect(findings.findings.map(\.code) == ["IMPORT-VALUE-LEFT-OUT"])
        #expect(
            findings.findings[0].place.field == "below_id" && findings.findings[0].arguments == ["value": "nowhere"])
        #expect(try bring("s1", ["below_id": .text("lost"), "sucs": .text("GP")], findings).total.updated == 1)
        #expect(
            try scene.sql("SELECT id, sucs, below_id FROM calicata_cortes WHERE id IN ('s1', 's9')") == [
                "s1|GP|s2", "s9||",
            ])
        #expect(try scene.sql(#"SELECT count(*) FROM import_changes WHERE before = '{"sucs":null}'"#) == ["1"])
        // What leads to the row's record is no such reference.
        let astray = ["calicata_id": MemoryRows.Value.text("nowhere"), "number": .integer(10)]
        #expect(try bring("s10", astray, findings).total.rejected == 1)
        #expect(try scene.sql("PRAGMA foreign_key_check; SELECT count(*) FROM calicata_cortes") == ["4"])
    }

    @Test func valuesForNewRowsLeaveOldOnesAlone() throws {
        func bringNew(_ id: String) throws {
            try scene.importing(
                [], policy: .update,
                after: { session in
                    let fields = ["calicata_id", "number", "sucs", "id"].compactMap { strata.position(ofField: $0) }
                    var batch = ImportedBatch(
                        entity: "calicata_cortes", fields: fields, place: Place(file: "f"),
                        raw: RawCells(headings: [], isText: true))
                    for value in [MemoryRows.Value.text("c1"), .integer(1), .text("GW"), .text(id)] {
                        batch.rows.append(value)
                    }
                    // The value stands in the row, which does not state it.
                    batch.endRow(line: 1, shape: [true, true, false, true])
                    var stretch = ImportedStretch([batch], read: 1)
                    try session.store(&stretch)
                })
        }
        for id in ["s1", "s9"] { try bringNew(id) }
        #expect(try scene.sql("SELECT id, sucs FROM calicata_cortes WHERE id IN ('s1', 's9')") == ["s1|", "s9|GW"])
    }

    @Test func aSecondMembershipIsTold() throws {
        let findings = FindingList()
        try scene.join(ReplicaScene.project, scene.actor.id)
        let member = ["project_id": MemoryRows.Value.text(ReplicaScene.project), "profile_id": .text(scene.actor.id)]
        try scene.importing([row("project_members", "again", member)], findings: findings)
        #expect(findings.findings.map(\.code) == ["IMPORT-DOUBLED"] && findings.findings[0].place.id == "again")
    }
}
