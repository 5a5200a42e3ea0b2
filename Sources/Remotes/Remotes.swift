// Sends changes to central databases and reads rows from them, for a pack's entities, pull
// positions and people. It knows the servers' interfaces, and neither the replica nor local files.
//
// - `Remote`         a receiver of changes; `RemoteSnapshot` the rows of a central database that
//   one person sees
// - `PostgresRemote` a PostgreSQL server, with the SQL of `describe --sql postgres` or without it
// - `SupabaseRemote` the same database behind the web interfaces of a Supabase project
// - `RemoteStorage`  access to the files that a remote stores
// - `ArrivedValues`  converts the server's texts to values of the replica
// - `RemoteFailure`  reason why a server that replies cannot be used

package import Model

/// Reason why the replica cannot sync with a server that replies.
package enum RemoteFailure: Failure, Equatable {
    /// The server lacks the functions for a sync.
    case notPrepared(address: String, pack: String)
    /// The server has Fichero's SQL, but does not offer the functions over HTTP.
    case notExposed(address: String)
    /// The server has tables of people and projects, but none of the pack's records.
    case otherSystem(address: String, pack: String, table: String)
    /// A table's ids have another type than the pack's (UUID).
    case otherIDs(address: String, table: String, kind: String)
    /// A column of the server still has its field's former name: its values would not be sent.
    case formerColumn(address: String, pack: String, table: String, column: String, field: String)
    /// A value on the server is longer than a replica accepts; a retry would not help.
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
