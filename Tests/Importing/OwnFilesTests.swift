import Foundation
import Model
import Testing
import Workbench

@testable import Importing

/// The files of the replica are no source, even where they lie in the imported folder.
@Suite struct OwnFilesTests {
    @Test func theFolderMayBeNamedByALink() throws {
        let place = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: place.file("real"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: place.file("name"), withDestinationPath: place.file("real"))
        try "a;b\n1;2\n".write(toFile: place.file("real/t.csv"), atomically: true, encoding: .utf8)
        try "no table".write(toFile: place.file("real/r.db"), atomically: true, encoding: .utf8)
        func state(_ own: ReplicaFiles) throws -> [String?] {
            var location = try SourceLocation(path: place.file("name"))
            location.own = own
            var options = TableOptions()
            options.own = own
            return [
                try location.digest(), SourceStamp(place.file("name"), leavingOut: own).text,
                try TableFiles.openFileOrFolder(path: place.file("name"), options: options).tables.map(\.name).joined(separator: ","),
            ]
        }
        let own = ReplicaFiles(of: place.file("real/r.db"))
        let before = try (own: state(own), all: state(ReplicaFiles()))
        try "changed".write(toFile: place.file("real/r.db"), atomically: true, encoding: .utf8)
        let again = try state(own)
        #expect(again == before.own && before.own[2] == "t")
        let after = try state(ReplicaFiles())
        #expect(after[0] != before.all[0] && after[1] != before.all[1])
    }
}
