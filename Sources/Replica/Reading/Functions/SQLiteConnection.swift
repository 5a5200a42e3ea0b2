internal import CSQLiteSetup
internal import Databases
import Foundation
import GRDB
import GRDBSQLite
import Model

/// A read-only connection for bulk rows and for SQL from packs. GRDB's connections cannot be used:
/// GRDB uses the authorizer itself, and rows must not become objects.
///
/// Used by one thread at a time. Only `PreparedStatement` receives pointers from this type.
@safe final class SQLiteConnection {
    private let handle: OpaquePointer
    /// The connection's clock, which shows the same time during the whole run.
    private let time: UnsafeMutablePointer<sqlite3_vfs>?
    private let path: String
    /// The schema name of the replica's tables, which bypasses all views. It is generated for each
    /// connection, so that SQL from packs cannot use it. The authorizer alone cannot distinguish a
    /// view's access to a table from that of a common table expression.
    let schema: String
    /// The schema name, quoted for SQL.
    var base: String { SQLText.name(schema) }
    private let guardian: AccessGuard
    private let clock = QueryClock()

    /// Opens a database for reading. Temporary tables are written to files, so that memory use
    /// stays low.
    /// - Parameter now: the present time for SQL during the whole run.
    init(path: String, now: Date = Date()) throws {
        let time = unsafe csqlite_start_clock(Int64((now.timeIntervalSince1970 * 1000).rounded()))
        unsafe self.time = time
        var opened: OpaquePointer?
        let code =
            unsafe time == nil
            ? SQLITE_NOMEM
            : sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, time?.pointee.zName)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            unsafe csqlite_end_clock(time)
            throw ReplicaFailure(DatabaseError(resultCode: ResultCode(rawValue: code)), path: path)
        }
        unsafe handle = opened
        self.path = path
        schema =
            "base_" + String(UInt64.random(in: .min ... .max), radix: 36)
            + String(UInt64.random(in: .min ... .max), radix: 36)
        guardian = AccessGuard(baseSchema: schema)
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, 5000)
        guard unsafe csqlite_without_foreign_code(handle) == SQLITE_OK else {
            throw ReplicaFailure.internal(path: path, code: "SQLITE_DBCONFIG")
        }
        try execute("PRAGMA temp_store = 1; PRAGMA trusted_schema = OFF")
        // SQLite never treats a path that begins with a slash or a dot as a URI.
        try run("ATTACH ?1 AS \(base)", [.text(path.hasPrefix("/") ? path : "./" + path)])
        try execute("PRAGMA \(base).cache_size = -4096; PRAGMA \(base).mmap_size = 0; PRAGMA temp.cache_size = -2048")
        unsafe SQLFunctions.register(on: handle)
        unsafe guardian.watch(handle)
        unsafe clock.watch(handle)
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
        unsafe csqlite_end_clock(time)
    }

    /// Registers the SQL functions that show values as text in the reader's language, and the
    /// functions that give dates in the office's time zone.
    func useTexts(of pack: Pack, in timeZone: TimeZone) {
        unsafe SQLFunctions.registerForPeople(on: handle, texts: pack.texts)
        unsafe SQLFunctions.registerFieldText(on: handle, of: pack, in: timeZone)
        unsafe SQLFunctions.registerForOffice(on: handle, timeZone: timeZone)
    }

    /// Registers the function for the pseudonyms of this session.
    func use(_ pseudonyms: Pseudonyms) {
        unsafe SQLFunctions.registerPseudonyms(on: handle, pseudonyms)
    }

    func execute(_ sql: String) throws {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    func prepare(_ sql: String, _ bindings: [MemoryRows.Value] = []) throws -> PreparedStatement {
        var compiled: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, 0, &compiled, nil)
        guard code == SQLITE_OK, let compiled = unsafe compiled else {
            throw failure(code == SQLITE_OK ? SQLITE_ERROR : code)
        }
        let statement = unsafe PreparedStatement(compiled, failure: { [self] in failure($0) })
        try statement.bind(bindings)
        return statement
    }

    /// Sets the tables that a pack's SQL may read: the pack's tables, and the temporary tables that
    /// its views read.
    func allowReading(tables: Set<String>, viewsAlsoRead temporary: Set<String>) throws {
        let statement = try prepare("SELECT name FROM \(base).sqlite_schema WHERE type = 'table'")
        var others: Set<String> = []
        while try statement.step() {
            if let name = statement.text(0), !tables.contains(name) { others.insert(name) }
        }
        // A module creates a table of any requested name; only JSON's modules are allowed.
        let modules = try prepare("SELECT lower(name) FROM pragma_module_list")
        while try modules.step() {
            if let name = modules.text(0), name != "json_each", name != "json_tree" { others.insert(name) }
        }
        // A table-valued function declares its table at first use; the guard would refuse it.
        try execute("SELECT 1 FROM json_each('[]'), json_tree('[]')")
        guardian.tables = tables
        guardian.temporary = tables.union(temporary)
        guardian.forbidden = others
    }

    /// Sets the columns of views that hide fields which the actor may not see, as `table.column`.
    func hide(_ columns: Set<String>) { guardian.hiddenColumns = columns }

    /// Compiles a pack's query, or throws the reason for refusing it.
    /// - Parameter refusesHidden: whether a query that reads a field hidden from the actor is
    ///   refused. For a rule this is necessary, since it would treat a hidden value as a missing
    ///   one. Otherwise hidden values read as missing.
    func prepareQuery(_ sql: String, refusesHidden: Bool = true) throws -> PreparedStatement {
        let statement: PreparedStatement
        do {
            statement = try prepareGuarded(sql)
        } catch let error as ReplicaFailure {
            if error.reports(SQLITE_AUTH) { throw QueryRefusal.notAllowed }
            if error.reports(SQLITE_ERROR) { throw QueryRefusal.wrong }
            throw error
        }
        if refusesHidden, guardian.hasReadHidden { throw QueryRefusal.hiddenField }
        return statement
    }

    /// Compiles a query that may read only the given temporary tables and views, not even those
    /// that other queries may read.
    func prepareQuery(_ sql: String, readingOnly temporary: Set<String>) throws -> PreparedStatement {
        let usual = guardian.temporary
        guardian.temporary = temporary
        defer { guardian.temporary = usual }
        return try prepareQuery(sql, refusesHidden: false)
    }

    /// The pack's tables that a query reads, and the functions that it calls.
    func reach(of sql: String) throws -> (tables: Set<String>, functions: Set<String>) {
        _ = try prepareQuery(sql)
        return (guardian.tablesRead, guardian.functionsCalled)
    }

    /// Compiles a pack's SQL, which may only read what the actor may see.
    func prepareGuarded(_ sql: String) throws -> PreparedStatement {
        guardian.isClosed = true
        defer { guardian.isClosed = false }
        return try prepare(sql)
    }

    /// The first column of the first row as an integer; 0 if there is no row.
    func integer(_ sql: String, _ bindings: [MemoryRows.Value] = []) throws -> Int64 {
        let statement = try prepare(sql, bindings)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Runs a statement that returns no rows; returns the number of changed rows.
    @discardableResult
    func run(_ sql: String, _ bindings: [MemoryRows.Value] = []) throws -> Int {
        let statement = try prepare(sql, bindings)
        while try statement.step() {}
        return Int(unsafe sqlite3_changes(handle))
    }

    /// Statements that run after this instant are interrupted; nil: never.
    var deadline: ContinuousClock.Instant? {
        get { clock.deadline }
        set { clock.deadline = newValue }
    }

    /// Number of steps after which statements are interrupted; nil: any number.
    var stepsLeft: Int? {
        get { clock.stepsLeft }
        set { clock.stepsLeft = newValue }
    }

    func limit(_ what: CInt, _ most: Int) { unsafe sqlite3_limit(handle, what, CInt(clamping: most)) }

    /// Makes the connection strict for SQL that a person writes: double quotes mark only names,
    /// never texts, and no SQL can damage the file.
    func makeStrict() throws {
        guard unsafe csqlite_strict(handle) == SQLITE_OK else {
            throw ReplicaFailure.internal(path: path, code: "SQLITE_DBCONFIG")
        }
    }

    /// SQLite's last message, in English, including names from the SQL.
    var lastReason: String { unsafe String(cString: sqlite3_errmsg(handle)) }
    var lastCode: CInt { unsafe sqlite3_extended_errcode(handle) }

    enum Compilation {
        /// The statement, or nil for only blanks and comments; and the SQL after the first
        /// statement.
        case compiled(PreparedStatement?, rest: String)
        case failed(CInt, String)
    }

    /// Compiles the first statement of SQL that a person or a pack wrote, with the restrictions
    /// active.
    func compileGuarded(_ sql: String) -> Compilation {
        guardian.isClosed = true
        defer { guardian.isClosed = false }
        return unsafe sql.withCString { start in
            var compiled: OpaquePointer?
            var end: UnsafePointer<CChar>?
            let code = unsafe sqlite3_prepare_v3(handle, start, -1, 0, &compiled, &end)
            guard code == SQLITE_OK else { return .failed(code & 0xFF, lastReason) }
            let rest = unsafe end.map { unsafe String(cString: $0) } ?? ""
            return unsafe .compiled(
                compiled.map { unsafe PreparedStatement($0, failure: { [self] in failure($0) }) }, rest: rest)
        }
    }

    func failure(_ what: String) -> ReplicaFailure { .internal(path: path, code: what) }

    /// Whether a failure is an interruption, as after the deadline.
    static func isInterruption(_ failure: ReplicaFailure) -> Bool { failure.reports(SQLITE_INTERRUPT) }

    func failure(_ code: CInt) -> ReplicaFailure {
        ReplicaFailure(
            DatabaseError(
                resultCode: ResultCode(rawValue: code), message: unsafe String(cString: sqlite3_errmsg(handle))),
            path: path)
    }
}

