import Foundation
import Testing
import Workbench

/// A program that is killed in the middle of an upload goes on with it in the next run.
@Suite struct KilledUploadTests {
    private static let piece = 6 << 20

    /// An office with one large photo, whose sync was killed when the second piece had arrived.
    private static func killed() throws -> (office: SyncedOffice, web: SupabaseServer, content: [UInt8], path: String) {
        let office = try SyncedOffice(.supabase)
        let web = try #require(office.web), pit = try office.pit(1)
        try office.follow()
        let content = SeededNumbers.bytes(20 << 20, seed: 7)
        let path = try office.photo("large.jpg", of: pit, bytes: content)
        let pipe = office.folder + "/pipe"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        try web.fail(#"[{"match": "PATCH /storage/v1/upload", "after": 2, "do": {"hold": "\#(pipe)"}}]"#)
        let running = try office.start("sync")
        // The server tells by the pipe that the third piece came.
        let told = try #require(FileHandle(forReadingAtPath: pipe)).readDataToEndOfFile()
        #expect(String(decoding: told, as: UTF8.self) == "held")
        kill(running.process.processIdentifier, SIGKILL)
        #expect(running.process.wait().isBySignal, "\(running.error)")
        #expect(try office.local("SELECT count(*) FROM file_uploads") == "1")
        try web.forget()
        return (office, web, content, path)
    }

    private func expectSent(_ office: SyncedOffice, _ web: SupabaseServer, _ content: [UInt8]) throws {
        let sent = try office.run("sync")
        #expect(sent.status == 0 && sent.output.contains("Files sent: 1"), "\(sent.output)\(sent.error)")
        let place = try office.central("SELECT storage_path FROM calicata_photos")
        let file = try office.folder + "/" + office.local("SELECT local_path FROM calicata_photos")
        #expect(try OtherProgram.sha256(web.path(of: place)) == OtherProgram.sha256(file))
        #expect(try web.file(place).count == content.count)
        #expect(try office.local("SELECT count(*) FROM file_uploads") == "0", "what is over is forgotten")
    }

    @Test func theNextRunSendsOnlyTheRest() throws {
        let (office, web, content, _) = try Self.killed()
        try expectSent(office, web, content)
        #expect(try web.bytes(of: "^PATCH /storage") == [Self.piece, content.count - 3 * Self.piece])
        #expect(try web.bytes(of: "^HEAD /storage").count == 1 && web.bytes(of: "^POST /storage/v1/upload").isEmpty)
    }

    @Test func anAddressThatTheServerForgotBeginsAnew() throws {
        let (office, web, content, _) = try Self.killed()
        try web.forgetUploads()
        try expectSent(office, web, content)
        #expect(try web.bytes(of: "^PATCH /storage").reduce(0, +) == content.count)
        #expect(try web.bytes(of: "^POST /storage/v1/upload").count == 1)
    }

    @Test func anotherFileInItsPlaceBeginsAnew() throws {
        let (office, web, content, path) = try Self.killed()
        let other = Array(content.reversed())
        try Data(other).write(to: URL(fileURLWithPath: path))
        try expectSent(office, web, other)
        #expect(try web.file(office.central("SELECT storage_path FROM calicata_photos")) == other)
        #expect(try web.bytes(of: "^PATCH /storage").reduce(0, +) == other.count && web.bytes(of: "^HEAD /storage").isEmpty)
    }
}
