import Foundation
import Testing
import Workbench

@testable import Model
@testable import Validating

@Suite struct FieldTests {
    @Test func required() throws {
        let field = Field(name: "x", type: .text, isRequired: true)
        for missing in ["NULL", "''", "'  '"] { #expect(try codes(field, missing) == ["FIELD-REQUIRED"]) }
        #expect(try codes(field, "'a'") == [])
        #expect(try codes(field, "' a'") == [])
        let finding = try #require(try judge(field, ["'a'", "NULL"]).first)
        #expect(finding.severity == .error)
        #expect(finding.place == Place(table: "things", id: TestPack.plain(1), field: "x"))
    }

    @Test func requiredWhen() throws {
        let condition = try ExpressionParser.parse("status = 'found'")
        let field = Field(name: "x", type: .decimal, requiredWhen: condition)
        let status = Field(name: "status", type: .text)
        #expect(try judge(field, ["NULL"], others: [status], with: ["'found'"]).map(\.code) == ["FIELD-REQUIRED"])
        #expect(try judge(field, ["1.5"], others: [status], with: ["'found'"]).isEmpty)
        #expect(try judge(field, ["NULL"], others: [status], with: ["'dry'"]).isEmpty)
        #expect(try judge(field, ["NULL"], others: [status], with: ["NULL"]).isEmpty)
        #expect(try judge(field, ["NULL"], others: [status], hidden: ["things.status"], with: ["'found'"]).isEmpty)
    }

    static let types: [(FieldType, good: [String], bad: [String])] = [
        (.text, ["'ñ'", "'a'"], ["CAST(x'61FF' AS TEXT)", "CAST(x'C3' AS TEXT)", "CAST(x'80' AS TEXT)"]),
        (.integer, ["0", "-5"], ["'x'", "1.5"]),
        (.decimal, ["1.5", "2", "-0.0"], ["'x'", "9e999", "-9e999"]),
        (.boolean, ["0", "1", "NULL"], ["2", "'true'", "0.5"]),
        (.uuid, [TestPack.uuid(1)], ["'00000000-0000-7000-8000-00000000000G'", "'00000000-0000-7000-8000-00000000000A'", "'x'", "''"]),
        (.date, ["'2024-02-29'", "'2000-02-29'"], ["'2023-02-29'", "'1900-02-29'", "'2024-02-31'", "'24-01-01'", "'2024-1-01'", "'2024-01-01 '"]),
        (.time, ["'00:00'", "'23:59:59'"], ["'24:00'", "'12:60'", "'1:00'", "'12:00:60'", "'12:00:0'"]),
        (
            .datetime, ["'2024-02-29T23:59:59Z'", "'2024-01-01T00:00:00.123456Z'", "'2024-01-01T00:00:00.1Z'"],
            ["'2024-01-01'", "'2024-01-01T00:00:00'", "'2024-01-01 00:00:00Z'", "'2024-01-01T00:00:00.Z'", "'2024-01-01T00:00:00.1234567Z'",
             "'2023-02-30T00:00:00Z'", "'2024-01-01T00:00:00+00:00'"]
        ),
        (.json, ["'{\"a\":[1,2.50,{}]}'", "' null '", "'\"\\u00e1\"'"], ["'{'", "'{\"a\":1,}'", "'[01]'", "'a'", "'{} {}'"]),
        (.point, ["'[1, 2.5]'", "'[-1e3,0]'"], ["'[1]'", "'[1,2,3]'", "'[\"1\",2]'", "'{}'", "'[1,2] x'", "'[NaN,1]'"]),
        (.polygon, ["'[[0,0],[1,0],[1,1]]'"], ["'[[0,0],[1,1]]'", "'[]'", "'[[0,0],[1,0],[1]]'", "'[[0,0],[1,0],[1,1],]'"]),
        (.list, ["'[]'", "'[\"a\",\"b\"]'", "'[\"\\u00e1\"]'"], ["'[1]'", "'a'", "'[\"a\"'", "'[\"a\",]'", "'{\"a\":\"b\"}'"]),
    ]

    @Test(arguments: types.indices) func type(_ index: Int) throws {
        let (type, good, bad) = Self.types[index]
        let field = Field(name: "x", type: type)
        for value in good { #expect(try codes(field, value) == [], "\(type) \(value)") }
        for value in bad {
            let findings = try judge(field, [value])
            #expect(findings.map(\.code) == ["FIELD-TYPE"], "\(type) \(value)")
            #expect(findings.first?.arguments["type"] == type.rawValue)
        }
        #expect(try codes(field, "NULL") == [])
    }

    @Test func range() throws {
        let field = Field(name: "x", type: .decimal, unit: "m", minimum: 0.1, maximum: 30)
        for value in ["0.1", "30", "30.0", "7"] { #expect(try codes(field, value) == []) }
        for value in ["0.0999", "30.0001", "-1", "31"] { #expect(try codes(field, value) == ["FIELD-RANGE"]) }
        let finding = try #require(try judge(field, ["45.0"]).first)
        #expect(finding.arguments == ["value": "45", "minimum": "0.1", "maximum": "30", "unit": "m"])
        let open = Field(name: "x", type: .integer, minimum: 0)
        #expect(try judge(open, ["-3"]).first?.arguments == ["value": "-3", "minimum": "0", "maximum": "∞", "unit": ""])
    }

    @Test func length() throws {
        let field = Field(name: "x", type: .text, minimumLength: 2, maximumLength: 4)
        for value in ["'ab'", "'abcd'", "'ññññ'", "'😀😀'"] { #expect(try codes(field, value) == [], "\(value)") }
        for value in ["'a'", "'ñ'", "'😀'", "'abcde'", "'ñññññ'"] { #expect(try codes(field, value) == ["FIELD-LENGTH"], "\(value)") }
        #expect(try judge(field, ["'ñandú'"]).first?.arguments == ["length": "5", "minimum": "2", "maximum": "4"])
    }

    @Test func pattern() throws {
        let field = Field(name: "x", type: .text, pattern: "[A-Z]{1,3}-\\d+")
        #expect(try codes(field, "'C-12'") == [])
        for value in ["'C-12 '", "'xC-12'", "'C-'"] { #expect(try codes(field, value) == ["FIELD-PATTERN"]) }
        let costly = Field(name: "x", type: .text, pattern: "^(a+)+$")
        let finding = try #require(try judge(costly, ["'" + String(repeating: "a", count: 60) + "!'"]).first)
        #expect(finding.code == "FIELD-PATTERN")
        #expect(finding.arguments["note"] == "too-costly")
        let wrong = Field(name: "x", type: .text, pattern: "(")
        #expect(throws: ValidatingError.self) { try judge(wrong, []) }
    }

    @Test func vocabulary() throws {
        let field = Field(name: "x", type: .text, vocabulary: "sucs")
        for value in ["'GW'", "'CL'", "'CH'", "'CL/ML'"] { #expect(try codes(field, value) == []) }
        for value in ["'gw'", "'GWx'", "'G'", "'CL/ML '", "''"] { #expect(try codes(field, value) == ["FIELD-VOCABULARY"], "\(value)") }
        #expect(try judge(field, ["'XX'"]).first?.arguments == ["value": "XX", "vocabulary": "sucs", "values": "GW, CL, CH"])
        let list = Field(name: "x", type: .list, vocabulary: "sucs")
        #expect(try codes(list, "'[\"GW\",\"\\u0043L\"]'") == [])
        #expect(try codes(list, "'[\"GW\",\"no\",\"nein\"]'") == ["FIELD-VOCABULARY", "FIELD-VOCABULARY"])
        let ids = Field(name: "x", type: .list, references: "things")
        #expect(try codes(ids, "'[\"no id\"]'").contains("FIELD-TYPE"))
        #expect(throws: ValidatingError.self) { try judge(Field(name: "x", type: .text, vocabulary: "nowhere"), []) }
    }

    @Test func aVocabularySetHasItsValuesAndNoOthers() throws {
        let values = (0..<500).map { "value-\($0 * 7)" } + ["", "ñ"]
        let set = try VocabularySet(Vocabulary(name: "v", entries: values.map { .init(value: $0) }))
        func contains(_ text: String) -> Bool {
            let bytes = Array(("xx" + text + "yy").utf8)
            return set.contains(bytes.span, 2..<(bytes.count - 2))
        }
        for value in values { #expect(contains(value)) }
        for index in 0..<3500 where !index.isMultiple(of: 7) { #expect(!contains("value-\(index)")) }
    }

    @Test func valuesAreQuotedShortAndHiddenWherePrivate() throws {
        let long = "'" + String(repeating: "ñ", count: 100) + "'"
        let field = Field(name: "x", type: .integer)
        let quoted = try #require(try judge(field, [long]).first?.arguments["value"])
        #expect(quoted.count == 80)
        #expect(quoted.hasSuffix("ñ…"))
        #expect(try judge(field, ["'a' || char(10, 27) || 'b'"]).first?.arguments["value"] == "a��b")
        for (privacy, shown) in [("public", "secreto"), ("internal", "secreto"), ("personal", "•••"), ("secret", "•••")] {
            let field = Field(name: "x", type: .integer, privacy: privacy)
            #expect(try judge(field, ["'secreto'"]).first?.arguments["value"] == shown)
        }
        #expect(try judge(Field(name: "x", type: .integer), ["'bad'"], hidden: ["things.x"]).isEmpty)
    }

    /// Random bytes in cells of every type may give findings but never a crash.
    @Test func survivesAnything() throws {
        var generator = SeededNumbers(7)
        let alphabet = Array("[]{},:\"\\u0129-.TZ eE".utf8) + [0x00, 0x80, 0xC3, 0xF0, 0xFF]
        let fields = FieldType.allCases.map { Field(name: $0.rawValue, type: $0, minimumLength: 1, maximumLength: 9, pattern: "[a-z]*") }
        let pack = TestPack.make(entities: [Entity(name: "things", fields: [TestPack.id] + fields)])
        var rows = RowBatch(columnCount: fields.count + 1)
        for _ in 0..<2000 {
            for _ in 0...fields.count {
                switch Int.random(in: 0..<12, using: &generator) {
                case 0: rows.appendNull()
                case 1: rows.append(Int64.random(in: .min ... .max, using: &generator))
                case 2: rows.append(Double(bitPattern: generator.next()))
                default:
                    let bytes = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
                    unsafe bytes.withUnsafeBufferPointer { unsafe rows.append(utf8: $0) }
                }
            }
            rows.endRow()
        }
        let source = BatchSource(rows)
        let list = FindingList()
        let summary = try Validator(pack: pack).validate(source, into: list)
        #expect(summary.rows == ["things": 2000])
        #expect(Set(list.findings.map(\.code)).isSuperset(of: ["FIELD-TYPE", "FIELD-REQUIRED", "FIELD-LENGTH", "FIELD-PATTERN"]))
    }
}

/// A source of rows in memory. Its queries find nothing.
final class BatchSource: ValidationSource, RowSource {
    private let batch: RowBatch
    private var times: Int
    var columnCount: Int { batch.columnCount }

    init(_ batch: RowBatch, times: Int = 1) {
        self.batch = batch
        self.times = times
    }

    func fill(_ batch: inout RowBatch) {
        if times > 0 { batch = self.batch } else { batch.removeAll() }
        times -= 1
    }

    func rows(of entity: String, paths: [FieldPath]) -> any RowSource { self }
    func offenders(_ question: TableQuery, columns: [String], seconds: Double) -> any RowSource {
        MemoryRows(columnCount: columns.count, rows: [])
    }
    func rows(of entity: Entity, ids: [String], paths: [FieldPath], seconds: Double) -> any RowSource { MemoryRows(columnCount: paths.count + 1, rows: []) }
    var today: String { "2026-03-01" }
    var timeZone: TimeZone { .gmt }
    func isHidden(_ field: String, of entity: String) -> Bool { false }
}
