import Foundation
import Testing
import Workbench

/// What an import reports if a value has only its reader as evidence, or if its code page is a
/// guess.
@Suite struct EvidenceFindingTests {
    private static let access = ProgramRun.root + "/Samples/ingeplus/legacy/access/calicatas.mdb"

    @Test("If the program that counts a database is missing, this is reported")
    func noCount() throws {
        var office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.createDirectory(atPath: office.path("bin"), withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: "/usr/bin") where name.hasPrefix("mdb-") && name != "mdb-json" || name == "prlimit" {
            try FileManager.default.createSymbolicLink(atPath: office.path("bin/" + name), withDestinationPath: "/usr/bin/" + name)
        }
        let arguments = ["import", Self.access, "--fail-on", "warning", "--actor", Office.administrator, "--dry-run"]
        let counted = try office.run(arguments)
        #expect(!counted.output.contains("IMPORT-UNCOUNTED"))
        office.environment["PATH"] = office.path("bin")
        let run = try office.run(arguments)
        #expect(run.status == 1 && run.output.contains("IMPORT-UNCOUNTED") && run.output.contains("mdb-json is missing"), "\(run.output)\(run.error)")
        #expect(run.output.contains("calicatas.mdb"))
    }

    @Test("The count has the bounds of the run: what may be read may be counted")
    func wide() throws {
        let office = try Office(system: "ingeplus", set: nil)
        let more = (1...17_000).map { "C\($0)" }.joined(separator: ";")
        try "Proyecto;Calicata;Prof. (m);Estrato;\(more)\nEV-1;C-1;1,5;\n".write(toFile: office.path("wide.csv"), atomically: true, encoding: .utf8)
        let run = try office.run(
            "import", "wide.csv", "--mapping", "registro-plano", "--limit", "columns=20000", "--json", "--fail-on", "never", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.error)")
        struct Result: Decodable {
            struct Evidence: Decodable { var uncounted: [String: String] }
            var evidence: Evidence
        }
        #expect(!run.output.contains("IMPORT-UNCOUNTED"))
        #expect(try JSONDecoder().decode([Result].self, from: Data(run.output.utf8)).first?.evidence.uncounted == [:])
    }

    @Test("A guessed code page of texts and pages is reported; one that is proved or stated is not", arguments: ["cp1252", "cp850"])
    func guesses(page: String) throws {
        let office = try Office(system: "ingeplus", set: nil)
        let made = try Reading.python(
            """
            import sys
            text = 'Proyecto;Calicata;Prof. (m);Estrato;Descripción\\nEV-1;C-1;1,5;;Excavación mañana\\n'
            open(sys.argv[1] + '/a.csv', 'w', encoding=sys.argv[2]).write(text)
            open(sys.argv[1] + '/utf8.csv', 'w', encoding='utf-8').write(text)
            open(sys.argv[1] + '/ascii.csv', 'w', encoding='ascii').write(text.replace('ó', 'o').replace('ñ', 'n'))
            table = '<table>' + ''.join('<tr>' + ''.join('<td>%s</td>' % c for c in line.split(';')) + '</tr>' for line in text.splitlines()) + '</table>'
            open(sys.argv[1] + '/a.html', 'w', encoding=sys.argv[2]).write('<html>' + table + '</html>')
            open(sys.argv[1] + '/said.html', 'w', encoding=sys.argv[2]).write('<html><meta charset="%s">' % sys.argv[2] + table + '</html>')
            open(sys.argv[1] + '/other.html', 'w', encoding=sys.argv[2]).write('<html><meta charset="x-unknown">' + table + '</html>')
            """, office.folder, page)
        #expect(made.status == 0, "\(made.error)")
        let name = page == "cp1252" ? "windows-1252" : page
        for file in ["a.csv", "a.html", "other.html"] {
            let run = try office.run("describe", file)
            #expect(run.output.contains("IMPORT-CODE-PAGE") && run.output.contains("are read as \(name)"), "\(file) \(run.output)")
            #expect(try !office.run("describe", file, "--encoding", name).output.contains("IMPORT-CODE-PAGE"), "\(file)")
        }
        #expect(try office.run("describe", "other.html").output.contains("x-unknown"))
        for file in ["utf8.csv", "ascii.csv", "said.html"] { #expect(try !office.run("describe", file).output.contains("IMPORT-CODE-PAGE"), "\(file)") }
        let run = try office.run("import", "a.csv", "--mapping", "registro-plano", "--fail-on", "never", "--actor", Office.administrator)
        #expect(run.output.contains("IMPORT-CODE-PAGE"), "\(run.output)\(run.error)")
    }
}
