import Foundation
import Model
import Testing
import Workbench

@testable import ServerSchema

/// A central database of InGe+ with people and two projects, of its own for each test.
struct CentralDatabase {
    static let pack = Result { try ShippedPack.named("ingeplus") }

    enum Person: String, CaseIterable {
        case administrator = "ADMINISTRADOR_GENERAL"
        case coordinator = "COORDINADOR_PROYECTO"
        case field = "CAMPO"
        case reader = "LECTOR"
        /// Works in no project.
        case stranger = "ASISTENTE"
        /// No longer works here.
        case former = "ESPECIALISTA_TECNICO"
        /// Reviews and approves in the south.
        case manager = "GERENCIA"

        var id: String { "00000000-0000-4000-8000-00000000000\(Self.allCases.firstIndex(of: self) ?? 9)" }
    }

    static let (north, south) = ("10000000-0000-4000-8000-000000000001", "10000000-0000-4000-8000-000000000002")
    static func pit(_ number: Int) -> String { "2000000\(number)-0000-4000-8000-000000000000" }
    static func stratum(_ number: Int) -> String { "3000000\(number)-0000-4000-8000-000000000000" }

    let server: PostgresServer
    let name: String

    init() throws {
        let server = try PostgresServer.shared.get()
        self.server = server
        name = try server.makeDatabase(like: "InGe+ with two projects") { database in
            let made = try server.run(ServerSchema(Self.pack.get()).sql + Self.rows, in: database)
            try #require(made.status == 0, "\(made.text)")
        }
    }

    private static var rows: String {
        let people = Person.allCases.map {
            "('\($0.id)', '\($0.rawValue.lowercased())@example.pe', '\($0.rawValue)', '\($0 == .former ? "INACTIVO" : "ACTIVO")')"
        }
        // The reader and the coordinator work in both projects, and the field crew in the north.
        let members = [(Person.coordinator, Self.north), (.coordinator, Self.south), (.field, Self.north), (.reader, Self.north), (.reader, Self.south), (.former, Self.north), (.manager, Self.south)]
        return """
            INSERT INTO profiles (id, email, role, status) VALUES \(people.joined(separator: ", "));
            INSERT INTO projects (id, code, name, status) VALUES ('\(Self.north)', 'N-1', 'North', 'ACTIVO'), ('\(Self.south)', 'S-1', 'South', 'ACTIVO');
            INSERT INTO project_members (id, project_id, profile_id)
                VALUES \(members.map { "(gen_random_uuid(), '\($0.1)', '\($0.0.id)')" }.joined(separator: ", "));
            INSERT INTO calicatas (id, project_id, code, status) VALUES
                ('\(Self.pit(1))', '\(Self.north)', 'C-01', 'BORRADOR'), ('\(Self.pit(2))', '\(Self.south)', 'C-02', 'APROBADO');
            INSERT INTO calicata_cortes (id, calicata_id, number) VALUES
                ('\(Self.stratum(1))', '\(Self.pit(1))', 1), ('\(Self.stratum(2))', '\(Self.pit(2))', 1);
            """
    }

    /// What a script prints; a failure ends the test.
    @discardableResult
    func run(_ sql: String, as person: Person? = nil) throws -> String {
        let run = try server.run(sql, in: name, as: person?.id)
        try #require(run.status == 0, "\(run.text)")
        return run.text.trimmingCharacters(in: .newlines)
    }

    /// The message with which the server refuses a script.
    func refusal(_ sql: String, as person: Person? = nil) throws -> String {
        let run = try server.run(sql, in: name, as: person?.id)
        try #require(run.status != 0, "it was not refused: \(run.text)")
        return run.text
    }
}
