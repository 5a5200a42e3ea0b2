import Foundation
import JSONReading
import Testing
@testable import Schemas

/// The official JSON Schema Test Suite (github.com/json-schema-org/JSON-Schema-Test-Suite), if the
/// machine has it. `FICHERO_JSON_SCHEMA_SUITE=…/tests/draft2020-12` names its folder. The engine
/// gets the documents of `remotes` beside `tests`, so that every required test runs. The folder
/// `optional/` is not required.
@Suite struct OfficialSuiteTests {
    static let folder = ProcessInfo.processInfo.environment["FICHERO_JSON_SCHEMA_SUITE"].map { URL(fileURLWithPath: $0) }

    @Test(.enabled(if: folder != nil, "FICHERO_JSON_SCHEMA_SUITE names no folder")) func everyRequiredTest() throws {
        let folder = try #require(Self.folder)
        let outcome = try Self.run(try Self.files(in: folder), Self.options(remotes: folder))
        print("JSON Schema Test Suite, draft 2020-12: \(outcome.passed) of \(outcome.total) passed, none left out")
        #expect(outcome.total > 1000)
        #expect(outcome.failures == [])
    }

    /// These tests are not required. Those that fail are listed beside this file, as of the suite's
    /// commit 44401e0 of 22 August 2026.
    @Test(.enabled(if: folder != nil, "FICHERO_JSON_SCHEMA_SUITE names no folder")) func theOptionalTestsThatFailAreKnown() throws {
        let folder = try #require(Self.folder)
        var options = Self.options(remotes: folder)
        let others = try Self.run(try Self.files(in: folder.appendingPathComponent("optional")), options)
        options.assertsFormats = true
        let formats = try Self.run(try Self.files(in: folder.appendingPathComponent("optional/format")), options)
        print("optional: \(others.passed) of \(others.total), formats: \(formats.passed) of \(formats.total)")
        let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("failing-optional-tests.txt")
        let known = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect((others.failures + formats.failures).sorted() == known)
    }

    private struct Outcome {
        var passed = 0
        var total = 0
        var failures: [String] = []
    }

    private static func files(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }

    private static func options(remotes folder: URL) -> SchemaProgram.Options {
        var options = SchemaProgram.Options()
        let remotes = folder.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("remotes")
        let root = remotes.path + "/"
        for case let file as URL in FileManager.default.enumerator(at: remotes, includingPropertiesForKeys: nil) ?? .init()
        where file.pathExtension == "json" {
            guard let data = try? Data(contentsOf: file), let value = try? JSONValue.parse(data) else { continue }
            options.documents["http://localhost:1234/" + file.path.dropFirst(root.count)] = value
        }
        return options
    }

    private static func run(_ files: [URL], _ options: SchemaProgram.Options) throws -> Outcome {
        var outcome = Outcome()
        for file in files {
            for group in try #require(try JSONValue.parse(Data(contentsOf: file)).items) {
                let compiled = SchemaProgram.compile(try #require(group["schema"]), options: options)
                for test in try #require(group["tests"]?.items) {
                    outcome.total += 1
                    let name = [file.lastPathComponent, group["description"]?.text, test["description"]?.text].compactMap { $0 }.joined(separator: " / ")
                    guard let program = compiled.program else {
                        outcome.failures.append(name)
                        continue
                    }
                    var machine = SchemaMachine(program)
                    let faults = machine.faults(of: try #require(test["data"]))
                    if (test["valid"] == .bool(true)) == faults.isEmpty { outcome.passed += 1 } else { outcome.failures.append(name) }
                }
            }
        }
        return outcome
    }
}
