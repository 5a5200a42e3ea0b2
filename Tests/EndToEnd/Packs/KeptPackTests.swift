import Foundation
import Testing

/// A command prints the same if its pack is read from its files, is stored during the run, or was
/// stored before.
@Suite struct KeptPackTests {
    @Test func aCommandSaysTheSameWithAndWithout() throws {
        var office = try Office.pits()
        let commands = [
            ["status"], ["status", "--json"], ["history"], ["conflicts", "list"], ["status", "--actor", "nobody@example.pe"], ["report", "nothing"],
            ["edit", "C-99", "--set", "depth_m=1"],
        ]
        func said() throws -> [String] {
            try commands.map { command in
                let run = try office.run(command)
                return "\(run.status)\n\(run.output)\n\(run.error)"
            }
        }
        // No file can be stored below a path that is itself a file.
        office.environment["XDG_CACHE_HOME"] = "/dev/null"
        let plain = try said()
        office.environment["XDG_CACHE_HOME"] = office.path("cache")
        let file = office.path("cache/fichero/ingeplus.pack")
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try said() == plain)
        let kept = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(try said() == plain)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == kept)
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try said() == plain)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == kept)
    }

    /// A kept pack does not hide a mistake that was made later in its files. `doctor` reports it
    /// too.
    @Test func aMistakeIsReportedAlthoughThePackIsKept() throws {
        var office = try Office.pits()
        let templates = office.path("Templates")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
        office.environment["FICHERO_TEMPLATES"] = templates
        office.environment["XDG_CACHE_HOME"] = office.path("cache")
        #expect(try office.run("status").status == 0)
        let file = URL(fileURLWithPath: templates + "/ingeplus/entities/calicatas.yaml")
        try Data(try Data(contentsOf: file) + "nonsense: 1\n".utf8).write(to: file)
        for command in ["status", "doctor"] {
            let run = try office.run(command)
            #expect(run.status == 78 && (run.output + run.error).contains("nonsense"), "\(command): \(run.output)\(run.error)")
        }
    }
}
