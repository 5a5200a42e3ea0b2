import GRDB
package import Model

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

/// Why a command on users cannot be carried out.
package enum UserFailure: Failure, Equatable {
    case unknown(String)
    case noMember(String, project: String)

    package var code: String {
        switch self {
        case .unknown: "USER-UNKNOWN"
        case .noMember: "USER-NO-MEMBER"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .unknown: .noInput
        case .noMember: .usage
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .unknown(let email): ["email": email]
        case .noMember(let email, let project): ["email": email, "project": project]
        }
    }
}

extension Replica {
    /// Everybody who has a profile, ordered by address: for administrators.
    package func people() throws -> [Person] {
        try read { db in
            let code = SQLText.name(pack.project.code)
            let memberships = try Row.fetchAll(
                db,
                sql: """
                    SELECT m.profile_id, p.id, coalesce(p.\(code), p.id), m.id FROM project_members AS m
                    JOIN \(SQLText.name(pack.project.entity)) AS p ON p.id = m.project_id ORDER BY 3
                    """)
            return try Row.fetchAll(db, sql: "SELECT id, email, full_name, role, status FROM profiles ORDER BY lower(email), id").map { row in
                let id: String = row[0]
                return Person(
                    id: id, email: row[1] ?? "", name: row[2], role: row[3] ?? "", status: row[4] ?? "",
                    projects: memberships.filter { $0[0] == id }.map { .init(id: $0[1], code: $0[2], membership: $0[3]) })
            }
        }
    }
}
