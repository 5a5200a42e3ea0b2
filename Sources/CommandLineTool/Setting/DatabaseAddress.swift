import Foundation
import Postgres

/// `postgresql://USER@HOST:PORT/DATABASE`, as PostgreSQL writes it (libpq, Connection URIs).
///
/// A password has no place in it, since others see the arguments of a command: it comes from
/// `PGPASSWORD` or the password file.
struct DatabaseAddress {
    let settings: PostgresSettings

    init(_ text: String) throws(SettingFailure) {
        guard let parts = URLComponents(string: text), parts.password == nil, let host = parts.host, !host.isEmpty, let user = parts.user, !user.isEmpty, parts.path.count > 1 else {
            throw .badDatabaseAddress
        }
        settings = PostgresSettings(host: host, port: parts.port ?? 5432, database: String(parts.path.dropFirst()), user: user)
    }
}
