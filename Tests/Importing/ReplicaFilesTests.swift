import Foundation
import Testing
import Workbench

@testable import Importing

@Suite struct ReplicaFilesTests {
    @Test func whatBelongsToAReplicaIsReported() {
        let isOwn = ReplicaFiles(of: "/office/viejo/obra", and: ["/office/viejo/salida", "/office/fichero.yaml"]).filter(below: "/office/viejo")
        for name in [
            "obra", "obra-wal", "obra-shm", "obra-journal", "obra.lock", "obra.noche.lock", "obra.import", "obra.import/5f.db", "obra.files/ab/abc.jpg",
            ".obra.trial-12-x/obra", "salida", "salida/a/b.xlsx",
        ] { #expect(isOwn(name), "\(name)") }
        // A table may have the name of the replica with another ending.
        for name in ["obra.dbf", "OBRA.DBF", "obra-1.csv", "obra.fpt", "obras", "salidas.csv", "fichero.yaml", "x/obra", ".obra.csv"] {
            #expect(!isOwn(name), "\(name)")
        }
    }

    @Test func aReplicaElsewhereHidesNothing() {
        for replica in ["/office/obra", "/office/viejos/obra", "/office/viejo"] {
            let isOwn = ReplicaFiles(of: replica).filter(below: "/office/viejo")
            #expect(!["obra", "obra-wal", "", "a.csv"].contains(where: isOwn), "\(replica)")
        }
        #expect(!ReplicaFiles().filter(below: "/office")("obra"))
        // Here the folder of documents is itself the source.
        #expect(!ReplicaFiles(of: "/a/b", and: ["/office"]).filter(below: "/office")("a.csv"))
    }

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
