import Model
import Testing

@testable import Replica

@Suite struct ActorTests {
    let scene: ReplicaScene
    init() throws { scene = try ReplicaScene() }

    @Test func theFirstAdministratorMayWorkAndIsLogged() throws {
        #expect(scene.actor.role.name == "GERENCIA" && scene.actor.fullName == "Jefa")
        #expect(try scene.sql("SELECT status, cached_at, sync_state FROM profiles") == ["ACTIVO|2026-03-01T12:00:00Z|local_only"])
        #expect(try scene.sql("SELECT action, entity_id = (SELECT id FROM profiles), environment FROM activity_logs") == ["profile_created|1|DEV"])
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

    @Test func aMemberIsAddedOnce() throws {
        try scene.importing(smallPit)
        for _ in 0..<2 {
            try scene.replica.addMember(
                projectID: ReplicaScene.project, profileID: scene.actor.id, actorID: scene.actor.id, environment: "DEV", now: testTime)
        }
        #expect(try scene.sql("SELECT project_id, role FROM project_members") == [ReplicaScene.project + "|GERENCIA"])
        #expect(try scene.sql("SELECT count(*) FROM activity_logs WHERE action = 'member_added'") == ["1"])
        #expect(throws: ReplicaFailure.self) {
            try scene.replica.addMember(projectID: "none", profileID: scene.actor.id, actorID: nil, environment: "DEV", now: testTime)
        }
    }
}
