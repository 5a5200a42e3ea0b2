import Foundation
import Testing
import Workbench

@testable import Model
@testable import Replica

@Suite struct PinnedPackTests {
    let scene: ReplicaScene
    private static let (reader, chief) = ("lector@example.pe", "jefa@example.pe")

    init() throws {
        scene = try ReplicaScene()
        try scene.replica.addAdministrator(
            email: Self.reader, fullName: nil, role: "LECTOR", environment: "DEV", now: testTime, by: scene.actor)
    }

    /// A pack of the same version in which readers may administer.
    private var other: Pack {
        var pack = scene.pack
        pack.roles[1] = Role(
            name: "LECTOR", permissions: Set(Permission.allCases), sees: ["public", "internal", "personal"])
        pack.ruling = RulingContent(whole: "other", folder: "other-folder")
        return pack
    }

    private func take(_ pack: Pack, from source: PackSource, by actor: String?) throws {
        _ = try Replica.initialise(at: scene.file, pack: pack, source: source, actor: actor, now: testTime)
    }

    private func taken() throws -> [String] {
        try scene.sql(
            """
            SELECT action, (SELECT email FROM profiles WHERE id = actor_id), details ->> '$.before.fingerprint', details ->> '$.after.fingerprint'
            FROM activity_logs WHERE action LIKE 'pack_%' ORDER BY rowid
            """)
    }

    @Test(arguments: [PackSource.office, .officeWithCore]) func aPackOfOtherContentDoesNotRule(_ source: PackSource)
        throws
    {
        let refusal = ReplicaFailure.packRefused(
            path: scene.file, pack: "pits", pinned: "", found: "other", roles: "GERENCIA")
        #expect(throws: refusal) { try Replica.open(at: scene.file, pack: other, source: source) }
        for actor in [nil, Self.reader, "nobody@example.pe"] {
            #expect(throws: refusal) { try take(other, from: source, by: actor) }
        }
        #expect(try taken() == [])
        #expect(
            Replica.doctor(at: scene.file, pack: other, source: source).contains {
                $0.code == "REPLICA-PACK-REFUSED" && $0.state == .error
            })
        #expect(
            try Replica.open(at: scene.file, pack: scene.pack).actor(email: Self.reader).role.permissions == [.read])
    }

    @Test func anAdministratorTakesAnotherPackAndTheLogSaysSo() throws {
        try take(other, from: .officeWithCore, by: "Jefa@example.pe")
        #expect(try taken() == ["pack_taken|jefa@example.pe||other"])
        let replica = try Replica.open(at: scene.file, pack: other, source: .officeWithCore)
        #expect(try replica.actor(email: Self.reader).role.permissions.contains(.administer))
        // The program's own pack is another pack now, and does not come back by itself.
        #expect(throws: (any Error).self) { try Replica.open(at: scene.file, pack: scene.pack, source: .program) }
        // Each link names the pack that ruled when it was made.
        #expect(
            try scene.sql(
                "SELECT p.fingerprint FROM log_chain AS c JOIN ruling_packs AS p ON p.number = c.pack ORDER BY position DESC LIMIT 1"
            ) == ["other"])
    }

    @Test func aNewReleaseComesWithoutAnybodyAndTheLogSaysSoOnce() throws {
        for _ in 0..<2 { _ = try Replica.open(at: scene.file, pack: other) }
        #expect(try taken() == ["pack_released|||other"])
        #expect(try scene.sql("SELECT count(*) FROM ruling_packs") == ["2"])
    }

    @Test func aPackThatIsPinnedBySQLShows() throws {
        _ = try scene.sql(
            """
            INSERT INTO ruling_packs (fingerprint, folder, source, version, administrators, ruling_since)
            SELECT 'other', 'other-folder', 'officeWithCore', version, 'LECTOR', ruling_since FROM ruling_packs
            """)
        let checks = Replica.doctor(at: scene.file, pack: other, source: .officeWithCore)
        #expect(checks.first { $0.code == "REPLICA-LOG-PACK" }?.arguments["entries"] == "1.0.0 other")
    }

    @Test func anOfficesPackFollowsTheProgramsCore() throws {
        try take(other, from: .office, by: Self.chief)
        var newer = other
        newer.ruling.whole = "newer core"
        _ = try Replica.open(at: scene.file, pack: newer, source: .office)
        #expect(try taken().last == "pack_released||other|newer core")
    }
}
