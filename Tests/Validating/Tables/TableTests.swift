import Foundation
import Testing

@testable import Model
@testable import Replica
@testable import Validating

@Suite struct TableTests {
    private func validate(_ rules: [Rule] = [], hidden: Set<String> = [], slow: [String] = [], _ fill: (SQLiteSource) throws -> Void) throws
        -> (findings: [Finding], summary: ValidationSummary) {
        let pack = TestPack.make(rules: rules)
        let source = try SQLiteSource(pack)
        source.hidden = hidden
        source.slow = slow
        try source.insert("projects", ["id": TestPack.uuid(1), "code": "'P-1'"])
        try source.insert("projects", ["id": TestPack.uuid(2), "code": "'P-2'"])
        try fill(source)
        let list = FindingList()
        let summary = try Validator(pack: pack, seconds: 3).validate(source, into: list)
        #expect(summary.findings == Dictionary(list.findings.map { ($0.code, 1) }, uniquingKeysWith: +))
        return (list.findings, summary)
    }

    private func pit(_ source: SQLiteSource, _ id: Int, _ project: Int, _ code: String, _ more: (String, String)...) throws {
        let columns = (["id", "project_id", "code"] + more.map(\.0)).joined(separator: ", ")
        let values = ([TestPack.uuid(id), TestPack.uuid(project), code] + more.map(\.1)).joined(separator: ", ")
        try source.run("INSERT INTO pits (\(columns)) VALUES (\(values))")
    }

