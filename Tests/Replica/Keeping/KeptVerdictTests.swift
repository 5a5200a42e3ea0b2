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
    @Test(arguments: [UInt64(20_261_122), 3]) func isWhatAWholeValidationFinds(seed: UInt64) throws {
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
    @Test(arguments: [UInt64(11), 12, 13]) func partsOfPartsAreJudgedWithTheirRecord(seed: UInt64) throws {
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

/// A replica of pits that is changed at random, and people with different rights who validate it.
struct VerdictScene {
    struct Eyes {
        var actor: Model.Actor
        var projects: [String]
    }

    let scene: ReplicaScene
    let validator: Validator
    let eyes: [Eyes]
    let stamp: @Sendable (String) -> String
    var random: SeededNumbers
    var extents: [VerdictKeeper.Extent: Int] = [:]
    var codes: Set<String> = []
    var undone = 0
    private var next = 0
    private let picture: Data
    private let folder: URL

    private static let samples = ReadingScene.root.appendingPathComponent("Samples/ingeplus/survey/photos")

    init(seed: UInt64, rule: String = "SELECT id FROM calicatas WHERE end_date >= :today") throws {
        try self.init(seed: seed, ending: Rule(code: "ENDS-LATER", entity: "calicatas", severity: .warning, check: .query(rule), scope: .row))
    }

    init(seed: UInt64, ending: Rule) throws { try self.init(seed: seed) { $0.rules.append(ending) } }

    init(seed: UInt64, changing: (inout Pack) -> Void) throws {
        random = SeededNumbers(seed)
        var pack = try PackLoader.load("ingeplus", from: ReadingScene.root.appendingPathComponent("Templates"))
        changing(&pack)
        scene = try ReplicaScene(pack: pack)
        let file = URL(fileURLWithPath: scene.file)
        let photos = PhotoFolder(beside: scene.file)
        stamp = { photos.stamp(of: $0) }
        validator = Validator(pack: pack, seconds: 60, photos: photos)
        folder = file.deletingLastPathComponent().appendingPathComponent("fichero.files/photos")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.samples.path).sorted()
        picture = try Data(contentsOf: Self.samples.appendingPathComponent(names[0]))
        let reader = try Model.Actor(id: "0190a000-0000-7000-8000-0000000000aa", email: "l@example.pe", fullName: nil, role: #require(pack.role("LECTOR")))
        let boss = try Model.Actor(id: scene.actor.id, email: scene.actor.email, fullName: nil, role: #require(pack.role("ADMINISTRADOR_GENERAL")))
        eyes = [Eyes(actor: boss, projects: []), Eyes(actor: boss, projects: ["P1"]), Eyes(actor: reader, projects: [])]
        for project in 1...3 {
            try sql("INSERT INTO projects (id, code, name, datum, utm_zone, content_stamp) VALUES ('p\(project)', 'P\(project)', 'P', 'WGS84', '18S', :stamp)")
            try sql("INSERT INTO project_members (id, project_id, profile_id, content_stamp) VALUES ('m\(project)', 'p\(project)', '\(boss.id)', :stamp)")
        }
        try sql("INSERT INTO profiles (id, email, content_stamp) VALUES ('\(reader.id)', 'l@example.pe', :stamp)")
        try sql("INSERT INTO project_members (id, project_id, profile_id, content_stamp) VALUES ('m4', 'p2', '\(reader.id)', :stamp)")
        for _ in 0..<12 { try addPit() }
        for _ in 0..<40 { try addStratum() }
        for _ in 0..<12 { try addPhoto() }
    }

    /// Changes the replica through the connection that writes, with a new stamp.
    func sql(_ text: String) throws {
        try scene.replica.write { db in
            let stamp = text.contains(":stamp") ? try ReplicaKey.nextStamp(db) : 0
            try db.execute(sql: text.replacing(":stamp", with: "\(stamp)"))
        }
    }

    // MARK: validations

    func session(_ eyes: Eyes, on day: Double) throws -> ReadSession {
        try ReadSession(
            path: scene.file, pack: scene.pack, actor: eyes.actor, projects: eyes.projects, timeZone: .gmt, asOf: testTime.addingTimeInterval(day))
    }

    mutating func validate(
        as eyes: Eyes, on day: Double, recalling: Bool, keeping: Bool = false, program: String = "1"
    ) throws -> (lines: [String], summary: ValidationSummary) {
        let session = try session(eyes, on: day)
        if recalling { try session.recallVerdicts(program: program, fileStamp: stamp) }
        let summary = try validator.validate(session, into: session.findings)
        var lines: [String] = []
        try session.findings.forEach { finding in
            let arguments = finding.arguments.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value }.joined(separator: ",")
            lines.append([
                finding.code, finding.severity.rawValue, finding.place.table, finding.place.id, finding.place.key, finding.place.field, finding.place.pointer,
                arguments, finding.acceptance?.reason,
            ].map { $0 ?? "∅" }.joined(separator: "|"))
        }
        codes.formUnion(summary.findings.keys)
        for outcome in session.keeper?.outcomes ?? [] { extents[outcome.extent, default: 0] += 1 }
        if keeping { try scene.replica.keepVerdicts(session) }
        return (lines, summary)
    }

    // MARK: changes

    private mutating func pick(_ words: [String]) -> String { words[Int.random(in: words.indices, using: &random)] }
    private mutating func number(_ range: ClosedRange<Int>) -> String { String(Double(Int.random(in: range, using: &random)) / 2) }
    private mutating func id(_ letter: String) -> String {
        next += 1
        return "0190b000-0000-7000-8000-\(letter)\(String(100_000_000_00 + next))"
    }
    private mutating func some(_ table: String) throws -> String? {
        let ids = try scene.replica.read { db in try String.fetchAll(db, sql: "SELECT id FROM \(table) ORDER BY id") }
        return ids.randomElement(using: &random)
    }
    private mutating func reference(_ table: String, orNothing rarely: Int) throws -> String {
        if Int.random(in: 0..<rarely, using: &random) == 0 { return "NULL" }
        return try some(table).map { "'\($0)'" } ?? "NULL"
    }

    mutating func change() throws -> String {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return try addPit()
        case 1: return try addStratum()
        case 2: return try addPhoto()
        case 3, 4, 5: return try set("calicata_cortes", [
            ("depth_from_m", number(0...6)), ("depth_to_m", number(0...7)), ("number", String(Int.random(in: 1...4, using: &random))),
            ("sucs", pick(["'SM'", "'CL'", "NULL", "'XX'"])), ("calicata_id", try reference("calicatas", orNothing: 6)),
        ])
        case 6, 7: return try set("calicatas", [
            ("code", pick(["'C-01'", "'C-02'", "'C-03A'", "''", "NULL"])), ("project_id", try reference("projects", orNothing: 6)), ("depth_m", number(0...6)),
            ("progresiva", pick(["'0+100'", "'0+050'", "'1+000'", "NULL"])), ("easting", pick(["400000", "300000", "NULL"])), ("northing", "8600000"),
            ("end_date", pick(["'2026-03-01'", "'2026-03-02'", "'2020-01-01'"])), ("observations", pick(["'x'", "NULL"])),
        ])
        case 8: return try set("calicata_photos", [
            ("sha256", pick(["'aa'", "'bb'", "NULL"])), ("corte_id", try reference("calicata_cortes", orNothing: 3)), ("depth_m", number(0...8)),
            ("calicata_id", try reference("calicatas", orNothing: 8)), ("latitude", pick(["-12.6", "-10"])), ("longitude", "-76.8"),
            ("local_path", pick(["'fichero.files/photos/1.jpg'", "'fichero.files/photos/2.jpg'", "NULL"])),
        ])
        case 9: return try set("projects", [("utm_zone", pick(["'17S'", "'18S'", "NULL"])), ("datum", pick(["'WGS84'", "'PSAD56'"])), ("road_class", pick(["'x'", "NULL"]))])
        case 10, 11:
            let table = pick(["calicata_cortes", "calicata_photos", "calicata_cortes", "calicatas"])
            guard let id = try some(table) else { return "nothing" }
            if table == "calicata_cortes" { try sql("UPDATE calicata_photos SET corte_id = NULL, content_stamp = :stamp WHERE corte_id = '\(id)'") }
            if table == "calicatas" { try sql("UPDATE calicata_photos SET corte_id = NULL WHERE corte_id IN (SELECT id FROM calicata_cortes WHERE calicata_id = '\(id)')") }
            try sql("DELETE FROM \(table) WHERE id = '\(id)'")
            return "\(table) \(id) gone"
        case 12:
            // Fichero's own mark gets no new stamp.
            guard let id = try some("calicatas") else { return "nothing" }
            try sql("UPDATE calicatas SET status = '\(pick(["BORRADOR", "APROBADO", "EXPORTADO"]))', local_version = local_version + 1 WHERE id = '\(id)'")
            return "\(id) marked"
        case 13: return try changeFile()
        case 14: return try accept()
        default: return try throughTheGate()
        }
    }

    private mutating func set(_ table: String, _ choices: [(String, String)]) throws -> String {
        guard let id = try some(table), let (field, value) = choices.randomElement(using: &random) else { return "nothing" }
        try sql("UPDATE \(table) SET \(field) = \(value), content_stamp = :stamp WHERE id = '\(id)'")
        return "\(table) \(id).\(field) = \(value)"
    }

    @discardableResult
    private mutating func addPit() throws -> String {
        let (id, project, code) = (id("a"), try reference("projects", orNothing: 12), pick(["C-01", "C-02", "C-03", "C-04"]))
        try sql("INSERT INTO calicatas (id, project_id, code, depth_m, progresiva, easting, northing, status, content_stamp) VALUES ('\(id)', \(project), '\(code)', \(number(2...6)), '0+\(Int.random(in: 100...999, using: &random))', 400000, 8600000, 'APROBADO', :stamp)")
        return "pit \(id) in \(project)"
    }

    @discardableResult
    private mutating func addStratum() throws -> String {
        let (id, pit, top) = (id("b"), try reference("calicatas", orNothing: 20), Int.random(in: 0...4, using: &random))
        try sql("INSERT INTO calicata_cortes (id, calicata_id, number, depth_from_m, depth_to_m, sucs, content_stamp) VALUES ('\(id)', \(pit), \(top + 1), \(Double(top) / 2), \(Double(top + 1) / 2), 'SM', :stamp)")
        return "stratum \(id) in \(pit)"
    }

    @discardableResult
    private mutating func addPhoto() throws -> String {
        let (id, pit, stratum) = (id("c"), try reference("calicatas", orNothing: 20), try reference("calicata_cortes", orNothing: 2))
        try sql("INSERT INTO calicata_photos (id, calicata_id, corte_id, kind, filename, local_path, mime_type, sha256, content_stamp) VALUES ('\(id)', \(pit), \(stratum), 'pit', '\(next % 3).jpg', 'fichero.files/photos/\(next % 4).jpg', 'image/jpeg', \(pick(["'aa'", "NULL"])), :stamp)")
        return "photo \(id) in \(pit)"
    }

    private mutating func changeFile() throws -> String {
        let file = folder.appendingPathComponent("\(Int.random(in: 0...3, using: &random)).jpg")
        switch Int.random(in: 0...2, using: &random) {
        case 0: try? FileManager.default.removeItem(at: file)
        case 1: try Data("no picture \(next)".utf8).write(to: file)
        default: try picture.write(to: file)
        }
        return "file \(file.lastPathComponent)"
    }

    private mutating func accept() throws -> String {
        let session = try session(eyes[0], on: 0)
        _ = try validator.validate(session, into: session.findings)
        var found: [Finding] = []
        try session.findings.forEach { found.append($0) }
        guard let finding = found.randomElement(using: &random) else { return "nothing" }
        try scene.replica.write { db in
            try db.execute(
                sql: "INSERT INTO finding_acceptances (id, fingerprint, arguments, code, reason, actor_id, actor, accepted_at, until) VALUES (?, ?, ?, ?, 'so', 'x', 'x', '2026-01-01', '2026-03-02')",
                arguments: [id("d"), finding.fingerprint, FlatJSON.write(finding.arguments), finding.code])
        }
        return "accepted \(finding.code)"
    }

    /// An import of some rows, or a deletion by a command. About every other one is taken back.
    private mutating func throughTheGate() throws -> String {
        var request = scene.request(policy: .update, as: eyes[0].actor)
        (request.origin, request.permission, request.source, request.format) = (.person, .edit, "edit", "command")
        let strata = try #require(scene.pack.entity("calicata_cortes"))
        let (id, depth, deletes) = (try some("calicata_cortes"), Double(Int.random(in: 0...7, using: &random)) / 2, Bool.random(using: &random))
        guard let id else { return "nothing" }
        do {
            try sql("UPDATE calicatas SET status = 'BORRADOR', content_stamp = :stamp WHERE id = (SELECT calicata_id FROM calicata_cortes WHERE id = '\(id)')")
            _ = try scene.replica.importRows(request, findings: FindingList(), finishedAt: { testTime }) { session in
                if deletes {
                    var batch = ImportedBatch(entity: "calicata_cortes", fields: [], place: Place(file: "delete"), raw: RawCells(headings: []))
                    batch.delete(ImportedDeletion(entity: "calicata_cortes", id: id, remote: "{}", place: Place(file: "delete")))
                    try session.store(&batch)
                } else {
                    try session.store(row("calicata_cortes", id, ["depth_to_m": .real(depth)]), of: strata)
                }
            }
            guard Bool.random(using: &random) else { return "\(deletes ? "deleted" : "edited") \(id)" }
            let context = RunContext(
                id: UUIDv7.make(at: testTime), asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV", actor: eyes[0].actor, programVersion: "1")
            // Others may validate in between. Then the rows that are taken back have an older stamp
            // than the verdict.
            for eyes in eyes where Bool.random(using: &random) { _ = try validate(as: eyes, on: 0, recalling: true, keeping: true) }
            _ = try scene.replica.undoImport("last", context: context)
            undone += 1
            return "\(deletes ? "deleted" : "edited") \(id) and taken back"
        } catch let failure as any Failure {
            return "refused: \(failure.code)"
        }
    }
}
