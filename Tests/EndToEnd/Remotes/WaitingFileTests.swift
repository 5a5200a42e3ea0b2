import Foundation
import JSONReading
import Testing
import Workbench

/// Files wait where they may not go, or cannot; rows always go.
@Suite struct WaitingFileTests {
    private func office(files: String) throws -> SyncedOffice {
        let office = try SyncedOffice(.supabase)
        let web = try #require(office.web)
        try office.configure(remote: "supabase: {url: '\(web.url)', key: \(SupabaseServer.key)}\nfiles: \(files)")
        return office
    }

    @Test func filesWaitForANetworkThatTheyMayUse() throws {
        let office = try office(files: "{networks: [wifi, wired], atOnce: 2}")
        let pit = try office.pit(1)
        try office.follow()
        for number in 1...3 { try office.photo("\(number).jpg", of: pit, bytes: [UInt8(number)]) }
        let held = try office.run("sync", with: ["FICHERO_NETWORK": "mobile"])
        #expect(held.status == 0 && held.output.contains("Files wait, 3 to send and 0 to fetch") && held.output.contains("mobile"), "\(held.output)\(held.error)")
        #expect(try office.central("SELECT count(*) || ' ' || count(storage_path) FROM calicata_photos") == "3 0", "rows go")
        let status = try office.run("status", with: ["FICHERO_NETWORK": "mobile"])
        let line = try #require(status.output.split(separator: "\n").first { $0.contains("files to send") })
        #expect(line.contains(" 3 ") && line.contains("mobile"), "\(status.output)")
        // This server is on this machine.
        let sent = try office.run("sync")
        #expect(sent.status == 0 && sent.output.contains("Files sent: 3"), "\(sent.output)\(sent.error)")
        #expect(try office.run("status", with: ["FICHERO_NETWORK": "mobile"]).output.contains("files to send") == false)
    }

    @Test func whatComesWaitsToo() throws {
        let office = try office(files: "{networks: [wired]}")
        let pit = try office.pit(1)
        try office.follow()
        let path = try office.photo("1.jpg", of: pit, bytes: [1, 2, 3])
        #expect(try office.run("sync").status == 0)
        try office.change("UPDATE calicata_photos SET local_path = NULL")
        try FileManager.default.removeItem(atPath: path)
        #expect(try office.run("offline", "PRUEBA-1", "--always").status == 0)
        let held = try office.run("sync", "--json", with: ["FICHERO_NETWORK": "wifi"])
        let waiting = try JSONValue.parse(held.output)["files"]?["waiting"]
        #expect(held.status == 0 && waiting?["fetch"] == .number("1") && waiting?["reason"]?.text == "network:wifi", "\(held.output)")
        let status = try JSONValue.parse(office.run("status", "--json", with: ["FICHERO_NETWORK": "wifi"]).output)["sync"]?.items?.first
        #expect(status?["filesToFetch"] == .number("1") && status?["filesWait"]?.text == "network:wifi")
        let fetched = try office.run("sync", with: ["FICHERO_NETWORK": "wired"])
        #expect(fetched.output.contains("Files fetched: 1"), "\(fetched.output)\(fetched.error)")
    }

    @Test func aPostgresServerTakesNoFilesAndThatIsSaid() throws {
        let office = try SyncedOffice(.postgres)
        let pit = try office.pit(1)
        try office.follow()
        try office.photo("1.jpg", of: pit, bytes: [1])
        let synced = try office.run("sync", "--prove")
        #expect(synced.status == 0 && synced.output.contains("Files wait, 1 to send and 0 to fetch: this central database takes no files."), "\(synced.output)\(synced.error)")
        let status = try office.run("status")
        #expect(status.output.contains("0 operations wait"), "\(status.output)")
        let line = try #require(status.output.split(separator: "\n").first { $0.contains("files to send") })
        #expect(line.contains("this central database takes no files"), "\(status.output)")
    }

    @Test(arguments: ["{networks: []}", "{networks: [lan]}", "{atOnce: 4}", "{atOnce: 0}", "{speed: 1}", "wifi"])
    func aPolicyThatMeansNothingIsRefused(_ files: String) throws {
        let office = try SyncedOffice(.postgres, isPrepared: false)
        try office.configure(remote: "files: \(files)")
        let run = try office.run("status")
        #expect(run.status == 78 && run.error.contains("CONFIGURATION-INVALID") && run.error.contains("files"), "\(run.output)\(run.error)")
    }

    @Test func eachFileIsToldInALogAndOnDemandAsALine() throws {
        let office = try SyncedOffice(.supabase)
        let pit = try office.pit(1)
        try office.follow()
        for number in 1...3 { try office.photo("\(number).jpg", of: pit, bytes: [UInt8](repeating: UInt8(number), count: 2000)) }
        let sent = try office.run("sync", "--log-format", "json")
        let lines = sent.error.split(separator: "\n").filter { $0.contains("file moved") }
        #expect(lines.count == 3 && lines.last?.contains(#""file":"3/3""#) == true && lines[0].contains(#""bytes":"2000""#), "\(sent.error)")
        // The same line that a terminal shows, on demand.
        for number in 4...5 { try office.photo("\(number).jpg", of: pit, bytes: [UInt8](repeating: UInt8(number), count: 2000)) }
        try office.web?.fail(#"[{"match": "POST /storage/v1/object/", "do": {"slow": 0.2}}]"#)
        let shown = try office.run("sync", "--progress", "always")
        #expect(shown.error.contains("Sending files: ") && shown.error.contains(" MB/s"), "\(shown.error)")
        #expect(try office.run("sync", "--quiet").error.isEmpty)
    }
}
