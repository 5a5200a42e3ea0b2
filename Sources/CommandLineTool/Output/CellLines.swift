import Foundation
import Importing
import Model
import OutputFiles

/// The cells of external files as the reader delivers them, as lines of JSON on standard output:
/// for each table a line that describes it, then one for each row. The output is streamed, and
/// nothing is checked or left out, so that a reader can be compared with another program.
struct CellLines {
    private struct Head: Encodable {
        var file: String
        var kind: String
        var table: String
        var hidden: Bool
        /// The column names, if the file's format defines them.
        var columns: [String]?
    }

    private var line: [UInt8] = []
    private static let names = ["empty", "text", "number", "boolean", "date", "dateTime", "time", "error"].map {
        Array($0.utf8)
    }

    /// Writes the cells of a file, or of a folder of files with tables.
    ///
    /// Throws `ImportFailure.unknownKind` for a source that has no cells: JSON, a package, a
    /// drawing.
    mutating func write(_ path: String, options: TableOptions) throws {
        guard try SourceFormats.name(of: SourceLocation(path: path)) == nil else {
            throw ImportFailure.unknownKind(path: path, known: TableFiles.all.map { $0.kind })
        }
        let file = try TableFiles.openFileOrFolder(path: path, options: options)
        var batch = ForeignBatch()
        for table in file.tables {
            let head = Head(
                file: table.file ?? path, kind: file.contentKind, table: table.name, hidden: table.isHidden,
                columns: table.columns)
            line.append(contentsOf: Array(try Self.encoder.encode(head)) + [0x0A])
            let rows = try table.open()
            repeat {
                do {
                    try rows.fill(&batch)
                } catch {
                    // The rows before the failure are written, so that the user sees where the
                    // reading ended.
                    try flush()
                    throw error
                }
                for row in 0..<batch.rowCount {
                    append(batch, row)
                    if line.count >= 1 << 16 { try flush() }
                }
            } while batch.rowCount > 0
        }
        try flush()
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    private mutating func append(_ batch: ForeignBatch, _ row: Int) {
        line.append(contentsOf: "{\"row\":\(batch.rows[row].number),\"cells\":[".utf8)
        for column in 0..<batch.width(row) {
            if column > 0 { line.append(0x2C) }
            let cell = batch.cell(row, column)
            guard cell.kind != .empty else {
                line.append(contentsOf: "null".utf8)
                continue
            }
            line.append(contentsOf: "[\"".utf8)
            line.append(contentsOf: Self.names[Int(cell.kind.rawValue)])
            line.append(contentsOf: "\",\"".utf8)
            append(batch.text.span.extracting(cell.range))
            line.append(contentsOf: "\"]".utf8)
        }
        line.append(contentsOf: "]}\n".utf8)
    }

    /// Appends the bytes of a text within quotation marks.
    private mutating func append(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            let byte = bytes[index]
            switch byte {
            case 0x22, 0x5C: line.append(contentsOf: [0x5C, byte])
            case 0x00...0x1F, 0x7F:
                line.append(contentsOf: "\\u00".utf8)
                for digit in [byte >> 4, byte & 15] { line.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
            default: line.append(byte)
            }
        }
    }

    private mutating func flush() throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(line))
        } catch {
            throw OutputFailure.inputOutput(path: "-", reason: error.localizedDescription)
        }
        line.removeAll(keepingCapacity: true)
    }
}
