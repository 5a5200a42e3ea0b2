import Foundation
import Testing

@testable import ServerSchema

/// Row security: what each person sees and may change.
@Suite struct RowPoliciesTests {
    private typealias Scene = CentralDatabase

    @Test func membersSeeTheirProjectsAndNobodyElseDoes() throws {
        let database = try Scene()
        let seen = "SELECT (SELECT string_agg(code, ',' ORDER BY code) FROM projects), (SELECT string_agg(code, ',' ORDER BY code) FROM calicatas), (SELECT count(*) FROM calicata_cortes);"
        #expect(try database.run(seen, as: .coordinator) == "N-1,S-1|C-01,C-02|2")
        #expect(try database.run(seen, as: .field) == "N-1|C-01|1")
        #expect(try database.run(seen, as: .administrator) == "N-1,S-1|C-01,C-02|2")
        for person in [Scene.Person.stranger, .former] { #expect(try database.run(seen, as: person) == "||0", "\(person)") }
    }

    @Test func whoIsNotActiveSeesOnlyTheOwnProfile() throws {
        let database = try Scene()
        #expect(try database.run("SELECT role, status FROM profiles;", as: .former) == "ESPECIALISTA_TECNICO|INACTIVO")
        #expect(try database.run("SELECT count(*) FROM profiles;", as: .stranger) == "1")
        // The field crew sees the people of its project.
        #expect(try database.run("SELECT count(*) FROM profiles;", as: .field) == "4")
        #expect(try database.run("SELECT count(*) FROM profiles;", as: .administrator) == "7")
    }

    @Test func withoutClaimsNothingIsSeen() throws {
        let database = try Scene()
        #expect(try database.run("SET ROLE authenticated; SELECT count(*) FROM profiles; SELECT count(*) FROM calicatas;") == "0\n0")
        #expect(try database.refusal("SET ROLE anon; SELECT count(*) FROM calicatas;").contains("permission denied"))
    }

    @Test func aReaderWritesNothing() throws {
        let database = try Scene()
        let add = "INSERT INTO calicatas (id, project_id, code, status) VALUES (gen_random_uuid(), '\(Scene.north)', 'C-09', 'BORRADOR');"
        #expect(try database.refusal(add, as: .reader).contains("row-level security"))
        // What a policy hides from a change is not refused: no row is touched.
        #expect(try database.run("WITH u AS (UPDATE calicatas SET title = 'x' RETURNING 1) SELECT count(*) FROM u;", as: .reader) == "0")
        #expect(try database.run("WITH d AS (DELETE FROM calicatas RETURNING 1) SELECT count(*) FROM d;", as: .reader) == "0")
    }

    @Test func theFieldCrewAddsInItsProjectOnly() throws {
        let database = try Scene()
        func add(_ project: String, _ code: String) -> String {
            "INSERT INTO calicatas (id, project_id, code, status) VALUES (gen_random_uuid(), '\(project)', '\(code)', 'BORRADOR') RETURNING code;"
        }
        #expect(try database.run(add(Scene.north, "C-09"), as: .field) == "C-09")
        #expect(try database.refusal(add(Scene.south, "C-10"), as: .field).contains("row-level security"))
        // Nor may a pit be moved into a project of others.
        #expect(try database.refusal("UPDATE calicatas SET project_id = '\(Scene.south)' WHERE code = 'C-01';", as: .field).contains("row-level security"))
    }

    @Test func aStratumFollowsItsPit() throws {
        let database = try Scene()
        func add(_ pit: Int) -> String { "INSERT INTO calicata_cortes (id, calicata_id, number) VALUES (gen_random_uuid(), '\(Scene.pit(pit))', 2) RETURNING number;" }
        #expect(try database.run(add(1), as: .field) == "2")
        #expect(try database.refusal(add(2), as: .field).contains("row-level security"))
    }

    @Test func onlyAdministratorsDecideWhoWorks() throws {
        let database = try Scene()
        let promote = "WITH u AS (UPDATE profiles SET role = 'ADMINISTRADOR_GENERAL' WHERE id = '%' RETURNING 1) SELECT count(*) FROM u;"
        for person in Scene.Person.allCases where person != .administrator {
            #expect(try database.run(promote.replacing("%", with: person.id), as: person) == "0", "\(person)")
        }
        let join = "INSERT INTO project_members (id, project_id, profile_id) VALUES (gen_random_uuid(), '\(Scene.south)', '\(Scene.Person.field.id)');"
        #expect(try database.refusal(join, as: .coordinator).contains("row-level security"))
        try database.run(join, as: .administrator)
        #expect(try database.run("SELECT count(*) FROM projects;", as: .field) == "2")
    }

    @Test func whoMakesAProjectBecomesItsMember() throws {
        let database = try Scene()
        let id = "10000000-0000-4000-8000-000000000003"
        let make = "INSERT INTO projects (id, code, name, status, created_by) VALUES ('\(id)', 'E-1', 'East', 'ACTIVO', '\(Scene.Person.coordinator.id)') RETURNING code;"
        #expect(try database.refusal(make, as: .field).contains("row-level security"))
        #expect(try database.run(make, as: .coordinator) == "E-1")
        #expect(try database.run("SELECT count(*) FROM project_members WHERE project_id = '\(id)';", as: .coordinator) == "1")
    }

    /// As with a file of another office.
    @Test func administratorsBringInProjectsThatOthersMade() throws {
        let database = try Scene()
        let make = "INSERT INTO projects (id, code, name, status, created_by) VALUES (gen_random_uuid(), 'O-1', 'Ours', 'ACTIVO', '\(Scene.Person.coordinator.id)') RETURNING code;"
        #expect(try database.run(make, as: .administrator) == "O-1")
        let others = make.replacing("'O-1'", with: "'O-2'").replacing("'\(Scene.Person.coordinator.id)'", with: "NULL")
        #expect(try database.refusal(others, as: .coordinator).contains("row-level security"))
    }

    @Test func aDraftMayBeDeletedWithItsPartsAndNothingElse() throws {
        let database = try Scene()
        for table in ["calicata_cortes", "calicatas"] {
            #expect(try database.run("DELETE FROM \(table) RETURNING 'gone';", as: .coordinator) == "gone", "\(table)")
        }
        #expect(try database.run("SELECT code FROM calicatas;") == "C-02")
    }

    @Test func theLogIsOnlyAddedTo() throws {
        let database = try Scene()
        try database.run("INSERT INTO activity_logs (id, project_id, action) VALUES (gen_random_uuid(), '\(Scene.north)', 'x');", as: .field)
        #expect(try database.run("WITH u AS (UPDATE activity_logs SET action = 'y' RETURNING 1) SELECT count(*) FROM u;", as: .administrator) == "0")
        #expect(try database.run("WITH d AS (DELETE FROM activity_logs RETURNING 1) SELECT count(*) FROM d;", as: .administrator) == "0")
    }

    /// Who may neither export nor report registers no documents and touches none.
    @Test func documentsAreRegisteredByWhoMayExportOrReport() throws {
        let database = try Scene()
        let register = """
            INSERT INTO exports (id, project_id, file_name, status) VALUES (gen_random_uuid(), '\(Scene.north)', 'a.csv', 'registered') RETURNING status;
            """
        #expect(try database.refusal(register, as: .field).contains("row-level security"))
        #expect(try database.run(register, as: .coordinator) == "registered")
        let supersede = "WITH u AS (UPDATE exports SET status = 'superseded', file_name = 'b.csv' RETURNING 1) SELECT count(*) FROM u;"
        #expect(try database.run(supersede, as: .field) == "0")
        #expect(try database.run(supersede, as: .coordinator) == "1")
        let version = """
            INSERT INTO document_versions (id, project_id, document, version) VALUES (gen_random_uuid(), '\(Scene.north)', 'a', 1) RETURNING version;
            """
        #expect(try database.refusal(version, as: .field).contains("row-level security"))
        #expect(try database.run(version, as: .coordinator) == "1")
    }

    /// Who did something is a claim of the row; who sent the row, the server knows.
    @Test func theServerKnowsWhoSentARow() throws {
        let database = try Scene()
        let claim = """
            INSERT INTO activity_logs (id, project_id, actor_id, action, sent_by)
                VALUES (gen_random_uuid(), '\(Scene.north)', '\(Scene.Person.administrator.id)', 'x', '\(Scene.Person.administrator.id)');
            """
        try database.run(claim, as: .field)
        #expect(try database.run("SELECT actor_id, sent_by FROM activity_logs;") == "\(Scene.Person.administrator.id)|\(Scene.Person.field.id)")
        let pit = "INSERT INTO calicatas (id, project_id, code, status, created_by) VALUES ('\(Scene.pit(9))', '\(Scene.north)', 'C-09', 'BORRADOR', '\(Scene.Person.manager.id)');"
        try database.run(pit, as: .field)
        try database.run("UPDATE calicatas SET title = 'x', sent_by = '\(Scene.Person.manager.id)' WHERE code = 'C-09';", as: .coordinator)
        #expect(try database.run("SELECT title, sent_by FROM calicatas WHERE code = 'C-09';") == "x|\(Scene.Person.field.id)")
    }
}