/// Interrupts statements that run beyond a deadline, or when a signal asks the process to end.
@safe private final class QueryClock {
    var deadline: ContinuousClock.Instant?
    var stepsLeft: Int?
    /// Steps of SQLite's virtual machine between two checks: several hundred checks a second, at no
    /// measurable cost.
    private static let steps: CInt = 20_000

    func watch(_ handle: OpaquePointer) {
        unsafe sqlite3_progress_handler(handle, Self.steps, { context in
            guard !Interruption.isRequested else { return 1 }
            guard let context = unsafe context else { return 0 }
            let clock = unsafe Unmanaged<QueryClock>.fromOpaque(context).takeUnretainedValue()
            if let left = clock.stepsLeft {
                clock.stepsLeft = left - Int(QueryClock.steps)
                if left < 0 { return 1 }
            }
            guard let deadline = clock.deadline else { return 0 }
            return ContinuousClock.now > deadline ? 1 : 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }
}

/// The rows of a statement as a `RowSource`.
final class StatementRows: RowSource {
    let columnCount: Int
    private let statement: PreparedStatement
    private var isAtEnd = false
    private let connection: SQLiteConnection
    private let seconds: Double?
    private let deadline: ContinuousClock.Instant?
    private let fault: (any Error)?

    /// - Parameter fault: the error to throw if SQLite cannot compute a value (for example one that
    ///   is too long). It blames a pack's SQL instead of the program.
    init(
        _ statement: PreparedStatement, on connection: SQLiteConnection, seconds: Double? = nil,
        fault: (any Error)? = nil
    ) {
        self.fault = fault
        self.statement = statement
        self.connection = connection
        self.seconds = seconds
        deadline = seconds.map { ContinuousClock.now + .seconds($0) }
        columnCount = statement.columnCount
    }

    func fill(_ batch: inout RowBatch) throws {
        guard !isAtEnd else {
            batch.removeAll()
            return
        }
        connection.deadline = deadline
        defer { connection.deadline = nil }
        do {
            isAtEnd = !(try statement.fill(&batch))
        } catch let error as ReplicaFailure {
            if SQLiteConnection.isInterruption(error) {
                try Interruption.check()
                if let seconds { throw QueryTimeout(seconds: seconds) }
            }
            if let fault, error.isInternal { throw fault }
            throw error
        }
    }
}
