internal import Foundation
package import Model
package import Web

/// The central database of a Supabase project, seen by one person under row security.
///
/// A server with the SQL that `fichero describe PACK --sql postgres` prints reports exactly what
/// changed, if its interface exposes the schema `fichero` (Settings → API → Exposed schemas). On
/// any other server, the tables themselves are read.
package final class SupabaseRemote: CentralDatabase {
    let server: RestServer
    let pack: Pack
    /// The columns of each table that the person may read.
    let columns: [String: Set<String>]
    /// Whether the server has Fichero's SQL.
    let isPrepared: Bool
    package let actor: Actor
    private let keeper: any TokenKeeper
    private let email: String

    /// Error codes of PostgREST and of PostgreSQL for an unknown function.
    static let unknownFunction = ["PGRST202", "42883"]
    /// Columns that show when a row changed last, the best first.
    static let times = ["updated_at", "created_at"]

    /// Logs in or continues a session, and reads the person's profile. Throws `WebFailure`,
    /// `SupabaseFailure`, `RemoteFailure`.
    ///
    /// - Parameters:
    ///   - password: called if there is no session; nil: nobody can be asked.
    ///   - active: the status of a profile that may work.
    package init(
        _ settings: SupabaseSettings, pack: Pack, email: String, active: String = "ACTIVO", keeper: any TokenKeeper,
        password: @escaping () throws -> String?
    ) throws {
        (self.pack, self.keeper, self.email) = (pack, keeper, email)
        let connection = WebConnection(authority: settings.authority, patience: settings.patience)
        let session = SupabaseSession(
            settings, email: email, keeper: keeper, connection: connection, password: password)
        server = RestServer(settings, connection: connection, session: session)
        guard let id = TokenClaims(token: try session.token())?.sub else {
            throw SupabaseFailure.loginRefused(address: settings.url, email: email, reason: "no person in the token")
        }
        let told = try Self.columns(server)
        if told == nil { try Self.ensureNothingIsHidden(server) }
        isPrepared = told != nil
        columns = try told ?? TableColumns(server: server).columns(of: pack)
        guard columns["profiles"] != nil else {
            throw RemoteFailure.notPrepared(address: settings.url, pack: pack.name)
        }
        try pack.ensureRecords(among: Set(columns.keys), at: settings.url)
        try pack.ensurePresentNames(among: columns, at: settings.url)
        let answer = try server.ask(
            .init(
                method: .get, path: "profiles", query: [("select", "full_name,role,status,email"), ("id", "eq." + id)]))
        guard let own = try server.rows(answer, ["full_name", "role", "status", "email"]).first,
            own[3]?.lowercased() == email.lowercased()
        else {
            throw RemoteFailure.noProfile(address: settings.url, email: email, id: id)
        }
        actor = try RemotePerson(id: id, name: own[0], role: own[1] ?? "", status: own[2] ?? "").actor(
            email: email, pack: pack, active: active)
    }

    /// The columns that the server's function lists; nil: the server lacks the function.
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
        } catch let failure as SupabaseFailure where failure.isRefused(["PGRST106", "3F000"] + unknownFunction) {
            return nil
        }
        return columns
    }

    /// Rejects a server that has Fichero's SQL but hides its functions: a sync would not receive
    /// deletions. Only the column `sync_xid` shows that the server has the SQL.
    private static func ensureNothingIsHidden(_ server: RestServer) throws {
        do {
            _ = try server.ask(.init(method: .get, path: "profiles", query: [("select", "sync_xid"), ("limit", "0")]))
        } catch let failure as SupabaseFailure where failure.isRefused(["42703", "42501", "42P01", "PGRST205"]) {
            return
        }
        throw RemoteFailure.notExposed(address: server.settings.url)
    }

    /// All storages share the session through the object that stores the tokens.
    package var makeStorage: (@Sendable () -> any RemoteStorage)? {
        let (settings, email, keeper) = (server.settings, email, keeper)
        return {
            let connection = WebConnection(authority: settings.authority, patience: settings.patience)
            let session = SupabaseSession(settings, email: email, keeper: keeper, connection: connection) { nil }
            return SupabaseStorage(settings, connection: connection, session: session)
        }
    }

    package var address: String { server.settings.url }

    /// Each request is a separate transaction; rows that changed after the moment are left out.
    package func withSnapshot<T>(_ body: (any RemoteSnapshot) throws -> T) throws -> T {
        guard isPrepared else { return try body(SupabaseTableSnapshot(self)) }
        let names = ["snapshot", "system", "timeline"]
        guard let row = try server.rows(server.call("snapshot"), names).first else {
            throw RemoteFailure.notPrepared(address: address, pack: pack.name)
        }
        return try body(
            SupabaseSnapshot(self, RemotePosition(snapshot: row[0] ?? "", system: row[1] ?? "", timeline: row[2] ?? ""))
        )
    }
}

