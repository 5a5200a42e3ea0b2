import Foundation
import GRDB
import Model
import Testing
import Workbench

@testable import Replica

/// Rows that are applied while others are still read come out as if all had been applied at the end.
@Suite struct RowsAheadTests {
    /// What a source hands over: rows of one entity that state the same fields, or one row.
    private enum Step {
        case batch(entity: String, fields: [String], rows: [[MemoryRows.Value]], line: Int)
        case row(ImportedRow)
        case filtered(Int)
    }

    private func store(_ steps: [Step], into session: ImportSession, _ pack: Pack) throws {
        _ = session.begin(table: 0)
        for step in steps {
            switch step {
            case .batch(let name, let fields, let rows, let line):
                let entity = try #require(pack.entity(name))
                let positions = fields.compactMap { field in entity.fields.firstIndex { $0.name == field } }
                var batch = ImportedBatch(
                    entity: name, fields: positions, place: Place(table: name, file: "\(name).csv", mapping: "m/0"), headings: fields)
                for (index, row) in rows.enumerated() {
                    for value in row {
                        switch value {
                        case .null: batch.rows.appendNull()
                        case .integer(let integer): batch.rows.append(integer)
                        case .real(let real): batch.rows.append(real)
                        case .text(let text): batch.rows.append(text)
                        }
                    }
                    batch.raw.endHeads()
                    batch.endRow(line: line + index)
                }
                try session.store(&batch, of: entity)
            case .row(let row): _ = try session.store(row)
            case .filtered(let count): try session.filter(entity: "projects", count: count)
            }
        }
    }

    /// Everything that an import leaves, but for ids that it draws and for the order of rows in a table.
    private func traces(_ scene: ReplicaScene, _ report: ImportReport, _ findings: FindingList) throws -> [String] {
        var lines = report.lines.map { "\($0)" }
        lines += findings.findings.map { "\($0.code) \($0.place) \($0.arguments.sorted { $0.key < $1.key })" }
        for table in ["projects", "calicatas", "calicata_cortes"] { lines += try scene.sql("SELECT '\(table)', * FROM \(table) ORDER BY 2") }
        lines += try scene.sql(
            """
            SELECT project_id, operation, entity_type, entity_id, payload_json, retry_count, created_at, sync_state FROM sync_queue ORDER BY 3, 4, 2, 5;
            SELECT project_id, actor_id, action, entity_type, CASE WHEN entity_type = 'imports' THEN '' ELSE entity_id END, details, created_at FROM activity_logs
            WHERE actor_id IS NOT NULL ORDER BY 4, 5, 3, 6;
            SELECT project_id, entity_type, entity_id, local_payload, remote_payload, resolution_status FROM conflicts ORDER BY 3, 5;
            SELECT entity, raw, place, findings, state FROM rejects ORDER BY 2, 3, 4;
            SELECT entity, row_id, kind, source, row, before, states FROM import_changes ORDER BY 1, 2, 3;
            SELECT number, file, sha256, sheet FROM import_sources ORDER BY 1;
            SELECT source, format, counts FROM imports ORDER BY started_at, counts;
            PRAGMA integrity_check; PRAGMA foreign_key_check; PRAGMA journal_mode
            """)
        // Profiles are of other actors with each replica.
        return lines.map { $0.replacing(scene.actor.id, with: "actor") }
    }

    /// Both ways into replicas that have the same rows.
    private func both(
        _ steps: [Step], before: [ImportedRow] = [], policy: ImportPolicy = .conflict, reason: String? = nil, states: String = ""
    ) throws -> (ahead: [String], atEnd: [String]) {
        var outcomes: [[String]] = []
        for isLarge in [true, false] {
            let scene = try ReplicaScene()
            try scene.importing(before)
            if !states.isEmpty { _ = try scene.sql(states) }
            let findings = FindingList()
            var request = scene.request(policy: policy)
            (request.isLarge, request.reason) = (isLarge, reason)
            let report = try scene.replica.importRows(request, findings: findings, finishedAt: { testTime }) { session in
                try store(steps, into: session, scene.pack)
            }
            outcomes.append(try traces(scene, report, findings))
        }
        return (outcomes[0], outcomes[1])
    }

