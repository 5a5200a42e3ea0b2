import Foundation
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

    @Test func otherFieldsAreNotHeldBack() throws {
        let database = try CentralDatabase()
        #expect(try database.run("UPDATE calicatas SET title = 'x', status = status WHERE code = 'C-02' RETURNING title;", as: .coordinator) == "x")
        // The server's owner repairs what must be repaired.
        #expect(try database.run(Self.move("C-02", to: "BORRADOR")) == "BORRADOR")
    }
}
