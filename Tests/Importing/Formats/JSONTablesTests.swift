import Foundation
import JSONReading
import Model
import Testing

@testable import Importing

/// A JSON document whose tables lie under keys is read as tables.
@Suite struct JSONTablesTests {
    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    private func open(_ text: String, keyed: [String: String] = [:], _ limits: TableLimits = TableLimits()) throws -> JSONTables {
        try JSONTables(path: folder.write(text, "copia.json"), keyed: keyed, limits: limits)
    }

    private static let document = """
        {"user": {"id": "u", "age": 4.50, "tags": ["a"], "home": {"city": "Lima"}}, "last": 7,
         "data": {"habits": [{"id": 1, "days": [2, {"b": null}], "at": {"x": "\\u00e9"}}, {"name": "n", "id": 2}, "word", [1, [2]], null, {}]},
         "empty": [], "more": true}
        """

    @Test func listsAreTablesAndObjectsAreRows() throws {
        let file = try open(Self.document)
        #expect(file.tables.map(\.name) == ["user", "user/tags", "user/home", "copia", "data/habits", "empty"])
        let content = try file.tables.map { try $0.content() }
        #expect(content[0] == ["1 t:u n:4.50"] && file.tables[0].columns == ["id", "age"])
        #expect(content[1] == ["1 t:a"] && content[2] == ["1 t:Lima"])
        #expect(content[3] == ["1 n:7 b:true"] && file.tables[3].columns == ["last", "more"])
        #expect(file.tables[4].columns == ["id", "days", "at", "name", "value"])
        #expect(content[4].prefix(4) == [#"1 n:1 t:[2,{"b":null}] t:{"x":"é"}"#, "2 n:2 - - t:n", "3 - - - - t:word", "4 - - - - t:[1,[2]]"])
        #expect(content[4].count == 6 && content[5].isEmpty && file.tables[5].columns == [])
    }

    @Test func anObjectByIDOrByDayHasARowAMember() throws {
        let text = #"{"habits": {"h1": {"name": "a"}, "h2": {"name": "b"}}, "days": {"2025-11-01": [{"n": 1}, {"n": 2}], "2025-11-02": [], "x": 3}}"#
        let file = try open(text, keyed: ["habits": "id", "days": "day"])
        #expect(file.tables.map(\.name) == ["habits", "days"])
        #expect(file.tables[0].columns == ["id", "name"])
        #expect(try file.tables[0].content() == ["1 t:h1 t:a", "2 t:h2 t:b"])
        #expect(try file.tables[1].content() == ["1 t:2025-11-01 n:1", "2 t:2025-11-01 n:2", "3 t:x - n:3"])
        #expect(throws: ImportFailure.self) { try open(#"{"habits": {"h1": {"id": 4}}}"#, keyed: ["habits": "id"]) }
    }

    @Test func manyRowsComeInSeveralBatches() throws {
        let rows = (0..<5_000).map { #"{"n": \#($0), "t": "row \#($0)"}"# }.joined(separator: ",")
        let table = try open(#"{"a": [\#(rows)], "b": 1}"#).tables[0]
        let content = try table.content()
        #expect(content.count == 5_000 && content[4_999] == "5000 n:4999 t:row 4999")
    }

    @Test func theKindIsKnownByItsContent() throws {
        func kind(_ text: String) throws -> String { try TableFiles.open(path: folder.write(text, "f.json")).contentKind }
        #expect(try kind("\u{FEFF} [ ]") == "json-tables")
        #expect(try kind(#"{"a": [1], "b": []}"#) == "json-tables")
        #expect(try kind("{\n \"a\": 1\n}\n") == "json-tables")
        #expect(try kind("{\"a\": 1}\n{\"a\": 2}\n") == "csv", "one object a line")
    }

    @Test(arguments: [
        "[", "{\"a\": [{\"b\": 1}, ", #"{"a": 1, "a": 2}"#, #"{"a": [{"b": 1, "b": 2}]}"#, #"{"a": [{"b": {"c": 1, "c": 2}}]}"#, #"[{"": 1}]"#, "[1] 2", #"[{"a": "\ud800"}]"#,
        "[nan]", "{\"a\": tru}",
    ])
    func whatIsBrokenIsSaid(_ text: String) throws {
        #expect(throws: ImportFailure.self) { try open(text) }
    }

    @Test func whatIsTooMuchIsRefused() throws {
        let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        #expect(throws: TableFailure.self) { try open(deep) }
        #expect(throws: TableFailure.self) { try open("[{\"n\": \(String(repeating: "9", count: 1_000))}]") }
        var limits = TableLimits()
        limits.tables = 2
        #expect(throws: TableFailure.self) { try open(#"{"a": [], "b": [], "c": []}"#, limits) }
        limits = TableLimits()
        limits.columns = 2
        #expect(throws: TableFailure.self) { try open(#"[{"a": 1, "b": 2, "c": 3}]"#, limits) }
        limits = TableLimits()
        limits.json.valueBytes = 50
        #expect(throws: TableFailure.self) { try open(#"[{"a": "\#(String(repeating: "x", count: 99))"}]"#, limits) }
        // A list of any length is no row.
        #expect(try open("[\((0..<100).map { "{\"a\": \($0)}" }.joined(separator: ","))]", limits).tables[0].content().count == 100)
    }
}
