import JSONReading
package import Model

/// Formats the rows of one sheet as JSON objects.
struct JSONFormatter: ~Copyable {
    private let columns: [SheetColumn]
    /// Each column's name as JSON, with the characters before and after it.
    private let names: [[UInt8]]
    private let classes = ByteClasses(escaped: Array("\"\\\n\r\t".utf8))
    /// The number of characters that were replaced because no file may contain them.
    private(set) var replaced = 0

    init(columns: [SheetColumn]) {
        self.columns = columns
        names = columns.enumerated().map {
            Array("\($0.offset == 0 ? "{" : ", ")\(JSONValue.string($0.element.name)): ".utf8)
        }
    }

    mutating func append(_ batch: borrowing RowBatch, _ row: Int, to buffer: inout ByteBuffer) {
        for column in columns.indices {
            buffer.append(names[column])
            append(batch, row, column, to: &buffer)
        }
        buffer.append(columns.isEmpty ? "{}" as StaticString : "}")
    }

    private mutating func append(_ batch: borrowing RowBatch, _ row: Int, _ column: Int, to buffer: inout ByteBuffer) {
        let cell = batch.cell(row, column)
        switch cell.kind {
        case .null: buffer.append("null" as StaticString)
        case .integer:
            if columns[column].kind == .boolean, cell.integer & 1 == cell.integer {
                buffer.append(cell.integer == 1 ? "true" as StaticString : "false")
            } else {
                buffer.append(cell.integer)
            }
        case .real:
            // JSON has no infinite numbers and no NaN.
            if cell.real.isFinite { buffer.append(cell.real) } else { buffer.append(utf8: "\"\(cell.real)\"") }
        case .text:
            // A text in a JSON column that is not valid JSON stays a text.
            if columns[column].isJSON, let value = try? JSONValue.parse(batch.text.span.extracting(cell.range)) {
                buffer.append(utf8: value.description)
            } else {
                append(text: batch.text, cell.range, to: &buffer)
            }
        }
    }

    private mutating func append(text: [UInt8], _ range: Range<Int>, to buffer: inout ByteBuffer) {
        buffer.append(UInt8(ascii: "\""))
        unsafe text.withUnsafeBufferPointer { text in
            unsafe buffer.appendClean(UnsafeBufferPointer(rebasing: text[range]), classes, replaced: &replaced) {
                byte, buffer in
                buffer.append(UInt8(ascii: "\\"))
                switch byte {
                case 0x0A: buffer.append(UInt8(ascii: "n"))
                case 0x0D: buffer.append(UInt8(ascii: "r"))
                case 0x09: buffer.append(UInt8(ascii: "t"))
                default: buffer.append(byte)
                }
            }
        }
        buffer.append(UInt8(ascii: "\""))
    }
}

/// Formats query rows as JSON, one row on each line: `{"columns": ["code"], "rows": [{"code":
/// "C-01"}]}`.
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
            for column in names.indices {
                text += (column == 0 ? "" : ", ") + names[column] + ": " + Self.value(batch, row, column)
            }
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
        // JSON has no infinite numbers and no NaN.
        case .real: return cell.real.isFinite ? cell.real.description : "null"
        case .text: return JSONValue.string(batch.string(row, column) ?? "").description
        }
    }
}
