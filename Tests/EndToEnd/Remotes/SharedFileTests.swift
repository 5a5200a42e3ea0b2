import Foundation
import Testing
import Workbench

/// Binaries of documents, pictures of people and templates go to their places in Storage after
/// their rows, and come from there.
@Suite struct SharedFileTests {
    private static let coordinator = "coordinadora@example.pe"

    private func file(_ office: SyncedOffice, _ name: String, _ bytes: [UInt8]) throws -> String {
        let path = office.folder + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func expectDone(_ run: ProgramRun, _ text: String? = nil, _ place: SourceLocation = #_sourceLocation) {
        #expect(run.status == 0 && text.map(run.output.contains) ?? true, "\(run.output)\(run.error)", sourceLocation: place)
    }

    /// The checksum of a file in Storage, by a program of its own, is that of a file here.
    private func expectSame(_ office: SyncedOffice, _ place: String, _ path: String, _ source: SourceLocation = #_sourceLocation) throws {
        let web = try #require(office.web)
        #expect(try OtherProgram.sha256(web.path(of: place)) == OtherProgram.sha256(path), sourceLocation: source)
    }

    /// How many files Storage has on its disk.
    private func count(_ office: SyncedOffice) throws -> Int {
        let folder = try #require(office.web).path(of: ".")
        let run = try OtherProgram.run("/usr/bin/find", [folder, "-mindepth", "2", "-type", "f"])
        return run.text.split(separator: "\n").count
    }

    @Test func theFileOfADocumentGoesAfterItsRowAndComesToWhoeverKeepsTheFolder() throws {
        let office = try SyncedOffice(.supabase)
        try office.follow(as: Self.coordinator)
        // More than one piece.
        let path = try file(office, "plan.pdf", SeededNumbers.bytes(7 << 20, seed: 1))
        let project = ["--project", "PRUEBA-1", "--fail-on", "never"]
        expectDone(try office.runs(["add", "document_nodes", "--set", "name=Planos", "--set", "type=folder"] + project, as: Self.coordinator))
        let folder = try office.local("SELECT id FROM document_nodes WHERE name = 'Planos'")
        expectDone(try office.runs(["add", "document_nodes", "--file", path, "--set", "type=file", "--set", "parent_id=\(folder)"] + project, as: Self.coordinator))
        let other = try file(office, "otro.pdf", SeededNumbers.bytes(900, seed: 2))
        expectDone(try office.runs(["add", "document_nodes", "--file", other, "--set", "type=file"] + project, as: Self.coordinator))
        #expect(try office.local("SELECT name, bytes, storage_path IS NULL FROM document_nodes WHERE parent_id IS NOT NULL") == "plan.pdf|\(7 << 20)|1")
        expectDone(try office.run("sync", "--prove", as: Self.coordinator), "Files sent: 2")
        let place = try office.central("SELECT storage_path FROM document_nodes WHERE name = 'plan.pdf'")
        #expect(place.hasPrefix("project-files/orgs/") && place.contains("/projects/\(SyncedOffice.project)/documents/") && place.hasSuffix("/plan.pdf"), "\(place)")
        try expectSame(office, place, path)
        #expect(try count(office) == 2)
        #expect(try office.central("SELECT bytes || ' ' || sha256 FROM document_nodes WHERE name = 'plan.pdf'") == "\(7 << 20) \(OtherProgram.sha256(path))")

        let reader = try SyncedOffice(following: office)
        try reader.follow()
        expectDone(try reader.run("offline", "Planos", "--always"))
        expectDone(try reader.run("sync"), "Files fetched: 1")
        let kept = try reader.local("SELECT local_path FROM document_nodes WHERE name = 'plan.pdf'")
        try expectSame(office, place, reader.folder + "/" + kept)
        #expect(try reader.local("SELECT count(*) FROM document_nodes WHERE local_path IS NOT NULL") == "1", "only what is below the folder")

        // Another file for the document goes up in its place, and comes to whoever has the first.
        let id = try office.local("SELECT id FROM document_nodes WHERE name = 'plan.pdf'")
        let second = try file(office, "plan-2.pdf", SeededNumbers.bytes(5000, seed: 3))
        expectDone(try office.run("edit", id, "--file", second, "--fail-on", "never", as: Self.coordinator))
        expectDone(try office.run("sync", as: Self.coordinator), "Files sent: 1")
        try expectSame(office, office.central("SELECT storage_path FROM document_nodes WHERE id = '\(id)'"), second)
        expectDone(try reader.run("sync"), "Files fetched: 1")
        let now = try reader.local("SELECT local_path FROM document_nodes WHERE id = '\(id)'")
        #expect(now != kept)
        #expect(try OtherProgram.sha256(reader.folder + "/" + now) == OtherProgram.sha256(second))
    }

    @Test func picturesOfPeopleAndTemplatesComeToEverybody() throws {
        let office = try SyncedOffice(.supabase)
        expectDone(try office.run("sync", as: SyncedOffice.administrator))
        let picture = try file(office, "me.png", [0x89, 0x50, 0x4E, 0x47] + SeededNumbers.bytes(2000, seed: 4)), template = try file(office, "brand.yaml", Array("name: Firma\n".utf8))
        let wrong = try office.run("users", "change", Self.coordinator, "--avatar", template, as: SyncedOffice.administrator)
        #expect(wrong.status == 65 && wrong.error.contains("CHANGE-FILE-KIND"), "\(wrong.output)\(wrong.error)")
        expectDone(try office.run("users", "change", Self.coordinator, "--avatar", picture, as: SyncedOffice.administrator))
        expectDone(try office.run("add", "templates", "--file", template, as: SyncedOffice.administrator))
        expectDone(try office.run("sync", "--prove", as: SyncedOffice.administrator), "Files sent: 2")
        let person = try office.central("SELECT id FROM profiles WHERE email = '\(Self.coordinator)'")
        #expect(try office.central("SELECT avatar_url FROM profiles WHERE id = '\(person)'") == "avatars/users/\(person)/avatar.png")
        try expectSame(office, "avatars/users/\(person)/avatar.png", picture)
        let place = try office.central("SELECT storage_path FROM templates")
        #expect(place.hasPrefix("templates/") && place.hasSuffix("/brand.yaml"))
        try expectSame(office, place, template)
        #expect(try count(office) == 2)

        // Nobody has to choose them. An address on the web is left alone.
        try office.central("UPDATE profiles SET avatar_url = 'https://example.pe/p.png' WHERE email = '\(SyncedOffice.field)'")
        let other = try SyncedOffice(following: office)
        expectDone(try other.run("sync"), "Files fetched: 2")
        let local = try other.local("SELECT avatar_path FROM profiles WHERE avatar_path IS NOT NULL")
        #expect(try OtherProgram.sha256(other.folder + "/" + local) == OtherProgram.sha256(picture))
        #expect(try String(contentsOfFile: other.folder + "/" + other.local("SELECT local_path FROM templates"), encoding: .utf8) == "name: Firma\n")

        // A new picture has the same place.
        let later = try file(office, "later.png", [0x89, 0x50, 0x4E, 0x47] + SeededNumbers.bytes(3000, seed: 5))
        expectDone(try office.run("users", "change", Self.coordinator, "--avatar", later, as: SyncedOffice.administrator))
        expectDone(try office.run("sync", as: SyncedOffice.administrator), "Files sent: 1")
        #expect(try count(office) == 2)
        expectDone(try other.run("sync"), "Files fetched: 1")
        let now = try other.local("SELECT avatar_path FROM profiles WHERE avatar_path IS NOT NULL")
        #expect(try OtherProgram.sha256(other.folder + "/" + now) == OtherProgram.sha256(later))
        #expect(try other.run("add", "templates", "--file", template).status != 0, "only administrators share templates")
    }

    @Test func tilesOfAFloorPlanGoAndCome() throws {
        let (project, person, level) = ("Edificio di prova", "ufficio@example.it", "30000000-0000-4000-8000-000000000001")
        let office = try SyncedOffice(.supabase, system: "anagrafica")
        try office.central("INSERT INTO levels (id, project_id, name, number) VALUES ('\(level)', '\(SyncedOffice.project)', 'P1', 1)")
        try office.follow(project, as: person)
        var tiles: [String: String] = [:]
        for column in 0...1 {
            let name = "1-\(column)-0.pbf"
            tiles[name] = try file(office, name, SeededNumbers.bytes(4000 + column, seed: UInt64(column)))
            let values = ["level_id=\(level)", "zoom=1", "tile_column=\(column)", "tile_row=0"].flatMap { ["--set", $0] }
            expectDone(try office.runs(["add", "level_tiles", "--project", project, "--fail-on", "never", "--file", office.folder + "/" + name] + values, as: person))
        }
        expectDone(try office.run("sync", "--prove", as: person), "Files sent: 2")
        #expect(try count(office) == 2)
        let other = try SyncedOffice(following: office)
        try other.follow(project, as: "operatore@example.it")
        expectDone(try other.run("offline", project, "--always", as: "operatore@example.it"))
        expectDone(try other.run("sync", as: "operatore@example.it"), "Files fetched: 2")
        for (name, path) in tiles {
            let place = try office.central("SELECT storage_path FROM level_tiles WHERE filename = '\(name)'")
            #expect(place.hasPrefix("project-files/orgs/-/projects/\(SyncedOffice.project)/levels/\(level)/tiles/"), "\(place)")
            try expectSame(office, place, path)
            try expectSame(office, place, other.folder + "/" + other.local("SELECT filepath FROM level_tiles WHERE filename = '\(name)'"))
        }
    }

    @Test func aFileThatIsNotTheOneOfItsRowIsNotSent() throws {
        let office = try SyncedOffice(.supabase)
        let pit = try office.pit(1)
        try office.follow()
        try office.photo("p.jpg", of: pit, bytes: SeededNumbers.bytes(100, seed: 6))
        try office.change("UPDATE calicata_photos SET sha256 = '" + String(repeating: "0", count: 64) + "'")
        let refused = try office.run("sync")
        #expect(refused.status == 1 && refused.output.contains("SYNC-FILE-CHANGED"), "\(refused.output)\(refused.error)")
        #expect(try count(office) == 0)
    }
}
