import Foundation
import Testing

/// The property lists of a device come in as its JSON files do.
@Suite struct PropertyListImportTests {
    private static let samples = ProgramRun.root + "/Samples/mesync/"

    /// Every table's rows after an import, without what each import makes anew.
    private func rows(_ path: String) throws -> [String] {
        let office = try Office(system: "mesync", set: nil)
        let run = try office.run("import", path, "--mapping", "dispositivo", "--fail-on", "error", "--actor", Office.administrator)
        #expect(run.status == 0, "\(path): \(run.output) \(run.error)")
        return try ["users", "habits", "habit_instances", "tasks", "medications", "medication_instances"].map { try office.sql("SELECT id, content_stamp FROM \($0) ORDER BY id") }
    }

    @Test func theSameRowsAsFromTheJSONFilesOfTheDevice() throws {
        let expected = try rows(Self.samples + "device.json")
        #expect(expected[1].split(separator: "\n").count == 5 && expected[2].split(separator: "\n").count == 34)
        #expect(try rows(Self.samples + "device.plist") == expected)
        #expect(try rows(Self.samples + "device-xml.plist") == expected)
        // What a device has: the small sets in its property list, the larger ones as files.
        let office = try Office(system: "mesync", set: nil)
        let folder = office.path("device")
        try FileManager.default.copyItem(atPath: Self.samples + "device/Caches", toPath: folder)
        try FileManager.default.copyItem(atPath: Self.samples + "device/Preferences/com.example.mesync.plist", toPath: folder + "/com.example.mesync.plist")
        #expect(try rows(folder) == expected)
    }

    @Test func aListComesInOnceAndItsRejectedRowsCanBeTriedAgain() throws {
        let office = try Office(system: "mesync", set: nil)
        let script = """
            import plistlib, sys
            d = plistlib.load(open(sys.argv[1], 'rb'))
            d['habits'] = d['habits'].replace(b'"createdAt":770450575.0', b'"createdAt":1e300')
            plistlib.dump(d, open(sys.argv[2], 'wb'), fmt=plistlib.FMT_BINARY)
            """
        #expect(try ProgramRun.program("/usr/bin/python3", ["-c", script, Self.samples + "device.plist", office.path("d.plist")]).status == 0)
        func bringIn() throws {
            let run = try office.run("import", office.path("d.plist"), "--mapping", "dispositivo", "--fail-on", "never", "--actor", Office.administrator)
            #expect(run.status == 0, "\(run.output) \(run.error)")
        }
        try bringIn()
        // The habit, and the marks that refer to it.
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "14")
        let habit = try office.sql("SELECT id FROM rejects WHERE entity = 'habits'")
        #expect(try office.run("rejects", "edit", habit, "--set", "createdAt=770450575.0", "--actor", Office.administrator).status == 0)
        #expect(try office.run("rejects", "retry", "--actor", Office.administrator).status == 0)
        let counts = "SELECT (SELECT count(*) FROM habits), (SELECT count(*) FROM habit_instances)"
        #expect(try office.sql(counts) == "5|34")
        try bringIn()
        #expect(try office.sql(counts) == "5|34")
    }

    @Test func whatCannotBeReadChangesNothing() throws {
        let office = try Office(system: "mesync", set: nil)
        for (bytes, code) in [
            (Data("bplist00".utf8), "TABLE-DAMAGED"), (Data("<plist><dict><key>CF$UID</key><integer>1</integer></dict></plist>".utf8), "TABLE-KEYED-ARCHIVE"),
            (Data("<plist><dict><key>habits</key><data>W3siaWQi</data></dict></plist>".utf8), "IMPORT-BROKEN"),
        ] {
            try bytes.write(to: URL(fileURLWithPath: office.path("d.plist")))
            let run = try office.run("import", office.path("d.plist"), "--mapping", "dispositivo", "--actor", Office.administrator)
            #expect(run.status == 65 && (run.output + run.error).contains(code), "\(code): \(run.output) \(run.error)")
        }
        #expect(try office.sql("SELECT count(*) FROM habits") == "0")
    }
}
