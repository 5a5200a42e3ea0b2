import Foundation
import Model
import Testing
import Workbench

@testable import Replica

/// References that are checked at the end of an import, and photos whose files come after their
/// rows.
@Suite struct ImportReferenceTests {
    let scene: ReplicaScene
    init() throws { scene = try ReplicaScene() }

    @Test func childrenMayComeBeforeTheirParents() throws {
        let report = try scene.importing(smallPit.reversed())
        #expect(report.total.imported == 5)
        #expect(try scene.sql("SELECT count(*), count(DISTINCT project_id) FROM sync_queue WHERE entity_type <> 'profiles'") == ["5|1"])
        #expect(try scene.sql("SELECT count(*) FROM activity_logs WHERE action = 'row_imported'") == ["5"])
        #expect(try scene.sql("SELECT count(*) FROM calicata_cortes; PRAGMA foreign_key_check") == ["3"])
    }

    @Test(arguments: [false, true]) func whatDanglesGoesToQuarantineWithAllThatDependsOnIt(isReversed: Bool) throws {
        let lost: [ImportedRow] = [
            row("calicatas", "c2", ["project_id": .text("nowhere"), "code": .text("C-02")]),
            row("calicata_cortes", "t1", ["calicata_id": .text("c2")]), row("calicata_cortes", "t2", ["calicata_id": .text("c2")]),
            row("calicata_photos", "f1", ["calicata_id": .text("c2")]),
        ]
        let findings = FindingList()
        let report = try scene.importing(smallPit + (isReversed ? lost.reversed() : lost), findings: findings)
        #expect(report.total.imported == 5 && report.total.rejected == 1 && report.total.waiting == 3 && report.total.read == 9)
        let pit = findings.findings.first { $0.place.id == "c2" }
        // One row is wrong. The rows that depend on it are reported once for each table.
        #expect(findings.findings.map(\.code) == ["FIELD-REFERENCE", "IMPORT-WAITS", "IMPORT-WAITS"] && findings.findings.allSatisfy { $0.severity == .error })
        #expect(findings.findings.dropFirst().map { $0.arguments["count"] }.sorted { ($0 ?? "") < ($1 ?? "") } == ["1", "2"])
        #expect(findings.findings.dropFirst().allSatisfy { $0.place.id == "c2" && $0.place.line == pit?.place.line })
        let open = try scene.replica.rejects(seenBy: scene.actor)
        #expect(open.count == 1 && open.first?.waiting == 3)
        #expect(try scene.replica.rejects(seenBy: scene.actor, state: .waiting).map(\.waitsFor) == Array(repeating: open.first?.id, count: 3))
        #expect(pit?.arguments == ["value": "nowhere", "target": "projects"])
        #expect(pit?.place.field == "project_id" && pit?.place.line == 7)
        #expect(try scene.sql("SELECT count(*) FROM calicatas; SELECT count(*) FROM calicata_cortes; PRAGMA foreign_key_check") == ["1", "3"])
        #expect(try scene.sql("SELECT count(*), count(DISTINCT raw) FROM rejects") == ["4|4"])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue WHERE entity_id IN ('c2', 't1', 't2', 'f1')") == ["0"])
        #expect(try scene.sql("SELECT count(*) FROM activity_logs WHERE entity_id IN ('c2', 't1', 't2', 'f1')") == ["0"])
    }

    /// A row is called as people know it, also if what it refers to beside its record is missing, and
    /// so is the row for which others wait.
    @Test func whatDanglesIsNamedWithItsOwners() throws {
        let pack = PitPack.make { entities in
            guard let strata = entities.firstIndex(where: { $0.name == "calicata_cortes" }) else { return }
            entities[strata].fields.append(PitPack.reference("below_id", "calicata_cortes"))
        }
        let scene = try ReplicaScene(pack: pack)
        try scene.importing(smallPit)
        func stratum(_ id: String, _ number: Int64, below: String) -> ImportedRow {
            row("calicata_cortes", id, ["calicata_id": .text("c1"), "number": .integer(number), "below_id": .text(below)])
        }
        let findings = FindingList()
        let strata = try #require(pack.entity("calicata_cortes"))
        try scene.importing([], findings: findings, after: { session in
            for row in [stratum("s9", 9, below: "nowhere"), stratum("s10", 10, below: "s9")] { try session.store(row, of: strata) }
        })
        let pit = try #require(scene.sql("SELECT p.code || ' / ' || c.code FROM calicatas AS c JOIN projects AS p ON p.id = c.project_id WHERE c.id = 'c1'").first)
        #expect(findings.findings.map { "\($0.code) \($0.place.key ?? "-")" } == ["FIELD-REFERENCE \(pit) / 9", "IMPORT-WAITS \(pit) / 9"])
    }

    @Test func whatWaitsIsFreeOnceItsRecordIsHere() throws {
        let lost = row("calicatas", "c2", ["project_id": .text("nowhere"), "code": .text("C-02")])
        let stratum = row("calicata_cortes", "t1", ["calicata_id": .text("c2"), "number": .integer(4)])
        try scene.importing(smallPit + [lost])
        // A row whose parent was rejected by an earlier import waits for the parent.
        let findings = FindingList()
        #expect(try scene.importing([stratum], findings: findings).total.waiting == 1)
        #expect(findings.findings.map(\.code) == ["IMPORT-WAITS"] && findings.findings[0].place.line == 7)
        #expect(try scene.replica.rejects(seenBy: scene.actor, state: .waiting).first?.findings.first?.code == "FIELD-REFERENCE")
        // A second import of the same row does not make it wait twice.
        try scene.importing([stratum])
        #expect(try scene.sql("SELECT count(*) FROM rejects; SELECT count(*) FROM reject_details WHERE waits_for IS NOT NULL") == ["2", "1"])
        // A corrected source stores both rows.
        let mended = row("calicatas", "c2", ["project_id": .text(ReplicaScene.project), "code": .text("C-02")])
        #expect(try scene.importing([mended, stratum]).total.imported == 2)
        #expect(try scene.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == ["0"])
    }

