/// Decodes the values of cells in the records of BIFF2 to BIFF8.
enum BIFFCell {
    /// The number of values in a record; nil if it is not a record of cells, negative if it is
    /// malformed. Blank cells are not counted.
    static func count(_ record: BIFFStream.Record, version: Int) -> Int? {
        let length = record.range.count
        switch record.id {
        case 0xBD: return length >= 12 && (length - 6) % 6 == 0 ? (length - 6) / 6 : -1
        case 0x0002 where version == 2: return length >= 9 ? 1 : -1
        case 0x0003 where version == 2: return length >= 15 ? 1 : -1
        case 0x0004 where version == 2: return length >= 8 ? 1 : -1
        case 0x0005 where version == 2: return length >= 9 ? 1 : -1
        case 0x0006 where version == 2: return length >= 15 ? 1 : -1
        case 0x0203, 0x0006, 0x0206, 0x0406: return length >= 14 ? 1 : -1
        case 0x0204, 0x00D6, 0x0205: return length >= 8 ? 1 : -1
        case 0x027E, 0x00FD: return length >= 10 ? 1 : -1
        default: return nil
        }
    }

    /// Appends the value of a cell.
    static func append(_ place: BIFFWorkbook.CellPlace, of book: BIFFWorkbook, to batch: inout ForeignBatch)
        throws(XLSDamage)
    {
        let stream = book.stream
        var records = BIFFStream(bytes: stream, position: Int(place.record))
        guard let record = try records.next() else { return batch.appendEmpty() }
        let start = record.range.lowerBound
        let isOld = record.isOfBIFF2(book.version)
        let value = start + (isOld ? 7 : 6)
        let format =
            isOld ? book.format(number: Int(stream[start + 5] & 0x3F)) : book.format(stream.little16(start + 4) ?? 0)
        switch record.id {
        case 0xBD:
            let part = start + 4 + 6 * Int(place.part)
            let format = book.format(stream.little16(part) ?? 0)
            SerialDate.append(rk(stream.little(part + 2, 4) ?? 0), as: format, book.epoch, to: &batch)
        case 0x027E: SerialDate.append(rk(stream.little(value, 4) ?? 0), as: format, book.epoch, to: &batch)
        case 0x0002: SerialDate.append(Double(stream.little16(value) ?? 0), as: format, book.epoch, to: &batch)
        case 0x0003, 0x0203:
            SerialDate.append(Double(bitPattern: stream.little(value, 8) ?? 0), as: format, book.epoch, to: &batch)
        case 0x00FD:
            let index = stream.little32(value) ?? 0
            guard book.texts.indices.contains(index) else {
                throw .damaged("a cell wants text \(index) of \(book.texts.count)")
            }
            append(book.texts[index], to: &batch)
        case 0x0004, 0x0204, 0x00D6:
            append(try text(record, skipping: value - start, book), to: &batch)
        case 0x0005, 0x0205: append(stream[value], isError: stream[value + 1] != 0, to: &batch)
        default: try appendResult(at: value, format, &records, book, to: &batch)
        }
    }

    /// The result of a formula, as saved with the file.
    private static func appendResult(
        at value: Int, _ format: NumberFormat, _ records: inout BIFFStream, _ book: BIFFWorkbook,
        to batch: inout ForeignBatch
    ) throws(XLSDamage) {
        let stream = book.stream
        guard stream.little16(value + 6) == 0xFFFF else {
            return SerialDate.append(
                Double(bitPattern: stream.little(value, 8) ?? 0), as: format, book.epoch, to: &batch)
        }
        switch stream[value] {
        case 1: append(stream[value + 2], isError: false, to: &batch)
        case 2: append(stream[value + 2], isError: true, to: &batch)
        case 0:
            // A record with the text follows; a shared formula may precede it.
            for _ in 0..<4 {
                guard let next = try records.next() else { break }
                if next.id == 0x0207 || next.id == 0x0007 {
                    return append(try text(next, skipping: 0, book), to: &batch)
                }
                guard [0x04BC, 0x0221, 0x0236, 0x0021, 0x0036, 0x003C].contains(next.id) else { break }
            }
            batch.append(.error, "formula without its text")
        // An empty text. A program without a formula engine saves all its formulas in this form.
        default: if book.hasResults { batch.appendEmpty() } else { batch.appendUnsaved() }
        }
    }

