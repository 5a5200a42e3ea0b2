import Foundation
import Testing

/// Which delivery is the next version of which. Deliveries of different lines do not replace each
/// other.
@Suite struct DeliveryLineTests {
    let office: Office

    init() throws { office = try Office.pits() }

    private func standing(_ name: String = "calicatas") throws -> [String] {
        try office.sql("""
            SELECT e.line || ' ' || e.format || ' v' || v.version || ' ' || e.status FROM exports e JOIN document_versions v ON v.export_id = e.id
            JOIN projects p ON p.id = e.project_id
            WHERE p.code = 'HYO-2025' AND e.export_name = '\(name)' AND v.document NOT LIKE '%about%' AND v.document NOT LIKE '%left-out%'
              AND v.document NOT LIKE '%-proyectos%' AND v.document NOT LIKE '%-cortes%' AND v.document NOT LIKE '%-fotos%'
              AND v.document NOT LIKE '%-muestras%' AND v.document NOT LIKE '%-ensayos%' AND v.document NOT LIKE '%-lecturas%' ORDER BY e.rowid
            """).split(separator: "\n").map(String.init)
    }

    private func export(_ options: String...) throws -> ProgramRun {
        try office.run(["export", "calicatas", "--project", "HYO-2025", "-o", "out"] + options)
    }

    @Test func aScratchExportTakesNothingsPlace() throws {
        #expect(try office.run("run", "monthly", "-o", "out").status <= 1)
        let monthly = try standing()
        #expect(monthly.count == 3 && monthly.allSatisfy { $0.hasPrefix("job:monthly ") && $0.hasSuffix("v1 registered") }, "\(monthly)")
        #expect(try export("--state", "REVISADO", "--format", "xlsx").status <= 1)
        #expect(try export("--format", "xlsx").status <= 1)
        #expect(try standing() == monthly + ["selection:state=REVISADO xlsx v1 registered", "selection: xlsx v1 registered"])
        // Files of several lines that were made on the same day have different names.
        let names = try office.files("out").filter { $0.hasPrefix("HYO-2025/") }
        #expect(names == ["HYO-2025/calicatas-2025-12-01-v1.xlsx", "HYO-2025/calicatas-REVISADO-2025-12-01-v1.xlsx"])
        #expect(try office.run("verify", "-o", "out").status == 0)
    }

    @Test func theFormatsOfADeliveryAreOneVersion() throws {
        #expect(try export("--format", "xlsx").status <= 1)
        // The same content in another format belongs to the same version.
        #expect(try export("--format", "csv,xlsx").status <= 1)
        #expect(try standing() == ["selection: xlsx v1 registered", "selection: csv v1 registered"])
        #expect(try export("--format", "xlsx", "--again").status <= 1)
        #expect(try standing() == ["selection: xlsx v1 superseded", "selection: csv v1 superseded", "selection: xlsx v2 registered"])
        #expect(try export("--format", "xlsx,csv,xml").status <= 1)
        #expect(try standing().suffix(3) == ["selection: xlsx v2 registered", "selection: csv v2 registered", "selection: xml v2 registered"])
    }

    @Test func anotherPersonOrProjectListMakesNoVersionAndAnotherLanguageNoLine() throws {
        #expect(try export("--format", "xlsx").status <= 1)
        // Another person who sees the same records exports all projects at once.
        let other = try office.run("export", "calicatas", "--format", "xlsx", "-o", "out", "--actor", "gerencia@example.pe")
        #expect(other.status <= 1, "\(other.error)")
        #expect(try standing() == ["selection: xlsx v1 registered"])
        #expect(try export("--format", "xlsx", "--lang", "es").status <= 1)
        #expect(try standing() == ["selection: xlsx v1 superseded", "selection: xlsx v2 registered"])
    }

    @Test func aNamedLineGoesOnWhateverIsSelected() throws {
        #expect(try export("--format", "xlsx", "--line", "bridge").status <= 1)
        #expect(try export("--format", "xlsx", "--line", "bridge", "--state", "APROBADO").status <= 1)
        #expect(try standing() == ["line:bridge xlsx v1 superseded", "line:bridge xlsx v2 registered"])
        #expect(try office.files("out").contains("HYO-2025/calicatas-bridge-2025-12-01-v2.xlsx"))
    }