    /// The lines by which two outcomes differ.
    private static func differences(_ ahead: [String], _ atEnd: [String]) -> [String] {
        ahead.difference(from: atEnd).map { change in
            switch change {
            case .insert(_, let line, _): "ahead: " + line
            case .remove(_, let line, _): "at the end: " + line
            }
        }
    }

    private static func id(_ prefix: String, _ number: Int) -> MemoryRows.Value { .text("\(prefix)\(number)") }

    /// A project, pits and strata in batches of which some are wider than others.
    ///
    /// - Parameter areRising: whether ids sort as their numbers do.
    private static func plain(pits: Int, areRising: Bool = false) -> [Step] {
        func id(_ prefix: String, _ number: Int) -> MemoryRows.Value { areRising ? .text(prefix + String(format: "%06d", number)) : Self.id(prefix, number) }
        var steps: [Step] = [.batch(entity: "projects", fields: ["code", "id"], rows: [[.text("TPA"), .text("p1")]], line: 2)]
        for start in stride(from: 0, to: pits, by: 200) {
            let range = start..<min(start + 200, pits)
            steps.append(.batch(
                entity: "calicatas", fields: ["project_id", "code", "depth_m", "id"],
                rows: range.map { [.text("p1"), .text("C-\($0) «\"\\\n»"), $0 % 3 == 0 ? .null : .real(Double($0) / 4), id("c", $0)] }, line: start + 2))
            steps.append(.batch(
                entity: "calicata_cortes", fields: ["number", "calicata_id", "sucs", "id"],
                rows: range.map { [.integer(Int64($0 % 5)), id("c", $0), .text("SM"), id("s", $0)] }, line: start + 2))
        }
        return steps
    }

    @Test func rowsOfRisingIDsComeOutTheSame() throws {
        let (ahead, atEnd) = try both(Self.plain(pits: 700, areRising: true) + Self.plain(pits: 300, areRising: true))
        #expect(Self.differences(ahead, atEnd) == [])
        #expect(ahead.filter { $0.contains("|INSERT|calicata_cortes|") }.count == 700 && ahead.filter { $0.hasPrefix("IMPORT-DUPLICATE") }.count == 601)
    }

    @Test func plainRowsComeOutTheSame() throws {
        let (ahead, atEnd) = try both(Self.plain(pits: 700))
        #expect(Self.differences(ahead, atEnd) == [])
        #expect(ahead.filter { $0.contains("|INSERT|calicata_cortes|") }.count == 700)
        #expect(ahead.contains { $0.contains("p1|INSERT|calicatas|c1|{\"id\":\"c1\",\"project_id\":\"p1\",\"code\":\"C-1 «\\\"\\\\\\u000a»\",\"depth_m\":0.25}") })
    }

    @Test(arguments: [false, true]) func whatTheReplicaHasIsMetAtTheEnd(areRising: Bool) throws {
        let zeros = areRising ? "00000" : ""
        for policy in ImportPolicy.allCases {
            let (ahead, atEnd) = try both(
                Self.plain(pits: 300, areRising: areRising), before: [
                    row("projects", "p1", ["code": .text("TPA"), "name": .text("Túnel")]),
                    row("calicatas", "c\(zeros)7", ["project_id": .text("p1"), "code": .text("other")]),
                    row("calicatas", "c\(zeros)9", ["project_id": .text("p1"), "code": .text("also other")]),
                ], policy: policy, states: "UPDATE calicatas SET sync_state = 'synced' WHERE id = 'c\(zeros)9'")
            #expect(Self.differences(ahead, atEnd) == [])
            #expect(ahead.filter { $0.contains("|INSERT|calicatas|c") }.count == 300)
        }
    }

    @Test func childrenMayComeBeforeTheirParents() throws {
        let (ahead, atEnd) = try both(Self.plain(pits: 300).reversed())
        #expect(Self.differences(ahead, atEnd) == [])
        #expect(ahead.contains { $0.hasPrefix("p1|INSERT|calicata_cortes|s299|") })
    }

