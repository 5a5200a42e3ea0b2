import Foundation
import Testing

/// Some rejected rows take values from another table of their source. When they are tried again,
/// they get these values, or they stay in the quarantine.
@Suite struct LookupRetryTests {
    private static let place = "location: {from: Lugares, key: [Id], by: [IdLugar], take: Nombre}"

    private func folder(_ mapping: String = MappedFolder.pits("depth_m: Prof", place)) throws -> MappedFolder {
        let folder = try MappedFolder(mapping)
        try folder.write("Pozos", "Proyecto;Pozo;Prof;IdLugar", "P-1;C-1;hondo;7")
        try folder.write("Lugares", "Id;Nombre", "7;Norte")
        #expect(try folder.bringIn().status == 1)
        #expect(try folder.office.sql("SELECT count(*) FROM rejects") == "1")
        return folder
    }

    @Test func theLookedUpValueComesWithTheRow() throws {
        let folder = try folder()
        try folder.edit("Prof=1.5")
        let run = try folder.run("rejects", "retry")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try folder.pits() == "C-1 1.5 Norte")
    }

    @Test func aRowThatWasTriedInVainStillKnowsItsSource() throws {
        let folder = try folder()
        #expect(try folder.run("rejects", "retry").status == 1)
        try folder.edit("Prof=1.5")
        #expect(try folder.run("rejects", "retry").status == 0)
        #expect(try folder.pits() == "C-1 1.5 Norte")
    }

    @Test func aKeyThatIsLookedUpIsFound() throws {
        let folder = try folder(
            MappedFolder.pits("depth_m: Prof").replacing("code: Pozo", with: "code: {from: Lugares, key: [Id], by: [IdLugar], take: Nombre}"))
        try folder.edit("Prof=1.5")
        let run = try folder.run("rejects", "retry")
        // The name of a place is not a valid code of a pit. This is reported for the new record.
        #expect(run.status == 1 && run.output.contains("FIELD-PATTERN"), "\(run.output)\(run.error)")
        #expect(try folder.pits("depth_m") == "Norte 1.5" && folder.office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "0")
    }

    @Test func withoutItsSourceTheRowStaysAndItIsSaid() throws {
        let folder = try folder()
        try folder.edit("Prof=1.5")
        let id = try folder.office.sql("SELECT id FROM rejects")
        try FileManager.default.moveItem(atPath: folder.office.path("viejo"), toPath: folder.office.path("otro"))
        let run = try folder.run("rejects", "retry")
        #expect(run.status == 1 && run.output.contains("IMPORT-SOURCE-GONE"), "\(run.output)\(run.error)")
        #expect(try folder.office.sql("SELECT id || state FROM rejects") == id + "open")
        #expect(try folder.pits() == "")
        try FileManager.default.moveItem(atPath: folder.office.path("otro"), toPath: folder.office.path("viejo"))
        #expect(try folder.run("rejects", "retry").status == 0)
        #expect(try folder.pits() == "C-1 1.5 Norte")
    }

    @Test func anotherSourceInItsPlaceIsNotTaken() throws {
        let folder = try folder()
        try folder.edit("Prof=1.5")
        try folder.write("Lugares", "Id;Nombre", "7;Sur")
        let run = try folder.run("rejects", "retry")
        #expect(run.status == 1 && run.output.contains("IMPORT-SOURCE-CHANGED"), "\(run.output)\(run.error)")
        #expect(try folder.office.sql("SELECT state FROM rejects") == "open")
        #expect(try folder.pits() == "")
    }

    @Test func rowsThatLookNothingUpNeedNoSource() throws {
        let folder = try folder(MappedFolder.pits("depth_m: Prof"))
        try folder.edit("Prof=1.5")
        try FileManager.default.removeItem(atPath: folder.office.path("viejo"))
        #expect(try folder.run("rejects", "retry").status == 0)
        #expect(try folder.pits("depth_m") == "C-1 1.5")
    }

    @Test func theSourceIsReadAsItWasRead() throws {
        let folder = try MappedFolder(MappedFolder.pits("depth_m: Prof", Self.place))
        try folder.write("Pozos", "Proyecto!Pozo!Prof!IdLugar", "P-1!C-1!hondo!7")
        // The byte of ñ in CP850 is a currency sign in CP1252.
        try Data("Id!Nombre\n7!Ca".utf8 + [0xA4] + "a\n".utf8).write(to: URL(fileURLWithPath: folder.office.path("viejo/Lugares.csv")))
        let first = try folder.bringIn("--delimiter", "!", "--encoding", "cp850", "--limit", "cellBytes=2000000")
        #expect(first.status == 1, "\(first.output)\(first.error)")
        try folder.edit("Prof=1.5")
        let run = try folder.run("rejects", "retry")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        #expect(try folder.pits() == "C-1 1.5 Caña")
        #expect(try folder.office.sql("SELECT reading FROM import_readings").contains("\"cellBytes\":2000000"))
    }
}
