import Foundation
import Testing

/// What devices and servers give as JSON comes in by the packs' mappings alone: all of it, once, and
/// operations in their order.
@Suite struct DocumentImportTests {
    private static let device = ProgramRun.root + "/Samples/mesync/device.json"
    private static let folder = ProgramRun.root + "/Samples/mesync/device/Caches"
    private static let store = ProgramRun.root + "/Samples/mesync/version-1/default.store"
    private static let server = ProgramRun.root + "/Samples/interrapidisimo/legacy/server/"

    @discardableResult
    private func bringIn(_ path: String, _ office: Office, _ options: String..., status: Int32 = 0) throws -> ProgramRun {
        let run = try office.run(["import", path, "--fail-on", "error", "--actor", Office.administrator] + options)
        #expect(run.status == status, "\(path): \(run.output) \(run.error)")
        return run
    }

    private func stamps(_ office: Office, _ tables: [String]) throws -> [String] {
        try (tables + ["sync_queue", "conflicts"]).map { try office.sql("SELECT count(*), sum(content_stamp) FROM \($0)") }
    }

    private static let tables = ["users", "habits", "habit_instances", "tasks", "medications", "medication_instances"]

    @Test func aDevicesDocumentComesInWithItsOperationsInOrder() throws {
        let office = try Office(system: "mesync", set: nil)
        try bringIn(Self.device, office)
        let counts = try Self.tables.map { try office.sql("SELECT count(*) FROM \($0)") }
        // As many as the app shows: `device.md`.
        #expect(counts == ["1", "5", "34", "9", "3", "52"])
        #expect(try office.sql("SELECT name FROM habits WHERE id = '019ad519-5ac0-7948-be20-920547278475'") == "Estirar diez minutos", "the later operation")
        #expect(try office.sql("SELECT count(*) FROM tasks WHERE name = 'Comprar lana verde'") == "0", "deleted")
        #expect(try office.sql("SELECT completed_at IS NOT NULL FROM tasks WHERE name = 'Turno de dentista'") == "1")
        #expect(try office.sql("SELECT scheduled_date, remind_at FROM habit_instances AS i JOIN habits AS h ON h.id = i.habit_id WHERE h.name = 'Estirar diez minutos'")
            == "2025-11-30|06:45:00")
        // Marked anew under a fresh id: the same mark, now skipped.
        #expect(try office.sql(
            "SELECT count(*) FROM habit_instances WHERE habit_id = '01976aae-0940-7851-8cf1-da816d4fa265' AND scheduled_date = '2025-11-30' AND skipped_at IS NOT NULL") == "1")
        #expect(try office.sql("SELECT count(*) FROM medications WHERE reminder_times LIKE '[\"__:__:00\"%'") == "3")
        let before = try stamps(office, Self.tables)
        try bringIn(Self.device, office)
        #expect(try stamps(office, Self.tables) == before, "a second import changes nothing")
        #expect(try office.run("undo", "last", "--actor", Office.administrator).status == 0)
        #expect(try office.sql("SELECT count(*) FROM habits") == "0")
    }

    @Test func aFolderWithAFileAKeyComesInByTheSameMapping() throws {
        let office = try Office(system: "mesync")
        let run = try office.run("import", Self.folder, "--policy", "skip", "--fail-on", "never", "--dry-run", "--actor", Office.administrator)
        #expect(run.status == 0, "\(run.output) \(run.error)")
        #expect(!run.output.contains("expiration"), "\(run.output)")
    }

    @Test func versionOneBecomesHabitsWithTheirMarks() throws {
        let office = try Office(system: "mesync", set: nil)
        try office.bringIn("supabase", "--join")
        let marks = try #require(Int(office.sql("SELECT count(*) FROM habit_instances")))
        try bringIn(Self.store, office, "--mapping", "version-1", "--project", "carmen@example.pe")
        #expect(try office.sql("SELECT count(*) FROM habit_instances") == String(marks + 220))
        let own = "habit_id IN (SELECT id FROM habits WHERE created_at < '2025-06-01')"
        #expect(try office.sql("SELECT count(*), count(completed_at) FROM habit_instances WHERE \(own)") == "220|208")
        let before = try stamps(office, Self.tables)
        try bringIn(Self.store, office, "--mapping", "version-1", "--project", "carmen@example.pe")
        #expect(try stamps(office, Self.tables) == before)
    }

    @Test(arguments: ["localities.json", "localities-wrapped.json", "localities-numbers.json"])
    func theServersLocalitiesComeInAsItAnswers(_ name: String) throws {
        let office = try Office(system: "interrapidisimo", set: nil)
        try bringIn(ProgramRun.root + "/Samples/interrapidisimo/legacy/sources.csv", office, "--mapping", "fuentes", "--join")
        try bringIn(Self.server + name, office, "--mapping", "localidades", "--project", "SERVIDOR")
        #expect(try office.sql("SELECT count(*) FROM localities") == "10")
        let before = try stamps(office, ["localities"])
        try bringIn(Self.server + name, office, "--mapping", "localidades", "--project", "SERVIDOR")
        #expect(try stamps(office, ["localities"]) == before)
        guard name == "localities.json" else { return }
        try bringIn(Self.server + "localities-later.json", office, "--mapping", "localidades", "--project", "SERVIDOR", "--policy", "update")
        #expect(try office.sql("SELECT count(*) FROM localities") == "11")
    }

    @Test(arguments: ["schema.json", "schema-lower.json"]) func theServersSchemaComesInAsItAnswers(_ name: String) throws {
        let office = try Office(system: "interrapidisimo", set: nil)
        try bringIn(Self.server + name, office)
        #expect(try office.sql("SELECT count(*), count(creation_query), count(synced_at) FROM server_tables") == "5|5|5")
    }

    @Test func aBrokenDocumentChangesNothing() throws {
        let office = try Office(system: "mesync", set: nil)
        let whole = try String(contentsOfFile: Self.device, encoding: .utf8)
        for text in [String(whole.dropLast(40)), whole.replacing("\"frequency\"", with: "\"id\""), String(repeating: "[", count: 5_000)] {
            try text.write(toFile: office.path("copia.json"), atomically: true, encoding: .utf8)
            let run = try office.run("import", office.path("copia.json"), "--mapping", "dispositivo", "--actor", Office.administrator)
            #expect(run.status == 65, "\(run.output) \(run.error)")
        }
        // Wrong types and numbers that are no time reject their rows, and only these.
        let wrong = whole.replacing("\"createdAt\": 770450575.0", with: "\"createdAt\": 1e300").replacing("\"Estirar diez minutos\"", with: "[]")
        try wrong.write(toFile: office.path("copia.json"), atomically: true, encoding: .utf8)
        let run = try office.run("import", office.path("copia.json"), "--mapping", "dispositivo", "--fail-on", "error", "--actor", Office.administrator)
        #expect(run.status == 1 && run.output.contains("IMPORT-NO-DATE"), "\(run.output) \(run.error)")
        #expect(try office.sql("SELECT count(*) FROM tasks") == "9")
    }
}
