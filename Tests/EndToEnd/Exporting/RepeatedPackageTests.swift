import Foundation
import Testing

/// A package of the same content is the same version, whenever it is made and whatever was done
/// before.
@Suite struct RepeatedPackageTests {
    private static func package(_ time: String = Office.asOf) -> [String] { ["package", "--project", "HYO-2025", "-o", "survey.zip", "--as-of", time] }

    private func versions(_ office: Office) throws -> String {
        try office.writableSQL("SELECT count(*), max(v.version) FROM exports e JOIN document_versions v ON v.export_id = e.id WHERE e.export_name = 'package'")
    }

    @Test func theSameContentIsNoNewVersion() throws {
        let office = try Office.pits()
        #expect(try office.run(Self.package()).status == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: office.path("survey.zip")))
        let again = try office.run(Self.package("2025-12-05T09:00:00Z") + ["--json"])
        #expect(again.status == 0 && again.output.contains("\"state\" : \"unchanged\""), "\(again.error)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: office.path("survey.zip"))) == bytes)
        #expect(try versions(office) == "1|1")
        #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'export_registered'") == "1")
        _ = try office.writableSQL("UPDATE calicatas SET observations = 'otra', content_stamp = content_stamp + 1000 WHERE code = 'C-01'")
        #expect(try office.run(Self.package()).status == 0)
        #expect(try versions(office) == "2|2")
        #expect(try office.run("verify").status == 0)
    }

    @Test func aKillAfterTheRegistrationMakesNoSecondOne() throws {
        let counted = try Office.pits()
        let calls = try BrokenCall.any(in: counted).count(Self.package(), in: counted)
        for number in (calls - 5)...calls {
            let office = try Office.pits()
            _ = try BrokenCall.any(in: office).run(Self.package(), in: office, at: number, .kill)
            #expect(try office.run(Self.package("2025-12-05T09:00:00Z")).status == 0)
            #expect(try versions(office) == "1|1", "killed at \(number) of \(calls)")
            #expect(try office.files(".").allSatisfy { !$0.contains(".part") && !$0.hasPrefix(".") }, "\(number)")
            #expect(try office.sql("SELECT count(*) FROM run_outputs WHERE state <> 'registered'") == "0")
        }
    }

    @Test func aFolderThatHasItsNameAndNoEntryIsMadeAnew() throws {
        let command = ["package", "--project", "HYO-2025", "-o", "survey", "--no-photos"]
        let counted = try Office.pits()
        let calls = try BrokenCall.any(in: counted).count(command, in: counted)
        var orphans = 0
        for number in (calls - 30)...calls {
            let office = try Office.pits()
            _ = try BrokenCall.any(in: office).run(command, in: office, at: number, .kill)
            let isThere = FileManager.default.fileExists(atPath: office.path("survey"))
            guard isThere, try office.writableSQL("SELECT count(*) FROM activity_logs WHERE action = 'package_written'") == "0" else { continue }
            orphans += 1
            let again = try office.run(command)
            #expect(again.status == 0, "killed at \(number) of \(calls): \(again.error)")
            #expect(FileManager.default.fileExists(atPath: office.path("survey/manifest.json")))
            #expect(try office.sql("SELECT count(*) FROM activity_logs WHERE action = 'package_written'") == "1")
            #expect(try office.sql("SELECT count(*) FROM run_outputs") == "0")
            #expect(try office.files("").allSatisfy { !$0.hasPrefix(".") })
            // A folder that the log knows is neither removed nor replaced.
            #expect(try office.run(command).status == 73)
        }
        #expect(orphans > 0)
    }
}
