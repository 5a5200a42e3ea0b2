import Foundation
package import Model

/// Formats rows alone as CSV: a line with the columns' names, then one for each row, in the dialect
/// for programs.
package struct CSVListing: ~Copyable {
    private var formatter: CSVFormatter
    private var buffer = ByteBuffer()

    package init(columns: [String], texts: Texts) {
        let style = CSVStyle(.standard, texts: texts, timeZone: .gmt)
        formatter = CSVFormatter(columns: columns.map { SheetColumn(name: $0, label: $0, kind: .text) }, style: style)
        formatter.append(line: columns, to: &buffer)
    }

    package mutating func append(_ batch: borrowing RowBatch) { formatter.append(batch, to: &buffer) }

    /// The bytes since the last call.
    package mutating func take() -> [UInt8] {
        defer { buffer.removeAll() }
        return buffer.array
    }
}