    @Test func anUpdateThatDanglesIsTakenBackExactly() throws {
        try scene.importing(smallPit)
        let before = try scene.sql("SELECT * FROM calicatas; SELECT * FROM sync_queue")
        let moved = row("calicatas", "c1", ["project_id": .text("nowhere"), "depth_m": .real(0.1 + 0.2)])
        let report = try scene.importing(
            [moved, row("calicata_cortes", "s4", ["calicata_id": .text("c1"), "number": .integer(4)])], policy: .update)
        #expect(report.total.rejected == 1 && report.total.updated == 0)
        #expect(Array(try scene.sql("SELECT * FROM calicatas; SELECT * FROM sync_queue").prefix(before.count)) == before)
        // The stratum goes in, because the replica still has its pit.
        #expect(report.total.imported == 1)
        #expect(try scene.sql("SELECT count(*) FROM sync_queue WHERE entity_id = 's4'") == ["1"])
    }

    @Test func anUpdateMayLeadToARowThatComesLater() throws {
        try scene.importing(smallPit)
        let findings = FindingList()
        let report = try scene.importing(
            [row("calicatas", "c1", ["project_id": .text("p2")]), row("projects", "p2", ["code": .text("P2")])], policy: .update,
            findings: findings)
        #expect(findings.findings.map(\.code) == ["IMPORT-MOVED"])
        #expect(findings.findings.first?.arguments == ["from": "TPA", "to": "p2"])
        #expect(report.total.updated == 1 && report.total.imported == 1)
        #expect(try scene.sql("SELECT operation, project_id FROM sync_queue WHERE entity_id = 'c1' ORDER BY rowid")
            == ["INSERT|" + ReplicaScene.project, "UPDATE|p2"])
    }

    /// A mistyped number must not make a record where a file is to correct those that are there.
    @Test func aFileThatOnlyUpdatesBringsInNothingNew() throws {
        try scene.importing(smallPit)
        let (known, typo) = (row("calicatas", "c1", ["depth_m": .integer(3)]), row("calicatas", "c9", ["depth_m": .integer(4)]))
        let findings = FindingList()
        let report = try scene.importing([known, typo], policy: .updateOnly, findings: findings)
        #expect(report.total.updated == 1 && report.total.imported == 0 && report.total.rejected == 1)
        #expect(findings.findings.map(\.code) == ["IMPORT-NOT-HERE"] && findings.findings.first?.place.id == "c9")
        #expect(try scene.sql("SELECT id, depth_m FROM calicatas; SELECT count(*) FROM rejects WHERE state = 'open'") == ["c1|3.0", "1"])
    }

    @Test func aPhotosFileIsNoConflictAtTheNextImport() throws {
        let photo = row("calicata_photos", "f1", ["calicata_id": .text("c1"), "file_name": .text("a.jpg"), "local_path": .text("photos/a.jpg")])
        let file = ImportedPhoto(entity: "calicata_photos", id: "f1", localPath: "/store/ab/a.jpg", sha256: "ab", bytes: 10)
        var outcomes: [PhotoAttachment] = []
        let report = try scene.importing(smallPit + [photo], photos: { outcomes.append($1) }, after: { try $0.attachPhoto(file) })
        #expect(report.photosAttached == 1)
        #expect(try scene.sql("SELECT local_path, sha256, bytes FROM calicata_photos") == ["/store/ab/a.jpg|ab|10"])
        // The queue item for the upload has the digest of the file.
        #expect(try scene.sql("SELECT json_extract(payload_json, '$.sha256') FROM sync_queue WHERE entity_id = 'f1'") == ["ab"])
        for policy in ImportPolicy.allCases {
            let again = try scene.importing(smallPit + [photo], policy: policy, photos: { outcomes.append($1) }, after: { try $0.attachPhoto(file) })
            #expect(again.total.unchanged == 6 && again.photosAttached == 0)
        }
        try scene.importing([], photos: { outcomes.append($1) }, after: { session in
            try session.attachPhoto(ImportedPhoto(entity: "calicata_photos", id: "f1", localPath: "/x", sha256: "cd", bytes: 10))
            try session.attachPhoto(ImportedPhoto(entity: "calicata_photos", id: "f9", localPath: "/x", sha256: "cd", bytes: 10))
        })
        #expect(outcomes == [.attached, .unchanged, .unchanged, .unchanged, .unchanged, .otherContent, .noSuchRow])
        #expect(try scene.sql("SELECT local_path, sha256 FROM calicata_photos") == ["/store/ab/a.jpg|ab"])
    }

    @Test func aKilledWriterLeavesNothing() throws {
        // Another process acts as an import. It writes in a transaction and is killed before the
        // commit.
        let killed = try OtherProgram.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import sqlite3, sys, os, signal
                db = sqlite3.connect(sys.argv[1], isolation_level=None)
                db.execute("PRAGMA cache_size = 10")
                db.execute("BEGIN IMMEDIATE")
                db.executemany("INSERT INTO projects (id, code) VALUES (?, ?)", (("p%d" % i, "x" * 500) for i in range(5000)))
                os.kill(os.getpid(), signal.SIGKILL)
                """, scene.file,
            ])
        #expect(killed.status == 128 + SIGKILL)
        #expect(try scene.importing(smallPit).total.imported == 5)
        #expect(try scene.sql("SELECT count(*) FROM projects; PRAGMA integrity_check") == ["1", "ok"])
    }
}
