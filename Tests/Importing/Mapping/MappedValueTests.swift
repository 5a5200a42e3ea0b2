import JSONReading
import Testing

@testable import Importing
@testable import Model

/// Values that a mapping takes from other tables, ids that are made of values, JSON objects, and
/// schemas.
@Suite struct MappedValueTests {
    /// Sheets of texts. A cell with `=12` is the number 12.
    private final class Sheets: TableFile {
        static let kind = "sheets"
        let tables: [ForeignTable]

        init(_ sheets: [String: [[String]]]) {
            tables = sheets.sorted { $0.key < $1.key }.map { name, rows in ForeignTable(name: name) { Rows(rows) } }
        }
    }

    private final class Rows: ForeignRows {
        private var rows: [[String]]
        private var number = 0

        init(_ rows: [[String]]) { self.rows = rows }

        func fill(_ batch: inout ForeignBatch) {
            batch.removeAll()
            while !rows.isEmpty, !batch.isFull {
                number += 1
                for cell in rows.removeFirst() {
                    if cell.hasPrefix("=") { batch.append(.number, String(cell.dropFirst())) } else if cell.isEmpty { batch.appendEmpty() } else { batch.append(.text, cell) }
                }
                batch.endRow(number: number)
            }
        }
    }

    private static let sheets = [
        "Strata": [["Id", "Pit", "Depth"], ["1", "12", "=0.5"], ["2", "13", "=1"], ["3", "99", "=2"]],
        "Pits": [["Id", "Project", "Code", "Height"], ["12", "3", "C-1", "=9"], ["13", "7", "C-2", "=2"], ["14", "7", "C-3", "n/a"]],
        "Projects": [["Id", "Code"], ["3", "PE-1"], ["7", "pe-2"]],
        "Data": [
            ["Of", "Name", "Value", "Unit"], ["12", "weight", "=7.0000000000000007E-2", "kg"], ["12", "tag", "007", "n/a"], ["12", "weight", "=9", "kg"],
            ["13", "weight", "12.5", "n/a"], ["13", "wet", "N/A", ""], ["13", "tag", "12", ""],
        ],
    ]

    /// The value of one field in each row of a table. It is nil if the row has a fault.
    private func values(
        _ value: ImportMapping.Value, in table: String, _ conversions: [CellConversion] = [], of field: String = "extra", columns: [ImportMapping.Column] = [],
        sheets: [String: [[String]]] = sheets
    ) throws -> [JSONValue?] {
        let mapping = ImportMapping(
            name: "m", lookups: ["unit": ["kg": "1000"]], blanks: ["N/a"],
            tables: [
                .init(
                    names: [table], columns: columns,
                    targets: [.init(entity: "calicatas", key: ["code"], fields: [.init("code", .column(["Id"])), .init(field, value, conversions)])])
            ])
        let source = try MappedSource(Sheets(sheets), path: "f", mapping: mapping, pack: EveryFieldPack.pack, keys: NoRecordKeys())
        // The heading is not a row.
        return try ReadRow.rows(of: source).map { $0.isFiltered || !$0.findings.isEmpty ? nil : $0.value[field] }
    }

    private static let project = ImportMapping.Other(
        table: "Projects", key: ["Id"], by: [.init("", .other(.init(table: "Pits", key: ["Id"], by: ["Pit"], content: .value(headings: ["Project"], .first, separator: ""))))],
        content: .value(headings: ["Code"], .first, separator: ""))

