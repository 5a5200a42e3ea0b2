import Foundation
import Testing
import Workbench

@testable import Importing

/// The legacy files of the samples, which a script in Python wrote.
struct LegacySampleTests {
    private static let folder = ProjectFolder.root.appendingPathComponent("Samples/ingeplus/legacy")

    private func rows(_ file: any TableFile, _ name: String) throws -> [[String]] {
        try ForeignReading.rows(try #require(file.tables.first { $0.name == name }))
    }

    @Test("FoxPro: the sample has one project, six pits and twenty strata, with memos in CP850 and without the deleted pit")
    func foxPro() throws {
        let foxPro = Self.folder.appendingPathComponent("foxpro")
        let projects = try rows(try DBFFile(path: foxPro.appendingPathComponent("OBRA.DBF").path), "OBRA")
        #expect(projects.count == 1)
        #expect(projects[0][1] == "text:Rehabilitación de la carretera Sullana - El Alamor, tramo km 0+000 al 5+000")
        let file = try DBFFile(path: foxPro.appendingPathComponent("CALICATA.DBF").path)
        let pits = try rows(file, "CALICATA")
        #expect(file.deletedRecords == 1)
        #expect(pits.map { $0[1] } == ["text:C-1", "text:C-2", "text:C-3", "text:C-4", "text:C-5", "text:C-6"])
        #expect(pits[4][6...] == ["-", "number:1.50", "-", "-", "-", "text:Sin nivelación. El operador no anotó si había agua."])
        #expect(pits[5].last == "text:Mañana con llovizna; ½ jornada.")
        let strata = try rows(try DBFFile(path: foxPro.appendingPathComponent("ESTRATO.DBF").path), "ESTRATO")
        #expect(strata.count == 20)
        #expect(strata.contains { $0.last == "text:Ídem, húmeda; ±5 % de grava ½\"." })
    }

    @Test("A device's database has the tables of a replica with their states, its queue and a conflict")
    func device() throws {
        let file = try SQLiteFile(path: Self.folder.appendingPathComponent("device.db").path)
        #expect(
            file.tables.map(\.name) == [
                "LocalProfile", "LocalProject", "LocalCalicata", "LocalDocumentNode", "LocalFile", "SyncQueueItem", "LocalConflict",
            ])
        let states = try rows(file, "LocalCalicata").compactMap(\.last)
        #expect(Set(states) == ["text:synced", "text:pending_upload", "text:conflict", "text:error", "text:local_only"])
        #expect(try rows(file, "SyncQueueItem").count == 4)
        #expect(try rows(file, "LocalConflict").count == 1)
    }
}
