import ArgumentParser
import Exporting
import Foundation
import Model
import Pipeline

/// The format in which rows are shown or written.
enum RowFormat: String, ExpressibleByArgument, CaseIterable {
    case table, csv, json
}

/// Shows or writes rows of any source, batch after batch. Only the text table is collected in
/// memory, and is limited to `mostShown` rows.
struct RowOutput {
    let columns: [String]
    let session: WorkSession

    /// Maximum number of rows in a text table: computing the column widths needs all of them in
    /// memory.
    static let mostShown = 1000
    private static let mostLetters = 100

    /// Passes the formatted rows as bytes to `write`; returns the number of rows written.
    func write(_ rows: any RowSource, as format: RowFormat, to write: ([UInt8]) throws -> Void) throws -> Int {
        switch format {
        case .table: try table(rows, write)
        case .csv: try csv(rows, write)
        case .json: try json(rows, write)
        }
    }

    private func forEachBatch(_ rows: any RowSource, _ body: (borrowing RowBatch) throws -> Bool) throws -> Int {
        var batch = RowBatch(columnCount: columns.count)
        var count = 0
        repeat {
            try rows.fill(&batch)
            count += batch.rowCount
            guard batch.rowCount > 0, try body(batch) else { break }
        } while true
        return count
    }

    private func table(_ rows: any RowSource, _ write: ([UInt8]) throws -> Void) throws -> Int {
        var cells: [[String]] = []
        var isNumber = columns.map { _ in true }
        let count = try forEachBatch(rows) { batch in
            for row in 0..<batch.rowCount {
                cells.append(columns.indices.map { column in
                    if batch.cell(row, column).kind == .text { isNumber[column] = false }
                    return Self.line(batch.description(row, column) ?? "")
                })
            }
            return cells.count <= Self.mostShown
        }
        guard count > 0 else {
            try write(Array((session.text("cli.rows.none") + "\n").utf8))
            return 0
        }
        var table = TextTable(columns, isNumber.map { $0 ? .right : .left })
        for row in cells.prefix(Self.mostShown) { table.add(row) }
        let end = cells.count > Self.mostShown ? "cli.rows.more" : "cli.rows.all"
        try write(
            Array((table.text + "\n\n" + session.text(end, ["count": String(min(count, Self.mostShown))]) + "\n").utf8))
        return min(count, Self.mostShown)
    }

    /// Shortens a cell's text to one line.
    private static func line(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > mostLetters ? line.prefix(mostLetters - 1) + "…" : line
    }

    private func csv(_ rows: any RowSource, _ write: ([UInt8]) throws -> Void) throws -> Int {
        var lines = CSVListing(columns: columns, texts: session.pack.texts)
        try write(lines.take())
        return try forEachBatch(rows) { batch in
            lines.append(batch)
            try write(lines.take())
            return true
        }
    }

    private func json(_ rows: any RowSource, _ write: ([UInt8]) throws -> Void) throws -> Int {
        var document = JSONListing(columns: columns)
        let count = try forEachBatch(rows) { batch in
            document.append(batch)
            try write(document.take())
            return true
        }
        document.end()
        try write(document.take())
        return count
    }
}
