internal import CPQ
internal import Glibc
internal import Model

/// One connection to a PostgreSQL server, used by one thread at a time.
///
/// Every wait has a time limit: a server that sends nothing within the settings' patience counts as
/// gone. A signal that asks this process to end takes effect at once.
@safe package final class PostgresConnection {
    private let connection: OpaquePointer
    package let settings: PostgresSettings

    /// Throws `PostgresFailure.unreachable`, `.loginRefused`, `.noDatabase`.
    package init(_ settings: PostgresSettings) throws {
        self.settings = settings
        guard let made = unsafe Self.begin(settings, PQconnectdbParams) else {
            throw PostgresFailure.unreachable(address: settings.address, reason: "out of memory")
        }
        guard unsafe PQstatus(made) == CONNECTION_OK else {
            let reason = unsafe Self.sentence(PQerrorMessage(made))
            // libpq gives no SQLSTATE for a failed connection. A login counts as refused in two
            // cases: the server wanted a missing password, or the message is about authentication,
            // in one of our languages.
            let isOfPassword = ["authenti", "autenti", "password", "contrase"].contains {
                reason.lowercased().contains($0)
            }
            let isRefused =
                unsafe PQconnectionNeedsPassword(made) == 1 || PQconnectionUsedPassword(made) == 1 && isOfPassword
            unsafe PQfinish(made)
            throw isRefused
                ? PostgresFailure.loginRefused(address: settings.address, user: settings.user, reason: reason)
                : RefusedConnection.failure(settings, reason: reason)
        }
        unsafe connection = made
        // The server's notices are meant for its owner, so they are ignored.
        _ = unsafe PQsetNoticeProcessor(made, { _, _ in }, nil)
    }

    /// - Parameter connect: libpq's function that connects, or that begins to connect.
    static func begin(
        _ settings: PostgresSettings,
        _ connect: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?, CInt) ->
            OpaquePointer?
    ) -> OpaquePointer? {
        let parameters = settings.parameters
        let names = unsafe parameters.map { unsafe strdup($0.0) } + [nil],
            values = unsafe parameters.map { unsafe strdup($0.1) } + [nil]
        defer { for unsafe text in unsafe names + values { unsafe free(text) } }
        return unsafe names.map { unsafe UnsafePointer($0) }.withUnsafeBufferPointer { names in
            unsafe values.map { unsafe UnsafePointer($0) }.withUnsafeBufferPointer { values in
                unsafe connect(names.baseAddress, values.baseAddress, 0)
            }
        }
    }

    deinit { unsafe PQfinish(connection) }

    // MARK: Statements

    /// Runs one statement. Parameters are `$1`, `$2` …, as texts; nil means null.
    @discardableResult
    package func run(_ sql: String, _ parameters: [String?] = []) throws -> PostgresRows {
        let texts = unsafe parameters.map { text in unsafe text.map { unsafe strdup($0) } ?? nil }
        defer { for unsafe text in unsafe texts { unsafe free(text) } }
        let sent = unsafe texts.map { unsafe UnsafePointer($0) }.withUnsafeBufferPointer { texts in
            unsafe PQsendQueryParams(connection, sql, CInt(parameters.count), nil, texts.baseAddress, nil, nil, 0)
        }
        guard sent == 1 else { throw broken() }
        return try answer()
    }

    /// The last result of the statement that was sent. All results are read, so that another
    /// statement can be sent.
    private func answer() throws -> PostgresRows {
        var answer: PostgresRows?
        var failure: (any Error)?
        while let result = unsafe try nextResult() {
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: answer = unsafe PostgresRows(result)
            default: failure = failure ?? (unsafe refusal(result))
            }
        }
        if let failure { throw failure }
        guard let answer else { throw broken() }
        return answer
    }

    /// Runs a body within a transaction, which is committed as a whole or not at all.
    ///
    /// - Parameter kind: for example `ISOLATION LEVEL REPEATABLE READ READ ONLY`.
    package func transaction<T>(_ kind: String = "", _ body: () throws -> T) throws -> T {
        try run("BEGIN " + kind)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            if unsafe PQtransactionStatus(connection) != PQTRANS_UNKNOWN { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    /// Streams the rows of a query by COPY; the row passed to the body is valid only during the
    /// call. Returns the number of rows reported by the server.
    ///
    /// - Parameter query: a complete query; COPY accepts no parameters.
    package func copy(_ query: String, _ body: (borrowing CopiedRow) throws -> Void) throws -> Int {
        guard unsafe PQsendQuery(connection, "COPY (\(query)) TO STDOUT") == 1 else { throw broken() }
        guard let begun = unsafe try nextResult() else { throw broken() }
        guard unsafe PQresultStatus(begun) == PGRES_COPY_OUT else {
            let failure = unsafe refusal(begun)
            try endResults()
            throw failure
        }
        unsafe PQclear(begun)
        var row = CopiedRow()
        while true {
            var buffer: UnsafeMutablePointer<CChar>?
            let length = unsafe PQgetCopyData(connection, &buffer, 1)
            if length > 0, let bytes = unsafe buffer {
                defer { unsafe PQfreemem(bytes) }
                unsafe UnsafeRawBufferPointer(start: bytes, count: Int(length)).withMemoryRebound(to: UInt8.self) {
                    unsafe row.parse($0)
                }
                do { try body(row) } catch {
                    cancel()
                    throw error
                }
            } else if length == 0 {
                try wait()
            } else if length == -1 {
                break
            } else {
                throw broken()
            }
        }
        return try answer().touched
    }

    // MARK: Waiting

    /// The next result of the statement that was sent; nil if there is none left.
    private func nextResult() throws -> OpaquePointer? {
        while unsafe PQisBusy(connection) == 1 { try wait() }
        return unsafe PQgetResult(connection)
    }

    private func endResults() throws { while let result = unsafe try nextResult() { unsafe PQclear(result) } }

    /// Waits until data has arrived, and reads it.
    private func wait() throws {
        var rest = settings.patience * 1000
        while true {
            // If data could not be sent at once, it is sent when the connection has room.
            let unsent = unsafe PQflush(connection)
            guard unsent >= 0 else { throw broken() }
            var state = pollfd(
                fd: unsafe PQsocket(connection), events: Int16(POLLIN) | (unsent == 1 ? Int16(POLLOUT) : 0), revents: 0)
            let turn = min(rest, 200)
            let ready = unsafe poll(&state, 1, CInt(turn))
            if Interruption.isRequested {
                cancel()
                try Interruption.check()
            }
            if ready > 0 { break }
            if ready < 0, errno != EINTR { throw broken() }
            rest -= turn
            // A server that sends nothing would not receive a request to stop either. On a dead
            // connection, such a request would block for minutes.
            if rest <= 0 {
                throw PostgresFailure.broken(
                    address: settings.address, reason: "no answer within \(settings.patience) s")
            }
        }
        guard unsafe PQconsumeInput(connection) == 1 else { throw broken() }
    }

    /// Asks the server to stop its current work; the connection cannot be used afterwards.
    private func cancel() {
        guard let handle = unsafe PQgetCancel(connection) else { return }
        defer { unsafe PQfreeCancel(handle) }
        var message = [CChar](repeating: 0, count: 256)
        _ = unsafe PQcancel(handle, &message, 256)
    }

    // MARK: Failures

    private func broken() -> PostgresFailure {
        .broken(address: settings.address, reason: unsafe Self.sentence(PQerrorMessage(connection)))
    }

    private func refusal(_ result: OpaquePointer) -> any Error {
        defer { unsafe PQclear(result) }
        func field(_ name: Unicode.Scalar) -> String? {
            unsafe PQresultErrorField(result, CInt(name.value)).map { unsafe String(cString: $0) }
        }
        // PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY
        guard let state = field("C") else { return broken() }
        return PostgresFailure.refused(state: state, message: field("M") ?? "")
    }

    /// libpq's message, joined into one line.
    private static func sentence(_ message: UnsafeMutablePointer<CChar>?) -> String {
        let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }.joined(separator: "; ")
    }
}

