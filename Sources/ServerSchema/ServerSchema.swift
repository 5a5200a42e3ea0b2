// ServerSchema converts packs into SQL statements. They make a PostgreSQL server, plain or
// Supabase's, the central database of a pack. It knows PostgreSQL's language and the core's tables,
// and uses neither a connection nor the replica.
//
// - `CentralTables`   the tables and columns of the pack's entities
// - `ActorFunctions`  the current person: profile, role, projects
// - `RowStamps`       versions of rows, and the transaction that last changed each row
// - `RemovedRows`     tombstones of deleted and moved rows
// - `StateGuards`     the transitions of a record's state that each role may make
// - `RowPolicies`     the rows that each role may see and change
// - `SyncFunctions`   snapshots, changes, removals and proof, for a sync
// - `StoragePolicies` the same rights for files in Supabase's Storage
// - `FirstAdministrator` how the first profile is created

package import Model

/// The central database of a pack, as numbered migrations for PostgreSQL 15.
///
/// Each migration only adds objects, or renames a column to its field's new name, and may be
/// repeated without harm. Fichero only prints the migrations; the server's owner runs them.
package struct ServerSchema {
    private let pack: Pack

    package init(_ pack: Pack) { self.pack = pack }

    /// All migrations as one script, which is applied as a whole or not at all.
    package var sql: String {
        let tables = CentralTables(pack)
        let parts: [(title: String, sql: [String])] = [
            ("Roles of the server, and who asks", ActorFunctions(pack).statements),
            ("Tables and columns", tables.statements),
            // Tables with rows could not be altered while checks of their references are pending.
            ("Versions of rows", ["SET CONSTRAINTS ALL IMMEDIATE;"] + RowStamps(tables).statements),
            ("Removed rows", RemovedRows(tables).statements),
            ("States of records", StateGuards(tables).statements),
            ("Who may see and change which rows", RowPolicies(tables).statements),
            ("Functions for the sync", SyncFunctions(tables).statements),
            ("Files in Storage", StoragePolicies(pack).statements),
        ]
        var text = "-- The central database of \(pack.name) \(pack.version), for PostgreSQL 15 or later.\n"
        text +=
            """
            -- Printed by fichero describe \(pack.name) --sql postgres. Each part only adds or renames, and may be \
            run again.\n\nBEGIN;\n
            """
        // Suppresses notices about existing objects, which are unimportant.
        text += "SET LOCAL client_min_messages = warning;\n"
        for (number, part) in parts.enumerated() {
            let digits = String(number + 1)
            text += "\n-- \(String(repeating: "0", count: 4 - digits.count))\(digits) \(part.title)\n\n"
            text += part.sql.joined(separator: "\n\n") + "\n"
        }
        return text + "\nCOMMIT;\n" + (FirstAdministrator(pack).comment.map { "\n" + $0 } ?? "")
    }
}

/// The statement that creates the first administrator's profile; only the server's owner can run
/// it. It is a comment, because the script does not know who the administrator is.
struct FirstAdministrator {
    private let pack: Pack

    init(_ pack: Pack) { self.pack = pack }

    /// Nil if no role of the pack administers.
    var comment: String? {
        guard let role = pack.roles.first(where: { $0.permissions.contains(.administer) })?.name else { return nil }
        let values = "\(PostgresText.literal(role)), 'ACTIVO'"
        return """
            -- The first administrator. In Supabase the profile must have the id of the login, which is made before
            -- (Authentication, Users).
            -- Put in the address, take the two hyphens away, and run this once:
            --
            \(statement("SELECT u.id, u.email, \(values) FROM auth.users AS u WHERE u.email = 'admin@example.org';"))
            --
            -- On a server without logins of its own, where people are found by their address:
            --
            \(statement("VALUES (gen_random_uuid(), 'admin@example.org', \(values));"))

            """
    }

    private func statement(_ rows: String) -> String {
        "-- INSERT INTO \(PostgresText.table("profiles")) (id, email, role, status)\n--     \(rows)"
    }
}