    @Test func rowsThatLeadNowhereGoOutWithTheirItems() throws {
        let steps = Self.plain(pits: 250) + [
            .batch(
                entity: "calicatas", fields: ["project_id", "code", "id"],
                rows: [[.text("nowhere"), .text("X"), .text("x1")], [.text("p1"), .text("Y"), .text("y1")]], line: 900),
            .batch(
                entity: "calicata_cortes", fields: ["calicata_id", "id"],
                rows: [[.text("x1"), .text("below")], [.text("y1"), .text("kept")], [.text("gone"), .text("none")]], line: 950),
        ]
        let (ahead, atEnd) = try both(steps)
        #expect(Self.differences(ahead, atEnd) == [])
        #expect(!ahead.contains { $0.contains("|INSERT|calicatas|x1|") } && ahead.contains { $0.contains("|INSERT|calicatas|y1|") })
        #expect(ahead.filter { $0.hasPrefix("FIELD-REFERENCE") }.count == 3)
    }

    @Test func theFirstRowOfAnIDStays() throws {
        let steps: [Step] = Self.plain(pits: 250) + [
            .row(row("calicatas", "d1", ["project_id": .text("p1"), "code": .text("first")])),
            .batch(
                entity: "calicatas", fields: ["project_id", "code", "depth_m", "id"],
                rows: [
                    [.text("p1"), .text("second"), .null, .text("d1")], [.text("p1"), .text("first"), .null, .text("d2")],
                    [.text("p1"), .text("second"), .null, .text("d2")],
                ], line: 700),
            .row(row("calicatas", "d2", ["project_id": .text("p1"), "code": .text("third")])),
        ]
        let (ahead, atEnd) = try both(steps)
        #expect(Self.differences(ahead, atEnd) == [])
        #expect(ahead.filter { $0.hasPrefix("IMPORT-DUPLICATE") }.count == 3)
        #expect(ahead.contains { $0.hasPrefix("calicatas|d1|p1|first|") } && ahead.contains { $0.hasPrefix("calicatas|d2|p1|first|") })
    }

    @Test func rowsOfADeviceKeepTheirStates() throws {
        let steps: [Step] = Self.plain(pits: 220) + [
            .row(row("calicatas", "e1", ["project_id": .text("p1"), "code": .text("E")], state: .synced)),
            .batch(entity: "calicatas", fields: ["project_id", "code", "id"], rows: [[.text("p1"), .text("F"), .text("f1")]], line: 800),
            .row(row("sync_queue", "q1", ["entity_type": .text("calicatas"), "entity_id": .text("e1"), "operation": .text("UPDATE")])),
        ]
        let (ahead, atEnd) = try both(steps)
        #expect(Self.differences(ahead, atEnd) == [])
        #expect(!ahead.contains { $0.contains("|INSERT|calicatas|e1|") } && ahead.contains { $0.contains("|INSERT|calicatas|f1|") })
    }

