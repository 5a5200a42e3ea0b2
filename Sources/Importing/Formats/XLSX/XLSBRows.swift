import Model

/// Rows of a sheet of a binary workbook, with the values that formulas had when it was saved.
final class XLSBRows: ForeignRows {
    private let book: XLSBBook
    private let part: String
    private let sheet: String
    private let texts: [String]
    private let formats: [NumberFormat]
    private var records: XLSBRecords
    private var row = -1
    private var isFinished = false

    private enum Kind {
        static let row = 0, richText = 62, end = 146
    }

    init(_ book: XLSBBook, part: String, sheet: String) throws {
        (self.book, self.part, self.sheet) = (book, part, sheet)
        texts = try book.texts.get()
        formats = try book.formats.get()
        records = try book.records(of: part)
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        do {
            while !isFinished, !batch.isFull {
                guard let record = try records.next() else { throw XLSBRecords.Cut() }
                switch record.kind {
                case Kind.row:
                    let next = try records.number32(at: record.range.lowerBound)
                    guard next > row, next < book.parts.limits.rows else { throw damaged("rows are not in order") }
                    batch.endRowUnlessBlank(number: row + 1)
                    row = next
                case Kind.end:
                    batch.endRowUnlessBlank(number: row + 1)
                    isFinished = true
                case 1...18, Kind.richText:
                    guard row >= 0 else { throw damaged("a cell has no row") }
                    try append(record, to: &batch)
                default: break
                }
            }
        } catch is XLSBRecords.Cut {
            throw damaged("\(part) is cut off")
        }
    }

    /// Appends a cell: column, style, then value. Short records have no column: the next one is
    /// meant.
    private func append(_ record: XLSBRecords.Record, to batch: inout ForeignBatch) throws {
        let isShort = 12...18 ~= record.kind
        let start = record.range.lowerBound + (isShort ? 0 : 4)
        let column = isShort ? batch.openWidth : try records.number32(at: start - 4)
        let style = try records.number(at: start, 3)
        guard column >= batch.openWidth, column < book.parts.limits.columns else {
            throw damaged("cells are not in order")
        }
        while batch.openWidth < column { batch.appendEmpty() }
        let format = formats.indices.contains(Int(style)) ? formats[Int(style)] : .number
        let value = start + 4
        switch record.kind {
        case 2, 13:
            SerialDate.append(BIFFCell.rk(UInt64(try records.number32(at: value))), as: format, book.epoch, to: &batch)
        case 5, 9, 16:
            let bits = try records.number(at: value, 8)
            SerialDate.append(Double(bitPattern: bits), as: format, book.epoch, to: &batch)
        case 3, 11, 14, 4, 10, 15:
            let byte = UInt8(try records.number(at: value, 1))
            BIFFCell.append(byte, isError: [3, 11, 14].contains(record.kind), to: &batch)
        case 6, 8, 17: append(try records.text(at: value).text, to: &batch)
        case Kind.richText: append(try records.text(at: value + 1).text, to: &batch)
        case 7, 18:
            let index = try records.number32(at: value)
            guard texts.indices.contains(index) else { throw damaged("a cell wants text \(index) of \(texts.count)") }
            append(texts[index], to: &batch)
        default: batch.appendEmpty()
        }
    }

    private func append(_ text: String, to batch: inout ForeignBatch) {
        guard !text.isEmpty else { return batch.appendEmpty() }
        var bytes = Array(text.utf8)
        TextRepair.repair(&bytes, resolvesEscapes: false)
        batch.append(.text, bytes.span)
    }

    private func damaged(_ reason: String) -> TableFailure {
        .damaged(Place(file: book.parts.path, sheet: sheet, line: row + 1), kind: XLSXFile.kind, reason: reason)
    }
}

/// The records of a part of a binary workbook (MS-XLSB 2.1.4): a kind of up to two bytes and a
/// length of up to four, both with seven bits a byte, then the content.
struct XLSBRecords {
    struct Record {
        let kind: Int
        let range: Range<Int>
    }

    struct Cut: Error {}

    let bytes: [UInt8]
    /// Position of the next record.
    private var place = 0
    /// End of the current record's content, which no value may exceed.
    private var end = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Nil at the end.
    mutating func next() throws(Cut) -> Record? {
        guard place < bytes.count else { return nil }
        let kind = try number(2)
        let length = try number(4)
        guard length <= bytes.count - place else { throw Cut() }
        end = place + length
        defer { place = end }
        return Record(kind: kind, range: place..<end)
    }

    private mutating func number(_ most: Int) throws(Cut) -> Int {
        var value = 0
        for index in 0..<most {
            guard place < bytes.count else { throw Cut() }
            let byte = Int(bytes[place])
            place += 1
            value |= (byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { break }
        }
        return value
    }

    /// A text after its number of letters, and the position after it; an absent text is empty.
    func text(at place: Int) throws(Cut) -> (text: String, end: Int) {
        let count = try number32(at: place)
        if count == 0xFFFF_FFFF { return ("", place + 4) }
        guard count <= (end - place - 4) / 2 else { throw Cut() }
        let units = (0..<count).map { UInt16(bytes[place + 4 + 2 * $0]) | UInt16(bytes[place + 5 + 2 * $0]) << 8 }
        return (String(decoding: units, as: UTF16.self), place + 4 + 2 * count)
    }

    func number32(at place: Int) throws(Cut) -> Int {
        Int(try number(at: place, 4))
    }

    /// A number of up to eight bytes.
    func number(at place: Int, _ width: Int) throws(Cut) -> UInt64 {
        guard place + width <= end, let number = bytes.little(place, width) else { throw Cut() }
        return number
    }
}