/// The rows that a statement returned, as the server wrote them: texts, or nil for null.
@safe package final class PostgresRows {
    private let result: OpaquePointer
    package let count: Int
    package let columns: [String]
    /// Number of rows that a statement changed or returned.
    package let touched: Int

    /// - Parameter result: freed by this object.
    init(_ result: OpaquePointer) {
        unsafe self.result = result
        count = Int(unsafe PQntuples(result))
        columns = (0..<(unsafe PQnfields(result))).map { unsafe String(cString: PQfname(result, $0)) }
        touched = Int(unsafe String(cString: PQcmdTuples(result))) ?? 0
    }

    deinit { unsafe PQclear(result) }

    /// The value of a row and column, both counted from 0.
    package subscript(row row: Int, column column: Int) -> String? {
        precondition(row >= 0 && row < count && column >= 0 && column < columns.count)
        let (row, column) = (CInt(row), CInt(column))
        guard unsafe PQgetisnull(result, row, column) == 0 else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}

extension PostgresConnection {
    /// Statements that declare the tables of all schemas that people created. The server's
    /// functions write the SQL, including keys, references, checks, enumerations and comments. Only
    /// the server's catalogues are read.
    package func tableStatements() throws -> String {
        var statements: [String] = []
        let enumerations = try run(
            """
            SELECT format('CREATE TYPE %I AS ENUM (%s)', t.typname, string_agg(quote_literal(e.enumlabel), ', ' \
            ORDER BY e.enumsortorder))
            FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid JOIN pg_namespace n ON n.oid = t.typnamespace
            WHERE \(Self.isOwn) GROUP BY t.oid, t.typname ORDER BY t.typname
            """)
        let tables = try run(
            """
            SELECT format('CREATE TABLE %I.%I (%s)', n.nspname, c.relname, string_agg(
              format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull \
            THEN ' NOT NULL' ELSE '' END,
                CASE WHEN a.attgenerated <> '' THEN ' GENERATED ALWAYS AS (1) STORED' ELSE '' END), ', ' \
            ORDER BY a.attnum))
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid \
            AND a.attnum > 0 AND NOT a.attisdropped
            WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND \(Self.isOwn) \
            GROUP BY c.oid, c.relname, n.nspname ORDER BY n.nspname <> 'public', n.nspname, c.oid
            """)
        let constraints = try run(
            """
            SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', n.nspname, c.relname, k.conname, \
            pg_get_constraintdef(k.oid))
            FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE k.contype IN ('p', 'u', 'f', 'c') AND NOT c.relispartition AND \(Self.isOwn) ORDER BY k.oid
            """)
        let comments = try run(
            """
            SELECT CASE WHEN d.objsubid = 0 THEN format('COMMENT \
            ON TABLE %I.%I IS %L', n.nspname, c.relname, d.description)
              ELSE format('COMMENT ON COLUMN %I.%I.%I IS %L', n.nspname, c.relname, a.attname, d.description) END
            FROM pg_description d JOIN pg_class c ON c.oid = d.objoid AND d.classoid = 'pg_class'::regclass \
            JOIN pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid
            WHERE c.relkind IN ('r', 'p') AND \(Self.isOwn) ORDER BY c.oid, d.objsubid
            """)
        for rows in [enumerations, tables, constraints, comments] {
            statements += (0..<rows.count).compactMap { rows[row: $0, column: 0] }
        }
        return statements.joined(separator: ";\n")
    }

    /// Condition: a schema was created by people.
    private static let isOwn =
        """
        n.nspname NOT IN ('pg_catalog', 'information_schema', 'fichero', 'auth', 'storage', 'realtime', 'extensions', \
        'vault', 'graphql', 'graphql_public') AND n.nspname NOT LIKE 'pg\\_%'
        """
}
