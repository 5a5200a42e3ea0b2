import Foundation
import Testing
import Workbench
@testable import Photos

@Suite struct PhotoFolderTests {
    private let base: TemporaryFolder
    private var folder: PhotoFolder { PhotoFolder(beside: base.path + "/r.fichero") }

    init() throws {
        base = try TemporaryFolder()
        try base.write(SamplePhoto.tiny(), to: "r.fichero.files/ab/one.jpg")
        try base.write(SamplePhoto.tiny(), to: "secret.jpg")
    }

    private func outcome(_ path: String) -> String {
        switch folder.read(path) {
        case .read(let file): "read \(file.count)"
        case .missing: "missing"
        case .unreadable: "unreadable"
        case .failed: "failed"
        }
    }

    @Test func aStoredPhotoIsRead() throws {
        guard case .read(let file) = folder.read("r.fichero.files/ab/one.jpg") else { throw CocoaError(.fileNoSuchFile) }
        #expect(file.count == SamplePhoto.tiny().count)
        #expect(file.picture?.width == 2)
        #expect(file.sha256.count == 64)
        #expect(PhotoFile(bytes: [UInt8]("abc".utf8)).sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func whatIsNotThereIsMissing() {
        #expect(outcome("r.fichero.files/ab/two.jpg") == "missing")
        #expect(outcome("r.fichero.files/xx/one.jpg") == "missing")
        #expect(outcome("photos/one.jpg") == "missing")
        #expect(outcome("") == "missing")
    }

    @Test(arguments: [
        "secret.jpg", "r.fichero.files/../secret.jpg", "r.fichero.files/ab/../../secret.jpg", "/etc/passwd", "../secret.jpg",
        "r.fichero.files//ab/one.jpg", "r.fichero.files/./ab/one.jpg", "./r.fichero.files/ab/one.jpg", "r.fichero.files", "r.fichero.files/", "r.fichero.files/ab/one.jpg\u{0}",
    ]) func noPathLeavesTheFolder(path: String) {
        #expect(outcome(path) == "missing")
    }

    @Test func longPathsAreRefused() {
        #expect(outcome("r.fichero.files/" + String(repeating: "a", count: 2000)) == "missing")
        #expect(outcome("r.fichero.files/" + String(repeating: "a/", count: 40) + "b") == "missing")
    }

    @Test func linksAreNotFollowed() throws {
        let files = base.url.appendingPathComponent("r.fichero.files")
        try FileManager.default.createSymbolicLink(atPath: files.path + "/ab/link.jpg", withDestinationPath: base.path + "/secret.jpg")
        try FileManager.default.createSymbolicLink(atPath: files.path + "/out", withDestinationPath: base.path)
        #expect(outcome("r.fichero.files/ab/link.jpg") == "unreadable")
        #expect(outcome("r.fichero.files/out/secret.jpg") == "unreadable")
    }

    /// Folders, pipes and files that are too large are refused. A pipe would wait for a writer.
    @Test func onlyRegularFilesOfABoundedSize() throws {
        let files = base.path + "/r.fichero.files/ab"
        #expect(outcome("r.fichero.files/ab") == "unreadable")
        #expect(unsafe mkfifo(files + "/pipe.jpg", 0o600) == 0)
        #expect(outcome("r.fichero.files/ab/pipe.jpg") == "unreadable")
        #expect(FileManager.default.createFile(atPath: files + "/long.jpg", contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: files + "/long.jpg"))
        try handle.truncate(atOffset: UInt64(PhotoFolder.maximumBytes) + 1)
        try handle.close()
        #expect(outcome("r.fichero.files/ab/long.jpg") == "unreadable")
    }
}
