internal import Databases
internal import GRDB
import GRDBSQLite

extension PreparedStatement {
    /// A statement on a connection of GRDB, without the arguments' detour over GRDB's values. It
    /// lives within one transaction of the connection.
    convenience init(_ db: Database, _ sql: String) throws {
        var statement: OpaquePointer?
        guard let connection = unsafe db.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "closed") }
        // There is no message: SQLite's may quote names of triggers or parts of SQL, and the code
        // suffices.
        let failure = { (_: CInt) in unsafe DatabaseError(resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection))) }
        let code = unsafe sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let prepared = unsafe statement else { throw failure(code) }
        unsafe self.init(prepared, failure: failure)
    }
}