    @Test(arguments: 0..<24) func anyOrderOfAnyRowsComesOutTheSame(seed: Int) throws {
        var random = SeededNumbers(UInt64(seed))
        func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }
        func project() -> MemoryRows.Value { Self.id("p", Int.random(in: 0..<4, using: &random)) }
        func pit() -> MemoryRows.Value { Self.id("c", Int.random(in: 0..<60, using: &random)) }
        func cells(_ entity: String) -> [String: MemoryRows.Value] {
            switch entity {
            case "projects": ["id": project(), "code": pick([.text("A"), .text("B"), .null])]
            case "calicatas": ["id": pit(), "project_id": pick([project(), project(), .null]), "code": pick([.text("x"), .text("y")]), "depth_m": pick([.real(1.5), .null])]
            default: ["id": Self.id("s", Int.random(in: 0..<90, using: &random)), "calicata_id": pick([pit(), pit(), .text("none"), .null]), "sucs": pick([.text("SM"), .text("GP")])]
            }
        }
        var steps: [Step] = []
        for line in 0..<Int.random(in: 3..<14, using: &random) {
            let entity = pick(["projects", "calicatas", "calicata_cortes", "calicata_cortes"])
            if Int.random(in: 0..<5, using: &random) == 0 {
                var values = cells(entity)
                let id = values.removeValue(forKey: "id")
                guard case .text(let id)? = id else { continue }
                steps.append(.row(row(entity, id, values, state: Int.random(in: 0..<9, using: &random) == 0 ? .synced : nil)))
                continue
            }
            let fields = cells(entity).keys.sorted().filter { $0 != "id" && Int.random(in: 0..<6, using: &random) > 0 } + ["id"]
            let rows = (0..<Int.random(in: 1..<40, using: &random)).map { _ in
                let values = cells(entity)
                return fields.map { values[$0] ?? .null }
            }
            steps.append(.batch(entity: entity, fields: fields, rows: rows, line: 100 * line))
            if Int.random(in: 0..<4, using: &random) == 0 { steps.append(.filtered(2)) }
        }
        let before = [
            row("projects", "p1", ["code": .text("A")]), row("calicatas", "c3", ["project_id": .text("p1"), "code": .text("x")]),
            row("calicata_cortes", "s5", ["calicata_id": .text("c3"), "sucs": .text("CL")]),
        ]
        let (ahead, atEnd) = try both(steps, before: before, policy: pick(ImportPolicy.allCases))
        #expect(Self.differences(ahead, atEnd) == [])
    }

    // MARK: What goes wrong

    @Test func whatFailsLeavesNothing() throws {
        struct Broken: Error {}
        let scene = try ReplicaScene()
        let before = try scene.sql("SELECT count(*) FROM activity_logs; SELECT value FROM fichero_replica WHERE key = 'stamp'")
        var request = scene.request()
        request.isLarge = true
        #expect(throws: Broken.self) {
            try scene.replica.importRows(request, findings: FindingList()) { session in
                try store(Self.plain(pits: 900), into: session, scene.pack)
                throw Broken()
            }
        }
        #expect(try scene.sql("SELECT count(*) FROM activity_logs; SELECT value FROM fichero_replica WHERE key = 'stamp'") == before)
        #expect(try scene.sql("SELECT count(*) FROM calicatas; SELECT count(*) FROM sync_queue WHERE entity_type <> 'profiles'; PRAGMA journal_mode") == ["0", "0", "wal"])
        #expect(!FileManager.default.fileExists(atPath: scene.file + ".import"))
        // And it can be done again.
        let report = try scene.replica.importRows(request, findings: FindingList()) { try store(Self.plain(pits: 900), into: $0, scene.pack) }
        #expect(report.total.imported == 1801)
    }

    @Test func aTrialLeavesNothing() throws {
        let scene = try ReplicaScene()
        var request = scene.request(isDryRun: true)
        request.isLarge = true
        let report = try scene.replica.importRows(request, findings: FindingList()) { try store(Self.plain(pits: 400), into: $0, scene.pack) }
        #expect(report.total.imported == 801)
        #expect(try scene.sql("SELECT count(*) FROM calicatas; SELECT count(*) FROM imports; PRAGMA journal_mode") == ["0", "0", "wal"])
    }

    @Test func whereOthersReadAllIsAppliedAtTheEnd() throws {
        let scene = try ReplicaScene()
        let other = try DatabaseQueue(path: scene.file)
        let report = try other.inDatabase { db in
            try db.execute(sql: "BEGIN; SELECT count(*) FROM projects")
            defer { try? db.execute(sql: "COMMIT") }
            var request = scene.request()
            request.isLarge = true
            return try scene.replica.importRows(request, findings: FindingList()) { session in
                try store(Self.plain(pits: 400), into: session, scene.pack)
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM calicatas") == 0)
            }
        }
        #expect(report.total.imported == 801)
        #expect(try scene.sql("SELECT count(*) FROM calicatas; PRAGMA journal_mode") == ["400", "wal"])
    }

    @Test func aRoleThatMayNotChangeATableEndsIt() throws {
        let scene = try ReplicaScene()
        var clerk = scene.actor
        clerk.role = Role(name: "ASISTENTE", permissions: [.read, .import], sees: ["public"])
        var request = scene.request(as: clerk)
        request.isLarge = true
        let steps = Self.plain(pits: 250) + [
            .batch(entity: "profiles", fields: ["email", "id"], rows: [[.text("x@example.pe"), .text("x1")]], line: 2),
            .batch(entity: "calicatas", fields: ["project_id", "code", "id"], rows: [[.text("p1"), .text("Z"), .text("z1")]], line: 900),
        ]
        let report = try scene.replica.importRows(request, findings: FindingList()) { try store(steps, into: $0, scene.pack) }
        #expect(report.total.imported == 502 && report.total.rejected == 1)
        #expect(try scene.sql("SELECT count(*) FROM profiles WHERE id = 'x1'; SELECT count(*) FROM sync_queue WHERE entity_type = 'calicatas'") == ["0", "251"])
    }
}
