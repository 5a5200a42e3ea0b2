import Foundation
import Testing
import Workbench

/// The local server of the scripts, as Docs/server.md says, and the SQL that the program prints.
@Suite struct CentralServerTests {
    @Test func theScriptsStartAServerWithBothSystemsAndEndIt() throws {
        let place = try TemporaryFolder()
        // The server runs as another user, who must reach its folder.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path)
        let folder = place.file("central")
        let scripts = ProgramRun.root + "/Scripts/server/"
        let started = try ProgramRun.program(
            scripts + "start", [folder], environment: ["FICHERO_PROGRAM": ProgramRun.fichero])
        #expect(started.status == 0, "\(started.error)")
        #expect(started.output.contains("psql -h \(folder)"))
        for (system, query, answer) in [
            ("ingeplus", "SELECT count(*) FROM profiles WHERE status = 'ACTIVO'", "4"), ("anagrafica", "SELECT name FROM projects", "Edificio di prova"),
        ] {
            let found = try ProgramRun.program("/usr/bin/psql", ["-h", folder, "-U", "postgres", "-d", system, "-X", "-A", "-t", "-c", query])
            #expect(found.status == 0 && found.output == answer + "\n", "\(found.error)")
        }
        let again = try ProgramRun.program(scripts + "start", [folder], environment: ["FICHERO_PROGRAM": ProgramRun.fichero])
        #expect(again.status == 73, "a server is not started over another")
        let stopped = try ProgramRun.program(scripts + "stop", [folder])
        #expect(stopped.status == 0, "\(stopped.error)")
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(try ProgramRun.program(scripts + "stop", [folder]).status == 66)
    }

    @Test func theProgramPrintsTheSQLOfAPack() throws {
        let place = try TemporaryFolder()
        let printed = try ProgramRun.fichero(["describe", "ingeplus", "--sql", "postgres", "--templates", ProgramRun.root + "/Templates"], in: place.path)
        #expect(printed.status == 0, "\(printed.error)")
        let parts = printed.output.components(separatedBy: "COMMIT;\n")
        #expect(printed.output.hasPrefix("-- The central database of ingeplus") && parts.count == 2)
        // What follows is for the server's owner to complete.
        #expect(parts.last?.split(separator: "\n").allSatisfy { $0.hasPrefix("--") } == true)
        let other = try ProgramRun.fichero(["describe", "ingeplus", "--sql", "oracle"], in: place.path)
        #expect(other.status == 64 && other.error.contains("postgres"))
    }
}
