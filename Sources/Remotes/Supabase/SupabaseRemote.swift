package import Model
internal import Web

/// The central database of a Supabase project, seen by one person under row security.
///
/// A server that carries the SQL that `fichero describe PACK --sql postgres` prints, and shows its
/// schema `fichero` in its interface (Settings → API → Exposed schemas), tells exactly what changed.
/// Of another one the tables themselves are asked.
package final class SupabaseRemote: CentralDatabase {
    let server: RestServer
    let pack: Pack
    /// Columns of each table, as far as the person may read them.
    let columns: [String: Set<String>]
    /// Whether the server carries Fichero's SQL.
    let isPrepared: Bool
    package let actor: Actor
    private let keeper: any TokenKeeper
    private let email: String

    /// How PostgREST and PostgreSQL say that there is no such function.
    static let unknownFunction = ["PGRST202", "42883"]
    /// Columns by which a row says when it changed last, the best first.
    static let times = ["updated_at", "created_at"]

    /// Logs in or goes on with a session, and asks who that is. Throws `WebFailure`,
    /// `SupabaseFailure`, `RemoteFailure`.
    ///
    /// - Parameters:
    ///   - password: asked when there is no session; nil: nobody is there to ask.
    ///   - active: the status of a profile that may work.
    package init(
        _ settings: SupabaseSettings, pack: Pack, email: String, active: String = "ACTIVO", keeper: any TokenKeeper,
        password: @escaping () throws -> String?
    ) throws {
        (self.pack, self.keeper, self.email) = (pack, keeper, email)
        let connection = WebConnection(authority: settings.authority, patience: settings.patience)
        let session = SupabaseSession(settings, email: email, keeper: keeper, connection: connection, password: password)
        server = RestServer(settings, connection: connection, session: session)
        guard let id = TokenClaims(token: try session.token())?.sub else {
            throw SupabaseFailure.loginRefused(address: settings.url, email: email, reason: "no person in the token")
        }
        let told = try Self.columns(server)
        if told == nil { try Self.ensureNothingIsHidden(server) }
        isPrepared = told != nil
        columns = try told ?? TableColumns(server: server).columns(of: pack)
        guard columns["profiles"] != nil else { throw RemoteFailure.notPrepared(address: settings.url, pack: pack.name) }
        try pack.ensureRecords(among: Set(columns.keys), at: settings.url)
        try pack.ensurePresentNames(among: columns, at: settings.url)
        let answer = try server.ask(
            .init(method: .get, path: "profiles", query: [("select", "full_name,role,status,email"), ("id", "eq." + id)]))
        guard let own = try server.rows(answer, ["full_name", "role", "status", "email"]).first, own[3]?.lowercased() == email.lowercased() else {
            throw RemoteFailure.noProfile(address: settings.url, email: email, id: id)
        }
        actor = try RemotePerson(id: id, name: own[0], role: own[1] ?? "", status: own[2] ?? "").actor(email: email, pack: pack, active: active)
    }

    /// As the server tells them; nil: it lacks the functions.
    private static func columns(_ server: RestServer) throws -> [String: Set<String>]? {
        var columns: [String: Set<String>] = [:]
        var rows = RestRows([("table_name", .text), ("columns", .text)])
        do {
            try server.pages { last in
                var newest: String?
                let after = last.map { [("table_name", "gt." + $0)] } ?? []
                let answer = try server.call(
                    "columns", query: [("order", "table_name.asc")] + after,
                    preferences: RestServer.preferences(after: last))
                try server.read(answer, &rows) { row in
                    newest = row.text(0)
                    columns[newest ?? ""] = Set(row.texts(1))
                }
                return try last == nil && server.total(answer) == columns.count ? nil : newest
            }
        } catch SupabaseFailure.refused(_, let state, _)
            where state == "PGRST106" || state == "3F000" || unknownFunction.contains(state)
        {
            return nil
        }
        return columns
    }

    /// Without its functions a server that carries our SQL would be followed as one that cannot tell what
    /// was deleted: only `sync_xid` says that they are there.
    private static func ensureNothingIsHidden(_ server: RestServer) throws {
        do {
            _ = try server.ask(.init(method: .get, path: "profiles", query: [("select", "sync_xid"), ("limit", "0")]))
        } catch SupabaseFailure.refused(_, let state, _) where ["42703", "42501", "42P01", "PGRST205"].contains(state) {
            return
        }
        throw RemoteFailure.notExposed(address: server.settings.url)
    }

    /// It shares the session by way of whoever keeps the tokens.
    package var makeStorage: (@Sendable () -> any RemoteStorage)? {
        let (settings, email, keeper) = (server.settings, email, keeper)
        return {
            let connection = WebConnection(authority: settings.authority, patience: settings.patience)
            let session = SupabaseSession(settings, email: email, keeper: keeper, connection: connection) { nil }
            return SupabaseStorage(settings, connection: connection, session: session)
        }
    }

    package var address: String { server.settings.url }

    /// Every question is a transaction of its own; what changed after the moment is left out.
    package func look<T>(_ body: (any RemoteLook) throws -> T) throws -> T {
        guard isPrepared else { return try body(SupabaseTableLook(self)) }
        let names = ["snapshot", "system", "timeline"]
        guard let row = try server.rows(server.call("snapshot"), names).first else {
            throw RemoteFailure.notPrepared(address: address, pack: pack.name)
        }
        return try body(SupabaseLook(self, RemotePosition(snapshot: row[0] ?? "", system: row[1] ?? "", timeline: row[2] ?? "")))
    }
}
