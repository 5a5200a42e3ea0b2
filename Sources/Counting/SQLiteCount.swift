internal import Foundation
internal import GRDBSQLite
internal import Model

/// Counts an SQLite database with SQLite itself: `count` and `total` of each column. The file is
/// never changed. It is opened as immutable, or copied if a log lies beside it.
enum SQLiteCount: FileCount {
    static let kind = "sqlite"

    /// Number of columns in one query, because a result has at most two thousand.
    private static let share = 200

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let database = try CountedDatabase(file)
        let names = try database.texts(
            """
            SELECT s.name, coalesce(l.type, 'table') FROM sqlite_schema AS s LEFT JOIN pragma_table_list AS l \
            ON l.name = s.name AND l.schema = 'main' 
            """
                + "WHERE s.type IN ('table', 'view') AND substr(s.name, 1, 7) <> 'sqlite_' ORDER BY s.rowid LIMIT 10000"
        )
        var count = SourceCount(tables: [])
        for name in names {
            // Full-text and spatial indexes and their shadow tables are not counted.
            guard name[1] != "virtual", name[1] != "shadow" else {
                count.uncounted.append(.init(table: name[0], reason: "it is kept by a program of its own"))
                continue
            }
            do throws(CountFault) {
                count.tables.append(try self.count(name[0], database))
            } catch {
                if error == .cancelled { throw error }
                // A view may use a table that no longer exists.
                count.uncounted.append(.init(table: name[0], reason: error.reason))
            }
        }
        return count
    }

    private static func count(_ table: String, _ database: CountedDatabase) throws(CountFault) -> TableCount {
        let from = "main." + quoted(table)
        let columns = try database.columns("SELECT * FROM \(from)")
        guard !columns.isEmpty else { return TableCount(name: table, rows: 0) }
        if let function = try database.changingFunction() {
            throw .damaged("its values come of \(function)() and are others at each reading")
        }
        let isFilled = columns.map {
            """
            (typeof(t.\(quoted($0))) <> 'null' AND (typeof(t.\(quoted($0))) <> 'text' \
            OR length(CAST(t.\(quoted($0)) AS BLOB)) > 0))
            """
        }
        let rows = try database.numbers("SELECT count(CASE WHEN \(any(isFilled[...])) THEN 1 END) FROM \(from) AS t")
        var counted = TableCount(name: table, rows: Int(rows[0]))
        for start in stride(from: 0, to: columns.count, by: share) {
            let part = start..<min(start + share, columns.count)
            let asked = part.map { index -> String in
                let name = "t." + quoted(columns[index])
                // The reader reports values that are not finite as errors.
                let number =
                    """
                    CASE WHEN typeof(\(name)) IN ('integer', 'real') AND abs(\(name) * 1.0) < 1e999 \
                    THEN \(name) * 1.0 END
                    """
                return
                    """
                    count(CASE WHEN \(isFilled[index]) THEN 1 END), count(\(number)), total(\(number)), \
                    total(abs(\(number)))
                    """
            }
            let answer = try database.numbers("SELECT \(asked.joined(separator: ", ")) FROM \(from) AS t")
            for index in part {
                let own = answer[((index - start) * 4)...]
                let numbers = TableCount.Numbers(
                    count: Int(own[own.startIndex + 1]), sum: own[own.startIndex + 2], size: own[own.startIndex + 3])
                counted.columns.append(.init(name: columns[index], filled: Int(own[own.startIndex]), numbers: numbers))
            }
        }
        return counted
    }

    /// Joins conditions so that their nesting stays shallow.
    private static func any(_ conditions: ArraySlice<String>) -> String {
        guard conditions.count > 1 else { return conditions.first ?? "0" }
        let middle = conditions.startIndex + conditions.count / 2
        return "(\(any(conditions[..<middle])) OR \(any(conditions[middle...])))"
    }

    private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}

/// An external database, on which only queries run, each with a limited number of steps.
@safe private final class CountedDatabase {
    private let handle: OpaquePointer
    private let copies: PrivateFolder?
    private let watch: Watch

