import Foundation
import Testing

@testable import Model

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

    @Test func namesOfTheReplicaAndTheConfigurationAreItsOwn() {
        let own = ReplicaFiles(of: "/office/obra", and: ["/office/salida", "/office/fichero.yaml"])
        for name in ["obra", "obra-wal", "./obra", "obra.lock", "obra.files/ab/abc.jpg", ".obra.trial-1", "fichero.yaml", "salida"] {
            #expect(own.contains("/office/\(name)"), "\(name)")
        }
        for name in ["obra.xlsx", "salida/obra.csv", "x/obra", "OBRA"] { #expect(!own.contains("/office/\(name)"), "\(name)") }
    }
}
