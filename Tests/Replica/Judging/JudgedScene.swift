import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// A replica with three people, two projects with a pit each, and changes by a command or a file.
struct JudgedScene {
    /// Ana and Luis are of the role CAMPO, Rosa of the role JEFE. The pits are Ana's.
    private static let people = [("ana", "CAMPO"), ("luis", "CAMPO"), ("rosa", "JEFE")]

    let replica: ReplicaScene

    static func id(of name: String) -> String {
        let number = people.firstIndex { $0.0 == name } ?? 9
        return "0190a000-0000-7000-8000-00000000001\(number)"
    }

    /// - Parameter pack: a pack whose pits may have a field `inspector_id`.
    init(_ pack: Pack) throws {
        var pack = pack
        pack.roles += ["CAMPO", "JEFE"].map { Role(name: $0, permissions: [.read, .import, .edit], sees: ["public"]) }
        replica = try ReplicaScene(pack: pack)
        try replica.importing([
            row("projects", "p1", ["code": .text("P1"), "name": .text("P1"), "client": .text("Obras")]),
            row("projects", "p2", ["code": .text("P2"), "name": .text("P2")]),
        ])
        try replica.importing(Self.people.map { name, role in
            row("profiles", Self.id(of: name), [
                "email": .text("\(name)@example.pe"), "role": .text(role), "status": .text("ACTIVO"),
                "cached_at": .text("2026-01-01T00:00:00Z"),
            ])
        })
        for (name, _) in Self.people { for project in ["p1", "p2"] { try replica.join(project, Self.id(of: name)) } }
        let inspector = pack.entity("calicatas")?.field("inspector_id").map { [$0.name: MemoryRows.Value.text(Self.id(of: "ana"))] }
        try replica.importing(["p1", "p2"].map { project in
            let values = ["project_id": MemoryRows.Value.text(project), "code": .text("C-1"), "status": .text("BORRADOR")]
            return row("calicatas", "c" + project, values.merging(inspector ?? [:]) { first, _ in first })
        })
    }

    /// Changes or adds a pit; returns the codes of the findings, with the rule of a move.
    func change(as name: String, isFile: Bool, id: String = "cp1", _ values: [String: MemoryRows.Value]) throws -> Set<String> {
        var request = replica.request(policy: .update, as: try replica.replica.actor(email: "\(name)@example.pe"))
        if !isFile {
            (request.origin, request.permission) = (.person, .edit)
            (request.source, request.format) = ("edit", "command")
        }
        let findings = FindingList()
        do {
            _ = try replica.replica.importRows(request, findings: findings, finishedAt: { testTime }) { session in
                try session.store(row("calicatas", id, values), in: replica.pack)
            }
        } catch let failure as ChangeFailure {
            if findings.findings.isEmpty { throw failure }
        }
        return Set(findings.findings.map { $0.code + ($0.arguments["demand"].map { " " + $0 } ?? "") })
    }

    /// The id of the last change set.
    func lastChange() throws -> String {
        try #require(replica.sql("SELECT import_id FROM import_details ORDER BY stamp DESC LIMIT 1").first)
    }

    /// Takes back a change as a person, who also has an administrator's right to take back another's.
    func undo(_ id: String, as name: String) throws {
        var actor = try replica.replica.actor(email: "\(name)@example.pe")
        actor.role.permissions.insert(.administer)
        let context = RunContext(
            id: UUIDv7.make(at: testTime), asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV",
            actor: actor, programVersion: "1")
        _ = try replica.replica.undoImport(id, context: context, reason: nil)
    }
}
