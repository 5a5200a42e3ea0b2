import Foundation
import GRDB
import Packs
import Photos
import Testing
import Validating
import Workbench

@testable import Model
@testable import Replica

/// A validation with kept verdicts gives the same findings as one that checks everything, after any
/// changes in between.
@Suite struct KeptVerdictTests {
    @Test(arguments: SeededNumbers.seeds(20_261_122, 3)) func isWhatAWholeValidationFinds(seed: UInt64) throws {
        var scene = try VerdictScene(seed: seed)
        for step in 0..<130 {
            var words: [String] = []
            // Between two validations, there may be several changes or none.
            for _ in 0..<Int.random(in: 0...4, using: &scene.random) { words.append(try scene.change()) }
            let eyes = scene.eyes.randomElement(using: &scene.random)!
            let day = Double(Int.random(in: 0...2, using: &scene.random)) * 86_400
            let keeps = Int.random(in: 0..<5, using: &scene.random) > 0
            let told = try scene.validate(as: eyes, on: day, recalling: true, keeping: keeps)
            let whole = try scene.validate(as: eyes, on: day, recalling: false)
            let place = "seed \(seed), step \(step), \(eyes.actor.role.name) \(eyes.projects): \(words.joined(separator: "; "))"
            let (lacking, wrong) = (Set(whole.lines).subtracting(told.lines), Set(told.lines).subtracting(whole.lines))
            try #require(lacking.isEmpty && wrong.isEmpty, "\(place)\nlacking: \(lacking.sorted())\nwrong: \(wrong.sorted())")
            // The findings must have the same order and number.
            try #require(told.lines == whole.lines, "\(place)")
            #expect(told.summary == whole.summary, "\(place)")
        }
        // Enough verdicts were reused, enough checks were repeated in part, and there were
        // findings.
        #expect(scene.extents[.none, default: 0] > 300 && scene.extents[.some, default: 0] > 1_000, "\(scene.extents)")
        #expect(scene.codes.count > 18, "\(scene.codes.sorted())")
        #expect(scene.codes.isSuperset(of: ["FIELD-UNIQUE", "CORTE-HUECO", "CALICATA-MISMO-LUGAR", "FOTO-REPETIDA", "FOTO-OTRA-CALICATA", "ENDS-LATER"]))
        #expect(scene.codes.contains("PHOTO-FILE-MISSING") && scene.codes.contains("PHOTO-NOT-JPEG"))
        #expect(scene.undone > 3)
    }

    /// A photo is part of its stratum, and so of the stratum's pit: what a pit's rules say follows
    /// changes of both, also of the way between them.
    @Test(arguments: SeededNumbers.seeds(11, 12, 13)) func partsOfPartsAreJudgedWithTheirRecord(seed: UInt64) throws {
        var scene = try VerdictScene(seed: seed) { pack in
            let way = FieldPath("corte_id.calicata_id")
            pack.records[0].parts = [RecordKind.Part(entity: "calicata_cortes", by: FieldPath("calicata_id")), RecordKind.Part(entity: "calicata_photos", by: way)]
            if let photos = pack.entities.firstIndex(where: { $0.name == "calicata_photos" }) { (pack.entities[photos].projectPath, pack.entities[photos].keyScope) = (FieldPath("corte_id.calicata_id.project_id"), "corte_id") }
            let joined = "calicata_photos AS p JOIN calicata_cortes AS s ON s.id = p.corte_id JOIN calicatas AS c ON c.id = s.calicata_id"
            pack.rules = [
                Rule(code: "COUNTED", entity: "calicatas", severity: .warning, check: .count(of: "calicata_photos", by: way, minimum: .number("1"), maximum: .number("2"))),
                Rule(code: "ROOTS", entity: "calicatas", severity: .warning, check: .query("SELECT c.id FROM \(joined) GROUP BY c.id HAVING count(*) > 1"), scope: .record),
                Rule(
                    code: "PARTS", entity: "calicata_photos", severity: .warning,
                    check: .query("SELECT p.id FROM \(joined) WHERE EXISTS (SELECT 1 FROM calicata_cortes AS o WHERE o.calicata_id = c.id AND o.id <> s.id)"), scope: .record),
                Rule(code: "LONELY", entity: "calicata_photos", severity: .warning, check: .query("SELECT id FROM calicata_photos WHERE corte_id IS NULL"), scope: .record),
            ]
        }
        for step in 0..<60 {
            var words: [String] = []
            for _ in 0..<Int.random(in: 0...3, using: &scene.random) { words.append(try scene.change()) }
            let eyes = scene.eyes.randomElement(using: &scene.random)!
            let told = try scene.validate(as: eyes, on: 0, recalling: true, keeping: true)
            let whole = try scene.validate(as: eyes, on: 0, recalling: false)
            let (lacking, wrong) = (Set(whole.lines).subtracting(told.lines), Set(told.lines).subtracting(whole.lines))
            try #require(lacking.isEmpty && wrong.isEmpty, "seed \(seed), step \(step), \(eyes.projects): \(words.joined(separator: "; "))\nlacking: \(lacking)\nwrong: \(wrong)")
        }
        #expect(scene.codes.isSuperset(of: ["COUNTED", "ROOTS", "PARTS", "LONELY"]), "\(scene.codes)")
        #expect(scene.extents[.some, default: 0] > 100, "\(scene.extents)")
    }

