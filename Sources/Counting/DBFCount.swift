internal import Foundation
internal import Model

/// Counts a table of dBase or FoxPro by its header: a number of records of equal length, with
/// fields at fixed offsets. Records marked as deleted are not counted.
enum DBFCount: FileCount {
    static let kind = "dbf"

    private struct Field {
        var name: String
        var type: UInt8
        var start: Int
        var length: Int
        var nullBit: Int?
        var lengthBit: Int?
    }

    private struct Layout {
        var fields: [Field]
        var head: Int
        var record: Int
        var records: Int
        var isVisual: Bool
        var isSeven: Bool
    }

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let layout = try self.layout(try file.read(at: 0, 1 << 17))
        let flags = layout.fields.first { $0.type == UInt8(ascii: "0") }
        let fields = layout.fields.filter { $0.type != UInt8(ascii: "0") }
        let memos = DBFMemos(beside: file, isWithout: options.isWithoutMemos)
        var counts = ColumnCounts(numbers: true)
        for (index, field) in fields.enumerated() { try counts.name(index, field.name) }
        var place = layout.head
        var left = layout.records
        let share = max(1, (1 << 17) / layout.record)
        while left > 0 {
            let block = try file.read(at: place, min(share, left) * layout.record)
            let whole = block.count / layout.record
            guard whole > 0 else {
                throw .damaged("\(left) of the \(layout.records) records that its header states are not there")
            }
            for record in 0..<whole {
                let start = record * layout.record
                if block[start] == UInt8(ascii: "*") { continue }
                let nulls = flags.map { Array(block[(start + $0.start)..<(start + $0.start + $0.length)]) } ?? []
                for (index, field) in fields.enumerated() {
                    if let bit = field.nullBit, isSet(bit, nulls) { continue }
                    var value = block[(start + field.start)..<(start + field.start + field.length)]
                    if let bit = field.lengthBit, isSet(bit, nulls), let length = value.last {
                        value = value.prefix(Int(length))
                    }
                    try count(Array(value), field, index, layout, memos, &counts)
                }
                counts.endRow()
            }
            place += whole * layout.record
            left -= whole
        }
        return SourceCount(tables: [counts.table(file.stem)])
    }

    private static func isSet(_ bit: Int, _ flags: [UInt8]) -> Bool {
        bit / 8 < flags.count && flags[bit / 8] >> UInt8(bit % 8) & 1 == 1
    }

    private static func count(
        _ bytes: [UInt8], _ field: Field, _ column: Int, _ layout: Layout, _ memos: DBFMemos,
        _ counts: inout ColumnCounts
    ) throws(CountFault) {
        let isBlank = !bytes.contains { $0 != 0x20 && $0 != 0 }
        switch (Character(Unicode.Scalar(field.type)), field.length) {
        case ("N", _), ("F", _):
            // Blanks may surround a number; a text with a blank inside is not a number.
            let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0 || byte == 0x09 }
            let digits = Array(Array(bytes.drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
            if digits.isEmpty { return }
            if let number = NumberText.decimal(digits.span) {
                try counts.fill(column, number: number)
            } else {
                try counts.fill(column)
            }
        case ("I", 4), ("+", 4):
            let bits = UInt32(
                truncatingIfNeeded: layout.isSeven ? (bytes.high(0, 4) ?? 0) ^ 0x8000_0000 : bytes.low(0, 4) ?? 0)
            try counts.fill(column, number: Double(Int32(bitPattern: bits)))
        case ("Y", 8): try counts.fill(column, number: Double(bytes.low(0, 8) ?? 0) / 10_000)
        case ("B", 8): try fill(Double(bitPattern: UInt64(bitPattern: Int64(bytes.low(0, 8) ?? 0))), column, &counts)
        case ("O", 8):
            // The bytes of doubles sort in numeric order: a positive number has its sign bit
            // inverted, a negative one all its bits.
            let bits = UInt64(bitPattern: Int64(bytes.high(0, 8) ?? 0))
            try fill(bits == 0 ? 0 : Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits), column, &counts)
        case ("B", _) where layout.isVisual: if !isBlank { try counts.fill(column) }
        case ("M", _), ("G", _), ("P", _), ("W", _), ("B", _):
            let digits = bytes.filter { $0 != 0x20 && $0 != 0 && $0 != 0x09 }
            let block =
                field.length == 4 ? bytes.low(0, 4) : digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self))
            if block != 0, try memos.holdsSomething(block ?? -1) { try counts.fill(column) }
        case ("D", _):
            if bytes.contains(where: { $0 != 0x20 && $0 != 0 && $0 != 0x09 && $0 != 0x30 }) { try counts.fill(column) }
        case ("L", 1): if !isBlank, bytes != [0x3F] { try counts.fill(column) }
        default: if !isBlank { try counts.fill(column) }
        }
    }

    private static func fill(_ value: Double, _ column: Int, _ counts: inout ColumnCounts) throws(CountFault) {
        if value.isFinite { try counts.fill(column, number: value) } else { try counts.fill(column) }
    }

    /// The layout by the header: 32 bytes and 32 for each field; 68 and 48 in dBase 7; 8 and 16 in
    /// dBase II.
    private static func layout(_ bytes: [UInt8]) throws(CountFault) -> Layout {
        guard let version = bytes.first, bytes.count > 32 else { throw .damaged("its header is cut off") }
        let isVisual = 0x30...0x32 ~= version
        if version == 0x02 {
            guard let record = bytes.low(6, 2), let records = bytes.low(1, 2),
                let fields = fields(bytes, from: 8, size: 16, name: 11, end: 520, record: record, isVisual: false)
            else { throw .damaged("its fields do not make up its record") }
            return Layout(fields: fields, head: 521, record: record, records: records, isVisual: false, isSeven: false)
        }
        guard let records = bytes.low(4, 4), let head = bytes.low(8, 2), let record = bytes.low(10, 2), record > 0
        else { throw .damaged("its header is cut off") }
        guard isVisual || bytes[15] != 1 else { throw .encrypted }
        if let fields = fields(bytes, from: 32, size: 32, name: 11, end: head, record: record, isVisual: isVisual) {
            return Layout(
                fields: fields, head: head, record: record, records: records, isVisual: isVisual, isSeven: false)
        }
        if let fields = fields(bytes, from: 68, size: 48, name: 32, end: head, record: record, isVisual: false) {
            return Layout(fields: fields, head: head, record: record, records: records, isVisual: false, isSeven: true)
        }
        throw .damaged("its fields do not make up its record")
    }

    /// The fields, if their lengths add up to the length of the record.
    private static func fields(
        _ bytes: [UInt8], from first: Int, size: Int, name: Int, end: Int, record: Int, isVisual: Bool
    ) -> [Field]? {
        // Clipper and FoxPro store the upper byte of a long text's length in the place of the
        // decimals.
        for hasLongTexts in [false, true] {
            var found: [Field] = []
            var (start, bit) = (1, 0)
            for position in stride(from: first, to: min(end, bytes.count), by: size) {
                guard bytes[position] != 0x0D, position + size <= bytes.count else { break }
                let type = bytes[position + name]
                let lengthPlace = position + (size == 16 ? 12 : name == 32 ? 33 : 16)
                var length = Int(bytes[lengthPlace])
                if hasLongTexts, type == UInt8(ascii: "C") { length += Int(bytes[lengthPlace + 1]) << 8 }
                guard length > 0 else { return nil }
                let label = bytes[position..<(position + name)].prefix { $0 != 0 }
                var field = Field(
                    name: String(decoding: label, as: UTF8.self).trimmed, type: type, start: start, length: length)
                if isVisual, type == UInt8(ascii: "V") || type == UInt8(ascii: "Q") {
                    field.lengthBit = bit
                    bit += 1
                }
                if isVisual, type != UInt8(ascii: "0"), bytes[position + 18] & 2 != 0 {
                    field.nullBit = bit
                    bit += 1
                }
                found.append(field)
                start += length
            }
            if start == record, !found.isEmpty { return found }
        }
        return nil
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
        return String(text.drop { $0 == " " || $0 == "\t" })
    }
}