    /// Whether a record is a formula whose result is not an empty text.
    static func hasResult(_ record: BIFFStream.Record, version: Int, _ stream: [UInt8]) -> Bool {
        guard [0x0006, 0x0206, 0x0406].contains(record.id) else { return false }
        let value = record.range.lowerBound + (record.isOfBIFF2(version) ? 7 : 6)
        return stream.little16(value + 6) != 0xFFFF || stream[value] != 3
    }

    private static func text(
        _ record: BIFFStream.Record, skipping lead: Int, _ book: BIFFWorkbook
    ) throws(XLSDamage) -> String {
        let segments = BIFFStream(bytes: book.stream, position: 0).segments(from: record)
        var reader = BIFFText(book.stream, segments: segments, skipping: lead)
        let count = reader.number(record.isOfBIFF2(book.version) ? 1 : 2)
        let text = count.flatMap { book.version == 8 ? reader.unicode($0) : reader.bytes($0, book.page) }
        guard let text else { throw .damaged("a text at byte \(record.range.lowerBound) is cut off") }
        return text
    }

    private static func append(_ text: String, to batch: inout ForeignBatch) {
        if text.isEmpty { batch.appendEmpty() } else { batch.append(.text, text) }
    }

    static func append(_ value: UInt8, isError: Bool, to batch: inout ForeignBatch) {
        guard isError else { return batch.append(.boolean, value == 0 ? "false" : "true") }
        let names: [UInt8: String] = [
            0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!",
            0x2A: "#N/A",
        ]
        batch.append(.error, names[value] ?? "#ERROR \(value)")
    }

    /// Decodes a number of 30 bits: an integer or the upper part of a double, optionally in
    /// hundredths.
    static func rk(_ bits: UInt64) -> Double {
        let word = UInt32(truncatingIfNeeded: bits)
        let number = word & 2 != 0 ? Double(Int32(bitPattern: word) >> 2) : Double(bitPattern: UInt64(word & ~3) << 32)
        return word & 1 != 0 ? number / 100 : number
    }
}

/// Rows of a sheet that contain cells with values, from the first to the last.
final class BIFFRows: ForeignRows {
    private let path: String
    private let book: BIFFWorkbook
    private let sheet: Int
    private var index = 0

    init(path: String, book: BIFFWorkbook, sheet: Int) {
        self.path = path
        self.book = book
        self.sheet = sheet
    }

    func fill(_ batch: inout ForeignBatch) throws {
        batch.removeAll()
        let cells = book.sheets[sheet].cells
        while index < cells.count, !batch.isFull {
            let row = cells[index].row
            while index < cells.count, cells[index].row == row {
                let cell = cells[index]
                while batch.openWidth < Int(cell.column) { batch.appendEmpty() }
                do {
                    try BIFFCell.append(cell, of: book, to: &batch)
                } catch {
                    throw XLSFile.failure(error, path, sheet: book.sheets[sheet].name)
                }
                index += 1
            }
            batch.endRowUnlessBlank(number: Int(row) + 1)
        }
    }
}

/// The records of a workbook's stream: each has a number, a length, and its bytes.
struct BIFFStream {
    struct Record {
        let id: Int
        /// Range of its data in the stream.
        let range: Range<Int>

        /// Whether it has the layout of BIFF2 in a stream of this version: cells with three bytes
        /// of attributes, lengths of one byte. Some programs mix in records of BIFF3.
        func isOfBIFF2(_ version: Int) -> Bool { version == 2 && id < 0x0200 }
    }

    let bytes: [UInt8]
    var position: Int

    /// The next record; nil at the end of the stream.
    mutating func next() throws(XLSDamage) -> Record? {
        guard let id = bytes.little16(position), let length = bytes.little16(position + 2) else { return nil }
        let start = position + 4
        guard start + length <= bytes.count else { throw .damaged("a record (\(id)) at byte \(position) is cut off") }
        position = start + length
        return Record(id: id, range: start..<position)
    }

    /// The data of a record and of the records that continue it.
    func segments(from record: Record) -> [Range<Int>] {
        var all = [record.range]
        var rest = BIFFStream(bytes: bytes, position: record.range.upperBound)
        while let next = try? rest.next(), next.id == 0x3C { all.append(next.range) }
        return all
    }
}
