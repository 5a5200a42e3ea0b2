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
            d['tasks'] = d['tasks'].replace(b'"priority":"high"', b'"priority":"urgent"', 1)
            plistlib.dump(d, open(sys.argv[2], 'wb'), fmt=plistlib.FMT_BINARY)
            """
        #expect(try ProgramRun.program("/usr/bin/python3", ["-c", script, Self.samples + "device.plist", office.path("d.plist")]).status == 0)
        let first = try office.run("import", office.path("d.plist"), "--mapping", "dispositivo", "--fail-on", "never", "--actor", Office.administrator)
        #expect(first.status == 0, "\(first.output) \(first.error)")
        let counts = try office.sql("SELECT count(*) FROM tasks")
        _ = try office.run("import", office.path("d.plist"), "--mapping", "dispositivo", "--fail-on", "never", "--actor", Office.administrator)
        #expect(try office.sql("SELECT count(*) FROM tasks") == counts)
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
