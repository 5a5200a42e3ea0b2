import Foundation
import Testing

/// Tests compare what Fichero writes with other programs. If one of these is missing, a test fails
/// and names it. No test passes without them.
@Suite struct NeededProgramTests {
    private static let tests = ProgramRun.root + "/Tests"

    private static func sources() throws -> [(name: String, text: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: tests).filter { $0.hasSuffix(".swift") && !$0.hasSuffix("NeededProgramTests.swift") }.sorted()
            .map { ($0, try String(contentsOfFile: tests + "/" + $0, encoding: .utf8)) }
    }

    @Test func thePackagesThatTestsNeedAreInstalled() throws {
        let script = """
            eval "$(grep -E '^(build|release|test)=' Scripts/install-packages)"
            for package in $test; do
                dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || echo "$package"
            done
            """
        let run = try ProgramRun.program("/bin/sh", ["-eu", "-c", script], in: ProgramRun.root)
        #expect(run.status == 0 && run.output.isEmpty, "missing; Scripts/install-packages test installs them: \(run.output)\(run.error)")
    }

    @Test func everyProgramThatATestRunsIsThere() throws {
        var programs: Set<String> = []
        for (_, text) in try Self.sources() { programs.formUnion(text.matches(of: /"(\/usr\/bin\/[a-z0-9-]+)"/).map { String($0.1) }) }
        #expect(programs.count > 10)
        for program in programs.sorted() {
            #expect(FileManager.default.isExecutableFile(atPath: program), "tests run \(program): a package of Scripts/install-packages has to bring it")
        }
    }

    @Test func noTestIsLeftOutInSilence() throws {
        let allowed = [
            // They read files of other people, which may not be part of the project. Each fault
            // that they found has a test of its own.
            "Counting/CollectionCountTests.swift", "Importing/Formats/CollectionTests.swift",
            // It runs cases of another project. SpecificationTests has cases of our own.
            "Schemas/OfficialSuiteTests.swift",
            // It reads the list that another test writes.
            "EndToEnd/Reporting/DocumentGoldenTests.swift",
        ]
        for (name, text) in try Self.sources() where !allowed.contains(name) {
            for sign in [".enabled(", ".disabled(", "withKnownIssue", "ImportError", "ModuleNotFoundError"] {
                #expect(!text.contains(sign), "\(name) leaves tests out: \(sign)")
            }
            // Only the program under test may be searched for.
            if !["EndToEnd/ProgramRun.swift"].contains(name) { #expect(!text.contains("isExecutableFile"), "\(name) asks whether a program is there") }
        }
    }
}
