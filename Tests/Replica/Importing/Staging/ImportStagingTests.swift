import Foundation
import Model
import Testing
import Workbench

@testable import Replica

/// The staging file: what a killed run left in it, who may read it, and when it is removed.
@Suite struct ImportStagingTests {
    let scene: ReplicaScene
    init() throws { scene = try ReplicaScene() }

    private struct Killed: Error {}
    private static let key = String(repeating: "ab", count: 32)
    private var folder: String { scene.file + ".import" }
    private var file: String { folder + "/" + Self.key.prefix(32) + ".db" }

    private func request(_ key: String? = Self.key) -> ImportRequest {
        var request = scene.request()
        request.resumeKey = key
        return request
    }

    private static func rows(_ range: Range<Int>) -> [ImportedRow] {
        range.map { number in
            var pit = row("projects", String(format: "p%06d", number), ["code": .text("P-\(number)")])
            pit.place = Place(file: "p.ndjson", line: number + 1)
            return pit
        }
    }

    /// Leaves the staging file as a killed process would, with some batches committed and one not.
    private func stageAndKill(_ count: Int) throws {
        let kept = scene.place.file("kept")
        #expect(throws: Killed.self) {
            try scene.replica.importRows(request(), findings: FindingList()) { session in
                #expect(session.begin(table: 0) == 0)
                for row in Self.rows(0..<count) { try session.store(row) }
                try session.reject(entity: "projects", raw: "{}", place: Place(line: 99), findings: [])
                // This waits until all rows are staged.
                _ = session.begin(table: 1)
                for ending in ["", "-journal"] where FileManager.default.fileExists(atPath: file + ending) {
                    try FileManager.default.copyItem(atPath: file + ending, toPath: kept + ending)
                }
                throw Killed()
            }
        }
        // An import that fails removes its own staging file.
        #expect(!FileManager.default.fileExists(atPath: folder))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for ending in ["", "-journal"] where FileManager.default.fileExists(atPath: kept + ending) {
            try FileManager.default.moveItem(atPath: kept + ending, toPath: file + ending)
        }
    }

    @Test func aRunGoesOnAfterTheLastCommittedBatch() throws {
        try stageAndKill(ImportStaging.batchSize + 5)
        var taken = 0
        let total = ImportStaging.batchSize + 50
        let report = try scene.replica.importRows(request(), findings: FindingList()) { session in
            taken = session.begin(table: 0)
            #expect(session.isResumed)
            for row in Self.rows(taken..<total) { try session.store(row) }
        }
        #expect(taken == ImportStaging.batchSize)
        #expect(report.total.imported == total && report.total.read == total)
        #expect(try scene.sql("SELECT count(*), count(DISTINCT import_row), min(import_row), max(import_row) FROM projects") == ["\(total)|\(total)|1|\(total)"])
        #expect(try scene.sql("SELECT count(*) FROM sync_queue WHERE entity_type = 'projects'; SELECT count(*) FROM import_sources WHERE file <> 'init'") == ["\(total)", "1"])
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func theDoctorTellsOfAnImportThatWasCutShort() throws {
        func checks() -> [DoctorCheck] { Replica.doctor(at: scene.file, pack: scene.pack).filter { $0.code.hasPrefix("REPLICA-STAGING") } }
        #expect(checks() == [DoctorCheck("REPLICA-STAGING", .ok)])
        try stageAndKill(ImportStaging.batchSize + 5)
        #expect(checks().map(\.state) == [.ok], "its process is there")
        _ = try scene.place.sqlite3(file, "UPDATE journal SET value = '99999999' WHERE key = 'pid'")
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        let check = try #require(checks().first)
        #expect(check.code == "REPLICA-STAGING" && check.state == .warning)
        #expect(check.arguments["source"] == request().source && check.arguments["started"] == Timestamp.format(request().startedAt))
        #expect(check.arguments["batches"] == "1" && check.arguments["rows"] == "\(ImportStaging.batchSize)")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int == size, "a look changes nothing")
        // One file belongs to a process that is gone, and one is not a database.
        try FileManager.default.moveItem(atPath: file, toPath: folder + "/99999999-left.db")
        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: file))
        #expect(checks().map(\.code) == ["REPLICA-STAGING-LOST", "REPLICA-STAGING-LOST"])
        #expect(checks().map { $0.arguments["rows"] } == ["\(ImportStaging.batchSize)", "0"])
    }

    @Test func anotherSourceOrPackBeginsAnew() throws {
        try stageAndKill(ImportStaging.batchSize + 5)
        // The name is the same, but the pack is another one. The staged rows were converted by
        // other rules and cannot be used.
        _ = try scene.place.sqlite3(file, "UPDATE journal SET value = 'another'")
        _ = try scene.replica.importRows(request(), findings: FindingList()) { session in
            #expect(session.begin(table: 0) == 0 && !session.isResumed)
            try session.store(Self.rows(0..<1)[0])
        }
        #expect(try scene.sql("SELECT count(*) FROM projects") == ["1"])
        try Data("no database at all, but long enough to look like something".utf8).write(to: URL(fileURLWithPath: scene.place.file("rubbish")))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: scene.place.file("rubbish"), toPath: file)
        #expect(try scene.replica.importRows(request(), findings: FindingList()) { try $0.store(Self.rows(1..<2)[0]) }.total.imported == 1)
    }

    @Test func nobodyElseMayLookIn() throws {
        _ = try scene.replica.importRows(request(nil), findings: FindingList()) { session in
            try session.store(smallPit[0])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            let mode = { (path: String) in (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue }
            #expect(try mode(folder) == 0o700)
            for name in names { #expect(try mode(folder + "/" + name) == 0o600) }
            #expect(names.contains { $0.hasPrefix("\(ProcessInfo.processInfo.processIdentifier)-") })
        }
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: scene.place.path)
        #expect(throws: ReplicaFailure.self) { try scene.importing(smallPit) }
    }

    @Test func whatDeadProcessesLeftGoes() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let old = folder + "/" + String(repeating: "c", count: 32) + ".db", recent = folder + "/" + String(repeating: "d", count: 32) + ".db"
        for path in [old, recent, folder + "/99999999-left.db"] { try Data().write(to: URL(fileURLWithPath: path)) }
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -StagingFile.patience - 60)], ofItemAtPath: old)
        try scene.importing(smallPit)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [(recent as NSString).lastPathComponent])
    }

    @Test func idsOfOneMomentRise() {
        let ids = RisingIDs(at: testTime)
        let made = (0..<5000).map { _ in ids.next() }
        #expect(made == made.sorted() && Set(made).count == made.count)
        #expect(made.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil })
    }
}
