import Foundation
import GRDB
import Model
import Testing
import Workbench

@testable import Replica

/// Rows are stored in batches. A large import writes its transaction in its own way.
@Suite struct ImportBatchTests {
    let scene: ReplicaScene
    init() throws { scene = try ReplicaScene() }

    private static let key = String(repeating: "cd", count: 32)

    private func request(_ key: String? = nil) -> ImportRequest {
        var request = scene.request()
        request.resumeKey = key
        return request
    }

    /// Projects with an id and a code, and with one cell beyond the headings.
    private func batch(_ range: Range<Int>, id: (Int) -> String = { String(format: "p%06d", $0) }) throws -> ImportedBatch {
        let entity = try #require(scene.pack.entity("projects"))
        let code = try #require(entity.fields.firstIndex { $0.name == "code" })
        var batch = ImportedBatch(
            entity: "projects", fields: [code, 0], place: Place(table: "projects", file: "p.csv", mapping: "m/0/0"),
            raw: RawCells(headings: ["Código", ""]))
        for number in range {
            batch.rows.append("P-\(number)")
            batch.rows.append(id(number))
            for text in ["P-\(number)", "\"\n\u{1}é"] { batch.raw.appendHead(.text, count: text.utf8.count) }
            batch.raw.appendHead(.number, count: 3)
            batch.raw.appendHead(.null, count: 0)
            batch.raw.endHeads()
            let cells = Array("P-\(number)\"\n\u{1}é1.5".utf8)
            batch.raw.append(cells.span)
            batch.endRow(line: number + 2)
        }
        return batch
    }

