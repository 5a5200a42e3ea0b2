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
package typealias RemoteFailure = DeclaredFailure<any Remote>

extension RemoteFailure {
    /// The server lacks the functions for a sync.
    package static func notPrepared(address: String, pack: String) -> Self {
        Self("REMOTE-NOT-PREPARED", .badConfiguration, ["address": address, "pack": pack])
    }
    /// The server has Fichero's SQL, but does not offer the functions over HTTP.
    package static func notExposed(address: String) -> Self {
        Self("REMOTE-NOT-EXPOSED", .badConfiguration, ["address": address])
    }
    /// The server has tables of people and projects, but none of the pack's records.
    package static func otherSystem(address: String, pack: String, table: String) -> Self {
        Self("REMOTE-SYSTEM", .badConfiguration, ["address": address, "pack": pack, "table": table])
    }
    /// A table's ids have another type than the pack's (UUID).
    package static func otherIDs(address: String, table: String, kind: String) -> Self {
        Self("REMOTE-IDS", .badConfiguration, ["address": address, "table": table, "kind": kind, "expected": "uuid"])
    }
    /// A column of the server still has its field's former name: its values would not be sent.
    package static func formerColumn(
        address: String, pack: String, table: String, column: String, field: String
    ) -> Self {
        Self(
            "REMOTE-FORMER-COLUMN", .badConfiguration,
            ["address": address, "pack": pack, "table": table, "column": column, "field": field])
    }
    /// A value on the server is longer than a replica accepts; a retry would not help.
    package static func longValue(address: String, table: String, id: String, field: String) -> Self {
        let limit = ArrivedValues.mostBytes >> 20
        return Self(
            "REMOTE-VALUE-LONG", .badInput,
            ["address": address, "table": table, "id": id, "field": field, "limit": limit])
    }
    /// Nobody on the server has this mail address, or several people have it.
    package static func unknownPerson(address: String, email: String) -> Self {
        Self("REMOTE-PERSON", .notPermitted, ["address": address, "email": email])
    }
    /// Nobody on the server has the login's id and this mail address together.
    package static func noProfile(address: String, email: String, id: String) -> Self {
        Self("REMOTE-PROFILE", .notPermitted, ["address": address, "email": email, "id": id])
    }
    /// The profile is not active: nothing is sent or fetched.
    package static func inactive(email: String, status: String) -> Self {
        Self("REMOTE-INACTIVE", .notPermitted, ["email": email, "status": status])
    }
    package static func unknownRole(email: String, role: String) -> Self {
        Self("REMOTE-ROLE", .notPermitted, ["email": email, "role": role])
    }
}
