import Foundation
import Testing
import Workbench

@testable import Recording

@Suite struct VerificationTests {
    let directory: TemporaryFolder

    init() throws { directory = try TemporaryFolder() }

    private func register(_ path: String, _ text: String, id: String, superseded: Bool = false) throws -> Verification.RegisteredFile {
        try directory.write(text, to: "scratch")
        let checksum = try FileChecksum(of: directory.file("scratch"))
        try FileManager.default.removeItem(atPath: directory.file("scratch"))
        return .init(exportID: id, path: path, sha256: checksum.sha256, bytes: checksum.bytes, isSuperseded: superseded)
    }

    private func states(_ registered: [Verification.RegisteredFile]) -> [String] {
        Verification(registered: registered, directory: directory.path).entries.map { "\($0.path) \($0.state.rawValue)" }
    }

    @Test func tellsEveryState() throws {
        let registered = [
            try register("TPA/a.csv", "a", id: "1"), try register("TPA/b.csv", "b", id: "2"), try register("TPA/c.csv", "c", id: "3"),
            try register("old.csv", "old", id: "4", superseded: true),
        ]
        try directory.write("a", to: "TPA/a.csv")
        try directory.write("B", to: "TPA/b.csv")
        try directory.write("?", to: "TPA/z.csv")
        try directory.write("?", to: "above.csv")
        #expect(
            states(registered) == [
                "TPA/a.csv ok", "TPA/b.csv changed", "TPA/c.csv missing", "old.csv gone", "TPA/z.csv foreign", "above.csv foreign",
            ])
    }

    @Test func aRegistrationFromAnotherComputerIsNoFault() throws {
        let verification = Verification(registered: [try register("", "a", id: "1")], directory: directory.path)
        #expect(verification.entries.map(\.state) == [.absent] && verification.isClean)
    }

    @Test func givesBothChecksums() throws {
        let file = try register("a.csv", "abc", id: "1")
        try directory.write("abcd", to: "a.csv")
        let verification = Verification(registered: [file], directory: directory.path)
        let entry = try #require(verification.entries.first)
        #expect(entry.exportID == "1")
        #expect(entry.expectedBytes == 3 && entry.foundBytes == 4)
        #expect(entry.expectedSHA256 == file.sha256 && entry.foundSHA256 != file.sha256)
        #expect(!verification.isClean && verification.count(.changed) == 1)
    }

    @Test func aSuccessorAtTheSameNameIsNoChange() throws {
        let registered = [try register("a.csv", "one", id: "1", superseded: true), try register("a.csv", "two", id: "2")]
        try directory.write("two", to: "a.csv")
        #expect(states(registered) == ["a.csv superseded", "a.csv ok"])
        // Somebody put the old file back. The message is about the current registration.
        try directory.write("one", to: "a.csv")
        #expect(states(registered) == ["a.csv superseded", "a.csv changed"])
    }

    @Test func aSupersededFileThatStaysIsStillJudged() throws {
        let registered = [try register("a-v1.csv", "one", id: "1", superseded: true)]
        try directory.write("one", to: "a-v1.csv")
        #expect(Verification(registered: registered, directory: directory.path).isClean)
        try directory.write("other", to: "a-v1.csv")
        #expect(states(registered) == ["a-v1.csv changed"])
    }

    @Test func tellsUnreadableFromMissing() throws {
        let registered = [try register("a.csv", "one", id: "1")]
        try directory.write("x", to: "a.csv/inside")
        #expect(states(registered) == ["a.csv unreadable", "a.csv/inside foreign"])
    }

    @Test func takesAbsolutePathsAndAnotherDirectory() throws {
        var file = try register("a.csv", "one", id: "1")
        file.path = directory.file("a.csv")
        try directory.write("one", to: "a.csv")
        #expect(states([file]) == ["\(directory.file("a.csv")) ok"])
        let elsewhere = Verification(registered: [file], directory: directory.file("none"))
        #expect(elsewhere.entries.map(\.state) == [.ok])
    }

    @Test func doesNotWalkIntoLinksOrHiddenPlaces() throws {
        try directory.write("x", to: ".cache/file")
        try directory.write("x", to: ".hidden")
        try FileManager.default.createSymbolicLink(atPath: directory.file("loop"), withDestinationPath: directory.path)
        #expect(states([]) == ["loop foreign"])
    }
}
