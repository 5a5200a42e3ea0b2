import Counting
import Foundation
import Model
import Testing
import Workbench

@testable import Importing

/// The tables of a JSON document are counted without their reader, whatever they hold.
@Suite struct JSONTablesCountTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func comparison(_ text: String, keyed: [String: String] = [:], without: Int? = nil) throws -> CountComparison {
        let path = folder.file("copia.json")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let file = try JSONTables(path: path, keyed: keyed)
        var given = try Evidence.tallies(file)
        if let without { given[without].rows? -= 1 }
        let source = try SourceCounter.count(path: path, kind: file.contentKind, options: Evidence.options(file, path: path))
        return CountComparison(reader: given, source: source)
    }

    private static let texts = [
        "[]", "{}", "7", "null", "\u{FEFF}[{\"a\": 1.5}]", #"{"a": {"b": {"c": [{"d": 1, "e": ""}, {}, null, 2, "x", [3], []]}}, "f": "", "g": null}"#,
        #"{"a": 1, "b": [{"c": 2}], "d": {"e": [5]}, "f": 3}"#, #"{"a\/b": [{"c\u0064": 1, "cd2": 2}], "a~": [1]}"#, #"[[1, {"a": 2}], {"b": [1, {"c": []}]}, {"b": {}}]"#,
        #"[{"n": -1e3, "m": 0.1}, {"n": 12345678901234567890}]"#,
    ]

    @Test(arguments: texts) func allIsCounted(_ text: String) throws {
        let comparison = try comparison(text)
        #expect(comparison.gaps == [] && comparison.unread == [])
    }

    @Test(arguments: [
        #"{"h": {"a": {"n": 1}, "b": {}, "c": [], "d": [{"n": 2}, 3, [4]], "e": 5, "": {"n": 6}}}"#, #"{"h": [{"n": 1}]}"#, #"{"h": 4}"#,
    ]) func whatIsKeyedIsCounted(_ text: String) throws {
        let comparison = try comparison(text, keyed: ["h": "day"])
        #expect(comparison.gaps == [] && comparison.unread == [])
    }

    @Test func aLostRowIsAGap() throws {
        let comparison = try comparison(#"{"a": [{"b": 1}, {"b": 2}]}"#, without: 0)
        #expect(comparison.gaps.map(\.what) == [.rows])
    }

    @Test func theFilesOfAnImportKnowWhatIsKeyed() throws {
        let path = folder.file("copia.json")
        try Data(#"{"h": {"a": {"n": 1}}}"#.utf8).write(to: URL(fileURLWithPath: path))
        let options = try Evidence.options(JSONTables(path: path, keyed: ["h": "id"]), path: path)
        #expect(options.keyed == ["h": "id"])
    }
}
