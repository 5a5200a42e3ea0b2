import Model

/// The statement that makes the first administrator's profile, for whoever owns the server: nobody
/// else can make it. It is a comment, because the script does not know who that is.
struct FirstAdministrator {
    private let pack: Pack

    init(_ pack: Pack) { self.pack = pack }

    /// Nil: no role of the pack administers.
    var comment: String? {
        guard let role = pack.roles.first(where: { $0.permissions.contains(.administer) })?.name else { return nil }
        return """
            -- The first administrator. In Supabase the profile must have the id of the login, which is made before (Authentication, Users).
            -- Put in the address, take the two hyphens away, and run this once:
            --
            \(statement("SELECT u.id, u.email, \(PostgresText.literal(role)), 'ACTIVO' FROM auth.users AS u WHERE u.email = 'admin@example.org';"))
            --
            -- On a server without logins of its own, where people are found by their address:
            --
            \(statement("VALUES (gen_random_uuid(), 'admin@example.org', \(PostgresText.literal(role)), 'ACTIVO');"))

            """
    }

    private func statement(_ rows: String) -> String {
        "-- INSERT INTO \(PostgresText.table("profiles")) (id, email, role, status)\n--     \(rows)"
    }
}