    @Test func whatStampsDoNotTellIsNoted() throws {
        let scene = try ReplicaScene()
        try scene.importing(smallPit + [row("calicatas", "c2", ["project_id": .text(ReplicaScene.project), "code": .text("C-02")])])
        func notes(_ sql: String) throws -> [String] {
            let before = try scene.sql("SELECT coalesce(max(n), 0) FROM touched_rows")[0]
            try scene.replica.write { try $0.execute(sql: sql) }
            return try scene.sql("SELECT entity, field, row_id FROM touched_rows WHERE n > \(before) ORDER BY 1, 2, 3")
        }
        #expect(try scene.sql("SELECT count(*) FROM touched_rows") == ["0"])
        #expect(try notes("UPDATE calicatas SET status = 'EXPORTADO' WHERE id = 'c1'") == ["calicatas||c1"])
        #expect(try notes("UPDATE calicatas SET status = 'BORRADOR', content_stamp = content_stamp + 1 WHERE id = 'c1'").isEmpty)
        #expect(try notes("UPDATE calicata_cortes SET calicata_id = 'c2', content_stamp = content_stamp + 1 WHERE id = 's1'") == ["calicata_cortes|calicata_id|c1"])
        #expect(try notes("DELETE FROM calicata_cortes WHERE id = 's1'") == ["calicata_cortes||s1", "calicata_cortes|calicata_id|c2"])
        #expect(try notes("DELETE FROM calicatas WHERE id = 'c1'") == [
            "calicata_cortes||s2", "calicata_cortes||s3", "calicata_cortes|calicata_id|c1", "calicata_cortes|calicata_id|c1", "calicatas||c1",
            "calicatas|project_id|\(ReplicaScene.project)",
        ])
    }

    /// A query gets the time of the run and not of the machine, so it finds the same again.
    @Test func queriesAskTheRunsClock() throws {
        let scene = try VerdictScene(seed: 6)
        let session = try scene.session(scene.eyes[0], on: 86_400)
        let words = "SELECT date('now') AS a, :today AS b, CURRENT_DATE AS c, strftime('%H:%M:%f', 'now') AS d, julianday() AS e"
        let rows = try allRows(session.query(words, columns: ["a", "b", "c", "d", "e"], seconds: 5))
        #expect(rows == [["2026-03-02", "2026-03-02", "2026-03-02", "12:00:00.000", "2461102.0"]])
    }

    /// A query that asks for the time is checked each time. A query that asks for the day is
    /// checked again on another day.
    @Test(arguments: ["date('now')", ":today", "CURRENT_DATE"]) func whatAsksForTheTimeIsJudgedAgain(_ now: String) throws {
        var scene = try VerdictScene(seed: 7, rule: "SELECT id FROM calicatas WHERE end_date < \(now)")
        try scene.sql("UPDATE calicatas SET end_date = '2026-03-01', content_stamp = :stamp")
        for day in [0.0, 1, 0] {
            let told = try scene.validate(as: scene.eyes[0], on: day * 86_400, recalling: true, keeping: true)
            #expect(told.lines.contains { $0.hasPrefix("ENDS-LATER") } == (day == 1))
        }
    }

    /// The same holds for a rule over a row and for a rule's condition.
    @Test(arguments: [true, false]) func expressionsThatAskForTheDayAreJudgedAgain(_ inRow: Bool) throws {
        var scene = try VerdictScene(seed: 7, ending: Rule(
            code: "ENDS-LATER", entity: "calicatas", severity: .warning,
            when: inRow ? nil : ExpressionParser.parse("end_date < today()"),
            check: inRow ? .row(ExpressionParser.parse("end_date >= today()")) : .query("SELECT id FROM calicatas"), scope: .row))
        try scene.sql("UPDATE calicatas SET end_date = '2026-03-01', content_stamp = :stamp")
        for day in [0.0, 1, 0] {
            let told = try scene.validate(as: scene.eyes[0], on: day * 86_400, recalling: true, keeping: true)
            #expect(told.lines.contains { $0.hasPrefix("ENDS-LATER") } == (day == 1))
        }
    }

    @Test func nothingChangedIsNothingJudged() throws {
        var scene = try VerdictScene(seed: 1)
        for _ in 0..<30 { _ = try scene.change() }
        let eyes = scene.eyes[0]
        _ = try scene.validate(as: eyes, on: 0, recalling: true, keeping: true)
        scene.extents = [:]
        _ = try scene.validate(as: eyes, on: 0, recalling: true, keeping: true)
        #expect(Set(scene.extents.keys) == [.none])
        // An actor with other rights has no kept verdict yet.
        scene.extents = [:]
        _ = try scene.validate(as: scene.eyes[2], on: 0, recalling: true)
        #expect(Set(scene.extents.keys) == [.all])
    }

    /// Two validations began with the same verdict. The one that ends later must not mix its
    /// results into the verdict of the other.
    @Test func theFirstOfTwoIsKept() throws {
        var scene = try VerdictScene(seed: 2)
        for _ in 0..<30 { _ = try scene.change() }
        let eyes = scene.eyes[0]
        _ = try scene.validate(as: eyes, on: 0, recalling: true, keeping: true)
        let slow = try scene.session(eyes, on: 0)
        try slow.recallVerdicts(program: "1", fileStamp: scene.stamp)
        try scene.sql("UPDATE calicata_cortes SET depth_to_m = 29, content_stamp = :stamp WHERE id = (SELECT min(id) FROM calicata_cortes)")
        _ = try scene.validate(as: eyes, on: 0, recalling: true, keeping: true)
        _ = try scene.validator.validate(slow, into: slow.findings)
        try scene.sql("UPDATE calicata_cortes SET depth_to_m = 0.1, content_stamp = :stamp WHERE id = (SELECT max(id) FROM calicata_cortes)")
        try scene.scene.replica.keepVerdicts(slow)
        let told = try scene.validate(as: eyes, on: 0, recalling: true)
        #expect(try told.lines == scene.validate(as: eyes, on: 0, recalling: false).lines)
    }

    /// A verdict does not count if it has other rules, another program, or a stamp that the replica
    /// has not reached.
    @Test func otherProgramsVerdictsAreNone() throws {
        var scene = try VerdictScene(seed: 4)
        for _ in 0..<10 { _ = try scene.change() }
        _ = try scene.validate(as: scene.eyes[0], on: 0, recalling: true, keeping: true)
        scene.extents = [:]
        _ = try scene.validate(as: scene.eyes[0], on: 0, recalling: true, program: "2")
        #expect(Set(scene.extents.keys) == [.all])
        try scene.sql("DROP INDEX ix_calicatas_content_stamp")
        scene.extents = [:]
        _ = try scene.validate(as: scene.eyes[0], on: 0, recalling: true)
        #expect(Set(scene.extents.keys) == [.all])
        try scene.sql("CREATE INDEX ix_calicatas_content_stamp ON calicatas (content_stamp)")
        try scene.sql("UPDATE kept_verdicts SET stamp = stamp + 1000")
        scene.extents = [:]
        _ = try scene.validate(as: scene.eyes[0], on: 0, recalling: true)
        #expect(Set(scene.extents.keys) == [.all])
    }

    @Test func onlyTheLastFewAreKept() throws {
        var scene = try VerdictScene(seed: 5)
        for program in 0..<Replica.maximumVerdicts + 3 {
            _ = try scene.change()
            _ = try scene.validate(as: scene.eyes[0], on: 0, recalling: true, keeping: true, program: "\(program)")
        }
        #expect(try scene.scene.sql("SELECT count(*) FROM kept_verdicts; SELECT count(DISTINCT verdict) FROM kept_checks") == ["\(Replica.maximumVerdicts)", "\(Replica.maximumVerdicts)"])
        // A verdict that is far behind is removed.
        try scene.sql("INSERT INTO touched_rows (entity, field, row_id) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(VerdictKeeper.maximumTouched)) SELECT 'calicatas', '', 'c' FROM n")
        _ = try scene.validate(as: scene.eyes[0], on: 0, recalling: true, keeping: true, program: "last")
        #expect(try scene.scene.sql("SELECT count(*) FROM kept_verdicts; SELECT count(*) FROM touched_rows") == ["1", "1"])
        // Notes that no verdict needs are removed. The last note stays, because it has the highest
        // number.
        #expect(try scene.scene.sql("SELECT count(*) FROM touched_rows WHERE n <= (SELECT min(touched) FROM kept_verdicts) AND n < (SELECT max(n) FROM touched_rows)") == ["0"])
    }
}
