import Foundation
import GRDB
import Photos
import Testing
import Validating
import Workbench
@testable import Model
@testable import Replica

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
        var pack = try ShippedPack.named("ingeplus")
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