    /// Counts are written with a mark between thousands too. A file's own numbers have none, and what
    /// could be a fraction is refused.
    @Test func anIntegerMayHaveThousands() throws {
        let sheets = ["Counts": [["Id", "Count"], ["1", "1.234"], ["2", "12.345.678"], ["3", "-1.000"], ["4", "7"], ["5", "=1500"], ["6", "1.5"], ["7", "1.234,5"], ["8", "1.234,00"]]]
        let count = ImportMapping.Value.column(["Count"])
        #expect(try values(count, in: "Counts", [.thousands(".")], of: "number", sheets: sheets).map { $0.map { "\($0)" } }
            == ["1234", "12345678", "-1000", "7", "1500", nil, nil, nil].map { $0.map { "\(JSONValue.number($0))" } })
        #expect(try values(count, in: "Counts", [.thousands("."), .decimalComma], of: "number", sheets: sheets).map { $0 == nil }
            == [false, false, false, false, false, true, true, false])
    }

    @Test func aValueIsFoundThroughAThirdTable() throws {
        #expect(try values(.other(Self.project), in: "Strata", [.upper]) == [.string("PE-1"), .string("PE-2"), .null])
    }

    @Test func theKeyOfAnotherTableMayItselfBeLookedUp() throws {
        // The strata are found by the code of their pit.
        let other = ImportMapping.Other(
            table: "Strata", key: [.init("", .other(.init(table: "Pits", key: ["Id"], by: ["Pit"], content: .value(headings: ["Code"], .first, separator: ""))))],
            by: ["Code"], content: .value(headings: ["Depth"], .sum, separator: ""))
        #expect(try values(.other(other), in: "Pits") == [.string("0.5"), .string("1"), .null])
    }

    @Test func withoutAKeyTheWholeTableIsMeant() throws {
        let other = ImportMapping.Other(table: "Projects", key: [], by: [], content: .value(headings: ["Code"], .join, separator: "/"))
        #expect(try values(.other(other), in: "Pits") == Array(repeating: .string("PE-1/pe-2"), count: 3))
    }

    @Test func positionsFollowANumberAndNotTheOrderOfRows() throws {
        let other = ImportMapping.Other(table: "Pits", key: ["Id"], by: ["Id"], content: .value(headings: ["Height"], .rank, separator: ""))
        #expect(try values(.other(other), in: "Pits") == [.string("1"), .string("0"), .null])
    }

    @Test func anIdFollowsFromItsValuesAlone() throws {
        let first = try values(.identifier(["Project", "Code"]), in: "Pits")
        #expect(Set(first.compactMap { $0?.description }).count == 3)
        var moved = Self.sheets
        moved["Pits"] = [["Code", "Id", "Project"], ["C-3", "1", "7"], ["C-1", "2", "3"]]
        let second = try values(.identifier(["Project", "Code"]), in: "Pits", sheets: moved)
        #expect(second == [first[2], first[0]])
        moved["Pits"] = [["Code", "Id", "Project"], ["", "1", "7"]]
        #expect(try values(.identifier(["Project", "Code"]), in: "Pits", sheets: moved) == [nil], "a row without one of the values has no id")
    }

    @Test func anObjectTakesTheFilledCellsAndKeepsTextsAsTexts() throws {
        let members: [ImportMapping.Field] = [.init("height", .column(["Height"])), .init("id", .column(["Id"])), .init("none", .column(["Nowhere"]))]
        #expect(
            try values(.object(members), in: "Pits")
                == [JSONValue.parse(#"{"height":9,"id":"12"}"#), JSONValue.parse(#"{"height":2,"id":"13"}"#), JSONValue.parse(#"{"id":"14"}"#)])
    }

    @Test func membersAreOncePerNameAndOfTheirKind() throws {
        let other = ImportMapping.Other(table: "Data", key: ["Of"], by: ["Id"], content: .members(name: ["Name"], value: ["Value"]))
        // A number that a spreadsheet wrote with seventeen digits is read as the short number. The
        // text 007 is not a number, and n/a is no value.
        #expect(
            try values(.other(other), in: "Pits")
                == [JSONValue.parse(#"{"weight":0.07,"tag":"007"}"#), JSONValue.parse(#"{"weight":12.5,"tag":12}"#), .null])
    }

    private static let schema = ImportMapping.Other(
        table: "Data", key: ["Of"], by: ["Id"], content: .schema(name: ["Name"], value: ["Value"], unit: ["Unit"], scope: "type"))

    @Test func aSchemaSaysWhatKindOfValuesOccur() throws {
        let found = try values(.other(Self.schema), in: "Pits")
        #expect(try
            found[0] == JSONValue.parse(#"{"type":"object","properties":{"weight":{"type":"number","x-unit":"kg","x-scope":"type"},"tag":{"type":"string","x-scope":"type"}}}"#))
        let all = ImportMapping.Other(table: "Data", key: [], by: [], content: .schema(name: ["Name"], value: ["Value"], unit: ["Unit"], scope: "instance"))
        // If a name has both texts and numbers, the schema states no type. The unit is that of the
        // first value that has one.
        #expect(
            try values(.other(all), in: "Pits").first
                == JSONValue.parse(#"{"type":"object","properties":{"weight":{"type":"number","x-unit":"kg","x-scope":"instance"},"tag":{"x-scope":"instance"}}}"#))
    }

    @Test func objectsAreMergedDeeplyAndTheFirstCounts() throws {
        let base = ImportMapping.Field("", .constant(#"{"properties":{"tag":{"type":"integer"}},"x":1}"#))
        let merged = try values(.merge([base, .init("", .other(Self.schema))]), in: "Pits")
        #expect(try
            merged[0] == JSONValue.parse(#"{"properties":{"tag":{"type":"integer","x-scope":"type"},"weight":{"type":"number","x-unit":"kg","x-scope":"type"}},"x":1,"type":"object"}"#))
        #expect(try merged[2] == JSONValue.parse(#"{"properties":{"tag":{"type":"integer"}},"x":1}"#), "nothing to merge with")
        #expect(try values(.merge([.init("", .column(["Nowhere"]))]), in: "Pits") == [.null, .null, .null])
    }

    @Test func aColumnOfAnExpressionMayComeOutOfAnotherTable() throws {
        let unit = ImportMapping.Other(table: "Data", key: ["Of"], by: ["Id"], content: .value(headings: ["Unit"], .first, separator: ""))
        let columns: [ImportMapping.Column] = [
            .init(name: "factor", type: .decimal, headings: [], other: .init("", .other(unit), [.lookup("unit")])), .init(name: "height", type: .decimal, headings: ["Height"]),
        ]
        let expression = try ExpressionParser.parse("height * coalesce(factor, 1)")
        #expect(try values(.expression(expression), in: "Pits", columns: columns) == [.string("9000"), .string("2"), .null])
        var odd = Self.sheets
        odd["Data"] = [["Of", "Unit"], ["12", "stone"]]
        // An unknown word rejects only its own row.
        #expect(try values(.expression(expression), in: "Pits", columns: columns, sheets: odd) == [nil, .string("2"), .null])
    }

    @Test func whatOtherTablesLookUpIsReadAndNotReportedAsUnused() throws {
        let mapping = ImportMapping(
            name: "m",
            tables: [
                .init(names: ["Pits"], targets: [.init(entity: "calicatas", key: ["code"], fields: [.init("code", .column(["Code"]))])]),
                .init(names: ["Strata"], targets: [.init(entity: "cortes", key: ["number"], fields: [.init("number", .other(Self.project))])]),
            ])
        let source = try MappedSource(Sheets(Self.sheets), path: "f", mapping: mapping, pack: EveryFieldPack.pack, keys: NoRecordKeys())
        #expect(source.findings.map { $0.arguments["columns"] ?? $0.code } == ["Height", "Id, Depth", "IMPORT-UNMAPPED-TABLE"])
    }
}
