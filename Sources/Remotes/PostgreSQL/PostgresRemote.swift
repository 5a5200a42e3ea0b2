package import Model
package import Postgres

/// The central database on a PostgreSQL server, seen by one person under row security.
///
/// A server with the SQL that `fichero describe PACK --sql postgres` prints reports exactly what
/// changed; `ServerRows` describes how changes are found on other servers. The user of the
/// connection must be allowed to act as `authenticated`, and to read profiles by their mail
/// address; that user's rights are used for nothing else.
package final class PostgresRemote: CentralDatabase {
    let connection: PostgresConnection
    let pack: Pack
    let rows: ServerRows
    package let actor: Actor

    /// Connects, and from then on acts as the person. Throws `PostgresFailure`, `RemoteFailure`.
    ///
    /// - Parameter active: the status of a profile that may work.
    package init(_ settings: PostgresSettings, pack: Pack, email: String, active: String = "ACTIVO") throws {
        self.pack = pack
        connection = try PostgresConnection(settings)
        let known = try connection.run(
            """
            SELECT relname, to_regprocedure('fichero.columns()') IS NOT NULL FROM pg_catalog.pg_class \
            WHERE relnamespace = 'public'::regnamespace
            """
        )
        let tables = Set((0..<known.count).compactMap { known[row: $0, column: 0] })
        guard tables.contains("profiles") else {
            throw RemoteFailure.notPrepared(address: settings.address, pack: pack.name)
        }
        try pack.ensureRecords(among: tables, at: settings.address)
        let found = try connection.run("SELECT id FROM public.profiles WHERE lower(email) = lower($1)", [email])
        guard found.count == 1, let id = found[row: 0, column: 0] else {
            throw RemoteFailure.unknownPerson(address: settings.address, email: email)
        }
        try connection.run(
            "SELECT set_config('request.jwt.claims', $1, false)", ["{\"role\":\"authenticated\",\"sub\":\"\(id)\"}"])
        try connection.run("SET ROLE authenticated")
        actor = try Self.actor(id, email, connection, pack, active, settings)
        var columns: [String: Set<String>] = [:], arrays: [String: Set<String>] = [:]
        let listed = try connection.run(
            "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'")
        let central = Set(pack.centralEntities.map(\.name))
        for row in 0..<listed.count {
            let (table, column, kind) = (
                listed[row: row, column: 0] ?? "", listed[row: row, column: 1] ?? "", listed[row: row, column: 2] ?? ""
            )
            columns[table, default: []].insert(column)
            if kind == "ARRAY" { arrays[table, default: []].insert(column) }
            // Rows are found and compared by their ids, so the ids must have the same form
            // everywhere.
            if column == "id", kind != "uuid", central.contains(table) {
                throw RemoteFailure.otherIDs(address: settings.address, table: table, kind: kind)
            }
        }
        try pack.ensurePresentNames(among: columns, at: settings.address)
        rows = ServerRows(pack: pack, columns: columns, arrays: arrays, isPrepared: known[row: 0, column: 1] == "t")
    }

    private static func actor(
        _ id: String, _ email: String, _ connection: PostgresConnection, _ pack: Pack, _ active: String,
        _ settings: PostgresSettings
    ) throws -> Actor {
        let own = try connection.run("SELECT full_name, role, status FROM public.profiles WHERE id = $1::uuid", [id])
        guard own.count == 1 else { throw RemoteFailure.unknownPerson(address: settings.address, email: email) }
        let person = RemotePerson(
            id: id, name: own[row: 0, column: 0], role: own[row: 0, column: 1] ?? "",
            status: own[row: 0, column: 2] ?? "")
        return try person.actor(email: email, pack: pack, active: active)
    }

    /// SQL for a sync position by the server's clock, for a server without Fichero's SQL.
    private static let clock = """
        SELECT to_char(transaction_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
            (SELECT 'updated_at ' || system_identifier FROM pg_control_system()), (SELECT timeline_id::text \
        FROM pg_control_checkpoint())
        """

    var columns: [String: Set<String>] { rows.columns }

    /// A PostgreSQL server without Supabase stores no files.
    package var makeStorage: (@Sendable () -> any RemoteStorage)? { nil }

    package var address: String { connection.settings.address }

    /// All queries within the body see the same state, however long it runs.
    package func withSnapshot<T>(_ body: (any RemoteSnapshot) throws -> T) throws -> T {
        try connection.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY") {
            let row = try connection.run(
                rows.isPrepared ? "SELECT snapshot, system, timeline FROM fichero.snapshot()" : Self.clock)
            let position = RemotePosition(
                snapshot: row[row: 0, column: 0] ?? "", system: row[row: 0, column: 1] ?? "",
                timeline: row[row: 0, column: 2] ?? "")
            return try body(PostgresSnapshot(self, position))
        }
    }
}
