import Foundation
import Testing

/// A mistake in one part of the pack stops only what needs this part.
@Suite struct BrokenPartTests {
    let office: Office
    let templates: String

    init() throws {
        office = try Office.pits()
        templates = office.path("Templates")
        try FileManager.default.copyItem(atPath: ProgramRun.root + "/Templates", toPath: templates)
    }

    private func mistake(in file: String, _ old: String, _ new: String) throws {
        let path = templates + "/ingeplus/" + file
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(old))
        try text.replacing(old, with: new).write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func run(_ arguments: String...) throws -> ProgramRun { try office.run(arguments + ["--templates", templates]) }

    @Test(arguments: [("total: depth_m", "total: deep_m", "deep_m"), ("paper: {size: A4", "paper: {size: A4}}", "report.yaml")])
    func aBrokenReportStopsItselfAndItsDelivery(old: String, new: String, word: String) throws {
        try mistake(in: "reports/ficha-calicata/report.yaml", old, new)
        // A command that needs the broken part ends with the mistakes and makes no file.
        for needy in [["report", "ficha-calicata"], ["report", "entrega"]] {
            let stopped = try office.run(needy + ["-o", "out", "--templates", templates])
            #expect(stopped.status == 78 && stopped.error.contains("reports/ficha-calicata/report.yaml") && stopped.error.contains(word), "\(needy) \(stopped.error)")
        }
        #expect(try office.files("out").isEmpty)
        // A job makes its other files, and then tells what it did not make, and why.
        let others = try office.run("run", "informes-mensuales", "-o", "reports", "--templates", templates)
        #expect(others.status == 78 && others.error.contains("ficha-calicata") && others.error.contains("report.yaml:") && others.error.contains(word), "\(others.error)")
        let made = try office.files("reports")
        #expect(made.contains { $0.contains("avance") } && made.contains { $0.contains("resumen-proyecto") } && !made.contains { $0.contains("ficha") }, "\(made)")
        // Every other command works and names the broken part, also in the quiet runs of cron.
        let job = try run("run", "monthly", "-o", "out", "--quiet")
        #expect(job.status <= 1 && job.error.contains("reports/ficha-calicata"), "\(job.error)")
        #expect(try run("report", "pendientes", "--format", "pdf", "-o", "out").status == 0)
        let status = try run("status")
        #expect(status.status == 0 && status.error.contains("reports/ficha-calicata"), "\(status.error)")
        let doctor = try run("doctor")
        #expect(doctor.status == 78 && doctor.output.contains("✗ Templates/ingeplus/reports/ficha-calicata"), "\(doctor.output) \(doctor.error)")
    }

    /// Each mistake is told once, and not what follows from it: the job and the delivery that need
    /// the report are no mistakes.
    @Test func aMistakeIsToldOnce() throws {
        try mistake(in: "reports/ficha-calicata/report.yaml", "total: depth_m", "total: deep_m")
        let told = try run("doctor", "--pack", templates + "/ingeplus", "--lang", "it")
        let lines = (told.output + told.error).split(separator: "\n").filter { $0.contains("ingeplus/") }
        #expect(told.status == 78 && lines.count == 1 && lines[0].contains("deep_m"), "\(told.output)\(told.error)")
    }

    /// A query that SQLite refuses is found only when it runs.
    @Test func aStepWithAWrongQueryStopsItselfAlone() throws {
        try mistake(in: "reports/avance/report.yaml", "FROM calicatas", "FROM calicattas")
        let job = try office.run("run", "informes-mensuales", "-o", "out", "--json", "--templates", templates)
        let made = try office.files("out")
        #expect(job.status == 78 && made.contains { $0.contains("ficha-calicata") } && !made.contains { $0.contains("avance") }, "\(job.error)")
        #expect(job.output.contains("\"broken\"") && job.output.contains("calicattas"), "\(job.output.suffix(900))")
        #expect(job.error.contains("avance") && job.error.contains("report.yaml:"), "\(job.error)")
        // Nothing is left in the way: mended, the job makes the rest.
        try mistake(in: "reports/avance/report.yaml", "FROM calicattas", "FROM calicatas")
        let mended = try run("run", "informes-mensuales", "-o", "out")
        #expect(mended.status <= 1, "\(mended.error)")
        #expect(try office.files("out").contains { $0.contains("avance") })
    }

    @Test func aBrokenJobStopsItselfAlone() throws {
        try mistake(in: "jobs/monthly.yaml", "failOn: error", "failOn: sometimes")
        #expect(try run("run", "monthly", "-o", "out").status == 78)
        #expect(try run("run", "nightly-csv", "-o", "out").status <= 1)
    }

    /// A text file is needed by every command, because it has the words of documents and findings
    /// and the headings of imported tables.
    @Test(arguments: ["en", "es", "it"])
    func aBrokenTextFileSaysWhereItIsBroken(language: String) throws {
        let path = templates + "/ingeplus/texts/\(language).yaml"
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let row = try #require(lines.firstIndex { $0.hasPrefix("pack.title:") })
        lines[row] = "pack.title: 'half"
        lines[row + 1] = "x: y: 'z"
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let stopped = try run("status", "--lang", language)
        let place = stopped.error.firstMatch(of: try Regex("ingeplus/texts/\(language)\\.yaml:[0-9]+"))
        #expect(stopped.status == 78 && place != nil, "\(stopped.error)")
    }

    @Test func whatAllRestsOnStopsAll() throws {
        try mistake(in: "entities/calicatas.yaml", "type: decimal, unit: m, min: 0.1", "type: decimals, unit: m, min: 0.1")
        try mistake(in: "reports/ficha-calicata/report.yaml", "total: depth_m", "total: deep_m")
        let stopped = try run("status")
        #expect(stopped.status == 78 && stopped.error.contains("entities/calicatas.yaml"), "\(stopped.error)")
    }
}
