internal import Model

/// Records of a table, read in blocks of 128 KiB.
final class DBFRows: ForeignRows {
    private let file: FileBytes
    private let header: DBFHeader
    private let memo: DBFMemo?
    private let codePage: CodePage
    /// Whether memos become empty cells if their file is missing.
    private let isWithoutMemos: Bool
    private weak var owner: DBFFile?
    private let fields: [DBFField]
    private let nullFlags: DBFField?
    private var record = 0
    private var block: [UInt8] = []
    private var blockStart = 0
    private var scratch: [UInt8] = []

    init(
        file: FileBytes, header: DBFHeader, memo: DBFMemo?, codePage: CodePage, isWithoutMemos: Bool = false,
        owner: DBFFile?
    ) {
        self.isWithoutMemos = isWithoutMemos
        self.file = file
        self.header = header
        self.memo = memo
        self.codePage = codePage
        self.owner = owner
        fields = header.fields.filter { $0.type != UInt8(ascii: "0") }
        nullFlags = header.fields.first { $0.type == UInt8(ascii: "0") }
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        do {
            while !batch.isFull {
                guard record < header.statedRecords else {
                    try checkEnd()
                    return
                }
                let bytes = try next()
                record += 1
                if bytes.first == UInt8(ascii: "*") {
                    owner?.deletedRecords += 1
                    continue
                }
                for field in fields { try append(field, of: bytes, to: &batch) }
                batch.endRow(number: record)
            }
        } catch let damage as DBFDamage {
            throw TableFailure.damaged(
                Place(file: file.path, line: damage.record ?? record), kind: DBFFile.kind, reason: damage.reason)
        }
    }

    /// Returns the next record's bytes. A table with fewer records than it states is damaged.
    private func next() throws -> ArraySlice<UInt8> {
        let length = header.recordLength
        if blockStart + length > block.count {
            let count = max(1, (1 << 17) / length)
            block = file.read(at: header.headerLength + record * length, count * length)
            blockStart = 0
        }
        guard blockStart + length <= block.count else {
            let isEnd = block.count - blockStart <= 1
            throw DBFDamage(
                isEnd
                    ? "it says it has \(header.statedRecords) records and has \(record)"
                    : "record \(record + 1) is cut off", record: record + 1)
        }
        let bytes = block[blockStart..<(blockStart + length)]
        guard bytes.first == 0x20 || bytes.first == UInt8(ascii: "*") || bytes.first == 0 else {
            throw DBFDamage(
                "record \(record + 1) begins with neither a blank nor the mark of deletion", record: record + 1)
        }
        blockStart += length
        return bytes
    }

    /// Throws if a whole record follows the last stated one, because that record would be lost.
    private func checkEnd() throws {
        let end = header.headerLength + record * header.recordLength
        let rest = file.read(at: end, header.recordLength)
        guard rest.count == header.recordLength, rest.first == 0x20 || rest.first == UInt8(ascii: "*") else { return }
        throw DBFDamage("it says it has \(header.statedRecords) records and has more", record: record + 1)
    }

    private func append(_ field: DBFField, of record: ArraySlice<UInt8>, to batch: inout ForeignBatch) throws {
        var bytes = record.dropFirst(field.start).prefix(field.length)
        if let bit = field.nullBit, isSet(bit, record) { return batch.appendEmpty() }
        let isVisual = header.isVisualFoxPro
        switch field.type {
        case UInt8(ascii: "N"), UInt8(ascii: "F"): Self.number(bytes, into: &batch)
        case UInt8(ascii: "D"): Self.date(bytes, into: &batch)
        case UInt8(ascii: "L") where field.length == 1: Self.logical(bytes.first ?? 0, into: &batch)
        case UInt8(ascii: "M"), UInt8(ascii: "G"), UInt8(ascii: "P"), UInt8(ascii: "W"):
            try appendMemo(field, bytes, to: &batch)
        case UInt8(ascii: "B") where !isVisual && field.length != 8: try appendMemo(field, bytes, to: &batch)
        case UInt8(ascii: "B") where field.length == 8: Self.double(bytes.little(0, 8) ?? 0, into: &batch)
        case UInt8(ascii: "O") where field.length == 8:
            // dBase 7 stores doubles so that their bytes sort in numeric order.
            let sorted = bytes.big(0, 8) ?? 0
            Self.double(sorted == 0 ? 0 : sorted >> 63 == 1 ? sorted ^ 1 << 63 : ~sorted, into: &batch)
        case UInt8(ascii: "I") where field.length == 4, UInt8(ascii: "+") where field.length == 4:
            if header.layout == .dBase7 {
                batch.append(.number, String(Int32(truncatingIfNeeded: (bytes.big(0, 4) ?? 0) ^ 0x8000_0000)))
            } else {
                batch.append(.number, String(bytes.signed32(0) ?? 0))
            }
        case UInt8(ascii: "Y") where field.length == 8:
            Self.currency(Int64(bitPattern: bytes.little(0, 8) ?? 0), into: &batch)
        case UInt8(ascii: "T") where field.length == 8, UInt8(ascii: "@") where field.length == 8:
            Self.dateTime(bytes, into: &batch)
        case UInt8(ascii: "C"), UInt8(ascii: "V"):
            if let bit = field.lengthBit, isSet(bit, record), let length = bytes.last {
                bytes = bytes.prefix(min(Int(length), bytes.count))
            }
            appendText(bytes, to: &batch)
        default:
            // Binary values, and fields whose length does not match their type.
            if let bit = field.lengthBit, isSet(bit, record), let length = bytes.last {
                bytes = bytes.prefix(min(Int(length), bytes.count))
            }
            if bytes.allSatisfy({ $0 == 0 || $0 == 0x20 }) { return batch.appendEmpty() }
            batch.append(.error, OldValueText.hexadecimal(bytes))
        }
    }

