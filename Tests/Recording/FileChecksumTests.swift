import Foundation
import Model
import Testing
import Workbench

@testable import Recording

@Suite struct FileChecksumTests {
    let directory: TemporaryFolder

    init() throws { directory = try TemporaryFolder() }

    @Test func knowsTheStandardsExample() throws {
        try directory.write("abc", to: "a")
        let checksum = try FileChecksum(of: directory.file("a"))
        #expect(checksum.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(checksum.bytes == 3)
    }

    @Test func readsInPieces() throws {
        try Data(repeating: 0x61, count: 1_000_000).write(to: URL(filePath: directory.file("a")))
        let checksum = try FileChecksum(of: directory.file("a"))
        #expect(checksum.sha256 == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(checksum.bytes == 1_000_000)
    }

    @Test func tellsMissingFromUnreadable() throws {
        #expect(throws: RecordingFailure.fileMissing(path: directory.file("no"))) { try FileChecksum(of: directory.file("no")) }
        let failure = #expect(throws: RecordingFailure.self) { try FileChecksum(of: directory.path) }
        #expect(failure?.code == "FILE-UNREADABLE")
        #expect(failure?.exitCode == .inputOutput)
    }

    @Test func doesNotWaitOnAPipe() throws {
        let made = unsafe mkfifo(directory.file("pipe"), 0o600)
        #expect(made == 0)
        #expect(throws: RecordingFailure.self) { try FileChecksum(of: directory.file("pipe")) }
    }
}