    private func store(_ range: Range<Int>, into session: ImportStaging, by size: Int = 250) throws {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
            var batch = try batch(start..<min(start + size, range.upperBound))
            batch.filter()
            try session.store(&batch)
            #expect(batch.count == 0)
        }
    }

    @Test func batchesAndSingleRowsKeepTheirOrder() throws {
        let report = try scene.replica.importRows(request(), findings: FindingList()) { session in
            _ = session.begin(table: 0)
            try store(0..<600, into: session)
            try session.store(row("projects", "single", ["code": .text("S")]))
            try store(600..<700, into: session)
            var leftOut = try batch(0..<0)
            for _ in 0..<5 { leftOut.filter() }
            try session.store(&leftOut)
        }
        #expect(report.total.imported == 701 && report.total.filtered == 9)
        #expect(try scene.sql("SELECT group_concat(code, ' ') FROM (SELECT code FROM projects ORDER BY rowid LIMIT 3)") == ["P-0 P-1 P-2"])
        #expect(try scene.sql("SELECT code FROM projects WHERE rowid = (SELECT rowid - 1 FROM projects WHERE id = 'p000600')") == ["S"])
        #expect(try scene.sql("SELECT import_row FROM projects WHERE id = 'p000699'; SELECT file FROM import_sources WHERE number = 2") == ["701", "p.csv"])
        #expect(try scene.sql("SELECT json_extract(payload_json, '$.code') FROM sync_queue WHERE entity_id = 'p000007'") == ["P-7"])
    }

    @Test func theRawRowOfWhatIsRejectedIsShownUnderItsHeadings() throws {
        let findings = FindingList()
        let report = try scene.replica.importRows(request(), findings: findings) { session in
            _ = session.begin(table: 0)
            try store(0..<3, into: session)
            var batch = try batch(3..<4) { _ in "p000001" }
            try session.store(&batch)
        }
        #expect(report.total.imported == 3 && report.total.rejected == 1)
        // The row has no id. Its id is made from its key.
        #expect(findings.findings.map(\.code) == ["IMPORT-SAME-KEY"] && findings.findings[0].place.line == 5)
        #expect(try scene.sql("SELECT hex(raw) FROM rejects") == [Data(#"{"Código":"P-3","B":"\"\n\u0001é","C":1.5,"D":null}"#.utf8).map { String(format: "%02X", $0) }.joined()])
    }

    @Test func aBatchThatTwoRunsShareIsTakenOnce() throws {
        struct Killed: Error {}
        let (folder, kept) = (scene.file + ".import", scene.place.file("kept"))
        let file = folder + "/" + Self.key.prefix(32) + ".db"
        #expect(throws: Killed.self) {
            try scene.replica.importRows(request(Self.key), findings: FindingList()) { session in
                _ = session.begin(table: 0)
                try store(0..<ImportStaging.batchSize + 400, into: session)
                try session.reject(entity: "projects", raw: "{}", place: Place(line: 99), findings: [])
                // This waits until all rows are staged.
                _ = session.begin(table: 1)
                for ending in ["", "-journal"] where FileManager.default.fileExists(atPath: file + ending) {
                    try FileManager.default.copyItem(atPath: file + ending, toPath: kept + ending)
                }
                throw Killed()
            }
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for ending in ["", "-journal"] where FileManager.default.fileExists(atPath: kept + ending) {
            try FileManager.default.moveItem(atPath: kept + ending, toPath: file + ending)
        }
        let report = try scene.replica.importRows(request(Self.key), findings: FindingList()) { session in
            let taken = session.begin(table: 0)
            // Each batch has 250 rows and reports one more row that was left out.
            #expect(session.isResumed && taken >= ImportStaging.batchSize && taken % 251 == 0)
            try store(taken / 251 * 250..<12_000, into: session)
        }
        #expect(report.total.imported == 12_000 && report.total.filtered == 48)
        #expect(try scene.sql("SELECT count(*), min(import_row), max(import_row) FROM projects") == ["12000|2|12001"])
    }

    @Test func whatCannotBeStagedIsThrownByALaterCall() throws {
        #expect(throws: ReplicaFailure.self) {
            try scene.replica.importRows(request(), findings: FindingList()) { session in
                _ = session.begin(table: 0)
                try store(0..<250, into: session)
                // A text in a column of numbers cannot be staged, because the columns have types.
                let depth = try #require(scene.pack.entity("calicatas")?.position(ofField: "depth_m"))
                var batch = ImportedBatch(
                    entity: "calicatas", fields: [depth, 0], place: Place(table: "calicatas", file: "q.csv"), raw: RawCells(headings: []))
                batch.rows.append("none")
                batch.rows.append("q1")
                batch.raw.endHeads()
                batch.endRow(line: 2)
                try session.store(&batch)
                for start in stride(from: 1000, to: 50_000, by: 250) { try store(start..<start + 250, into: session) }
                Issue.record("nothing was thrown")
            }
        }
        #expect(try scene.sql("SELECT count(*) FROM projects") == ["0"])
    }

    // MARK: The journal

    @Test func aLargeImportReturnsToTheLog() throws {
        var mode: String?
        var request = request()
        request.records = { _ in mode = try mode ?? scene.sql("PRAGMA journal_mode").first }
        _ = try scene.replica.importRows(request, findings: FindingList()) { session in
            _ = session.begin(table: 0)
            try store(0..<RollbackJournal.leastRows, into: session)
        }
        #expect(mode == "delete")
        #expect(
            try scene.sql("PRAGMA journal_mode; PRAGMA integrity_check; SELECT count(*) FROM projects") == [
                "wal", "ok", "\(RollbackJournal.leastRows)",
            ])
    }

    @Test func whatOthersWroteToTheLogIsSeenWithoutIt() throws {
        try scene.importing([row("projects", "p000003", ["code": .text("P-3")])])
        // This connection has the page in memory. The page with the change counter of the file is
        // not written.
        #expect(try scene.replica.queue.read { try String.fetchOne($0, sql: "SELECT sync_state FROM projects WHERE id = 'p000003'") } == "local_only")
        _ = try scene.sql("UPDATE projects SET sync_state = 'synced', name = 'elsewhere' WHERE id = 'p000003'")
        _ = try scene.replica.importRows(request(), findings: FindingList()) { session in
            _ = session.begin(table: 0)
            try store(0..<RollbackJournal.leastRows, into: session)
        }
        #expect(try scene.sql("SELECT sync_state, name FROM projects WHERE id = 'p000003'; PRAGMA integrity_check") == ["synced|elsewhere", "ok"])
    }

    @Test func whoReadsMeanwhileKeepsTheLog() throws {
        let other = try DatabaseQueue(path: scene.file)
        var seen = 0
        try other.inDatabase { db in
            try db.execute(sql: "BEGIN; SELECT count(*) FROM projects")
            var request = request()
            var mode: String?
            request.records = { _ in mode = try mode ?? scene.sql("PRAGMA journal_mode").first }
            _ = try scene.replica.importRows(request, findings: FindingList()) { session in
                _ = session.begin(table: 0)
                try store(0..<RollbackJournal.leastRows, into: session)
            }
            seen = try Int.fetchOne(db, sql: "SELECT count(*) FROM projects") ?? -1
            #expect(mode == "wal")
            try db.execute(sql: "COMMIT")
        }
        #expect(seen == 0)
    }

    @Test func openingReturnsToTheLogThatAKilledImportLeft() throws {
        try scene.replica.queue.close()
        _ = try scene.sql("PRAGMA journal_mode = DELETE")
        let replica = try Replica.open(at: scene.file, pack: scene.pack)
        defer { try? replica.queue.close() }
        #expect(try scene.sql("PRAGMA journal_mode") == ["wal"])
    }

    @Test func aFileThatItsJournalTakesBackIsNotCutOff() throws {
        try scene.replica.queue.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.file))
        // The file is shorter than its first page says, as a killed transaction may leave it.
        try file.truncate(atOffset: try file.seekToEnd() - 4096)
        try file.close()
        #expect(throws: ReplicaFailure.self) { try FileInspection.header(at: scene.file) }
        try Data([0]).write(to: URL(fileURLWithPath: scene.file + "-journal"))
        #expect(throws: Never.self) { try FileInspection.header(at: scene.file) }
    }

    @Test(arguments: [0, -0.0, 0.5, 1.25, -3.07, 1234567.89, 100, 1e11, 1e15, 1e22, 0.001, 1 / 3.0, 1e-7, .leastNonzeroMagnitude, 99999999999.99, 0.1 + 0.2])
    func numbersOfPayloadsAreInShortestForm(_ number: Double) {
        var bytes: [UInt8] = []
        unsafe JSONWriter.append(to: &bytes, room: 32) { unsafe $0.write(number) }
        #expect(String(decoding: bytes, as: UTF8.self) == number.description)
    }

    @Test func integersOfPayloads() {
        for number in [0, 7, -10, Int64.max, Int64.min] {
            var bytes: [UInt8] = []
            unsafe JSONWriter.append(to: &bytes, room: 32) { unsafe $0.write(number) }
            #expect(String(decoding: bytes, as: UTF8.self) == String(number))
        }
        for number in stride(from: -5000, through: 5000, by: 7) {
            var bytes: [UInt8] = []
            unsafe JSONWriter.append(to: &bytes, room: 32) { unsafe $0.write(Double(number) / 100) }
            #expect(String(decoding: bytes, as: UTF8.self) == (Double(number) / 100).description)
        }
    }
}
