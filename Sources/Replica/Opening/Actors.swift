import GRDB
package import Model

/// Reason why a person may not work with a replica. The mail address may be quoted because the
/// caller supplied it.
package typealias ActorFailure = DeclaredFailure<Actor>

extension ActorFailure {
    package static func unknown(email: String) -> Self { Self("ACTOR-UNKNOWN", .notPermitted, ["email": email]) }
    /// Several profiles have this address, so it is unclear which one is meant.
    package static func ambiguous(email: String) -> Self { Self("ACTOR-AMBIGUOUS", .notPermitted, ["email": email]) }
    package static func inactive(email: String, status: String) -> Self {
        Self("ACTOR-INACTIVE", .notPermitted, ["email": email, "status": status])
    }
    /// The profile was never validated online.
    package static func notValidated(email: String) -> Self {
        Self("ACTOR-NOT-VALIDATED", .notPermitted, ["email": email])
    }
    /// The pack does not define this role.
    package static func roleUnknown(email: String, role: String) -> Self {
        Self("ACTOR-ROLE-UNKNOWN", .notPermitted, ["email": email, "role": role])
    }
    package static func notAllowed(role: String, permission: Permission) -> Self {
        Self("ACTOR-NOT-ALLOWED", .notPermitted, ["role": role, "permission": permission.rawValue])
    }
    /// The import looks up rows by a column that the role does not see.
    package static func cannotLookUp(role: String, entity: String, field: String) -> Self {
        Self("IMPORT-LOOKUP-HIDDEN", .notPermitted, ["role": role, "entity": entity, "field": field])
    }
}

extension Actor {
    /// Throws `ACTOR-NOT-ALLOWED` if the actor's role lacks a permission.
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
    /// The profile with a mail address (in upper or lower case), if it is allowed to work.
    package func actor(email: String) throws -> Actor {
        let profiles = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, full_name, role, status, cached_at, CASE WHEN remote_updated_at IS NOT NULL \
                    THEN cached_at || ' ' || remote_updated_at END AS named
                    FROM profiles WHERE lower(email) = lower(?) ORDER BY named DESC
                    """, arguments: [email]
            ).map { row in
                (
                    id: row[0] as String, name: row[1] as String?, role: row[2] as String?, status: row[3] as String?,
                    cachedAt: row[4] as String?, named: row[5] as String?
                )
            }
        }
        guard let profile = profiles.first else { throw ActorFailure.unknown(email: email) }
        // If a person was created anew in the central database, the profile that was sent last is
        // used.
        if let second = profiles.dropFirst().first, profile.named == nil || profile.named == second.named {
            throw ActorFailure.ambiguous(email: email)
        }
        guard profile.status == "ACTIVO" else {
            throw ActorFailure.inactive(email: email, status: profile.status ?? "")
        }
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
        try read {
            try Bool.fetchOne(
                $0, sql: "SELECT EXISTS (SELECT 1 FROM profiles WHERE lower(email) = lower(?))", arguments: [email])
        } ?? false
    }

    /// Ids of all projects, regardless of who may see them. Must not be shown to people.
    package func allProjectIDs() throws -> Set<String> {
        try read { db in try Set(String.fetchAll(db, sql: "SELECT id FROM \(SQLText.name(pack.project.entity))")) }
    }
}

/// A profile with the projects of which the person is a member.
package struct Person: Sendable, Hashable, Codable {
    package struct Membership: Sendable, Hashable, Codable {
        package var id: String
        package var code: String
        /// Id of the membership's row.
        package var membership: String
    }

    package var id: String
    package var email: String
    package var name: String?
    package var role: String
    package var status: String
    package var projects: [Membership]
}

/// Reason why a command on users cannot be carried out.
package typealias UserFailure = DeclaredFailure<Person>

extension UserFailure {
    package static func unknown(_ email: String) -> Self { Self("USER-UNKNOWN", .noInput, ["email": email]) }
    package static func noMember(_ email: String, project: String) -> Self {
        Self("USER-NO-MEMBER", .usage, ["email": email, "project": project])
    }
}

extension Replica {
    /// All people with a profile, ordered by address; for administrators.
    package func people() throws -> [Person] {
        try read { db in
            let code = SQLText.name(pack.project.code)
            let memberships = try Row.fetchAll(
                db,
                sql: """
                    SELECT m.profile_id, p.id, coalesce(p.\(code), p.id), m.id FROM project_members AS m
                    JOIN \(SQLText.name(pack.project.entity)) AS p ON p.id = m.project_id ORDER BY 3
                    """)
            return try Row.fetchAll(
                db, sql: "SELECT id, email, full_name, role, status FROM profiles ORDER BY lower(email), id"
            ).map { row in
                let id: String = row[0]
                return Person(
                    id: id, email: row[1] ?? "", name: row[2], role: row[3] ?? "", status: row[4] ?? "",
                    projects: memberships.filter { $0[0] == id }.map {
                        .init(id: $0[1], code: $0[2], membership: $0[3])
                    })
            }
        }
    }
}