    @Test func uniqueKeysAndFields() throws {
        let (findings, summary) = try validate { source in
            try pit(source, 10, 1, "'A'", ("tag", "'x'"))
            try pit(source, 11, 1, "'A'", ("tag", "'y'"))
            try pit(source, 12, 2, "'A'", ("tag", "'x'"))
            try pit(source, 13, 1, "NULL", ("tag", "NULL"))
            try pit(source, 14, 1, "NULL", ("tag", "''"))
            try pit(source, 15, 1, "'B'", ("tag", "''"))
        }
        #expect(findings.map { [$0.code, $0.place.key ?? "", $0.place.field ?? "", $0.arguments["value"] ?? "", $0.arguments["count"] ?? ""] } == [
            ["FIELD-UNIQUE", "P-1 / A", "tag", "x", "2"], ["FIELD-UNIQUE", "P-2 / A", "tag", "x", "2"],
            ["FIELD-UNIQUE", "P-1 / A", "code", "A", "2"], ["FIELD-UNIQUE", "P-1 / A", "code", "A", "2"],
        ])
        #expect(summary.rows["pits"] == 6)
        #expect(summary.rows["profiles"] == nil)
    }

    @Test func references() throws {
        let (findings, _) = try validate { source in
            try source.insert("photos", ["id": TestPack.uuid(50)])
            try pit(source, 10, 1, "'A'", ("photo_ids", "'[\"\(TestPack.plain(50))\",\"\(TestPack.plain(51))\"]'"))
            try pit(source, 11, 9, "'B'", ("created_by", TestPack.uuid(99)))
            try pit(source, 12, 1, "'C'", ("photo_ids", "'no json'"))
            try pit(source, 13, 1, "'D'", ("photo_ids", "'{\"a\":1}'"))
        }
        #expect(findings.map { [$0.code, $0.place.id ?? "", $0.place.field ?? "", $0.arguments["value"] ?? "", $0.arguments["target"] ?? ""] } == [
            ["FIELD-TYPE", TestPack.plain(12), "photo_ids", "no json", ""], ["FIELD-TYPE", TestPack.plain(13), "photo_ids", "{\"a\":1}", ""],
            ["FIELD-REFERENCE", TestPack.plain(11), "project_id", TestPack.plain(9), "projects"],
            ["FIELD-REFERENCE", TestPack.plain(10), "photo_ids", TestPack.plain(51), "photos"],
        ])
        // If the project of a row does not exist, the row is named by its other keys.
        #expect(findings[2].place.key == "B")
    }

    @Test func countsOfRowsThatRefer() throws {
        let rule = Rule(
            code: "NO-PHOTO", entity: "pits", severity: .warning, when: try ExpressionParser.parse("status = 'APROBADO'"),
            check: .count(of: "photos", by: FieldPath("pit_id"), minimum: .field(FieldPath("least")), maximum: .number("2")), arguments: ["project_id.code"])
        let (findings, summary) = try validate([rule]) { source in
            for (id, least, status, photos) in [
                (10, "1", "APROBADO", 0), (11, "1", "APROBADO", 1), (12, "NULL", "APROBADO", 0), (13, "2", "APROBADO", 3), (14, "1", "BORRADOR", 0),
                (15, "3", "APROBADO", 2),
            ] {
                try pit(source, id, 1, "'\(id)'", ("least", least), ("status", "'\(status)'"))
                for photo in 0..<photos { try source.insert("photos", ["id": TestPack.uuid(id * 10 + photo), "pit_id": TestPack.uuid(id)]) }
            }
        }
        #expect(findings.map { [$0.place.key ?? "", $0.arguments["count"] ?? "", $0.arguments["minimum"] ?? "", $0.arguments["maximum"] ?? ""] } == [
            ["P-1 / 10", "0", "1", "2"], ["P-1 / 13", "3", "2", "2"], ["P-1 / 15", "2", "3", "2"],
        ])
        #expect(findings.allSatisfy { $0.severity == .warning && $0.arguments["project_id.code"] == "P-1" })
        #expect(summary.judged == ["NO-PHOTO"])
        #expect(try validate([rule], hidden: ["pits.least"]) { _ in }.summary.hidden == ["NO-PHOTO"])
    }

    @Test func countsOfListedIDs() throws {
        let rule = Rule(code: "LISTED", entity: "pits", severity: .error, check: .count(of: "photos", by: FieldPath("photo_ids"), minimum: .number("1"), maximum: nil))
        let (findings, _) = try validate([rule]) { source in
            try source.insert("photos", ["id": TestPack.uuid(50)])
            try pit(source, 10, 1, "'A'", ("photo_ids", "'[\"\(TestPack.plain(50))\"]'"))
            try pit(source, 11, 1, "'B'", ("photo_ids", "'[]'"))
            try pit(source, 12, 1, "'C'", ("photo_ids", "NULL"))
        }
        #expect(findings.map(\.place.key) == ["P-1 / B", "P-1 / C"])
        #expect(findings.first?.arguments == ["count": "0", "minimum": "1", "maximum": "∞"])
        let wrong = Rule(code: "WRONG", entity: "pits", severity: .error, check: .count(of: "photos", by: FieldPath("nothing"), minimum: .number("1"), maximum: nil))
        #expect(throws: ValidatingError.unknownName(owner: "WRONG", name: "nothing")) { try validate([wrong]) { _ in } }
    }

    @Test func aConditionWithoutFieldsHoldsForAllOrNone() throws {
        for (day, count) in [("2026-01-01", 1), ("2027-01-01", 0)] {
            let rule = Rule(
                code: "YEAR", entity: "pits", severity: .error, when: try ExpressionParser.parse("today() >= '\(day)'"), check: .query("SELECT id FROM pits"))
            let (findings, _) = try validate([rule]) { try pit($0, 10, 1, "'A'") }
            #expect(findings.count { $0.code == "YEAR" } == count)
        }
    }

    @Test func queriesWithConditionsAndPrivateValues() throws {
        let rule = Rule(
            code: "DEEP", entity: "strata", severity: .error, field: "bottom", when: try ExpressionParser.parse("pit_id.status = 'APROBADO'"),
            check: .query("SELECT id, bottom, note, 'x' AS other FROM strata WHERE bottom > 10"), arguments: ["bottom", "note", "other"])
        let (findings, _) = try validate([rule]) { source in
            try pit(source, 10, 1, "'A'", ("status", "'APROBADO'"))
            try pit(source, 11, 1, "'B'", ("status", "'BORRADOR'"))
            for index in 0..<1000 {
                try source.insert("strata", [
                    "id": TestPack.uuid(1000 + index), "pit_id": TestPack.uuid(index.isMultiple(of: 2) ? 10 : 11), "number": "\(index)",
                    "bottom": "\(index.isMultiple(of: 10) ? 12.5 : 1)", "note": "'Ana'",
                ])
            }
        }
        #expect(findings.count == 100)
        #expect(findings.first?.arguments == ["bottom": "12.5", "note": "•••", "other": "x"])
        #expect(findings.first?.place == Place(table: "strata", id: TestPack.plain(1000), key: "P-1 / A / 0", field: "bottom"))
        #expect(Set(findings.compactMap(\.place.key)).count == 100)
    }

    @Test func whatTakesTooLongIsAFindingAndTheRestGoesOn() throws {
        let rules = ["ONE", "TWO"].map { code in
            Rule(code: code, entity: "pits", severity: .error, check: .query("SELECT id FROM pits /* \(code) */"))
        }
        let (findings, summary) = try validate(rules, slow: ["ONE", "\"tag\" IS NOT NULL"]) { source in try pit(source, 10, 1, "'A'") }
        #expect(findings.map(\.code) == ["RULE-TIMEOUT", "RULE-TIMEOUT", "TWO"])
        #expect(findings.prefix(2).map(\.arguments) == [["rule": "FIELD-UNIQUE pits.tag", "seconds": "3"], ["rule": "ONE", "seconds": "3"]])
        #expect(summary.timedOut == ["FIELD-UNIQUE pits.tag", "ONE"])
        #expect(summary.judged == ["TWO"])
        #expect(summary.worst == .error)
    }

    @Test func hostileNamesAndIDs() throws {
        let entity = Entity(name: "od\"d", key: ["na\"me"], fields: [TestPack.id, Field(name: "na\"me", type: .text, uniqueness: .replica)])
        let pack = TestPack.make(entities: [entity])
        let source = try SQLiteSource(TestPack.make(entities: []))
        try source.run("CREATE TABLE \"od\"\"d\" (id TEXT, \"na\"\"me\" TEXT, key_text TEXT)")
        try source.run("INSERT INTO \"od\"\"d\" (id, \"na\"\"me\") VALUES ('it''s); --', 'x'), ('b' || char(0) || 'c', 'y'), ('ñ', 'x')")
        let list = FindingList()
        _ = try Validator(pack: pack).validate(HostileSource(source), into: list)
        #expect(list.findings.map(\.code).sorted() == ["FIELD-TYPE", "FIELD-TYPE", "FIELD-TYPE", "FIELD-UNIQUE", "FIELD-UNIQUE"])
        #expect(list.findings.filter { $0.place.id == "it's); --" }.map(\.place.key) == ["x", "x"])
        #expect(SQLText.literal("a\0b") == "CAST(x'610062' AS TEXT)")
    }

    /// The rows of a table whose name needs quotes.
    private final class HostileSource: ValidationSource {
        private let inner: SQLiteSource
        init(_ inner: SQLiteSource) { self.inner = inner }
        func rows(of entity: String, paths: [FieldPath]) throws -> any RowSource {
            try inner.query("SELECT id, id AS a, \"na\"\"me\" AS b FROM \"od\"\"d\"", columns: ["id", "a", "b"].prefix(paths.count + 1).map { $0 }, seconds: 1)
        }
        func offenders(_ question: TableQuery, columns: [String], seconds: Double) throws -> any RowSource {
            try inner.offenders(question, columns: columns, seconds: seconds)
        }
        func rows(of entity: Entity, ids: [String], paths: [FieldPath], seconds: Double) throws -> any RowSource {
            try inner.rows(of: entity, ids: ids, paths: paths, seconds: seconds)
        }
        var today: String { "2026-03-01" }
        var timeZone: TimeZone { .gmt }
        func isHidden(_ field: String, of entity: String) -> Bool { false }
    }

    @Test func manyFindingsAreNamedAndKeepTheirOrder() throws {
        let (findings, _) = try validate { source in
            for index in 0..<2000 { try pit(source, 10_000 + index, 1, "'C-\(index)'", ("status", "'?'")) }
        }
        #expect(findings.map(\.place.key) == (0..<2000).map { "P-1 / C-\($0)" })
    }

    @Test func aQueryThatIsNotRunIsHiddenOrAFaultOfThePack() throws {
        let rules = ["ONE", "TWO"].map { Rule(code: $0, entity: "pits", severity: .error, check: .query("SELECT id FROM pits -- \($0)\n")) }
        let pack = TestPack.make(rules: rules)
        let source = try SQLiteSource(pack)
        try source.insert("pits", ["id": TestPack.uuid(1)])
        source.refused = ["ONE": .hiddenField]
        let findings = FindingList()
        let summary = try Validator(pack: pack).validate(source, into: findings, scope: .rules(["ONE", "TWO"]))
        #expect(summary.hidden == ["ONE"])
        #expect(summary.judged == ["TWO"])
        #expect(findings.findings.map(\.code) == ["TWO"])
        for (refusal, isForbidden) in [(QueryRefusal.notAllowed, true), (.wrong, false)] {
            source.refused = ["ONE": refusal]
            let failure = ValidatingError.query(rule: "ONE", isForbidden: isForbidden)
            #expect(throws: failure) { try Validator(pack: pack).validate(source, into: FindingList()) }
            #expect(failure.exitCode == .badConfiguration)
        }
    }
}
