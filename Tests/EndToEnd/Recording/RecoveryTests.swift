import Foundation
import Testing
import Workbench

/// A run fails or is killed after its files got their names. The next run corrects this, for any
/// pattern of names.
@Suite struct RecoveryTests {
    /// These names have no `{version}`, so each delivery replaces the file of the one before.
    private static let export = ["export", "calicatas", "--project", "HYO-2025", "--format", "csv", "--output-name", "{project}/{export}.{format}", "-o", "out"]

    /// An office with a first delivery. A record was changed since then, so the second delivery has
    /// another content.
    private static func office() throws -> (Office, first: String) {
        let office = try Office.pits()
        let run = try office.run(export)
        guard run.status == 0 else { throw Office.Trouble(run) }
        _ = try office.writableSQL("UPDATE calicatas SET observations = 'otra', content_stamp = content_stamp + 1000 WHERE project_id = (SELECT id FROM projects WHERE code = 'HYO-2025')")
        return (office, try text(office))
    }

    private static func text(_ office: Office) throws -> String {
        let files = try office.files("out").filter { $0.hasSuffix(".csv") }
        return try files.map { try String(contentsOfFile: office.path("out/" + $0), encoding: .utf8) }.joined()
    }

    @Test(arguments: ["kill", "fault", "full"])
    func anExportBrokenAnywhereIsMendedByTheNext(_ how: String) throws {
        let how = try #require(BrokenCall.How(rawValue: how))
        let (undisturbed, first) = try Self.office()
        let calls = try BrokenCall.any(in: undisturbed).count(Self.export, in: undisturbed)
        let second = try Self.text(undisturbed)
        #expect(second != first && second.contains("otra"))
        // The last calls of a run give names to files and register them.
        for number in Set((1...3).map { calls * $0 / 4 } + (0..<9).map { calls - 6 * $0 }).sorted() {
            let (office, _) = try Self.office()
            let broken = try BrokenCall.any(in: office).run(Self.export, in: office, at: number, how)
            // The first half of the calls writes the files. Without the later ones a run may end
            // well, but only with the whole delivery.
            let failed = how == .kill ? 128 + SIGKILL : 74
            #expect(broken.status == failed || how != .kill && number > calls / 2 && broken.status == 0, "\(number) \(broken.status) \(broken.error)")
            if broken.status == 0 { #expect(try Self.text(office) == second, "\(number)") }
            // The content of a file with its final name is complete: that of the first delivery or
            // that of the second.
            let known = try office.writableSQL("SELECT count(*) FROM exports WHERE local_path LIKE '%.csv' AND status <> 'superseded'")
            #expect(try Int(known) ?? 0 >= 1 && ["", first, second].contains(Self.text(office)))
            let next = try office.run(Self.export)
            #expect(next.status == 0, "\(number) \(next.error)")
            #expect(try Self.text(office) == second, "\(number)")
            #expect(try office.files("out").allSatisfy { !$0.contains("/.") }, "\(number): leftovers")
            let verified = try office.run("verify", "-o", "out")
            #expect(verified.status == 0, "\(number) \(verified.output) \(verified.error)")
            #expect(try office.sql("SELECT count(*) FROM pipeline_runs WHERE state = 'running'") == "0")
        }
    }
}
