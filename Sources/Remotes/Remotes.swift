// Remotes takes the pack's entities, the pull positions and people, and returns rows of a central
// database. It knows the servers' interfaces, and neither the replica nor files.
//
// - `Remote`         what a sync requires of a central database; `RemoteSnapshot` what one person sees
//   in it
// - `PostgresRemote` a PostgreSQL server, with the SQL of `describe --sql postgres` or without it
// - `SupabaseRemote` the same database behind the web interfaces of a Supabase project
// - `RemoteStorage`  where a remote keeps binaries
// - `ArrivedValues`  the server's texts as the replica stores values
// - `RemoteFailure`  why a server that answers cannot be used

package import Model

/// Why a server that answers cannot be synced with.
package enum RemoteFailure: Failure, Equatable {
    /// The server lacks the functions for a sync.
    case notPrepared(address: String, pack: String)
    /// The server carries Fichero's SQL, and does not show its functions over HTTP.
    case notExposed(address: String)
    /// It has the tables of people and projects, and none of the pack's records.
    case otherSystem(address: String, pack: String, table: String)
    /// A table's ids are of another kind than the pack's.
    case otherIDs(address: String, table: String, kind: String)
    /// A column of the server still has its field's former name: its values would not be sent.
    case formerColumn(address: String, pack: String, table: String, column: String, field: String)
    /// A value there is longer than a replica takes; a retry would not help.
    case longValue(address: String, table: String, id: String, field: String)
    /// Nobody on the server has this mail address, or several people have it.
    case unknownPerson(address: String, email: String)
    /// Nobody on the server has the login's id and this mail address together.
    case noProfile(address: String, email: String, id: String)
    /// The profile is not active: nothing is sent or fetched.
    case inactive(email: String, status: String)
    case unknownRole(email: String, role: String)

    package var code: String {
        switch self {
        case .notPrepared: "REMOTE-NOT-PREPARED"
        case .notExposed: "REMOTE-NOT-EXPOSED"
        case .otherSystem: "REMOTE-SYSTEM"
        case .otherIDs: "REMOTE-IDS"
        case .formerColumn: "REMOTE-FORMER-COLUMN"
        case .longValue: "REMOTE-VALUE-LONG"
        case .unknownPerson: "REMOTE-PERSON"
        case .noProfile: "REMOTE-PROFILE"
        case .inactive: "REMOTE-INACTIVE"
        case .unknownRole: "REMOTE-ROLE"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .notPrepared, .notExposed, .otherSystem, .otherIDs, .formerColumn: .badConfiguration
        case .longValue: .badInput
        case .unknownPerson, .noProfile, .inactive, .unknownRole: .notPermitted
        }
    }

    package var arguments: [String: String] {
        switch self {
        case .notPrepared(let address, let pack): ["address": address, "pack": pack]
        case .notExposed(let address): ["address": address]
        case .otherSystem(let address, let pack, let table): ["address": address, "pack": pack, "table": table]
        case .otherIDs(let address, let table, let kind):
            ["address": address, "table": table, "kind": kind, "expected": "uuid"]
        case .formerColumn(let address, let pack, let table, let column, let field):
            ["address": address, "pack": pack, "table": table, "column": column, "field": field]
        case .longValue(let address, let table, let id, let field):
            [
                "address": address, "table": table, "id": id, "field": field,
                "limit": String(ArrivedValues.mostBytes >> 20),
            ]
        case .unknownPerson(let address, let email): ["address": address, "email": email]
        case .noProfile(let address, let email, let id): ["address": address, "email": email, "id": id]
        case .inactive(let email, let status): ["email": email, "status": status]
        case .unknownRole(let email, let role): ["email": email, "role": role]
        }
    }
}
