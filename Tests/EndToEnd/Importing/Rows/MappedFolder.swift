import Foundation

/// An office with its own mapping and the tables that the mapping reads, for a test of one import.
struct MappedFolder {
    let office: Office

    /// The mapping of a register of pits. `lines` are fields of the pit besides its key.
    static func pits(_ lines: String..., columns: String = "") -> String {
        """
        import: own
        title: own
        lookups: {states: {L: local_only, S: synced}}
        tables:
          - tables: [Pozos]
        \(columns)
            rows:
              - entity: projects
                key: [code]
                repeats: true
                fields: {code: Proyecto, name: Proyecto, status: {value: ACTIVO}}
              - entity: calicatas
                key: [project_id, code]
                repeats: REPEATS
                fields:
                  project_id: {parent: projects, by: {code: Proyecto}}
                  code: Pozo
                  status: {value: BORRADOR}
        """ + "\n" + lines.map { "          \($0)\n" }.joined()
    }

    init(_ mapping: String, repeats: Bool = false) throws {
        office = try Office(system: "ingeplus", set: nil)
        try FileManager.default.createDirectory(atPath: office.path("viejo"), withIntermediateDirectories: true)
        try write(mapping.replacing("REPEATS", with: String(repeats)), to: "own.yaml")
    }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: office.path(name))) }

    func write(_ name: String, _ lines: String...) throws { try write(lines.joined(separator: "\n") + "\n", to: "viejo/\(name).csv") }

    func bringIn(_ options: String...) throws -> ProgramRun { try run(["import", "viejo", "--mapping", "./own.yaml"] + options) }

    func run(_ arguments: String...) throws -> ProgramRun { try run(arguments) }

    func run(_ arguments: [String]) throws -> ProgramRun { try office.run(arguments + ["--actor", Office.administrator]) }

    func edit(_ set: String) throws {
        let run = try run("rejects", "edit", office.sql("SELECT id FROM rejects WHERE state = 'open'"), "--set", set)
        if run.status != 0 { throw Office.Trouble(run) }
    }

    /// The pits in the form `C-1 1.5 Norte|C-2 …`.
    func pits(_ columns: String = "depth_m, location") throws -> String {
        let texts = columns.split(separator: ",").map { " || coalesce(' ' || \($0), '')" }.joined()
        return try office.sql("SELECT group_concat(t, '|') FROM (SELECT code\(texts) AS t FROM calicatas ORDER BY code)")
    }

    /// What a run with `--json` prints about its only import.
    static func result(_ run: ProgramRun) throws -> [String: Any] {
        let whole = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        return (whole as? [[String: Any]])?.first ?? whole as? [String: Any] ?? [:]
    }

    /// The findings, without the one for new projects, because these tests join no project.
    static func findings(_ run: ProgramRun) throws -> [(code: String, arguments: [String: String], severity: String)] {
        let all = try result(run)["findings"] as? [[String: Any]] ?? []
        return all.filter { $0["code"] as? String != "IMPORT-NOT-MEMBER" }.map { ($0["code"] as? String ?? "", $0["arguments"] as? [String: String] ?? [:], $0["severity"] as? String ?? "") }
    }
}
