import Foundation
import Testing

/// The same delivery, asked for in another folder or under another name.
@Suite struct OtherFolderTests {
    let office: Office

    init() throws { office = try Office.pits() }

    private func deliver(_ folder: String, _ options: String...) throws -> ProgramRun {
        try office.run(["run", "monthly", "-o", folder] + options)
    }

    @Test func theFilesAreWhereTheyAreAskedFor() throws {
        #expect(try deliver("out").status <= 1)
        let names = try office.files("out")
        let copied = try deliver("new", "--as-of", "2025-12-02T14:00:00Z")
        #expect(copied.status <= 1, "\(copied.error)")
        #expect(try office.files("new") == names && !names.isEmpty)
        for name in names {
            #expect(FileManager.default.contentsEqual(atPath: office.path("new/" + name), andPath: office.path("out/" + name)), "\(name)")
        }
        #expect(try office.run("verify", "-o", "new").status == 0)
        #expect(try office.run("verify", "-o", "out").status == 0)
        // Neither folder gets them twice.
        let count = try office.sql("SELECT count(*) FROM exports")
        for folder in ["out", "new"] { #expect(try deliver(folder).output.contains("unchanged") || deliver(folder, "--json").output.contains("\"unchanged\"")) }
        #expect(try office.sql("SELECT count(*) FROM exports") == count)
        #expect(try office.sql("SELECT count(*) FROM exports WHERE status = 'superseded'") == "0")
        // The next version takes the place of all of them.
        #expect(try deliver("new", "--again").status <= 1)
        #expect(try office.sql("SELECT count(*) FROM exports WHERE status = 'registered'") == String(names.count))
    }

    @Test func aPlaceWhereNothingCanBeIsNoSuccess() throws {
        #expect(try deliver("out").status <= 1)
        #expect(try deliver("/proc/x", "--quiet").status == 73)
    }

    @Test func anotherNameIsAnotherPlace() throws {
        func export(_ name: String) throws -> ProgramRun {
            try office.run("export", "calicatas", "--project", "CHU-2025", "--format", "xlsx,csv", "-o", "out", "--output-name", name)
        }
        #expect(try export("a.{format}").status == 0)
        #expect(try export("b.{format}").status == 0)
        let names = try office.files("out")
        #expect(names.contains("b.xlsx") && names.count(where: { $0.hasPrefix("a") }) == names.count(where: { $0.hasPrefix("b") }), "\(names)")
    }

    /// A killed copy is made whole by the next run.
    @Test func aKilledCopyLeavesNothing() throws {
        #expect(try office.run("export", "calicatas", "--project", "CHU-2025", "--format", "csv", "-o", "out").status == 0)
        let copy = ["export", "calicatas", "--project", "CHU-2025", "--format", "csv", "-o", "new"]
        let killed = try BrokenCall(paths: office.folder + "/new/*", calls: "write").run(copy, in: office, at: 2, .kill)
        #expect(killed.status == 128 + SIGKILL)
        #expect(try office.run(copy).status == 0)
        #expect(try office.files("new") == office.files("out"))
    }
}