/// Address of a Supabase project, with its public key. Every request contains the key, which gives
/// no permission by itself.
package struct SupabaseSettings: Sendable, Hashable {
    /// `https://PROJECT.supabase.co`, or a self-hosted server; without a slash at the end.
    package var url: String
    /// The publishable key, or the older `anon` key.
    package var key: String
    /// File of the certificates that may sign the server's certificate; nil: those of this machine.
    package var authority: String?
    package var patience: WebTimeouts

    /// Throws `SupabaseFailure.secretKey` for a key that bypasses row security, and `.notSecure`
    /// for another machine's address without TLS.
    package init(url: String, key: String, authority: String? = nil, patience: WebTimeouts = WebTimeouts())
        throws(SupabaseFailure)
    {
        self.url = String(url.reversed().drop { $0 == "/" }.reversed())
        (self.key, self.authority, self.patience) = (key, authority, patience)
        guard !Self.isSecret(key) else { throw .secretKey }
        guard url.lowercased().hasPrefix("https://") || WebAddress.isOfThisMachine(url) else {
            throw .notSecure(address: url)
        }
    }

    /// Whether the server is on this machine.
    package static func isOfThisMachine(_ url: String) -> Bool { WebAddress.isOfThisMachine(url) }

    /// Whether a key is `sb_secret_…`, or a token of any role other than `anon`.
    private static func isSecret(_ key: String) -> Bool {
        if key.hasPrefix("sb_secret_") { return true }
        guard let role = TokenClaims(token: key)?.role else { return false }
        return role != "anon"
    }
}

/// The claims of a token (RFC 7519). Only the server verifies them.
struct TokenClaims: Decodable {
    /// The profile's id.
    var sub: String?
    var role: String?

    /// Nil if the text is not a token.
    init?(token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let data = Data(base64Encoded: text), let claims = try? JSONDecoder().decode(TokenClaims.self, from: data)
        else { return nil }
        self = claims
    }
}

/// Finds the tables and columns that a server has and the person may read, if Fichero's functions
/// do not list them. It requests the pack's columns until none is refused, as not everybody may
/// read the interface's own description.
struct TableColumns {
    let server: RestServer

    /// The columns of each table that the server has.
    func columns(of pack: Pack) throws -> [String: Set<String>] {
        try pack.centralEntities.reduce(into: [:]) { found, entity in found[entity.name] = try columns(of: entity) }
    }

    /// Nil: there is no such table, or the person may not read it.
    private func columns(of entity: Entity) throws -> Set<String>? {
        // A column may have a field's former name still.
        let fields = entity.centralFields.flatMap { [entity.fields[$0].name] + entity.fields[$0].formerNames }
        var names = fields + SupabaseRemote.times.filter { !fields.contains($0) }
        while !names.isEmpty {
            do {
                _ = try server.ask(
                    .init(
                        method: .get, path: entity.name,
                        query: [("select", names.joined(separator: ",")), ("limit", "0")]))
                return Set(names)
            } catch let failure as SupabaseFailure where failure.isRefused(["42703"]) {
                // `column calicatas.side does not exist`
                guard let missing = Self.column(in: failure.arguments["message", default: ""]),
                    let index = names.firstIndex(of: missing) else {
                    throw SupabaseFailure.notAnswering(address: server.settings.url, reason: "unknown column")
                }
                names.remove(at: index)
            } catch let failure as SupabaseFailure where failure.isRefused(["42501"]) {
                return try readable(names, of: entity)
            } catch let failure as SupabaseFailure where failure.isRefused(["42P01", "PGRST205"]) {
                return nil
            }
        }
        return nil
    }

