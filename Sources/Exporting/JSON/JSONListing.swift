import JSONReading
package import Model

/// Rows alone as JSON, one row on each line: `{"columns": ["code"], "rows": [{"code": "C-01"}]}`.
package struct JSONListing {
    private let names: [String]
    private var text: String
    private var isEmpty = true

    package init(columns: [String]) {
        names = columns.map { JSONValue.string($0).description }
        text = "{\"columns\": [" + names.joined(separator: ", ") + "],\n \"rows\": ["
    }

    package mutating func append(_ batch: borrowing RowBatch) {
        for row in 0..<batch.rowCount {
            text += isEmpty ? "\n  {" : ",\n  {"
            isEmpty = false
            for column in names.indices { text += (column == 0 ? "" : ", ") + names[column] + ": " + Self.value(batch, row, column) }
            text += "}"
        }
    }

    package mutating func end() { text += isEmpty ? "]}\n" : "\n ]}\n" }

    /// The bytes since the last call.
    package mutating func take() -> [UInt8] {
        defer { text = "" }
        return Array(text.utf8)
    }

    private static func value(_ batch: borrowing RowBatch, _ row: Int, _ column: Int) -> String {
        let cell = batch.cell(row, column)
        switch cell.kind {
        case .null: return "null"
        case .integer: return String(cell.integer)
        // JSON has no number for what is not finite.
        case .real: return cell.real.isFinite ? cell.real.description : "null"
        case .text: return JSONValue.string(batch.string(row, column) ?? "").description
        }
    }
}
