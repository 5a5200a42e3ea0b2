import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

/// A disk that is full is named, whichever it is.
@Suite struct FullDiskTests {
    private func failure(_ spaces: [String: FullDisk.Space]) -> ReplicaFailure {
        FullDisk(temporaryFolder: "/scratch") { spaces[$0] }.failure(ofReplica: "/data/fichero.db")
    }

    @Test func theFullerOfTwoDisksIsNamed() {
        let (full, free) = (FullDisk.Space(device: 1, free: 4096), FullDisk.Space(device: 2, free: 1 << 30))
        #expect(failure(["/scratch": full, "/data": free]) == .temporaryFull(path: "/scratch"))
        #expect(failure(["/scratch": free, "/data": full]) == .full(path: "/data/fichero.db"))
        #expect(failure(["/scratch": full, "/data": full]) == .full(path: "/data/fichero.db"), "one disk for both")
        #expect(failure(["/data": free]) == .full(path: "/data/fichero.db"))
        #expect(ReplicaFailure.temporaryFull(path: "/scratch").exitCode == .inputOutput)
        // A replica among the temporary files is not the user's.
        let trial = FullDisk().failure(ofReplica: NSTemporaryDirectory() + "fichero-trial-1/trial.db")
        #expect(trial == .temporaryFull(path: FileManager.default.temporaryDirectory.path))
    }

    @Test func theFolderIsTheOneThatSQLiteTakes() throws {
        let place = try TemporaryFolder()
        #expect(FullDisk.folder(["SQLITE_TMPDIR": place.path, "TMPDIR": "/tmp"]) == place.path)
        #expect(FullDisk.folder(["SQLITE_TMPDIR": place.file("missing"), "TMPDIR": place.path]) == place.path)
        try "".write(toFile: place.file("file"), atomically: true, encoding: .utf8)
        #expect(FullDisk.folder(["TMPDIR": place.file("file")]) == FullDisk.folder([:]))
    }
}
