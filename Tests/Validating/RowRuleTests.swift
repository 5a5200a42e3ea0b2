import Testing
import Workbench

@testable import Model
@testable import Validating

/// Rules that are an expression over a row.
@Suite struct RowRuleTests {
    @Test func rulesOverARow() throws {
        let rule = Rule(
            code: "INVERTED", entity: "strata", severity: .warning, field: "bottom", when: try ExpressionParser.parse("sucs != 'GW'"),
            check: .row(try ExpressionParser.parse("bottom > top and bottom <= pit_id.depth")), arguments: ["top", "bottom", "pit_id.code", "note"])
        let pack = TestPack.make(rules: [rule])
        let source = try SQLiteSource(pack)
        try source.insert("projects", ["id": TestPack.uuid(1), "code": "'P-1'"])
        try source.insert("pits", ["id": TestPack.uuid(2), "project_id": TestPack.uuid(1), "code": "'C-9'", "depth": "3"])
        let rows = [("'CL'", "0", "1"), ("'CL'", "1", "1"), ("'CL'", "2", "3.5"), ("'GW'", "2", "1"), ("NULL", "2", "1"), ("'CL'", "NULL", "1"), ("'CL'", "NULL", "9")]
        for (index, row) in rows.enumerated() {
            try source.insert("strata", [
                "id": TestPack.uuid(10 + index), "pit_id": TestPack.uuid(2), "number": "\(index)", "sucs": row.0, "top": row.1, "bottom": row.2,
                "note": "'Juan'",
            ])
        }
        let list = FindingList()
        let summary = try Validator(pack: pack).validate(source, into: list)
        #expect(list.findings.map(\.place.key) == ["P-1 / C-9 / 1", "P-1 / C-9 / 2", "P-1 / C-9 / 6"])
        #expect(list.findings.first?.severity == .warning)
        #expect(list.findings.first?.place.field == "bottom")
        #expect(list.findings.first?.arguments == ["top": "1", "bottom": "1", "pit_id.code": "C-9", "note": "•••"])
        #expect(summary.judged == ["INVERTED"])
        // A rule that needs a hidden field is left out, and this is reported.
        source.hidden = ["pits.depth"]
        let other = FindingList()
        let second = try Validator(pack: pack).validate(source, into: other)
        #expect(other.findings.isEmpty)
        #expect(second.hidden == ["INVERTED"])
        #expect(second.judged == [])
    }

    /// Lima is five hours behind UTC: there, 04:59 in UTC is of the day before.
    @Test func anInstantIsOfTheOfficesDay() throws {
        let orders = Entity(
            name: "orders", key: ["code"],
            fields: [
                TestPack.id, Field(name: "code", type: .text), Field(name: "ordered_on", type: .date), Field(name: "done_at", type: .datetime),
                Field(name: "seen_at", type: .datetime),
            ])
        func rule(_ code: String, _ require: String) throws -> Rule {
            Rule(code: code, entity: "orders", severity: .error, check: .row(try ExpressionParser.parse(require)))
        }
        let pack = TestPack.make(
            entities: [orders],
            rules: try [
                rule("BEFORE", "done_at >= ordered_on"), rule("LATER", "today() >= coalesce(done_at, seen_at)"),
                rule("ON", "not (done_at in ('2025-06-02', ordered_on))"), rule("SEEN", "seen_at >= done_at"),
            ])
        let source = try SQLiteSource(pack)
        let rows = [
            ("2025-06-02", "2025-06-02T04:59:59Z"), ("2025-06-02", "2025-06-02T05:00:00.5Z"), ("2025-06-01", "2025-06-02T04:59:59Z"),
            ("2026-03-01", "2026-03-02T04:59:59Z"), ("2026-03-01", "2026-03-02T05:00:00Z"), ("2026-03-01", "tomorrow"),
        ]
        for (index, row) in rows.enumerated() {
            try source.insert("orders", [
                "id": TestPack.uuid(index + 1), "code": "'\(index)'", "ordered_on": "'\(row.0)'", "done_at": "'\(row.1)'", "seen_at": "'\(row.1)'",
            ])
        }
        let list = FindingList()
        _ = try Validator(pack: pack).validate(source, into: list)
        let found = list.findings.filter { !$0.code.hasPrefix("FIELD") }.map { "\($0.code) \($0.place.key ?? "")" }
        #expect(found.sorted() == ["BEFORE 0", "LATER 4", "ON 1", "ON 2", "ON 3"], "\(found)")
    }
}
