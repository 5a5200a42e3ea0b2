import Foundation
import GRDB
import Testing
import Workbench

@testable import Model
@testable import Replica

@Suite struct OpeningTests {
    let place: TemporaryFolder
    let file: String
    let pack = PitPack.make()

    init() throws {
        place = try TemporaryFolder()
        file = place.file("fichero.db")
        try Replica.create(at: file, pack: pack, now: testTime)
    }

    /// The failure with which opening ends.
    private func failure(_ path: String? = nil, _ pack: Pack? = nil) -> ReplicaFailure? {
        do {
            _ = try Replica.open(at: path ?? file, pack: pack ?? self.pack, busyTimeout: 0)
            return nil
        } catch {
            return error
        }
    }

    private func put(_ bytes: Data, _ name: String) throws -> String {
        try bytes.write(to: URL(fileURLWithPath: place.file(name)))
        return place.file(name)
    }

    @Test func aSoundReplicaOpens() {
        #expect(failure() == nil)
        // The texts, rules and jobs of a pack may change without a change of the replica.
        #expect(failure(nil, PitPack.make(fingerprint: "f2")) == nil)
    }

    @Test func noFile() {
        let missing = failure(place.file("none.db"))
        #expect(missing == .missing(path: place.file("none.db")) && missing?.exitCode == .noInput)
        #expect(!FileManager.default.fileExists(atPath: place.file("none.db")))
    }

    @Test func whatIsNoDatabase() throws {
        for (name, content) in [("text.db", Data("hello, this is a letter and no database".utf8)), ("empty.db", Data())] {
            let found = failure(try put(content, name))
            #expect(found?.code == "REPLICA-DAMAGED" && found?.exitCode == .badInput, "\(name)")
        }
        #expect(failure(try put(Data(repeating: 7, count: 5000), "noise.db"))
            == .damaged(path: place.file("noise.db"), reason: "file is not a database"))
        #expect(failure(place.path) == .damaged(path: place.path, reason: "is a directory"))
    }

    @Test func aFileThatIsCutOff() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let found = failure(try put(whole.prefix(whole.count / 2), "half.db"))
        #expect(found?.code == "REPLICA-DAMAGED")
        #expect(found?.arguments["reason"]?.hasPrefix("file is cut off") == true)
    }

    @Test func malformedPages() throws {
        var broken = try Data(contentsOf: URL(fileURLWithPath: file))
        for index in 100..<2000 { broken[index] = 0xFF }
        #expect(failure(try put(broken, "broken.db"))?.code == "REPLICA-DAMAGED")
    }

    @Test func anotherProgramsDatabase() throws {
        _ = try place.sqlite3(place.file("other.db"), "CREATE TABLE letters (id)")
        #expect(failure(place.file("other.db")) == .foreign(path: place.file("other.db")))
        _ = try place.sqlite3(place.file("third.db"), "PRAGMA application_id = 77; CREATE TABLE letters (id)")
        #expect(failure(place.file("third.db"))?.code == "REPLICA-FOREIGN")
    }

    @Test func newerThanTheProgram() throws {
        _ = try place.sqlite3(file, "PRAGMA user_version = 99")
        let found = failure()
        #expect(found == .newer(path: file, found: 99, known: ProgramTables.version) && found?.exitCode == .badConfiguration)
    }

    @Test func anotherPack() {
        let found = failure(nil, PitPack.make(name: "anagrafica"))
        #expect(found == .otherPack(path: file, found: "pits", expected: "anagrafica") && found?.exitCode == .badConfiguration)
    }

    @Test func aPackThatAsksForMore() {
        let found = failure(nil, PitPack.make { $0[1].fields.append(Field(name: "side", type: .text)) })
        #expect(found == .packChanged(path: file, pack: "pits") && found?.exitCode == .badConfiguration)
    }

    @Test func lockedByAnother() throws {
        let replica = try Replica.open(at: file, pack: pack, busyTimeout: 0)
        let other = try Replica.open(at: file, pack: pack, busyTimeout: 0)
        try replica.write { _ in
            #expect(throws: ReplicaFailure.busy(path: file)) { try other.write { _ in } }
            // Others can read while somebody writes.
            let projects = try other.status().projects
            #expect(projects.isEmpty)
        }
        try other.write { _ in }
        #expect(ReplicaFailure.busy(path: file).exitCode == .busy)
    }

    @Test func lockedExclusively() throws {
        // Locks belong to processes, so another process must hold the file.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1], isolation_level=None)
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("BEGIN EXCLUSIVE")
            print("locked", flush=True)
            sys.stdin.read()
            """, file,
        ]
        let output = Pipe()
        process.standardInput = Pipe()
        process.standardOutput = output
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        #expect(output.fileHandleForReading.availableData.starts(with: Data("locked".utf8)))
        #expect(failure() == .busy(path: file))
        #expect(Replica.doctor(at: file, pack: pack, busyTimeout: 0).last?.code == "REPLICA-BUSY")
    }

    @Test func readOnly() throws {
        // For root, only an immutable file is read-only. For others, the permissions are enough.
        let isSuperuser = getuid() == 0
        if isSuperuser { try place.run("/usr/bin/chattr", ["+i", file]) }
        try FileManager.default.setAttributes(isSuperuser ? [:] : [.posixPermissions: 0o400], ofItemAtPath: file)
        let found = failure()
        if isSuperuser { try place.run("/usr/bin/chattr", ["-i", file]) }
        #expect(found == .readOnly(path: file) && found?.exitCode == .inputOutput)
    }

    @Test func fullDisk() throws {
        let replica = try Replica.open(at: file, pack: pack, busyTimeout: 0)
        // SQLite's own limit acts like a full disk.
        try replica.queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = 1") }
        let scene = try replica.addAdministrator(email: "a@b.pe", fullName: nil, role: "GERENCIA", environment: "DEV", now: testTime)
        #expect(scene != nil)
        let actor = try replica.actor(email: "a@b.pe")
        let request = ImportRequest(source: "x", format: "json", actor: actor, environment: "DEV", startedAt: testTime)
        #expect(throws: ReplicaFailure.full(path: file)) {
            try replica.importRows(request, findings: FindingList()) { session in
                for number in 0..<5000 { try session.store(row("projects", "p\(number)", ["name": .text(String(repeating: "x", count: 400))])) }
            }
        }
        #expect(ReplicaFailure.full(path: file).exitCode == .inputOutput)
        #expect(try place.sqlite3(file, "SELECT count(*) FROM projects; PRAGMA integrity_check") == ["0", "ok"])
    }

    @Test func networkDrivesAreReported() {
        let mounts = """
            22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
            31 22 0:40 / /srv/office\\040share rw - nfs4 server:/office rw
            32 22 0:41 / /home/ana/remote rw - fuse.sshfs ana@host: rw
            33 31 8:2 / /srv/office\\040share/local rw - xfs /dev/sdb1 rw
            """
        #expect(FileInspection.networkFileSystem(at: "/srv/office share/a/fichero.db", mounts: mounts) == "nfs4")
        #expect(FileInspection.networkFileSystem(at: "/srv/office share/local/fichero.db", mounts: mounts) == nil)
        #expect(FileInspection.networkFileSystem(at: "/home/ana/remote", mounts: mounts) == "fuse.sshfs")
        #expect(FileInspection.networkFileSystem(at: "/home/ana/remotely/fichero.db", mounts: mounts) == nil)
        #expect(FileInspection.networkFileSystem(at: place.path) == nil)
    }
}
