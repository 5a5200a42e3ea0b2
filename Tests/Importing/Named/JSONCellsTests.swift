import Foundation
import JSONReading
import Model
import Testing
import Workbench

@testable import Importing

/// Cells that are set while a text is parsed must be equal to those from rows that are first made
/// into values.
@Suite struct JSONCellsTests {
    /// Bytes that are read in small pieces.
    private final class Pieces: ByteSource {
        private var rest: ArraySlice<UInt8>
        private let size: Int

        init(_ bytes: [UInt8], size: Int) { (rest, self.size) = (bytes[...], size) }

        func read(into buffer: inout [UInt8], from offset: Int) -> Int {
            let piece = rest.prefix(min(size, buffer.count - offset))
            buffer.replaceSubrange(offset..<offset + piece.count, with: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }

    /// The content of rows: a line of text for each row, then the names of all columns.
    private static func content(_ rows: any NamedRows, into empty: ForeignBatch) throws -> [String] {
        var batch = empty
        var lines: [String] = []
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { return lines + [rows.names.joined(separator: "|")] }
            for row in 0..<batch.rowCount {
                let cells = (0..<batch.width(row)).compactMap { column in
                    let cell = batch.cell(row, column)
                    return cell.kind == .empty ? nil : "\(column) \(cell.kind)(\(String(decoding: batch.text[cell.range], as: UTF8.self)))"
                }
                let text = batch.sourceText(row)
                lines.append("\(batch.rows[row].number) \(batch.pointers[row] ?? "-") \(batch.remarks[row]?.fault ?? "-") \(cells) \(text)")
            }
        }
    }

    /// Writes a random value in one of many ways.
    private struct Writer {
        var numbers: SeededNumbers
        private static let texts = [
            "a", "Ñandú", "\\u00e9", "e\u{301}", "\\ud83d\\ude00", "😀", "\\\"", "\\\\", "\\/", "\\b\\f\\n\\r\\t", "\\u0000", "\\u001f", "\u{7F}", "\\u007F", " ", "/~", "\u{2028}",
        ]
        private static let keys = ["id", "a", "b", "c d", "é", "e\u{301}", "\\u00e9", "x/y", "~", "", "Ω", "Ω", "K", "\u{212A}"]
        private static let figures = ["0", "-0", "7", "1.10", "-3e-5", "1E+05", "0.0e0", "123456789012345678901234567890", "12.50", "-1.0E-10"]

        mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: 0..<items.count, using: &numbers)] }
        mutating func space(_ lineEnds: Bool) -> String { pick(["", "", "", " ", "\t"] + (lineEnds ? ["\n", " \r\n "] : [])) }
        mutating func text() -> String { "\"" + (0..<Int.random(in: 0...5, using: &numbers)).map { _ in pick(Self.texts) }.joined() + "\"" }

        mutating func value(_ depth: Int, _ lineEnds: Bool) -> String {
            switch Int.random(in: 0..<(depth > 3 ? 8 : 11), using: &numbers) {
            case 0: return "null"
            case 1: return "true"
            case 2: return "false"
            case 3...5: return pick(Self.figures)
            case 6, 7: return text()
            case 8: return object(depth, Int.random(in: 0...(depth == 2 ? 40 : 3), using: &numbers), lineEnds)
            default:
                let items = (0..<Int.random(in: 0...3, using: &numbers)).map { _ in space(lineEnds) + value(depth + 1, lineEnds) + space(lineEnds) }
                return "[" + (items.isEmpty ? space(lineEnds) : items.joined(separator: ",")) + "]"
            }
        }

        /// A few keys are used often, so some occur twice. Most other keys are new.
        mutating func object(_ depth: Int, _ count: Int, _ lineEnds: Bool) -> String {
            var keys: [String] = count > 6 ? (0..<count).map { "\($0)" } : []
            if count > 6, Int.random(in: 0..<8, using: &numbers) == 0 { keys.append(pick(keys)) }
            if count <= 6 {
                for _ in 0..<count { keys.append(pick(Self.keys)) }
                if Int.random(in: 0..<4, using: &numbers) > 0 { keys = Array(Set(keys.map { $0 })).sorted() }
            } else if Bool.random(using: &numbers) {
                keys.shuffle(using: &numbers)
            }
            let members = keys.map { key in
                space(lineEnds) + "\"\(key)\"" + space(lineEnds) + ":" + space(lineEnds) + value(depth + 1, lineEnds) + space(lineEnds)
            }
            return "{" + (members.isEmpty ? space(lineEnds) : members.joined(separator: ",")) + "}"
        }

        mutating func row(_ lineEnds: Bool) -> String {
            object(1, Int.random(in: 0..<10, using: &numbers) == 0 ? Int.random(in: 7...150, using: &numbers) : Int.random(in: 0...6, using: &numbers), lineEnds)
        }

        mutating func breaking(_ line: String) -> [UInt8] {
            var bytes = Array(line.utf8)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: bytes.removeLast(Int.random(in: 0...min(5, bytes.count), using: &numbers))
            case 1: bytes += Array(pick(["x", "{}", ",", "5", "]"]).utf8)
            case 2: bytes.insert(pick([0xFF, 0xC3, 0x0C, 0x00, 0x22, 0x5C]), at: Int.random(in: 0...bytes.count, using: &numbers))
            default: bytes = Array(pick(["5", "[{}]", "\"a\"", "nul", "{\"a\":\"\\ud800\"}", "[1"]).utf8)
            }
            return bytes
        }
    }

    private static let batches = [(1, 1), (256, 1), (3, 64), (256, 1000), (256, 1 << 18), (1 << 30, 1 << 30)]

    private func check(_ bytes: [UInt8], _ expected: [SourceRow], _ seed: Int) throws {
        let wanted = try Self.content(
            GeneratedRows(expected, path: "f"), into: ForeignBatch(mostRows: 1 << 30, mostRoom: 1 << 30))
        for (index, (rows, room)) in Self.batches.enumerated() {
            let size = [61, 1000, 1 << 16, 1 << 20][(index + seed) % 4]
            let found = try Self.content(try JSONCells(Pieces(bytes, size: size), path: "f"), into: ForeignBatch(mostRows: rows, mostRoom: room))
            if let place = zip(found, wanted).first(where: { $0 != $1 }) ?? (found.count == wanted.count ? nil : ("\(found.count)", "\(wanted.count)")) {
                Issue.record("seed \(seed), \(rows) rows, \(room) bytes, pieces of \(size):\n\(place.0)\n\(place.1)")
                return
            }
        }
    }

    @Test("Random lines, valid or broken, give the same cells as values made of them", arguments: 0..<20)
    func lines(seed: Int) throws {
        var writer = Writer(numbers: SeededNumbers(seed))
        var text = Array("{}\n{}\n".utf8), expected = (1...2).map { SourceRow(value: .object([]), raw: "{}", file: "f", line: $0) }
        for number in 3...Int.random(in: 4...100, using: &writer.numbers) {
            let isBroken = Int.random(in: 0..<8, using: &writer.numbers) == 0
            let line = writer.row(false)
            let bytes = isBroken ? writer.breaking(line) : Array(line.utf8)
            text += bytes + [0x0A]
            if bytes.isEmpty { continue }
            let written = String(decoding: bytes, as: UTF8.self)
            do throws(JSONMistake) {
                let value = try JSONValue.parse(bytes)
                guard case .object = value else {
                    expected.append(SourceRow(value: .string(written), fault: "a row must be an object", file: "f", line: number))
                    continue
                }
                expected.append(SourceRow(value: value, raw: written, file: "f", line: number))
            } catch {
                expected.append(SourceRow(value: .string(written), fault: "\(error.reason)", file: "f", line: number))
            }
        }
        try check(text, expected, seed)
    }

    @Test("Random documents give the same cells and the same texts of rows as values made of them", arguments: 0..<20)
    func documents(seed: Int) throws {
        var writer = Writer(numbers: SeededNumbers(seed + 1000))
        let isObject = Bool.random(using: &writer.numbers)
        var text = isObject ? "{\"n/a\": [\n" : "[ ", expected: [SourceRow] = []
        let count = Int.random(in: 1...60, using: &writer.numbers)
        while expected.count < count {
            let row = writer.row(true)
            guard let value = try? JSONValue.parse(row) else { continue }
            text += expected.isEmpty ? "" : "," + writer.space(true)
            expected.append(
                SourceRow(
                    value: value, file: "f", line: text.utf8.count { $0 == 0x0A } + 1, pointer: (isObject ? "/n~1a/" : "/") + "\(expected.count)"))
            text += row + writer.space(true)
        }
        try check(Array((text + (isObject ? "]}" : "]")).utf8), expected, seed)
    }

    @Test func columnsOfALineThatIsNoRowAreNone() throws {
        let lines = "{\"a\":1}\n{\"b\":1,\"c\":}\n{\"c\":2,\"a\":1}\n{\"a\":1,\"b\":2,\"a\":3}\n{\"d\":3}\n"
        let rows = try JSONCells(Pieces(Array(lines.utf8), size: 9), path: "f")
        #expect(try Self.content(rows, into: ForeignBatch()).last == "a|c|d")
    }

    @Test func boundsHold() throws {
        func failure(_ text: String, _ limits: TableLimits) -> TableFailure? {
            do {
                _ = try Self.content(try JSONCells(Pieces(Array(text.utf8), size: 100), path: "f", limits: limits), into: ForeignBatch())
            } catch { return error as? TableFailure }
            return nil
        }
        func limited(_ change: (inout TableLimits) -> Void) -> TableLimits {
            var limits = TableLimits()
            change(&limits)
            return limits
        }
        let start = "{\"a\":1}\n{\"a\":1}\n"
        let cases: [(String, String, TableLimits)] = [
            ("{\"a\":[[1]]}", "jsonDepth 2", limited { $0.json.depth = 2 }), ("{\"a\":\"12345\"}", "jsonTextBytes 4", limited { $0.json.textBytes = 4 }),
            ("{\"a\":12345}", "jsonNumberLength 4", limited { $0.json.numberLength = 4 }), ("{\"a\":      1}", "jsonRowBytes 9", limited { $0.json.valueBytes = 9 }),
            ("{\"a\":1,\"b\":2,\"c\":3}", "columns 2", limited { $0.columns = 2 }),
        ]
        for (row, limit, limits) in cases {
            for text in [start + row + "\n" + start, "[{\"a\":1}\n,\n\(row)]"] {
                let found = failure(text, limits)
                #expect(found?.code == "TABLE-TOO-LARGE", "\(text): \(String(describing: found))")
                #expect(found?.arguments["limit"] == limit)
                #expect(found?.place?.line == 3)
            }
        }
    }
}
