internal import CPQ
internal import Glibc
internal import Model

/// One connection to a PostgreSQL server. It is used by one thread at a time.
///
/// No wait is endless: a server that gives no sign of life within the settings' patience counts as
/// gone, and a signal that asks this process to end is heard at once.
@safe package final class PostgresConnection {
    private let connection: OpaquePointer
    package let settings: PostgresSettings

    /// Throws `PostgresFailure.unreachable`, `.loginRefused`, `.noDatabase`.
    package init(_ settings: PostgresSettings) throws {
        self.settings = settings
        guard let made = unsafe Self.begin(settings, PQconnectdbParams) else { throw PostgresFailure.unreachable(address: settings.address, reason: "out of memory") }
        guard unsafe PQstatus(made) == CONNECTION_OK else {
            let reason = unsafe Self.sentence(PQerrorMessage(made))
            // libpq tells no SQLSTATE here. The server asked for a password and there was none to
            // give, or it speaks of the password or of authentication, in any of our languages.
            let isOfPassword = ["authenti", "autenti", "password", "contrase"].contains { reason.lowercased().contains($0) }
            let isRefused = unsafe PQconnectionNeedsPassword(made) == 1 || PQconnectionUsedPassword(made) == 1 && isOfPassword
            unsafe PQfinish(made)
            throw isRefused
                ? PostgresFailure.loginRefused(address: settings.address, user: settings.user, reason: reason)
                : RefusedConnection.failure(settings, reason: reason)
        }
        unsafe connection = made
        // Notices of the server are for its owner.
        _ = unsafe PQsetNoticeProcessor(made, { _, _ in }, nil)
    }

    /// - Parameter connect: libpq's function that connects, or begins to.
    static func begin(
        _ settings: PostgresSettings, _ connect: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?, CInt) -> OpaquePointer?
    ) -> OpaquePointer? {
        let parameters = settings.parameters
        let names = unsafe parameters.map { unsafe strdup($0.0) } + [nil], values = unsafe parameters.map { unsafe strdup($0.1) } + [nil]
        defer { for unsafe text in unsafe names + values { unsafe free(text) } }
        return unsafe names.map { unsafe UnsafePointer($0) }.withUnsafeBufferPointer { names in
            unsafe values.map { unsafe UnsafePointer($0) }.withUnsafeBufferPointer { values in unsafe connect(names.baseAddress, values.baseAddress, 0) }
        }
    }

    deinit { unsafe PQfinish(connection) }

    // MARK: Statements

    /// Runs one statement. Parameters are `$1`, `$2` …, as texts; nil is null.
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

    /// The last result of what was sent. All are taken, or the connection could send nothing more.
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

    /// Runs a body within a transaction: all of it or nothing.
    ///
    /// - Parameter kind: `ISOLATION LEVEL REPEATABLE READ READ ONLY`, for example.
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

    /// Streams the rows of a query by COPY; the row that the body is given is valid only during the
    /// call. Returns their number, as the server counts them.
    ///
    /// - Parameter query: a whole query; COPY takes no parameters.
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
                unsafe UnsafeRawBufferPointer(start: bytes, count: Int(length)).withMemoryRebound(to: UInt8.self) { unsafe row.parse($0) }
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

    /// The next result of what was sent; nil: there is none left.
    private func nextResult() throws -> OpaquePointer? {
        while unsafe PQisBusy(connection) == 1 { try wait() }
        return unsafe PQgetResult(connection)
    }

    private func endResults() throws { while let result = unsafe try nextResult() { unsafe PQclear(result) } }

    /// Waits until something has arrived, and takes it.
    private func wait() throws {
        var rest = settings.patience * 1000
        while true {
            // What could not be sent at once is sent when there is room.
            let unsent = unsafe PQflush(connection)
            guard unsent >= 0 else { throw broken() }
            var state = pollfd(fd: unsafe PQsocket(connection), events: Int16(POLLIN) | (unsent == 1 ? Int16(POLLOUT) : 0), revents: 0)
            let turn = min(rest, 200)
            let ready = unsafe poll(&state, 1, CInt(turn))
            if Interruption.isRequested {
                cancel()
                try Interruption.check()
            }
            if ready > 0 { break }
            if ready < 0, errno != EINTR { throw broken() }
            rest -= turn
            // Who gives no sign of life hears no request to stop either, and on a line that is dead it
            // would take minutes to find that out.
            if rest <= 0 {
                throw PostgresFailure.broken(address: settings.address, reason: "no answer within \(settings.patience) s")
            }
        }
        guard unsafe PQconsumeInput(connection) == 1 else { throw broken() }
    }

    /// Asks the server to end what it does; the connection is of no use afterwards.
    private func cancel() {
        guard let handle = unsafe PQgetCancel(connection) else { return }
        defer { unsafe PQfreeCancel(handle) }
        var message = [CChar](repeating: 0, count: 256)
        _ = unsafe PQcancel(handle, &message, 256)
    }

    // MARK: Failures

    private func broken() -> PostgresFailure { .broken(address: settings.address, reason: unsafe Self.sentence(PQerrorMessage(connection))) }

    private func refusal(_ result: OpaquePointer) -> any Error {
        defer { unsafe PQclear(result) }
        func field(_ name: Unicode.Scalar) -> String? { unsafe PQresultErrorField(result, CInt(name.value)).map { unsafe String(cString: $0) } }
        // PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY
        guard let state = field("C") else { return broken() }
        return PostgresFailure.refused(state: state, message: field("M") ?? "")
    }

    /// libpq's message on one line.
    private static func sentence(_ message: UnsafeMutablePointer<CChar>?) -> String {
        let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }.joined(separator: "; ")
    }
}
