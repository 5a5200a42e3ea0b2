import Foundation
import Testing

/// One bad cell of a register makes one rejected row. Rows that depend on it wait, and share its
/// fate.
@Suite struct WaitingRowsTests {
    private let office: Office

    private static let heading = "Obra;Nombre;Calicata;Profundidad;Estrato;Desde;Hasta;SUCS"

    /// Two pits with three strata each. The depth of the first pit is the given text.
    private static func register(_ depth: String) -> String {
        ([heading] + (1...2).flatMap { pit in
            (1...3).map { "RW-1;Carretera;C-0\(pit);\(pit == 1 ? depth : "3,00");\($0);\($0 - 1),00;\($0),00;CL" }
        }).joined(separator: "\n")
    }

    init() throws {
        office = try Office(system: "ingeplus", set: nil)
        let run = try bringIn("hondo")
        #expect(run.status == 1, "\(run.error)")
    }

    private func bringIn(_ depth: String, _ more: String...) throws -> ProgramRun {
        try Self.register(depth).write(toFile: office.path("r.csv"), atomically: true, encoding: .utf8)
        return try office.run(["import", "r.csv", "--mapping", "registro-plano", "--actor", Office.administrator] + more)
    }

    private func run(_ arguments: String...) throws -> ProgramRun { try office.run(arguments + ["--actor", Office.administrator]) }

    private func rejects(_ state: String = "open") throws -> [[String: Any]] {
        let run = try run("rejects", "list", "--json", "--state", state)
        return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    }

    private var pit: String {
        get throws { try #require(try rejects().first?["id"] as? String) }
    }

    private func counts() throws -> String {
        try office.sql("SELECT (SELECT count(*) FROM calicatas) || ' ' || (SELECT count(*) FROM calicata_cortes)")
    }

    @Test func oneBadCellIsOneRejectedRow() throws {
        #expect(try counts() == "1 3")
        let open = try rejects()
        #expect(open.count == 1 && open[0]["waiting"] as? Int == 3)
        let finding = try #require((open[0]["findings"] as? [[String: Any]])?.first)
        #expect((finding["place"] as? [String: Any])?["key"] as? String == "RW-1 / C-01")
        #expect(try rejects("waiting").count == 3)
        // When the file is imported again, the fault is reported again, and no row waits twice.
        let again = try bringIn("hondo", "--json")
        let results = try #require(try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [[String: Any]])
        let report = try #require(results[0]["report"] as? [String: Any])
        let tables = try #require(report["lines"] as? [[String: Any]])
        let lines = tables.sorted { ($0["entity"] as? String ?? "") < ($1["entity"] as? String ?? "") }.map { $0["counts"] as? [String: Int] ?? [:] }
        #expect(lines.map { $0["waiting"] } == [3, 0, 0] && lines.map { $0["rejected"] } == [0, 1, 0])
        #expect(lines.allSatisfy { $0.values.reduce(0, +) == 6 }, "\(lines)")
        let findings = try #require(results[0]["findings"] as? [[String: Any]])
        #expect(findings.map { $0["code"] as? String } == ["IMPORT-NO-NUMBER", "IMPORT-WAITS"])
        #expect(try rejects().count == 1 && rejects("waiting").count == 3)
        let text = try bringIn("hondo").output
        #expect(text.contains("Waiting") && text.contains("3 rows of") && text.contains("RW-1 / C-01"), "\(text)")
        let shown = try run("rejects", "show", pit).output
        #expect(shown.contains("3 rows wait for it") && shown.contains("RW-1 / C-01 / 3"), "\(shown)")
    }

    @Test func whatWaitsComesInWithItsRecord() throws {
        let retried = try run("rejects", "retry", pit)
        #expect(retried.status == 1)
        #expect(try rejects().count == 1 && rejects("waiting").count == 3 && counts() == "1 3")
        #expect(try run("rejects", "edit", pit, "--set", "Profundidad=3,00").status == 0)
        let mended = try run("rejects", "retry", pit)
        #expect(mended.status == 0, "\(mended.output)\(mended.error)")
        #expect(try counts() == "2 6")
        #expect(try rejects().isEmpty && rejects("waiting").isEmpty)
    }

    @Test func aCorrectedSourceResolvesThemAll() throws {
        #expect(try bringIn("3,00").status == 0)
        #expect(try counts() == "2 6")
        #expect(try rejects().isEmpty && rejects("waiting").isEmpty)
    }

    @Test func whatWaitsIsDismissedWithItsRecord() throws {
        #expect(try run("rejects", "dismiss", pit, "--reason", "no such pit").status == 0)
        #expect(try rejects().isEmpty && rejects("waiting").isEmpty && rejects("dismissed").count == 4)
    }

    @Test func aStratumThatComesLaterSaysThatItsPitWasRejected() throws {
        try (Self.heading + "\nRW-1;Carretera;C-01;;4;3,00;4,00;CL").write(toFile: office.path("later.csv"), atomically: true, encoding: .utf8)
        // This mapping reads only strata.
        let whole = try String(contentsOfFile: ProgramRun.root + "/Templates/ingeplus/imports/registro-plano.yaml", encoding: .utf8)
        let first = try #require(whole.range(of: "      - entity: projects")), last = try #require(whole.range(of: "      - entity: calicata_cortes"))
        try whole.replacing("import: registro-plano", with: "import: cortes").replacingCharacters(in: first.lowerBound..<last.lowerBound, with: "")
            .write(toFile: office.path("cortes.yaml"), atomically: true, encoding: .utf8)
        let run = try run("import", "later.csv", "--mapping", "./cortes.yaml")
        #expect(run.status == 1 && run.output.contains("RW-1 / C-01") && run.output.contains("rejected") && run.output.contains("r.csv"), "\(run.output)\(run.error)")
        #expect(try rejects().count == 1 && rejects("waiting").count == 4)
    }
}