    private final class Watch {
        var left = CountBounds.current.sqliteSteps / 1000
        /// Functions in statements prepared since the set was last cleared, in lower case.
        var functions: Set<String> = []
        let isCancelled: @Sendable () -> Bool
        init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }
    }

    init(_ file: SourceFile) throws(CountFault) {
        let path = URL(fileURLWithPath: file.path).resolvingSymlinksInPath().path
        let logs = ["-wal", "-journal"].filter {
            ((try? FileManager.default.attributesOfItem(atPath: path + $0))?[.size] as? Int ?? 0) > 0
        }
        copies = logs.isEmpty ? nil : try Self.copy(path, logs)
        let opened = copies.map { Self.copied(in: $0) } ?? path
        watch = Watch(file.isCancelled)
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
        let uri =
            "file:" + (opened.addingPercentEncoding(withAllowedCharacters: plain) ?? opened)
            + (copies == nil ? "?immutable=1" : "")
        var made: OpaquePointer?
        let flags =
            SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | (copies == nil ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        guard unsafe sqlite3_open_v2(uri, &made, flags, nil) == SQLITE_OK, let made = unsafe made else {
            unsafe sqlite3_close_v2(made)
            throw .unreadable("it cannot be opened")
        }
        unsafe handle = made
        unsafe sqlite3_limit(made, SQLITE_LIMIT_LENGTH, Int32(clamping: CountBounds.current.sqliteValueBytes))
        unsafe sqlite3_progress_handler(
            made, 1000,
            { state in
                guard let state = unsafe state else { return 1 }
                let watch = unsafe Unmanaged<Watch>.fromOpaque(state).takeUnretainedValue()
                watch.left -= 1
                return watch.left < 0 || watch.isCancelled() ? 1 : 0
            }, unsafe Unmanaged.passUnretained(watch).toOpaque())
        for pragma in [
            "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "temp_store = MEMORY", "query_only = ON",
        ] {
            _ = try texts("PRAGMA \(pragma)")
        }
        unsafe sqlite3_set_authorizer(
            made,
            { state, action, _, second, _, _ in
                if action == SQLITE_FUNCTION, let state = unsafe state, let name = unsafe second {
                    unsafe Unmanaged<Watch>.fromOpaque(state).takeUnretainedValue().functions.insert(
                        String(cString: name).lowercased())
                }
                return SQLITE_OK
            }, unsafe Unmanaged.passUnretained(watch).toOpaque())
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
    }

    /// Copies the database with its logs: SQLite would otherwise apply the logs to the file itself.
    private static func copy(_ path: String, _ logs: [String]) throws(CountFault) -> PrivateFolder {
        do {
            let folder = try PrivateFolder()
            for ending in [""] + logs {
                try FileManager.default.copyItem(atPath: path + ending, toPath: copied(in: folder) + ending)
            }
            return folder
        } catch {
            throw .unreadable("it cannot be copied")
        }
    }

    private static func copied(in folder: PrivateFolder) -> String { folder.url.appendingPathComponent("copy.db").path }

    func texts(_ question: String) throws(CountFault) -> [[String]] {
        unsafe try answer(question) { statement, column in
            unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// The numbers in a query's only row.
    func numbers(_ question: String) throws(CountFault) -> [Double] {
        unsafe try answer(question) { unsafe sqlite3_column_double($0, $1) }.first ?? []
    }

    /// The columns of a query's result. Also records the functions that the query calls, including
    /// those within views.
    func columns(_ question: String) throws(CountFault) -> [String] {
        watch.functions = []
        let statement = unsafe try prepare(question)
        defer { unsafe sqlite3_finalize(statement) }
        return unsafe (0..<sqlite3_column_count(statement)).map { column in
            unsafe sqlite3_column_name(statement, column).map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// A function used by the last query's columns that returns a different value each time.
    func changingFunction() throws(CountFault) -> String? {
        let own: Set<String> = ["random", "randomblob", "current_date", "current_time", "current_timestamp"]
        if let found = watch.functions.first(where: own.contains) { return found }
        let times: Set<String> = ["date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff"]
        guard let found = watch.functions.first(where: times.contains) else { return nil }
        return try texts("SELECT 1 FROM sqlite_schema WHERE sql LIKE '%now%' LIMIT 1").isEmpty ? nil : found
    }

    private func answer<Value>(_ question: String, _ value: (OpaquePointer, Int32) -> Value) throws(CountFault)
        -> [[Value]]
    {
        let statement = unsafe try prepare(question)
        defer { unsafe sqlite3_finalize(statement) }
        var rows: [[Value]] = []
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW:
                unsafe rows.append((0..<sqlite3_column_count(statement)).map { unsafe value(statement, $0) })
            case SQLITE_DONE: return rows
            default: throw fault
            }
        }
    }

    private func prepare(_ question: String) throws(CountFault) -> OpaquePointer {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(handle, question, -1, &statement, nil) == SQLITE_OK,
            let statement = unsafe statement
        else { throw fault }
        return unsafe statement
    }

    private var fault: CountFault {
        if watch.isCancelled() { return .cancelled }
        if watch.left < 0 { return .tooLarge("sqliteSteps \(CountBounds.current.sqliteSteps)") }
        return .damaged(unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "SQLite gives no reason")
    }
}

extension CountBounds {
    var sqliteValueBytes: Int { self["sqliteValueBytes", usually: 16 << 20] }
    var sqliteSteps: Int { self["sqliteSteps", usually: 4_000_000_000] }
}
