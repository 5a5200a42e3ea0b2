import Counting
import Foundation
import Importing
import Model
import Testing
import Workbench

/// Submissions of a form and their repeats are counted without their reader, whatever they hold.
@Suite struct SubmissionsCountTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("envios.jsonl")))
        return folder.file("envios.jsonl")
    }

    private static let lines = """
        {"formhub/uuid":"f","a/b":1.5,"r":[{"r/x":1,"r/s":[{"r/s/y":2}]},{},7,null,[8]],"n":null,"e":"","l":[1,2],"m":[],"o":{"p":{"q":true}}}
        {"_uuid":"v","_uuid":"w"}
        {"a":{"b":2},"r":[{"x":3,"s":[{"y":"\\u00e9"},{"y":4}]}],"t\\/u":5}
        {"a/b":
        """

    @Test func allIsCounted() throws {
        let path = try path(Self.lines)
        try Evidence.expectWhole(path)
        let file = try TableFiles.open(path: path)
        let count = try SourceCounter.count(path: path, kind: file.contentKind, options: Evidence.options(file, path: path))
        #expect(count.tables.map(\.name) == ["submissions", "r", "r/s"])
        func filled(_ table: Int, _ name: String) -> Int? { count.tables[table].columns.first { $0.name == name }?.filled }
        #expect(filled(0, "a/b") == 2 && filled(0, "o/p/q") == 1 && filled(0, "l") == 1 && filled(0, "t/u") == 1 && filled(0, "n") == 0)
        #expect(filled(1, "x") == 2 && filled(1, ".") == 2 && filled(2, "y") == 3)
        #expect(count.tables[0].columns.first { $0.name == "a/b" }?.numbers?.sum == 3.5)
    }

    @Test("Submissions in the answer of an API are counted as those one a line")
    func anAnswerIsCounted() throws {
        let lines = Self.lines.split(separator: "\n").map(String.init)
        let rows = lines[0] + ",\n" + lines[2]
        let own = try path(#"{"count":2,"next":null,"other":{"a":[1]},"results":["# + rows + "]}")
        try Evidence.expectWhole(own)
        let file = try TableFiles.open(path: own)
        let options = try Evidence.options(file, path: own)
        let count = try SourceCounter.count(path: own, kind: file.contentKind, options: options)
        #expect(count.tables.map(\.name) == ["submissions", "r", "r/s"] && count.tables.map(\.rows) == [2, nil, 3])
    }

    @Test func aMemberWithoutANameIsNoGap() throws {
        try Evidence.expectWhole(path(#"{"_submission_time":"x","a":1}"# + "\n" + #"{"_submission_time":"x","":1,"r":[{"":2}]}"# + "\n" + #"{"_submission_time":"x","l":[{"":2}],"m":[{"":[1]}],"n":{"":{"":3}}}"#))
    }

    @Test func aRowThatTheReaderLosesIsAGap() throws {
        // The second line names a member twice and the last line ends too early. Neither is a row,
        // so both are left out here.
        let whole = Self.lines.split(separator: "\n").enumerated().filter { [0, 2].contains($0.offset) }.map(\.element)
        let path = try path(whole.joined(separator: "\n"))
        let file = try TableFiles.open(path: path)
        var given = try Evidence.tallies(file)
        let source = try SourceCounter.count(path: path, kind: file.contentKind, options: Evidence.options(file, path: path))
        #expect(CountComparison(reader: given, source: source).gaps == [])
        let column = try #require(given[2].columns.firstIndex { $0.name == "y" })
        given[2].columns[column].filled -= 1
        #expect(CountComparison(reader: given, source: source).gaps.map(\.what) == [.filled])
    }

    @Test func anyBytesEndAndAgree() throws {
        var random = SeededNumbers(19)
        for _ in 0..<300 {
            var bytes = Array(Self.lines.utf8)
            for _ in 0..<3 { bytes[Int.random(in: 20..<bytes.count, using: &random)] = Array("[]{}\",:/1\n \\xr".utf8).randomElement(using: &random) ?? 0 }
            let path = try path(String(decoding: bytes, as: UTF8.self))
            guard let file = try? TableFiles.open(path: path), file.contentKind == "submissions" else { continue }
            try Evidence.expectWhole(path)
        }
    }
}
