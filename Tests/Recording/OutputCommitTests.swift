import Foundation
import Model
import Testing
import Workbench

@testable import Recording

@Suite struct OutputCommitTests {
    let directory: TemporaryFolder

    init() throws { directory = try TemporaryFolder() }

    private func publish(_ replacing: OutputCommit.Replacing = .nothing) throws {
        try OutputCommit.publish(temporary: directory.file("a.tmp"), final: directory.file("a.csv"), replacing: replacing)
    }

    @Test func renames() throws {
        try directory.write("new", to: "a.tmp")
        try publish()
        #expect(try directory.names == ["a.csv"])
        #expect(try directory.text(of: "a.csv") == "new")
    }

    @Test func refusesAForeignFile() throws {
        try directory.write("somebody's", to: "a.csv")
        try directory.write("new", to: "a.tmp")
        let refused = RecordingFailure.outputExists(path: directory.file("a.csv"))
        #expect(throws: refused) { try publish() }
        #expect(throws: refused) { try publish(.registered([String(repeating: "0", count: 64)])) }
        #expect(refused.exitCode == .cannotCreateOutput)
        #expect(try directory.text(of: "a.csv") == "somebody's")
        #expect(try directory.text(of: "a.tmp") == "new")
    }

    @Test func replacesWhatWasRegistered() throws {
        try directory.write("old", to: "a.csv")
        try directory.write("new", to: "a.tmp")
        try publish(.registered([FileChecksum(of: directory.file("a.csv")).sha256]))
        #expect(try directory.text(of: "a.csv") == "new")
        // The old file is kept until the new one is registered.
        #expect(try directory.text(of: "a.tmp.replaced") == "old")
        try OutputCommit.confirm(temporary: directory.file("a.tmp"))
        #expect(try directory.names == ["a.csv"])
    }

    @Test func whatWasNotRegisteredIsTakenBack() throws {
        try directory.write("old", to: "a.csv")
        try directory.write("new", to: "a.tmp")
        try publish(.registered([FileChecksum(of: directory.file("a.csv")).sha256]))
        // A recovery may itself be interrupted, so a second run of it must do no harm.
        for _ in 0..<2 { try OutputCommit.takeBack(temporary: directory.file("a.tmp"), final: directory.file("a.csv"), isOurs: false) }
        #expect(try directory.text(of: "a.csv") == "old" && directory.names == ["a.csv"])
        // No file was replaced. The file with this name is removed only if it is known to be ours.
        for isOurs in [false, true] {
            try OutputCommit.takeBack(temporary: directory.file("a.tmp"), final: directory.file("a.csv"), isOurs: isOurs)
            #expect(try directory.names == (isOurs ? [] : ["a.csv"]))
        }
    }

    @Test func replacesAnythingWhenToldButNoDirectory() throws {
        try directory.write("somebody's", to: "a.csv")
        try directory.write("new", to: "a.tmp")
        try publish(.anything(but: ReplicaFiles()))
        #expect(try directory.text(of: "a.csv") == "new")
        try directory.write("x", to: "b.csv/inside")
        try directory.write("new", to: "b.tmp")
        #expect(throws: RecordingFailure.outputExists(path: directory.file("b.csv"))) {
            try OutputCommit.publish(temporary: directory.file("b.tmp"), final: directory.file("b.csv"), replacing: .anything(but: ReplicaFiles()))
        }
    }

    @Test func neverReplacesAFileOfTheReplica() throws {
        let own = ReplicaFiles(of: directory.file("fichero.db"))
        try directory.write("records", to: "fichero.db")
        try directory.write("new", to: "a.tmp")
        // A write-ahead log need not exist to be refused: it would be read with the records.
        for name in ["fichero.db", "fichero.db-wal", "fichero.db.lock"] {
            #expect(throws: RecordingFailure.outputOfReplica(path: directory.file(name))) {
                try OutputCommit.publish(temporary: directory.file("a.tmp"), final: directory.file(name), replacing: .anything(but: own))
            }
        }
        #expect(try directory.names == ["a.tmp", "fichero.db"])
        #expect(try directory.text(of: "fichero.db") == "records")
    }

    @Test func refusesADanglingLink() throws {
        try FileManager.default.createSymbolicLink(atPath: directory.file("a.csv"), withDestinationPath: "nowhere")
        try directory.write("new", to: "a.tmp")
        #expect(throws: RecordingFailure.outputExists(path: directory.file("a.csv"))) { try publish() }
        #expect(!FileManager.default.fileExists(atPath: directory.file("nowhere")))
    }

    @Test func saysWhenThereIsNothingToRename() throws {
        #expect(throws: RecordingFailure.outputRename(path: directory.file("a.csv"), reason: "No such file or directory")) {
            try publish()
        }
    }

    @Test func makesDirectories() throws {
        let path = directory.file("2026/TPA/a.csv")
        try OutputCommit.makeDirectory(for: path)
        try OutputCommit.makeDirectory(for: path)
        try directory.write("x", to: "2026/TPA/a.csv")
        #expect(throws: RecordingFailure.outputDirectory(path: path, reason: "Not a directory")) {
            try OutputCommit.makeDirectory(for: path + "/b.csv")
        }
    }

    @Test func removesLeftovers() throws {
        try directory.write("half", to: "a.tmp")
        try OutputCommit.removeLeftovers([directory.file("a.tmp"), directory.file("gone.tmp")])
        #expect(try directory.names == [])
    }

    /// If many runs publish under one name, one of them wins and the others get an error. No file
    /// is lost.
    @Test func oneOfManyWins() async throws {
        let directory = directory
        for number in 0..<20 { try directory.write("\(number)", to: "\(number).tmp") }
        let path = directory.path
        let wins = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    (try? OutputCommit.publish(temporary: path + "/\(number).tmp", final: path + "/a.csv")) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
        #expect(try directory.names.count == 20)
        let winner = try directory.text(of: "a.csv")
        #expect(!FileManager.default.fileExists(atPath: directory.file(winner + ".tmp")))
    }
}
