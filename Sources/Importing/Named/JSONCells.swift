import Foundation
import JSONReading
import Model

/// Rows of a JSON or NDJSON file as cells under the names of their members. A line that is no row is one with a fault, whose text is kept;
/// a mistake in an array ends the reading, because nothing after it can be trusted to be a row.
final class JSONCells: NamedRows {
    private let rows: JSONRows
    private let path: String
    private var columns: NamedColumnList
    /// A failure of the source itself (a damaged archive) is told as it is, not as a mistake in JSON.
    private let sourceFailure: () -> (any Error)?
    var names: [String] { columns.names }

    /// Rows of a file. Throws `ImportFailure.unreadable`.
    convenience init(file path: String, limits: TableLimits = TableLimits()) throws {
        try self.init(try FileStream(path: path), path: path, limits: limits)
    }

    /// Rows of bytes from wherever; `path` names them in places.
    init(_ bytes: any ByteSource, path: String, limits: TableLimits = TableLimits()) throws {
        self.path = path
        columns = NamedColumnList(path: path, limit: limits.columns)
        final class Trouble { var error: (any Error)? }
        let trouble = Trouble()
        rows = JSONRows(limits: limits.json) { count in
            var buffer = [UInt8](repeating: 0, count: count)
            do {
                let read = try bytes.read(into: &buffer, from: 0)
                return Array(buffer.prefix(read))
            } catch {
                trouble.error = error
                throw error
            }
        }
        rows.keepsText = true
        sourceFailure = { trouble.error }
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        do {
            while !batch.isFull, let item = try rows.next() {
                switch item {
                case .row(let row):
                    try SourceRow(
                        value: row.value, raw: row.text, file: path, line: row.line, pointer: row.pointer.isEmpty ? nil : row.pointer
                    ).append(to: &batch, &columns)
                case .mistake(let mistake, let line):
                    if let failure = Self.beyond(mistake, path) { throw failure }
                    // What is no UTF-8 becomes U+FFFD: the quarantine keeps texts.
                    try SourceRow(
                        value: .string(String(decoding: line, as: UTF8.self)), fault: "\(mistake.reason)", file: path, line: mistake.line
                    ).append(to: &batch, &columns)
                }
            }
        } catch let mistake as JSONMistake {
            if let failure = sourceFailure() ?? Self.beyond(mistake, path) { throw failure }
            throw ImportFailure.brokenFile(Place(file: path, line: mistake.line, column: mistake.column), reason: "\(mistake.reason)")
        }
    }

    /// A mistake that is none of the text's form, but goes beyond a bound.
    private static func beyond(_ mistake: JSONMistake, _ path: String) -> TableFailure? {
        let limit: String
        switch mistake.reason {
        case .tooDeep(let value): limit = "jsonDepth \(value)"
        case .textTooLong(let value): limit = "jsonTextBytes \(value)"
        case .numberTooLong(let value): limit = "jsonNumberLength \(value)"
        case .valueTooLarge(let value): limit = "jsonRowBytes \(value)"
        default: return nil
        }
        return .tooLarge(Place(file: path, line: mistake.line, column: mistake.column), kind: JSONFormat.name, limit: limit)
    }
}
