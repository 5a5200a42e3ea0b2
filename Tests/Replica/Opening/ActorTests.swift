import Foundation
import Model
import Testing

@testable import Replica

@Suite struct ActorTests {
    let scene: ReplicaScene
    init() throws { scene = try ReplicaScene() }

    @Test func theFirstAdministratorMayWorkAndIsLogged() throws {
        #expect(scene.actor.role.name == "GERENCIA" && scene.actor.fullName == "Jefa")
        #expect(try scene.sql("SELECT status, cached_at, sync_state FROM profiles") == ["ACTIVO|2026-03-01T12:00:00Z|local_only"])
        #expect(try scene.sql("SELECT action, entity_id = (SELECT id FROM profiles), environment, details FROM activity_logs WHERE entity_type = 'profiles'")
            == ["profile_created|1|DEV|{\"role\":\"GERENCIA\"}"])
        #expect(try scene.replica.actor(email: "JEFA@example.pe").id == scene.actor.id)
    }

    @Test func anAddressIsTakenOnce() throws {
        #expect(try scene.replica.addAdministrator(email: "Jefa@Example.pe", fullName: nil, role: "LECTOR", environment: "DEV", now: testTime) == nil)
        #expect(try scene.sql("SELECT role FROM profiles") == ["GERENCIA"])
        #expect(throws: ActorFailure.roleUnknown(email: "x@y.pe", role: "REY")) {
            try scene.replica.addAdministrator(email: "x@y.pe", fullName: nil, role: "REY", environment: "DEV", now: testTime)
        }
    }

    @Test func whoMayNotWork() throws {
        func failure() -> ActorFailure? {
            do { _ = try scene.replica.actor(email: "jefa@example.pe") } catch { return error as? ActorFailure }
            return nil
        }
        #expect(throws: ActorFailure.unknown(email: "nadie@example.pe")) { try scene.replica.actor(email: "nadie@example.pe") }
        _ = try scene.sql("UPDATE profiles SET status = 'SUSPENDIDO'")
        #expect(failure() == .inactive(email: "jefa@example.pe", status: "SUSPENDIDO"))
        _ = try scene.sql("UPDATE profiles SET status = NULL")
        #expect(failure()?.code == "ACTOR-INACTIVE")
        _ = try scene.sql("UPDATE profiles SET status = 'ACTIVO', cached_at = NULL")
        #expect(failure()?.code == "ACTOR-NOT-VALIDATED")
        _ = try scene.sql("UPDATE profiles SET cached_at = 'x', role = 'REY'")
        #expect(failure()?.code == "ACTOR-ROLE-UNKNOWN")
        _ = try scene.sql("INSERT INTO profiles (id, email) VALUES ('other', 'JEFA@example.pe')")
        #expect(failure()?.code == "ACTOR-AMBIGUOUS")
        #expect(failure()?.exitCode == .notPermitted)
    }

    @Test func rolesDecideWhatIsDone() throws {
        var reader = scene.actor
        reader.role = try #require(scene.pack.role("LECTOR"))
        try reader.ensure(may: .read)
        #expect(throws: ActorFailure.notAllowed(role: "LECTOR", permission: .export)) { try reader.ensure(may: .export) }
    }

    /// Two people set up a replica at the same moment. The second one needs the permission of the
    /// first.
    @Test func theSecondNeedsTheLeaveOfTheFirst() throws {
        func second(_ maker: Model.Actor?) throws -> String? {
            try scene.replica.addAdministrator(email: "b@example.pe", fullName: nil, role: "GERENCIA", environment: "DEV", now: testTime, by: maker)
        }
        let before = try scene.sql("SELECT count(*) FROM profiles; SELECT count(*) FROM activity_logs; SELECT count(*) FROM imports")
        #expect(throws: ChangeFailure.refused(count: 1, mayNot: true)) { try second(nil) }
        var reader = scene.actor
        reader.role = try #require(scene.pack.role("LECTOR"))
        #expect(throws: ActorFailure.notAllowed(role: "LECTOR", permission: .administer)) { try second(reader) }
        #expect(try scene.sql("SELECT count(*) FROM profiles; SELECT count(*) FROM activity_logs; SELECT count(*) FROM imports") == before)
        #expect(try second(scene.actor) != nil)
        #expect(try scene.sql("SELECT count(*) FROM profiles; SELECT actor_id = '\(scene.actor.id)' FROM import_details ORDER BY stamp DESC LIMIT 1") == ["2", "1"])
    }

    @Test func anAdministratorOfInitIsNotTakenBack() throws {
        let set = try scene.sql("SELECT id, format FROM imports")
        #expect(set.count == 1 && set[0].hasSuffix("|init"))
        let context = RunContext(
            id: "r", asOf: testTime, timeZone: .gmt, language: .spanish, environment: "DEV", actor: scene.actor, programVersion: "1")
        let id = String(set[0].dropLast(5))
        for name in [id, "last"] { #expect(throws: UndoFailure.ownAct(id)) { try scene.replica.undoImport(name, context: context) } }
    }
}
