internal import Databases
internal import Model

/// Rows of a table of a foreign database, in its own order.
final class SQLiteRows: ForeignRows {
    private let connection: ForeignDatabase
    private let query: String
    private let geometries: Set<String>
    /// Columns whose BLOBs are the sizes of BLOBs.
    private let sizes: Set<Int>
    /// Columns of these names, once they are known.
    private var geometryColumns: Set<Int> = []
    private var statement: PreparedStatement?
    private var row = 0
    private var hasEnded = false

    /// - Parameter geometries: names of columns, in lower case.
    init(_ connection: ForeignDatabase, query: String, geometries: Set<String> = [], sizes: Set<Int> = []) {
        (self.connection, self.query, self.geometries, self.sizes) = (connection, query, geometries, sizes)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        let running = try statement ?? connection.prepare(query)
        statement = running
        if row == 0, !geometries.isEmpty {
            geometryColumns = Set(running.columnNames.indices.filter { geometries.contains(running.columnNames[$0].lowercased()) })
        }
        while !hasEnded, !batch.isFull {
            guard try running.step() else {
                hasEnded = true
                return
            }
            row += 1
            for column in 0..<running.columnCount { append(running, column, to: &batch) }
            batch.endRow(number: row)
        }
    }

    private func append(_ statement: PreparedStatement, _ column: Int, to batch: inout ForeignBatch) {
        switch statement.storage(column) {
        case .null: batch.appendEmpty()
        case .integer: batch.append(.number, String(statement.integer(column)))
        case .real:
            let value = statement.real(column)
            batch.append(value.isFinite ? .number : .error, OldValueText.shortest(value))
        case .text: batch.append(.text, statement.text(column) ?? "")
        case .blob:
            let bytes = statement.blob(column) ?? []
            if sizes.contains(column) { return batch.append(.error, "\(String(decoding: bytes, as: UTF8.self)) bytes that are no text") }
            if geometryColumns.contains(column), let text = GeometryText.text(bytes) { return batch.append(.text, text) }
            let value = BinaryValue(bytes[...])
            batch.append(value.isUUID ? .text : .error, value.text)
        }
    }
}
