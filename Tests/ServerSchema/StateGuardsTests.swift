import Foundation
import Model
import Testing

@testable import ServerSchema

/// Records change their states only as the pack says, whoever asks the server.
@Suite struct StateGuardsTests {
    private static func move(_ code: String, to state: String) -> String { "UPDATE calicatas SET status = '\(state)' WHERE code = '\(code)' RETURNING status;" }

    @Test func aRoleMovesARecordOnlyAsItMay() throws {
        let database = try CentralDatabase()
        #expect(try database.refusal(Self.move("C-01", to: "APROBADO"), as: .field).contains("may not move"))
        #expect(try database.run(Self.move("C-01", to: "EN_REVISION"), as: .field) == "EN_REVISION")
        #expect(try database.refusal(Self.move("C-01", to: "REVISADO"), as: .field).contains("may not move"))
        #expect(try database.run(Self.move("C-01", to: "REVISADO"), as: .coordinator) == "REVISADO")
        #expect(try database.run(Self.move("C-01", to: "APROBADO"), as: .coordinator) == "APROBADO")
    }

    @Test func whatIsOwnOnlyThePersonNamedMoves() throws {
        var pack = try CentralDatabase.pack.get()
        let pits = try #require(pack.entities.firstIndex { $0.name == "calicatas" })
        for index in pack.entities[pits].states?.transitions.indices ?? 0..<0 {
            pack.entities[pits].states?.transitions[index].own = "logged_by"
        }
        let database = try CentralDatabase()
        try database.run(ServerSchema(pack).sql)
        func name(_ person: CentralDatabase.Person) -> String { "UPDATE calicatas SET logged_by = '\(person.id)'" }
        try database.run(name(.coordinator) + ";")
        let move = ", status = 'EN_REVISION' WHERE code = 'C-01' RETURNING status;"
        #expect(try database.refusal(name(.field) + move, as: .field).contains("may not move"))
        try database.run(name(.field) + " WHERE code = 'C-01';", as: .field)
        #expect(try database.run(Self.move("C-01", to: "EN_REVISION"), as: .field) == "EN_REVISION")
    }

    @Test func aRoleChangesItsFieldsAndNobodyWhatIsFrozen() throws {
        var pack = try CentralDatabase.pack.get()
        let pits = try #require(pack.entities.firstIndex { $0.name == "calicatas" })
        pack.entities[pits].editors = ["COORDINADOR_PROYECTO"]
        pack.entities[pits].openFields = ["CAMPO": ["title"]]
        pack.entities[pits].states?.frozen = ["APROBADO"]
        let database = try CentralDatabase()
        try database.run(ServerSchema(pack).sql)
        func change(_ field: String, of code: String) -> String { "UPDATE calicatas SET \(field) = 'x' WHERE code = '\(code)' RETURNING title;" }
        #expect(try database.run(change("title", of: "C-01"), as: .field) == "x")
        #expect(try database.refusal(change("location", of: "C-01"), as: .field).contains("fields that are open to it"))
        #expect(try database.refusal(change("title", of: "C-02"), as: .coordinator).contains("nobody changes"))
        let add = "INSERT INTO calicatas (id, project_id, code, status) VALUES (gen_random_uuid(), '\(CentralDatabase.north)', 'C-09', 'BORRADOR');"
        #expect(try database.refusal(add, as: .field).contains("row-level security"))
    }

    @Test func whoReviewsMovesARecordAndChangesNothingElse() throws {
        let database = try CentralDatabase()
        #expect(try database.refusal("UPDATE calicatas SET title = 'x' WHERE code = 'C-02';", as: .manager).contains("only change the state"))
        #expect(try database.refusal("UPDATE calicatas SET title = 'x', status = 'OBSERVADO' WHERE code = 'C-02';", as: .manager).contains("only change the state"))
        #expect(try database.run(Self.move("C-02", to: "OBSERVADO"), as: .manager) == "OBSERVADO")
        let add = "INSERT INTO calicatas (id, project_id, code, status) VALUES (gen_random_uuid(), '\(CentralDatabase.south)', 'C-09', 'BORRADOR');"
        #expect(try database.refusal(add, as: .manager).contains("row-level security"))
    }

    @Test func aNewRecordDoesNotBeginApproved() throws {
        let database = try CentralDatabase()
        func add(_ state: String) -> String {
            "INSERT INTO calicatas (id, project_id, code, status) VALUES (gen_random_uuid(), '\(CentralDatabase.north)', 'C-\(state)', '\(state)') RETURNING status;"
        }
        #expect(try database.refusal(add("APROBADO"), as: .field).contains("may not move"))
        #expect(try database.run(add("BORRADOR"), as: .field) == "BORRADOR")
        // Who may approve may also bring what is approved already.
        #expect(try database.run(add("APROBADO"), as: .coordinator) == "APROBADO")
    }

    @Test func onlyWhoMaySignSaysWhoSigned() throws {
        let database = try CentralDatabase()
        let sign = """
            UPDATE calicatas SET signed_by = '\(CentralDatabase.Person.coordinator.id)', signed_at = '2025-03-01' WHERE code = 'C-01'
            """
        #expect(try database.refusal(sign + ";", as: .field).contains("may not set signed_by"))
        #expect(
            try database.refusal("UPDATE calicatas SET signed_at = '2025-03-01' WHERE code = 'C-01';", as: .field)
                .contains("may not set signed_at"))
        #expect(try database.run(sign + " RETURNING signed_at;", as: .coordinator) == "2025-03-01")
        // What stands there already is no act of whoever sends the row again.
        #expect(try database.run(sign + " RETURNING signed_at;", as: .field) == "2025-03-01")
        let add = """
            INSERT INTO calicatas (id, project_id, code, status, signed_at)
            VALUES (gen_random_uuid(), '\(CentralDatabase.north)', 'C-08', 'BORRADOR', '2025-03-01')
            """
        #expect(try database.refusal(add + ";", as: .field).contains("may not set signed_at"))
    }

    @Test func otherFieldsAreNotHeldBack() throws {
        let database = try CentralDatabase()
        #expect(try database.run("UPDATE calicatas SET title = 'x', status = status WHERE code = 'C-02' RETURNING title;", as: .coordinator) == "x")
        // The server's owner repairs what must be repaired.
        #expect(try database.run(Self.move("C-02", to: "BORRADOR")) == "BORRADOR")
    }
}