/// The memo file beside a table. It determines whether a memo contains anything but blanks.
final class DBFMemos {
    private let file: SourceFile?
    private let isFoxPro: Bool
    private let block: Int
    /// Whether memos count as empty if there is no memo file.
    private let isWithout: Bool
    private static var mostBytes: Int { CountBounds.current.dbfMemoBytes }

    init(beside table: SourceFile, isWithout: Bool) {
        self.isWithout = isWithout
        let url = URL(fileURLWithPath: table.path)
        let folder = url.deletingLastPathComponent()
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        let found = ["fpt", "dbt", "sct", "vct", "dct"].lazy
            .compactMap { ending in names.first { $0.lowercased() == table.stem.lowercased() + "." + ending } }.first
        file = found.flatMap { try? SourceFile(folder.appendingPathComponent($0).path, isCancelled: table.isCancelled) }
        isFoxPro = !(found?.lowercased().hasSuffix(".dbt") ?? false)
        let head = (try? file?.read(at: 0, 32)) ?? []
        if isFoxPro {
            block = max(1, head.high(6, 2) ?? 0)
        } else {
            let size = head.low(20, 2) ?? 0
            block = size >= 512 && size % 512 == 0 && head.count > 16 && head[16] != 3 ? size : 512
        }
    }

    /// Whether a memo has content. A memo that cannot be found counts as filled, because the reader
    /// reports it.
    func holdsSomething(_ number: Int) throws(CountFault) -> Bool {
        guard let file else { return !isWithout }
        guard number > 0, number <= file.count / block else { return true }
        let start = number * block
        let head = try file.read(at: start, 8)
        if isFoxPro {
            guard let kind = head.high(0, 4), let length = head.high(4, 4), kind == 1, length <= file.count - start - 8
            else { return true }
            return try holdsText(start + 8, length, ends: false)
        }
        if head.starts(with: [0xFF, 0xFF, 0x08, 0x00]) {
            guard let length = head.low(4, 4), length >= 8, length <= file.count - start else { return true }
            return try holdsText(start + 8, length - 8, ends: false)
        }
        return try holdsText(start, file.count - start, ends: true)
    }

    private func holdsText(_ start: Int, _ length: Int, ends: Bool) throws(CountFault) -> Bool {
        guard let file, ends || length <= Self.mostBytes else { return true }
        var done = 0
        while done < min(length, Self.mostBytes) {
            let piece = try file.read(at: start + done, min(4096, length - done))
            if piece.isEmpty { return true }
            for byte in piece {
                if ends, byte == 0x1A { return false }
                if byte != 0x20, byte != 0 { return true }
            }
            done += piece.count
        }
        return ends
    }
}

extension CountBounds {
    var dbfMemoBytes: Int { self["dbfMemoBytes", usually: 16 << 20] }
}
