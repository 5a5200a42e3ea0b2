import Foundation
import Testing
import Workbench

/// Every report of the samples prints the figures that `Scripts/recount` counts. It counts in Python from the
/// replica's tables, without the packs' SQL.
@Suite struct FigureTests {
    private static let documents = DocumentGoldenTests.documents.filter { $0.report != "entrega" }

    @Test func printedFiguresAreThoseOfASecondCount() throws {
        var offices: [String: Office] = [:]
        for system in ProjectFolder.systems { offices[system] = try Office(system: system) }
        let count = try Self.recount(
            Self.documents.map { ($0, try #require(offices[$0.system]), try #require(try $0.make().first).pdf) })
        #expect(count.output.isEmpty && count.status == 0, "\(count.output)\(count.error)")
        let held = count.error.split(separator: "\n").map { Int($0.split(separator: " ").last ?? "") ?? 0 }
        #expect(held.count == Self.documents.count && !held.contains(0) && held.reduce(0, +) >= 3_000, "\(count.error)")
    }

    /// The pages are of the samples, and the count is of a replica in which a value is another.
    @Test(arguments: [
        ("mesync", "adherencia", "UPDATE habit_instances SET completed_at = NULL WHERE scheduled_date = '2025-07-02'"),
        (
            "yaquedamos", "retencion",
            """
            UPDATE attendances SET was_present = 0
            WHERE activity_id IN (SELECT id FROM activities WHERE starts_at LIKE '2025-10%')
            """
        ),
        ("anagrafica", "inventario", "DELETE FROM types WHERE id NOT IN (SELECT type_id FROM instances)"),
        (
            "ingeplus", "cuadro-resumen-ensayos",
            """
            UPDATE calicata_lab_results SET passing_0_075_mm = passing_0_075_mm + 0.1
            WHERE report_number = 'LMS-2025-0101'
            """
        ),
    ])
    func aFigureThatDiffersIsTold(_ system: String, _ report: String, _ change: String) throws {
        let document = DocumentGoldenTests.Document(system: system, report: report)
        let pdf = try #require(try document.make().first).pdf
        let office = try Office(system: system)
        _ = try office.writableSQL("PRAGMA foreign_keys = OFF; " + change)
        let count = try Self.recount([(document, office, pdf)])
        #expect(count.status == 1 && count.output.contains("\(system) \(report): not printed: "), "\(count.output)")
    }

    /// Ten at night on the last of October in Bogotá is November in universal time.
    @Test(arguments: ["participacion", "retencion", "logros"])
    func anEveningIsOfTheOfficesDay(_ report: String) throws {
        let office = try Office(system: "yaquedamos")
        _ = try office.writableSQL(
            "UPDATE activities SET starts_at = '2025-11-01T03:00:00Z', ends_at = NULL WHERE starts_at LIKE '2025-11-%'")
        let document = DocumentGoldenTests.Document(system: "yaquedamos", report: report)
        let pdf = try office.document(report, "pdf", of: document.project(in: office))
        let count = try Self.recount([(document, office, pdf)])
        #expect(count.output.isEmpty && count.status == 0, "\(count.output)\(count.error)")
    }

    /// Counts the figures of each document in the office's replica.
    private static func recount(
        _ documents: [(document: DocumentGoldenTests.Document, office: Office, pdf: String)]
    ) throws -> ProgramRun {
        let folder = try TemporaryFolder()
        let lines = try documents.map { document, office, pdf in
            let entry = [
                "system": document.system, "report": document.report, "project": try document.project(in: office),
                "pdf": pdf, "replica": office.replica,
            ]
            return String(decoding: try JSONSerialization.data(withJSONObject: entry), as: UTF8.self)
        }
        try lines.joined(separator: "\n").write(toFile: folder.file("documents"), atomically: true, encoding: .utf8)
        let script = ProgramRun.root + "/Scripts/recount"
        return try ProgramRun.program("/usr/bin/python3", ["-B", script, folder.file("documents")])
    }
}
