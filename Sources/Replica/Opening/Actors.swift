package import Foundation
import GRDB
package import Model

/// Why somebody may not work with a replica. The mail address is quoted because the caller named it.
package enum ActorFailure: Failure, Equatable {
    case unknown(email: String)
    /// Several profiles bear the address: nobody can tell which one is meant.
    case ambiguous(email: String)
    case inactive(email: String, status: String)
    /// The profile was never validated online.
    case notValidated(email: String)
    /// The pack knows no such role.
    case roleUnknown(email: String, role: String)
    case notAllowed(role: String, permission: Permission)

    package var code: String {
        switch self {
        case .unknown: "ACTOR-UNKNOWN"
        case .ambiguous: "ACTOR-AMBIGUOUS"
        case .inactive: "ACTOR-INACTIVE"
        case .notValidated: "ACTOR-NOT-VALIDATED"
        case .roleUnknown: "ACTOR-ROLE-UNKNOWN"
        case .notAllowed: "ACTOR-NOT-ALLOWED"
        }
    }

    package var exitCode: ExitCode { .notPermitted }

    package var arguments: [String: String] {
        switch self {
        case .unknown(let email), .ambiguous(let email), .notValidated(let email): ["email": email]
        case .inactive(let email, let status): ["email": email, "status": status]
        case .roleUnknown(let email, let role): ["email": email, "role": role]
        case .notAllowed(let role, let permission): ["role": role, "permission": permission.rawValue]
        }
    }
}

extension Actor {
    /// Refuses (`ACTOR-NOT-ALLOWED`) what the actor's role may not do.
    package func ensure(may permission: Permission) throws(ActorFailure) {
        guard role.permissions.contains(permission) else { throw .notAllowed(role: role.name, permission: permission) }
    }
}

extension Actor {
    /// Whether the actor's role may see a field.
    package func sees(_ field: Field, of pack: Pack) -> Bool {
        pack.isVisible(field, to: role)
    }
}

extension Replica {
    /// The profile with a mail address (in upper or lower case), if it may work at all.
    package func actor(email: String) throws -> Actor {
        let profiles = try read { db in
            try Row.fetchAll(
                db, sql: "SELECT id, full_name, role, status, cached_at FROM profiles WHERE lower(email) = lower(?)",
                arguments: [email]
            ).map { row in
                (id: row[0] as String, name: row[1] as String?, role: row[2] as String?, status: row[3] as String?, cachedAt: row[4] as String?)
            }
        }
        guard let profile = profiles.first else { throw ActorFailure.unknown(email: email) }
        guard profiles.count == 1 else { throw ActorFailure.ambiguous(email: email) }
        guard profile.status == "ACTIVO" else { throw ActorFailure.inactive(email: email, status: profile.status ?? "") }
        guard profile.cachedAt?.isEmpty == false else { throw ActorFailure.notValidated(email: email) }
        guard let role = profile.role.flatMap({ pack.role($0) }) else {
            throw ActorFailure.roleUnknown(email: email, role: profile.role ?? "")
        }
        return Actor(id: profile.id, email: email, fullName: profile.name, role: role)
    }

    package func hasProfiles() throws -> Bool {
        try read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM profiles)") } ?? false
    }

    package func hasProfile(email: String) throws -> Bool {
        try read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM profiles WHERE lower(email) = lower(?))", arguments: [email]) } ?? false
    }

    /// Makes the profile of the replica's administrator, as if it had been validated online, and logs it.
    /// Returns its id; nil when somebody already has this address, whose profile then stays as it is.
    ///
    /// - Parameter actorID: who makes it; nil for the first, who makes himself.
    @discardableResult
    package func addAdministrator(
        email: String, fullName: String?, role: String, environment: String, now: Date, actorID: String? = nil
    ) throws -> String? {
        guard pack.role(role) != nil else { throw ActorFailure.roleUnknown(email: email, role: role) }
        return try write { db in
            let isTaken = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM profiles WHERE lower(email) = lower(?))", arguments: [email])
            guard isTaken != true else { return nil }
            let id = UUIDv7.make(at: now)
            let time = Timestamp.format(now)
            try db.execute(
                sql: """
                    INSERT INTO profiles (id, email, full_name, role, status, created_at, updated_at, cached_at, content_stamp)
                    VALUES (?, ?, ?, ?, 'ACTIVO', ?, ?, ?, ?)
                    """,
                arguments: [id, email, fullName, role, time, time, time, try ReplicaKey.nextStamp(db)])
            let changes = try ChangeLog(db, pack: pack, actorID: actorID ?? id, environment: environment, now: now)
            try changes.record(.insert, "profile_created", of: "profiles", id: id, details: ["role": role])
            return id
        }
    }

    /// Makes a profile a member of a project, once.
    package func addMember(projectID: String, profileID: String, actorID: String?, environment: String, now: Date) throws {
        try write { db in
            let changes = try ChangeLog(db, pack: pack, actorID: actorID, environment: environment, now: now)
            try Self.addMember(db, changes, projectID: projectID, profileID: profileID, now: now)
        }
    }

    /// The same within the caller's transaction.
    static func addMember(_ db: Database, _ changes: ChangeLog, projectID: String, profileID: String, now: Date) throws {
        let isMember = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM project_members WHERE project_id = ? AND profile_id = ?)", arguments: [projectID, profileID])
        guard isMember != true else { return }
        let id = UUIDv7.make(at: now)
        try db.execute(
            sql: """
                INSERT INTO project_members (id, project_id, profile_id, role, created_at, content_stamp)
                VALUES (?, ?, ?, (SELECT role FROM profiles WHERE id = ?), ?, ?)
                """,
            arguments: [id, projectID, profileID, profileID, Timestamp.format(now), try ReplicaKey.nextStamp(db)])
        try changes.record(.insert, "member_added", of: "project_members", id: id, details: ["profile_id": profileID])
    }

    /// Ids of all projects, whoever may see them: never for people's eyes.
    package func allProjectIDs() throws -> Set<String> {
        try read { db in try Set(String.fetchAll(db, sql: "SELECT id FROM \(SQLText.name(pack.project.entity))")) }
    }
}
