import Foundation
import Testing
import Workbench

@testable import ServerSchema

/// Rights of files, where Supabase's Storage is.
@Suite struct StoragePoliciesTests {
    private typealias Scene = CentralDatabase

    private func scene() throws -> Scene {
        let database = try Scene()
        try database.run(String(contentsOf: ProjectFolder.root.appendingPathComponent("Tests/Servers/storage.sql"), encoding: .utf8))
        try database.run(ServerSchema(Scene.pack.get()).sql)
        return database
    }

    private func send(_ bucket: String, _ name: String) -> String {
        "INSERT INTO storage.objects (bucket_id, name) VALUES ('\(bucket)', '\(name)') RETURNING bucket_id;"
    }

    @Test func filesOfDocumentsAreWrittenByWhoMayExportOrReport() throws {
        let database = try scene()
        let own = "orgs/-/projects/\(Scene.north)/e/a.csv"
        #expect(try database.refusal(send("exports", own), as: .field).contains("row-level security"))
        #expect(try database.run(send("exports", own), as: .coordinator) == "exports")
        let overwrite = "WITH u AS (UPDATE storage.objects SET metadata = '{}' RETURNING 1) SELECT count(*) FROM u;"
        #expect(try database.run(overwrite, as: .field) == "0")
        #expect(try database.run(overwrite, as: .coordinator) == "1")
        #expect(try database.run("SELECT count(*) FROM storage.objects;", as: .field) == "1", "members see them")
    }

    @Test func thePhotosOfAProjectAreSentByItsFieldCrew() throws {
        let database = try scene()
        #expect(try database.run(send("project-files", "orgs/-/projects/\(Scene.north)/calicatas/p.jpg"), as: .field) == "project-files")
        #expect(try database.refusal(send("project-files", "orgs/-/projects/\(Scene.south)/calicatas/p.jpg"), as: .field).contains("row-level security"))
        #expect(try database.refusal(send("project-files", "orgs/-/projects/\(Scene.north)/calicatas/q.jpg"), as: .reader).contains("row-level security"))
    }
}
