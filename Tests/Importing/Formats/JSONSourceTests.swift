import Foundation
import Model
import Testing
import Workbench

@testable import Importing

@Suite struct JSONSourceTests {
    @Test func namesGoThroughTheAliasesAndStatesAreTakenOver() throws {
        let folder = try Folder()
        let file = try folder.write("LocalCalicata.json", """
            [{"id": "\(EveryFieldPack.id)", "projectId": "\(EveryFieldPack.id)", "depthM": 2.5, "syncStatus": "conflict", "localVersion": 4,
              "remoteUpdatedAt": "2025-05-11T10:00:00-05:00"}]
            """)
        let run = try ImportRun(file)
        let row = try #require(run.target.stored.first)
        #expect(row.entity == "calicatas")
        #expect(row.values == ["id": .text(EveryFieldPack.id), "project_id": .text(EveryFieldPack.id), "depth_m": .real(2.5)])
        #expect(row.syncState == .conflict)
        #expect(row.localVersion == 4)
        #expect(row.remoteUpdatedAt == "2025-05-11T15:00:00Z")
        #expect(run.codes.isEmpty)
    }

    @Test func everythingReadIsAccountedFor() throws {
        let folder = try Folder()
        let file = try folder.write("calicatas.ndjson", """
            {"id": "\(EveryFieldPack.id)", "depth_m": 1}
            {"id": "\(EveryFieldPack.id)", "depth_m": "deep"}
            {"depth_m": 1}
            not json
            {"id": "no uuid"}
            """)
        let run = try ImportRun(file)
        let count = try #require(run.counts.first)
        #expect(count.read == 5)
        #expect(count.outcomes == [.imported: 1, .rejected: 4])
        #expect(run.target.rejected.count == 4)
        #expect(run.target.rejected.map(\.place.line) == [2, 3, 4, 5])
        #expect(run.target.rejected[0].raw.contains("deep"), "the raw row is kept")
        #expect(run.target.rejected[2].raw == "\"not json\"", "and so is a line that is none")
        #expect(run.codes == ["FIELD-TYPE", "IMPORT-NO-ID", "IMPORT-UNREADABLE", "FIELD-TYPE"])
    }

    @Test func aForeignColumnIsReportedOnce() throws {
        let folder = try Folder()
        let rows = (0..<5).map { _ in "{\"id\": \"\(EveryFieldPack.id)\", \"colour_of_helmet\": 1}" }.joined(separator: "\n")
        let run = try ImportRun(try folder.write("calicatas.ndjson", rows))
        #expect(run.codes == ["IMPORT-UNKNOWN-FIELD"])
        #expect(run.target.stored.count == 5)
    }

    @Test func privateValuesAreNotQuoted() throws {
        let folder = try Folder()
        let run = try ImportRun(try folder.write("calicatas.json", "[{\"id\": \"\(EveryFieldPack.id)\", \"phone\": \"999-888\"}]"))
        #expect(run.target.rejected.first?.findings.first?.arguments["value"] == "•••")
    }

    @Test func aBrokenArrayEndsWithItsPlace() throws {
        let folder = try Folder()
        let file = try folder.write("calicatas.json", "[{\"id\": \"\(EveryFieldPack.id)\"},\n {\"id\": ]")
        let failure = #expect(throws: ImportFailure.self) { try ImportRun(file) }
        #expect(failure?.exitCode == .badInput)
        #expect(failure?.place?.line == 2)
    }

    @Test func theEntityIsTheFilesNameOrTheUsersWord() throws {
        let folder = try Folder()
        let file = try folder.write("march.json", "[{\"id\": \"\(EveryFieldPack.id)\"}]")
        #expect(try ImportRun(file, entity: "calicatas").target.stored.count == 1)
        let failure = #expect(throws: ImportFailure.self) { try ImportRun(file) }
        #expect(failure?.code == "IMPORT-ENTITY")
    }

    @Test func whatIsOfNoKnownKindIsSaid() throws {
        let folder = try Folder()
        #expect(throws: ImportFailure.self) { try ImportRun(try folder.write("a.json", "hello")) }
        #expect(throws: ImportFailure.notFound(path: "/nowhere.json")) { try ImportRun("/nowhere.json") }
        #expect(throws: ImportFailure.self) { try ImportRun(folder.path) }
    }
}