    @Test func aJobsWindowOfDaysIsALineAndEverythingUpToADayIsNot() throws {
        func run(_ days: String) throws {
            try "job: own\nsteps:\n  - {export: calicatas, formats: [xlsx], projects: [HYO-2025], \(days)}\n"
                .write(toFile: office.path("own.yaml"), atomically: true, encoding: .utf8)
            let run = try office.run("run", "own.yaml", "-o", "out")
            #expect(run.status <= 1, "\(run.error)")
        }
        try run("to: 2031-10-31")
        try run("to: 2031-11-30")
        #expect(try standing() == ["job:own xlsx v1 superseded", "job:own xlsx v2 registered"])
        try run("from: 2000-01-01, to: 2031-11-30")
        #expect(try standing().last == "job:own 2000-01-01/2031-11-30 xlsx v1 registered")
    }

    @Test func whatAnotherLineHoldsIsNotReplaced() throws {
        let name = ["--format", "xlsx", "--output-name", "{project}.{format}"]
        #expect(try office.run(["export", "calicatas", "--project", "HYO-2025", "-o", "out"] + name).status <= 1)
        let other = try office.run(["export", "calicatas", "--project", "HYO-2025", "-o", "out", "--state", "REVISADO"] + name)
        #expect(other.status == 73 && other.error.contains("OUTPUT-OF-ANOTHER"), "\(other.error)")
        #expect(try office.run("verify", "-o", "out").status == 0)
    }

    @Test(arguments: [
        ("en", "is a file of another delivery (calicatas, selection:state=APROBADO)", "--line"), ("es", "es un archivo de otra entrega (calicatas, selection:state=APROBADO)", "--line"),
        ("it", "è un file di un'altra consegna (calicatas, selection:state=APROBADO)", "--line"),
    ])
    func aNameThatTwoLinesAskForSaysWhoseItIs(language: String, message: String, remedy: String) throws {
        #expect(try export("--state", "APROBADO", "--format", "xlsx").status <= 1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: office.path("out/HYO-2025/calicatas-APROBADO-2025-12-01-v1.xlsx")))
        let other = try export("--line", "APROBADO", "--format", "xlsx", "--lang", language)
        #expect(other.status == 73 && other.error.contains(message) && other.error.contains(remedy), "\(other.error)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: office.path("out/HYO-2025/calicatas-APROBADO-2025-12-01-v1.xlsx"))) == bytes)
        #expect(try office.files("out").count == 1)
        // The remedy is another name for the line.
        #expect(try export("--line", "aprobadas", "--format", "xlsx", "--lang", language).status <= 1)
        #expect(try office.files("out").count == 2)
        // A file that no delivery made is reported as such.
        try FileManager.default.moveItem(atPath: office.path("out/HYO-2025/calicatas-aprobadas-2025-12-01-v1.xlsx"), toPath: office.path("out/HYO-2025/calicatas-otra-2025-12-01-v1.xlsx"))
        let foreign = try export("--line", "otra", "--format", "xlsx")
        #expect(foreign.status == 73 && foreign.error.contains("OUTPUT-EXISTS"), "\(foreign.error)")
    }

    @Test func whatAnOlderVersionRegisteredGetsItsLine() throws {
        #expect(try office.run("run", "monthly", "-o", "out").status <= 1)
        #expect(try export("--state", "APROBADO", "--format", "xlsx").status <= 1)
        let lines = try standing()
        _ = try office.writableSQL("ALTER TABLE exports DROP COLUMN line; DROP INDEX IF EXISTS ix_document_versions_project_id_line_document_version; ALTER TABLE document_versions DROP COLUMN line")
        let migrated = try office.run("init", "--pack", "ingeplus")
        #expect(migrated.status == 0, "\(migrated.error)")
        #expect(try standing() == lines)
        #expect(try office.sql("SELECT count(*) FROM document_versions WHERE export_id IS NOT NULL AND line IS NULL") == "0")
        let again = try office.run("run", "monthly", "-o", "out", "--json")
        #expect(again.output.contains("unchanged") && !again.output.contains("\"written\""))
    }

    /// A name without its version is the name of the next version too.
    @Test func aFileThatSomebodyChangedIsThisDeliverysOwn() throws {
        let office = try Office.pits()
        let export = ["export", "calicatas", "--project", "CHU-2025", "--format", "csv", "--zip", "-o", "out", "--output-name", "{export}.{format}"]
        #expect(try office.run(export).status == 0)
        let file = try #require(try office.files("out").first)
        try Data("changed".utf8).write(to: URL(fileURLWithPath: office.path("out/" + file)))
        for language in ["en", "es", "it"] {
            let refused = try office.run(export + ["--lang", language])
            #expect(refused.status == 73 && refused.error.contains("OUTPUT-CHANGED") && refused.error.contains("{version}"), "\(refused.error)")
        }
        try FileManager.default.moveItem(atPath: office.path("out/" + file), toPath: office.path("kept.zip"))
        #expect(try office.run(export).status == 0)
        #expect(try office.run("verify", "-o", "out").status == 0)
    }
}
