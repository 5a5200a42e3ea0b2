// Postgres runs SQL statements with values on a server and returns rows, as texts or as bytes of
// COPY. It uses libpq, PostgreSQL's client, and knows neither packs nor the replica.
//
// - `PostgresSettings`   address of the server, and the user's name
// - `PostgresConnection` one connection; every wait has a time limit
// - `PostgresRows`       the result of one statement
// - `CopiedRow`          one row of COPY, decoded
// - `PostgresFailure`    reasons why a server cannot be reached or refuses

/// Address of a PostgreSQL server, and the user's name. It contains no password: libpq reads that
/// from `PGPASSWORD` or from the user's password file.
package struct PostgresSettings: Sendable, Hashable {
    /// A name, an address, or the folder of a local socket.
    package var host: String
    package var port: Int
    package var database: String
    package var user: String
    /// File of the certificates that may sign the server's certificate; nil: those of this machine.
    package var authority: String?
    /// Seconds after which a server that sends nothing counts as gone.
    package var patience: Int

    package init(
        host: String, port: Int = 5432, database: String, user: String, authority: String? = nil, patience: Int = 30
    ) {
        (self.host, self.port, self.database, self.user) = (host, port, database, user)
        (self.authority, self.patience) = (authority, patience)
    }

    /// Host, port and database, which together identify this database.
    package var address: String { "\(host):\(port)/\(database)" }

    /// Options that make values arrive in one form, regardless of the server's settings.
    private static let form =
        "-c TimeZone=UTC -c DateStyle=ISO,YMD -c IntervalStyle=iso_8601 -c extra_float_digits=1 -c bytea_output=hex"
    /// Options that make the server detect a dead connection within twenty seconds instead of two
    /// hours. Until then the server keeps the locks of an aborted push, and the next push would
    /// wait for them.
    private static let watch =
        "-c tcp_user_timeout=20000 -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2"

    private var isLocal: Bool { host.hasPrefix("/") }

    /// Parameters of libpq (PostgreSQL 15, 34.1.2). Over a network the server must prove its
    /// identity with a certificate.
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