    /// The columns that the person may read. Each is requested alone, as a refusal does not show
    /// which column it concerns.
    private func readable(_ names: [String], of entity: Entity) throws -> Set<String>? {
        let found = try names.filter { name in
            do {
                _ = try server.ask(.init(method: .get, path: entity.name, query: [("select", name), ("limit", "0")]))
                return true
            } catch let failure as SupabaseFailure where failure.isRefused(["42501", "42703"]) { return false }
        }
        return found.isEmpty ? nil : Set(found)
    }

    private static func column(in message: String) -> String? {
        let words = message.split(separator: " ")
        guard let index = words.firstIndex(of: "column"), index + 1 < words.count else { return nil }
        return words[index + 1].split(separator: ".").last.map { $0.filter { $0 != "\"" } }
    }
}

/// Reason why a Supabase project cannot be used, although its server replies.
package typealias SupabaseFailure = DeclaredFailure<SupabaseRemote>

extension SupabaseFailure {
    /// The key bypasses row security: it must not be on a person's machine.
    package static var secretKey: Self { Self("REMOTE-KEY-SECRET", .badConfiguration) }
    /// The token has a role that no person has, such as one that bypasses row security.
    package static func secretToken(role: String) -> Self {
        Self("REMOTE-TOKEN-ROLE", .badConfiguration, ["role": role])
    }
    /// Passwords and tokens would be sent unencrypted.
    package static func notSecure(address: String) -> Self {
        Self("REMOTE-NOT-SECURE", .badConfiguration, ["address": address])
    }
    /// Somebody must log in: there is no session and no password, or the session has ended.
    package static func loginNeeded(address: String, email: String) -> Self {
        Self("REMOTE-LOGIN", .notPermitted, ["address": address, "email": email])
    }
    /// The server did not accept the address and the password.
    package static func loginRefused(address: String, email: String, reason: String) -> Self {
        Self("REMOTE-LOGIN-REFUSED", .notPermitted, ["address": address, "email": email, "reason": reason])
    }
    /// The reply is not from a Supabase server; perhaps a portal or a proxy sent it.
    package static func notAnswering(address: String, reason: String) -> Self {
        Self("REMOTE-BROKEN", .unavailable, ["address": address, "reason": reason])
    }
    /// The server refused a request.
    ///
    /// - Parameters:
    ///   - state: SQLSTATE, a code of PostgREST's or Storage's, or the status of HTTP.
    ///   - message: the primary message only: details quote values of rows.
    package static func refused(status: Int, state: String, message: String) -> Self {
        let exitCode: ExitCode =
            [401, 403].contains(status) ? .notPermitted : passes(status, state) ? .unavailable : .badInput
        return Self("REMOTE-REFUSED", exitCode, ["state": state, "message": message])
    }

    /// What the server gave as the reason for a refusal; nil if it refused nothing.
    package var state: String? { arguments["state"] }

    func isRefused(_ states: [String]) -> Bool { state.map(states.contains) ?? false }

    /// Whether the same request may succeed later.
    package var isPassing: Bool { exitCode == .unavailable }

    private static func passes(_ status: Int, _ state: String) -> Bool {
        // PostgREST also answers 500 to errors that a retry would repeat: 21000, 54000, XX000.
        if status == 500, state.utf8.count == 5 && state.first?.isNumber ?? false || state.hasPrefix("XX") {
            return ["40", "53", "57", "58", "08"].contains { state.hasPrefix($0) }
        }
        return [408, 429, 500, 502, 503, 504].contains(status)
    }
}
