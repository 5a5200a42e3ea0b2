import Foundation
import Model
import Postgres
import Remotes

/// Where the central database of a configuration is. A PostgreSQL server that is named counts
/// before the same database's address on the web.
enum RemoteAddress {
    case postgres(PostgresSettings)
    case supabase(url: String, key: String?, authority: String?)

    /// Nil: the configuration names none.
    init?(_ configuration: Configuration) {
        if let settings = configuration.postgres {
            self = .postgres(settings)
        } else if let url = configuration.supabase.url {
            self = .supabase(url: url, key: configuration.supabase.key, authority: configuration.supabase.authority)
        } else {
            return nil
        }
    }

    /// For people.
    var text: String {
        switch self {
        case .postgres(let settings): settings.address
        case .supabase(let url, _, _): url
        }
    }

    /// Whether the central database keeps files, and not rows alone.
    var keepsFiles: Bool {
        if case .postgres = self { return false }
        return true
    }

    /// Whether what is asked stays on this machine.
    var isOfThisMachine: Bool {
        if case .supabase(let url, _, _) = self { return SupabaseSettings.isOfThisMachine(url) }
        return false
    }

    /// Connects as a person.
    ///
    /// - Parameter wait: seconds to wait for another process that renews the same session.
    func connect(_ session: CommandSession, email: String, wait: Int) throws -> any CentralDatabase {
        switch self {
        case .postgres(let settings): return try PostgresRemote(settings, pack: session.pack, email: email)
        case .supabase(let url, let key, let authority):
            guard let key else { throw SettingFailure.noRemoteKey }
            let environment = ProcessInfo.processInfo.environment
            let keeper = SessionFile(replica: session.replicaPath, token: environment["SUPABASE_ACCESS_TOKEN"], url: url, email: email, wait: wait)
            return try SupabaseRemote(SupabaseSettings(url: url, key: key, authority: authority), pack: session.pack, email: email, keeper: keeper) {
                environment["FICHERO_PASSWORD"] ?? PasswordPrompt.ask(session.text("cli.sync.password", ["email": email, "address": url]))
            }
        }
    }
}
