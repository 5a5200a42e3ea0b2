internal import Model

/// A table of dBase or FoxPro by its header: so many records of so many bytes, fields at fixed places. A record marked as deleted is none.
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
            guard whole > 0 else { throw .damaged("\(left) of the \(layout.records) records that its header states are not there") }
            for record in 0..<whole {
                let start = record * layout.record
                if block[start] == UInt8(ascii: "*") { continue }
                let nulls = flags.map { Array(block[(start + $0.start)..<(start + $0.start + $0.length)]) } ?? []
                for (index, field) in fields.enumerated() {
                    if let bit = field.nullBit, isSet(bit, nulls) { continue }
                    var value = block[(start + field.start)..<(start + field.start + field.length)]
                    if let bit = field.lengthBit, isSet(bit, nulls), let length = value.last { value = value.prefix(Int(length)) }
                    try count(Array(value), field, index, layout, memos, &counts)
                }
                counts.endRow()
            }
            place += whole * layout.record
            left -= whole
        }
        return SourceCount(tables: [counts.table(file.stem)])
    }

    private static func isSet(_ bit: Int, _ flags: [UInt8]) -> Bool { bit / 8 < flags.count && flags[bit / 8] >> UInt8(bit % 8) & 1 == 1 }

    private static func count(
        _ bytes: [UInt8], _ field: Field, _ column: Int, _ layout: Layout, _ memos: DBFMemos, _ counts: inout ColumnCounts
    ) throws(CountFault) {
        let isBlank = !bytes.contains { $0 != 0x20 && $0 != 0 }
        switch (Character(Unicode.Scalar(field.type)), field.length) {
        case ("N", _), ("F", _):
            // Around a number there may be blanks; one with a blank in it is none.
            let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0 || byte == 0x09 }
            let digits = Array(Array(bytes.drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
            if digits.isEmpty { return }
            if let number = NumberText.decimal(digits.span) { try counts.fill(column, number: number) } else { try counts.fill(column) }
        case ("I", 4), ("+", 4):
            let bits = UInt32(truncatingIfNeeded: layout.isSeven ? (bytes.high(0, 4) ?? 0) ^ 0x8000_0000 : bytes.low(0, 4) ?? 0)
            try counts.fill(column, number: Double(Int32(bitPattern: bits)))
        case ("Y", 8): try counts.fill(column, number: Double(bytes.low(0, 8) ?? 0) / 10_000)
        case ("B", 8): try fill(Double(bitPattern: UInt64(bitPattern: Int64(bytes.low(0, 8) ?? 0))), column, &counts)
        case ("O", 8):
            // Kept so that the bytes sort: a positive number has its sign turned, a negative one all its bits.
            let bits = UInt64(bitPattern: Int64(bytes.high(0, 8) ?? 0))
            try fill(bits == 0 ? 0 : Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits), column, &counts)
        case ("B", _) where layout.isVisual: if !isBlank { try counts.fill(column) }
        case ("M", _), ("G", _), ("P", _), ("W", _), ("B", _):
            let digits = bytes.filter { $0 != 0x20 && $0 != 0 && $0 != 0x09 }
            let block = field.length == 4 ? bytes.low(0, 4) : digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self))
            if block != 0, try memos.holdsSomething(block ?? -1) { try counts.fill(column) }
        case ("D", _): if bytes.contains(where: { $0 != 0x20 && $0 != 0 && $0 != 0x09 && $0 != 0x30 }) { try counts.fill(column) }
        case ("L", 1): if !isBlank, bytes != [0x3F] { try counts.fill(column) }
        default: if !isBlank { try counts.fill(column) }
        }
    }

    private static func fill(_ value: Double, _ column: Int, _ counts: inout ColumnCounts) throws(CountFault) {
        if value.isFinite { try counts.fill(column, number: value) } else { try counts.fill(column) }
    }

    /// The header: 32 bytes and 32 for each field; 68 and 48 in dBase 7; 8 and 16 in dBase II.
    private static func layout(_ bytes: [UInt8]) throws(CountFault) -> Layout {
        guard let version = bytes.first, bytes.count > 32 else { throw .damaged("its header is cut off") }
        let isVisual = 0x30...0x32 ~= version
        if version == 0x02 {
            guard let record = bytes.low(6, 2), let records = bytes.low(1, 2),
                let fields = fields(bytes, from: 8, size: 16, name: 11, end: 520, record: record, isVisual: false)
            else { throw .damaged("its fields do not make up its record") }
            return Layout(fields: fields, head: 521, record: record, records: records, isVisual: false, isSeven: false)
        }
        guard let records = bytes.low(4, 4), let head = bytes.low(8, 2), let record = bytes.low(10, 2), record > 0 else { throw .damaged("its header is cut off") }
        guard isVisual || bytes[15] != 1 else { throw .encrypted }
        if let fields = fields(bytes, from: 32, size: 32, name: 11, end: head, record: record, isVisual: isVisual) {
            return Layout(fields: fields, head: head, record: record, records: records, isVisual: isVisual, isSeven: false)
        }
        if let fields = fields(bytes, from: 68, size: 48, name: 32, end: head, record: record, isVisual: false) {
            return Layout(fields: fields, head: head, record: record, records: records, isVisual: false, isSeven: true)
        }
        throw .damaged("its fields do not make up its record")
    }

    /// The fields, if their lengths make up the record's.
    private static func fields(
        _ bytes: [UInt8], from first: Int, size: Int, name: Int, end: Int, record: Int, isVisual: Bool
    ) -> [Field]? {
        // Long texts of Clipper and FoxPro have the upper byte of their length where the decimals stand.
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
                var field = Field(name: String(decoding: label, as: UTF8.self).trimmed, type: type, start: start, length: length)
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
