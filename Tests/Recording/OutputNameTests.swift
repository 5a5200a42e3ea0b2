import Model
import Testing

@testable import Recording

@Suite struct OutputNameTests {
    private func values(project: String = "TPA-2025", name: String = "Túnel Pasco") -> OutputName.Values {
        .init(export: "calicatas", project: project, name: name, date: "2026-01-31", version: 3, format: "xlsx")
    }

    @Test func fillsEveryPlaceholder() throws {
        let name = try OutputName(pattern: "{year}-{month}/{project}/{name}/{export}-{date}-v{version}.{format}")
        #expect(try name.path(values()) == "2026-01/TPA-2025/Túnel Pasco/calicatas-2026-01-31-v3.xlsx")
        #expect(try name.stem(values()) == "2026-01/TPA-2025/Túnel Pasco/calicatas-2026-01-31-v3")
        #expect(try OutputName(pattern: OutputName.standard).stem(values()) == "TPA-2025/calicatas-2026-01-31-v3")
        #expect(try OutputName(pattern: "{period}/{export}").stem(values()) == "2026-01/calicatas")
        var november = values()
        november.period = "2025-11"
        #expect(try OutputName(pattern: "{period}/{export}").stem(november) == "2025-11/calicatas")
        #expect(try OutputName(pattern: "{export}").stem(values()) == "calicatas")
    }

    @Test func aLineTellsItsFilesFromOthers() throws {
        var values = values()
        func path(_ pattern: String) throws -> String { try OutputName(pattern: pattern).path(values) }
        #expect(try path("{export}-{line}.{format}") == "calicatas--.xlsx")
        values.line = "BORRADOR"
        #expect(try path(OutputName.standard) == "TPA-2025/calicatas-BORRADOR-2026-01-31-v3.xlsx")
        #expect(try path("{line}/{export}.{format}") == "BORRADOR/calicatas.xlsx")
    }

    @Test func refusesUnknownPlaceholders() {
        let expected = RecordingFailure.patternPlaceholder(
            pattern: "{export}-{actor}", name: "actor", known: OutputName.placeholders)
        #expect(throws: expected) { try OutputName(pattern: "{export}-{actor}") }
        #expect(expected.exitCode == .badConfiguration)
        #expect(expected.arguments["known"]?.contains("{project}") == true)
    }

    @Test(arguments: [
        "/etc/{export}", "../{export}", "a/../{export}", "./{export}", "a//{export}", "{export}/", "", ".{export}", "{export", "a\0b",
        "a\\b", "{export}}}",
    ])
    func refusesPathsThatLeaveOrHide(pattern: String) {
        #expect(throws: RecordingFailure.patternPath(pattern: pattern)) { try OutputName(pattern: pattern) }
    }

    @Test(arguments: [
        "../../etc/passwd", "..", ".", ".hidden", "/root", "a/b", "a\\b", "C:", "a\0b", "a\nb", "x\u{202E}fdp", "", " ", "a.", "{export}",
        "…/…", String(repeating: "ñ", count: 500), String(repeating: "👩‍👩‍👧‍👦", count: 30),
    ])
    func keepsAnyProjectInside(project: String) throws {
        let path = try OutputName(pattern: "{project}/{export}.{format}").path(values(project: project))
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        #expect(parts.count == 2)
        #expect(parts[1] == "calicatas.xlsx")
        #expect(!parts[0].isEmpty && parts[0].first != "." && parts[0].last != "." && parts[0].utf8.count <= 100)
        #expect(!path.contains("\\") && !path.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
    }

    @Test func keepsDifferentProjectsApart() throws {
        let long = String(repeating: "x", count: 100)
        let codes = ["A/B", "A\\B", "A-B", "A:B", long + "1", long + "2", "", ".", ".."]
        #expect(Set(codes.map(OutputName.safeComponent)).count == codes.count)
        #expect(OutputName.safeComponent("TPA-2025 (ñ)") == "TPA-2025 (ñ)")
    }

    @Test func refusesNamesThatNoDirectoryHolds() throws {
        let name = try OutputName(pattern: "{project}{name}{export}{project}.{format}")
        let long = String(repeating: "x", count: 80)
        #expect(throws: RecordingFailure.self) { try name.path(values(project: long, name: long)) }
    }

    @Test func storagePaths() {
        #expect(StoragePath(organisation: "0198-org", project: "0198-p").folder == "exports/orgs/0198-org/projects/0198-p")
        #expect(StoragePath(organisation: nil, project: "0198-p").folder == "exports/orgs/-/projects/0198-p")
        let hostile = StoragePath(organisation: "../../etc", project: "..").folder
        let parts = hostile.split(separator: "/")
        #expect(parts.count == 5 && !parts.contains { $0 == ".." })
    }
}
