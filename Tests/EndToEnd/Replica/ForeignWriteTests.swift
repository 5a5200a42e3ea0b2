import Foundation
import Testing
import Workbench

/// Another program writes into the replica. What was judged before does not count any more.
@Suite struct ForeignWriteTests {
    private let office: Office

    init() throws { office = try Office.pits() }

    private var wrong: Int {
        get throws {
            let found =
                try Reading.json(office.run("validate", "--project", "HYO-2025", "--json").output)["findings"]
                as? [[String: Any]] ?? []
            return found.filter {
                $0["code"] as? String == "FIELD-RANGE"
                    && ($0["place"] as? [String: Any])?["field"] as? String == "altitude_m"
            }.count
        }
    }

    private func told() throws -> String { try office.run("doctor").output }

    @Test(arguments: [
        "UPDATE calicatas SET altitude_m = 99999 WHERE code = 'C-01' AND \(Self.project)",
        "INSERT INTO calicatas (id, project_id, code, altitude_m) SELECT '0199c000-0000-7000-8000-0000000000c9', id, 'C-98', 99999 FROM projects WHERE code = 'HYO-2025'",
    ]) func whatItWroteIsJudged(sql: String) throws {
        #expect(try wrong == 0)
        _ = try office.writableSQL(sql)
        #expect(try wrong == 1)
        #expect(try told().contains("1 row into its records"))
        #expect(
            try office.run(
                "review", "C-01", "--to", "EN_REVISION", "--project", "HYO-2025", "--actor", Office.administrator
            ).status != 0)
        // What Fichero writes itself is not counted.
        #expect(
            try office.run("edit", "C-02", "--project", "HYO-2025", "--set", "observations=seen", "--fail-on", "never")
                .status == 0)
        #expect(try told().contains("1 row into its records"))
    }

    private static let project = "project_id = (SELECT id FROM projects WHERE code = 'HYO-2025')"

    /// Findings that somebody took away come back.
    @Test func keptFindingsAreNoPlaceToHide() throws {
        #expect(
            try office.run("edit", "C-01", "--project", "HYO-2025", "--set", "altitude_m=99999", "--fail-on", "never")
                .status == 0)
        #expect(try wrong == 1)
        _ = try office.writableSQL("DELETE FROM kept_findings")
        #expect(try wrong == 1)
    }
}
