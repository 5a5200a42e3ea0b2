// Into Postgres come SQL statements and values; out of it come rows, as texts or as bytes of COPY.
// It knows libpq, PostgreSQL's client, and neither packs nor the replica.
//
// - `PostgresSettings`   where the server is, and whom to connect as
// - `PostgresConnection` one connection; every wait has a bound
// - `PostgresRows`       the answer to one statement
// - `CopiedRow`          one row of COPY, decoded
// - `PostgresFailure`    why a server cannot be reached or refuses

/// Where a PostgreSQL server is, and whom to connect as. It holds no password: libpq takes that
/// from `PGPASSWORD` or from the user's password file.
package struct PostgresSettings: Sendable, Hashable {
    /// A name, an address, or the folder of a socket on this machine.
    package var host: String
    package var port: Int
    package var database: String
    package var user: String
    /// File of the certificates that may sign the server's; nil: those of this machine.
    package var authority: String?
    /// Seconds within which the server must give a sign of life.
    package var patience: Int

    package init(
        host: String, port: Int = 5432, database: String, user: String, authority: String? = nil, patience: Int = 30
    ) {
        (self.host, self.port, self.database, self.user) = (host, port, database, user)
        (self.authority, self.patience) = (authority, patience)
    }

    /// Host, port and database: what makes it this database and no other.
    package var address: String { "\(host):\(port)/\(database)" }

    /// Values arrive in one form, whatever the server's own settings.
    private static let form =
        "-c TimeZone=UTC -c DateStyle=ISO,YMD -c IntervalStyle=iso_8601 -c extra_float_digits=1 -c bytea_output=hex"
    /// The server notices within twenty seconds that the line is dead, and not after two hours: until
    /// then it keeps the locks of a push that broke off, and the next one would wait for them.
    private static let watch =
        "-c tcp_user_timeout=20000 -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2"

    private var isLocal: Bool { host.hasPrefix("/") }

    /// Parameters of libpq (PostgreSQL 15, 34.1.2). Over a network the server must prove with a
    /// certificate that it is the one that was named.
    var parameters: [(String, String)] {
        [
            ("host", host), ("port", String(port)), ("dbname", database), ("user", user),
            ("application_name", "fichero"),
            ("client_encoding", "UTF8"), ("connect_timeout", String(max(2, min(patience, 10)))),
            ("tcp_user_timeout", String(patience * 1000)),
            ("sslmode", isLocal ? "disable" : "verify-full"),
            ("sslrootcert", authority ?? "/etc/ssl/certs/ca-certificates.crt"),
            ("gssencmode", "disable"),
            ("options", Self.form + " " + Self.watch),
        ]
    }
}
