import Foundation
import GRDBSQLite
import Model
@testable import Replica
@testable import Validating

/// A very small replica: the tables of the pack in memory, without any constraint. So everything in
/// them may be wrong.
@safe final class SQLiteSource: ValidationSource {
    struct Failed: Error { var message: String }

    var hidden: Set<String> = []
    /// A query that contains one of these takes too long.
    var slow: [String] = []
    /// A query that contains one of these is refused with the reason.
    var refused: [String: QueryRefusal] = [:]
    private(set) var queries: [String] = []
    private let pack: Pack
    fileprivate let database: OpaquePointer?

    init(_ pack: Pack) throws {
        self.pack = pack
        var opened: OpaquePointer?
        unsafe sqlite3_open(":memory:", &opened)
        unsafe database = opened
        for entity in pack.entities {
            let columns = entity.fields.map { field in
                let type = switch field.type {
                case .integer, .boolean: "INTEGER"
                case .decimal: "REAL"
                default: "TEXT"
                }
                return "\"\(field.name)\" \(type)"
            }
            try run("CREATE TABLE \"\(entity.name)\" (\((columns + [KeyText.column + " TEXT"]).joined(separator: ", ")))")
        }
    }

    deinit { unsafe sqlite3_close_v2(database) }

    func run(_ sql: String) throws {
        guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw Failed(message: unsafe String(cString: sqlite3_errmsg(database)) + ": " + sql)
        }
    }

    /// Inserts a row. The values are SQL literals.
    func insert(_ table: String, _ values: KeyValuePairs<String, String>) throws {
        let columns = values.map { "\"\($0.key)\"" }.joined(separator: ", ")
        try run("INSERT INTO \"\(table)\" (\(columns)) VALUES (\(values.map(\.value).joined(separator: ", ")))")
    }

    func rows(of entity: String, paths: [FieldPath]) throws -> any RowSource {
        guard let description = pack.entity(entity) else { throw Failed(message: "no table \(entity)") }
        var joins = PathJoins(from: description, pack: pack)
        var columns = ["t0.id"]
        for path in paths {
            guard pack.leads(path, from: description) else { throw Failed(message: "no path \(path)") }
            let column = joins.column(path)
            if path.parts.contains(where: { isHidden($0, of: entity) }) { throw Failed(message: "hidden: \(path)") }
            columns.append(column)
        }
        return try SQLiteRows(self, "SELECT \(columns.joined(separator: ", ")) FROM \(SQLText.name(entity)) AS t0\(joins.sql) ORDER BY t0.rowid", columns.count)
    }

    func offenders(_ question: TableQuery, columns: [String], seconds: Double) throws -> any RowSource {
        try query(TableQuerySQL(pack: pack) { _ in nil }.sql(question), columns: columns, seconds: seconds)
    }

    func rows(of entity: Entity, ids: [String], paths: [FieldPath], seconds: Double) throws -> any RowSource {
        let words = TableQuerySQL.rows(of: entity, ids: ids.map(SQLText.literal), paths: paths, in: pack)
        return try query(words.sql, columns: words.columns, seconds: seconds)
    }

    func query(_ sql: String, columns: [String], seconds: Double) throws -> any RowSource {
        queries.append(sql)
        if let refusal = refused.first(where: { sql.contains($0.key) })?.value { throw refusal }
        if slow.contains(where: sql.contains) { return SlowRows(columnCount: columns.count, seconds: seconds) }
        let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        return try SQLiteRows(self, "SELECT \(list) FROM (\(sql))", columns.count)
    }

    var today: String { "2026-03-01" }
    var timeZone: TimeZone { TimeZone(identifier: pack.timeZone) ?? .gmt }
    func isHidden(_ field: String, of entity: String) -> Bool { hidden.contains(entity + "." + field) }
}

@safe private final class SQLiteRows: RowSource {
    let columnCount: Int
    private let source: SQLiteSource
    private let statement: OpaquePointer?
    private var isDone = false

    init(_ source: SQLiteSource, _ sql: String, _ columnCount: Int) throws {
        self.source = source
        self.columnCount = columnCount
        var prepared: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(source.database, sql, -1, &prepared, nil) == SQLITE_OK else {
            throw SQLiteSource.Failed(message: unsafe String(cString: sqlite3_errmsg(source.database)) + ": " + sql)
        }
        unsafe statement = prepared
    }

    deinit { unsafe sqlite3_finalize(statement) }

    func fill(_ batch: inout RowBatch) throws {
        batch.removeAll()
        while !isDone, !batch.isFull {
            let status = unsafe sqlite3_step(statement)
            guard status == SQLITE_ROW else {
                isDone = true
                guard status == SQLITE_DONE else { throw SQLiteSource.Failed(message: unsafe String(cString: sqlite3_errmsg(source.database))) }
                return
            }
            for column in 0..<Int32(columnCount) {
                switch unsafe sqlite3_column_type(statement, column) {
                case SQLITE_INTEGER: batch.append(unsafe sqlite3_column_int64(statement, column))
                case SQLITE_FLOAT: batch.append(unsafe sqlite3_column_double(statement, column))
                case SQLITE_NULL: batch.appendNull()
                default:
                    let start = unsafe sqlite3_column_text(statement, column)
                    let count = unsafe Int(sqlite3_column_bytes(statement, column))
                    unsafe batch.append(utf8: UnsafeBufferPointer(start: start, count: count))
                }
            }
            batch.endRow()
        }
    }
}

private final class SlowRows: RowSource {
    let columnCount: Int
    private let seconds: Double

    init(columnCount: Int, seconds: Double) {
        self.columnCount = columnCount
        self.seconds = seconds
    }

    func fill(_ batch: inout RowBatch) throws { throw QueryTimeout(seconds: seconds) }
}
