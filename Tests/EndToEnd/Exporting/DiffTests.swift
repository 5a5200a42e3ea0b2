import Foundation
import Testing

/// What changed between two deliveries, or since one.
@Suite struct DiffTests {
    private static func diff(_ office: Office, _ arguments: String...) throws -> (status: Int32, records: [String]) {
        let run = try office.run(["diff", "--json"] + arguments)
        let json = try Reading.json(run.output)
        let records = (json["records"] as? [[String: Any]] ?? []).map { record in
            let fields = (record["fields"] as? [[String: String]] ?? []).map {
                "\($0["column"] ?? "") \($0["before"] ?? "")>\($0["after"] ?? "")"
            }
            let kind = record["kind"] as? String ?? ""
            return [kind, record["sheet"] as? String ?? "", record["name"] as? String ?? ""].joined(separator: " ")
                + (kind == "changed" ? ": " + fields.joined(separator: ", ") : "")
        }
        return (run.status, records)
    }

    @Test func recordsThatCameWentAndChangedAreNamedFieldByField() throws {
        let office = try Office.pits()
        let export = [
            "export", "calicatas", "--project", "HYO-2025", "--format", "xlsx", "-o", "out", "--fail-on", "never",
        ]
        #expect(try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-60").status == 0)
        #expect(try office.run(export).status == 0)
        #expect(try Self.diff(office, "calicatas:1", "--project", "HYO-2025") == (0, []))
        #expect(try office.run("delete", "C-60", "--project", "HYO-2025").status == 0)
        #expect(try office.run("add", "calicatas", "--project", "HYO-2025", "--set", "code=C-61").status == 0)
        #expect(
            try office.run(
                "edit", "C-01", "--project", "HYO-2025", "--set", "depth_m=4.7", "--set", "stability=inestable"
            )
            .status == 0)
        let expected = [
            "changed Test pits C-01: Depth (m) 4.5>4.7, Wall stability Stable>Unstable", "added Test pits C-61",
            "gone Test pits C-60",
        ]
        #expect(try Self.diff(office, "calicatas:1", "--project", "HYO-2025") == (1, expected))
        // The second version and both files say the same, and rows may stand in any order.
        let second = try office.run(export)
        #expect(second.output.contains("DELIVERY-MISSING"), "\(second.output)\(second.error)")
        #expect(try Self.diff(office, "calicatas:1", "calicatas:2", "--project", "HYO-2025") == (1, expected))
        let books = try office.files("out").map { "out/" + $0 }
        #expect(try Self.diff(office, books[0], books[1]) == (1, expected))
        #expect(try Self.diff(office, books[1], books[1]) == (0, []))

        let told = try office.run("diff", books[0], books[1], "--report", "changes.html", "--report", "changes.xlsx")
        #expect(told.output.contains("  ~ C-01\n      Depth (m): 4.5 → 4.7"), "\(told.output)")
        let page = try String(contentsOfFile: office.path("changes.html"), encoding: .utf8)
        #expect(page.contains("<td>C-60</td>") && page.contains("4.7"))
        let cells = try Reading.python(
            """
            import sys, openpyxl
            print([c.value for row in openpyxl.load_workbook(sys.argv[1])["Test pits"].iter_rows() for c in row][:10])
            """, office.path("changes.xlsx")
        ).output
        #expect(
            cells.contains(
                "'Record', 'What', 'Column', 'Before', 'After', 'C-01', 'Changed', 'Depth (m)', '4.5', '4.7'"),
            "\(cells)")
    }

    /// A side that is nothing, another export, a project of others and a copy that is gone are told as what they are.
    @Test func whatCannotBeComparedIsToldByItsReason() throws {
        let office = try Office.pits()
        for name in ["calicatas", "cortes"] {
            #expect(
                try office.run(
                    "export", name, "--project", "HYO-2025", "--format", "xlsx", "-o", "out", "--fail-on", "never"
                )
                .status == 0)
        }
        let books = try office.files("out").filter { $0.hasSuffix(".xlsx") }.map { "out/" + $0 }
        for (arguments, code) in [
            (["nothing", "--project", "HYO-2025"], "DIFF-SIDE"), ([books[0], books[1]], "DIFF-OTHER-EXPORT"),
            (["calicatas:7", "--project", "HYO-2025"], "DIFF-NO-VERSION"),
            ([books[0], "--project", "CHU-2025"], "DIFF-OTHER-PROJECT"),
        ] {
            let run = try office.run(["diff"] + arguments)
            #expect(run.status == 64 && run.error.contains(code), "\(arguments): \(run.error)")
        }
        let outsider = try office.run("diff", "calicatas:1", "--project", "HYO-2025", "--actor", "nuevo@example.pe")
        #expect(outsider.status != 0 && outsider.status != 1, "\(outsider.output)")
    }
}