    /// Appends a text without the blanks that fill up its field.
    private func appendText(_ bytes: ArraySlice<UInt8>, to batch: inout ForeignBatch) {
        guard let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0 }) else { return batch.appendEmpty() }
        var text: [UInt8] = []
        swap(&text, &scratch)
        text.removeAll(keepingCapacity: true)
        codePage.decode(bytes[bytes.startIndex...last], into: &text)
        batch.append(.text, text.span)
        swap(&text, &scratch)
    }

    private func appendMemo(_ field: DBFField, _ bytes: ArraySlice<UInt8>, to batch: inout ForeignBatch) throws {
        guard let block = DBFMemo.block(bytes) else {
            return batch.append(.error, "memo \(OldValueText.printable(OldValueText.trimmed(bytes)))")
        }
        guard block != 0 else { return batch.appendEmpty() }
        guard let memo else {
            if isWithoutMemos { return batch.appendEmpty() }
            throw DBFFile.missingMemo(file.path, record: record)
        }
        switch try memo.value(block) {
        case .text(let text): appendText(text[...], to: &batch)
        case .binary(let count): batch.append(.error, "memo \(block): \(count) bytes that are no text")
        case .unreadable(let reason): batch.append(.error, "memo \(block): \(reason)")
        }
    }

    private func isSet(_ bit: Int, _ record: ArraySlice<UInt8>) -> Bool {
        guard let nullFlags, bit >> 3 < nullFlags.length else { return false }
        return record.dropFirst(nullFlags.start + (bit >> 3)).first.map { $0 >> UInt8(bit & 7) & 1 == 1 } ?? false
    }
}

/// Converts a field's bytes to a cell. A value that does not fit the field's type becomes an error
/// cell and is never dropped.
extension DBFRows {
    /// Digits with blanks, in fields of the types N and F.
    private static func number(_ bytes: ArraySlice<UInt8>, into batch: inout ForeignBatch) {
        let plain = OldValueText.trimmed(bytes)
        if plain.isEmpty { return batch.appendEmpty() }
        guard let number = OldValueText.number(plain) else {
            return batch.append(.error, OldValueText.printable(plain))
        }
        batch.append(.number, number)
    }

    /// A date as `yyyyMMdd`.
    private static func date(_ bytes: ArraySlice<UInt8>, into batch: inout ForeignBatch) {
        let plain = OldValueText.trimmed(bytes)
        if plain.isEmpty || plain.allSatisfy({ $0 == UInt8(ascii: "0") }) { return batch.appendEmpty() }
        let digits = plain.map { Int($0) - 48 }
        guard digits.count == 8, digits.allSatisfy({ 0...9 ~= $0 }) else {
            return batch.append(.error, OldValueText.printable(plain))
        }
        let number = digits.reduce(0) { $0 * 10 + $1 }
        guard let day = GregorianDay(year: number / 10000, month: number / 100 % 100, day: number % 100) else {
            return batch.append(.error, OldValueText.printable(plain))
        }
        batch.append(.date, day.text)
    }

    private static func logical(_ byte: UInt8, into batch: inout ForeignBatch) {
        switch byte {
        case UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "Y"), UInt8(ascii: "y"), UInt8(ascii: "S"),
            UInt8(ascii: "s"),
            UInt8(ascii: "1"):
            batch.append(.boolean, "true")
        case UInt8(ascii: "F"), UInt8(ascii: "f"), UInt8(ascii: "N"), UInt8(ascii: "n"), UInt8(ascii: "0"):
            batch.append(.boolean, "false")
        case UInt8(ascii: "?"), UInt8(ascii: " "), 0: batch.appendEmpty()
        default: batch.append(.error, OldValueText.printable([byte]))
        }
    }

    /// A Julian day and milliseconds, as Visual FoxPro stores a date and time.
    private static func dateTime(_ bytes: ArraySlice<UInt8>, into batch: inout ForeignBatch) {
        if bytes.allSatisfy({ $0 == 0 || $0 == 0x20 }) { return batch.appendEmpty() }
        guard let julian = bytes.signed32(0), let stated = bytes.signed32(4), 0...86_400_000 ~= stated,
            let day = GregorianDay(julian: julian)
        else { return batch.append(.error, OldValueText.hexadecimal(bytes)) }
        // FoxPro's milliseconds may be slightly below the second: 11:59:59.999 for noon.
        let seconds = min(86399, (stated + 1) / 1000)
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(2) }
        batch.append(.dateTime, "\(day.text)T\(parts.joined(separator: ":"))")
    }

    private static func double(_ pattern: UInt64, into batch: inout ForeignBatch) {
        let value = Double(bitPattern: pattern)
        guard value.isFinite else { return batch.append(.error, "\(value)") }
        batch.append(.number, OldValueText.shortest(value))
    }

    /// An amount in ten-thousandths.
    private static func currency(_ units: Int64, into batch: inout ForeignBatch) {
        let whole = units.magnitude / 10000
        let part = String(units.magnitude % 10000)
        batch.append(.number, "\(units < 0 ? "-" : "")\(whole).\(String(repeating: "0", count: 4 - part.count))\(part)")
    }
}
