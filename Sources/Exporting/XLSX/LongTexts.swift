import Glibc
import Model
import OutputFiles
import Spreadsheets

/// Texts that are too long for a cell, in pieces that fit. The pieces are stored in a temporary
/// file until their sheet is written.
final class LongTexts {
    private let finalPath: String
    private let pieceLength: Int
    private var spool: SpoolFile?
    private(set) var pieces = 0

    /// - Parameter pieceLength: maximum length of a piece in UTF-16 units.
    init(beside finalPath: String, pieceLength: Int) {
        self.finalPath = finalPath
        self.pieceLength = pieceLength
    }

    /// Stores the text of a cell; row and column counted from zero.
    func add(_ text: UnsafeBufferPointer<UInt8>, sheet: String, row: Int, column: Int) throws(OutputFailure) {
        if spool == nil { spool = try SpoolFile(beside: finalPath) }
        let place = Array(sheet.utf8)
        let cell = Array(CellReference.cell(row: row, column: column).utf8)
        var start = 0
        var part = 1
        while start < text.count {
            let rest = unsafe UnsafeBufferPointer(rebasing: text[start...])
            let length = unsafe CellText.prefix(of: rest, units: pieceLength).bytes
            let piece = unsafe UnsafeBufferPointer(rebasing: rest[..<length])
            try spool?.append(Self.header([place.count, cell.count, part, length]).span)
            try spool?.append(place.span)
            try spool?.append(cell.span)
            try unsafe spool?.append(Span(_unsafeElements: piece))
            start += length
            part += 1
            pieces += 1
        }
    }

    /// A source of the rows for the sheets of long texts. No text may be added after this call.
    func rows() throws(OutputFailure) -> any RowSource {
        try spool?.flush()
        return LongTextRows(self)
    }

    fileprivate static let headerLength = 16

    private static func header(_ numbers: [Int]) -> [UInt8] {
        numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    }

    fileprivate func read(_ count: Int, at offset: Int64) throws(OutputFailure) -> [UInt8] {
        try spool?.read(count, at: offset) ?? []
    }
}

/// Returns a row for every piece: sheet, cell, part and text.
private final class LongTextRows: RowSource {
    let columnCount = 4
    private let texts: LongTexts
    private var offset: Int64 = 0
    private var left: Int

    init(_ texts: LongTexts) {
        self.texts = texts
        left = texts.pieces
    }

    func fill(_ batch: inout RowBatch) throws {
        batch.removeAll()
        while left > 0, !batch.isFull {
            let header = try texts.read(LongTexts.headerLength, at: offset)
            let numbers = (0..<4).map { field in
                (0..<4).reversed().reduce(0) { number, byte -> Int in number << 8 | Int(header[field * 4 + byte]) }
            }
            let bytes = try texts.read(numbers[0] + numbers[1] + numbers[3], at: offset + Int64(LongTexts.headerLength))
            let parts = [
                bytes[..<numbers[0]], bytes[numbers[0]..<(numbers[0] + numbers[1])],
                bytes[(numbers[0] + numbers[1])...],
            ]
            append(parts[0], to: &batch)
            append(parts[1], to: &batch)
            batch.append(Int64(numbers[2]))
            append(parts[2], to: &batch)
            batch.endRow()
            offset += Int64(LongTexts.headerLength + bytes.count)
            left -= 1
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, to batch: inout RowBatch) {
        unsafe bytes.withUnsafeBufferPointer { unsafe batch.append(utf8: $0) }
    }
}

/// Bytes in a temporary file: written once from front to back, then read. The file is unlinked as
/// soon as it is open, so it disappears even if the process is killed.
struct SpoolFile: ~Copyable {
    private let path: String
    private let descriptor: Int32
    private var pending = ByteBuffer(capacity: 1 << 16)
    private var flushed: Int64 = 0

    /// The file is in the directory of `finalPath`, where the export needs space anyway.
    init(beside finalPath: String) throws(OutputFailure) {
        path = finalPath
        let name = TemporaryName.path(beside: finalPath)
        descriptor = unsafe Glibc.open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OutputFailure.system(errno, path: finalPath) }
        unsafe unlink(name)
    }

    deinit {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    mutating func append(_ bytes: Span<UInt8>) throws(OutputFailure) {
        pending.append(bytes)
        if pending.count >= 1 << 16 { try flush() }
    }

    mutating func flush() throws(OutputFailure) {
        let descriptor = descriptor
        let start = flushed
        let error = pending.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { raw in unsafe OpenFile.write(raw, to: descriptor, at: start) }
        }
        if let error { throw OutputFailure.system(error, path: path) }
        flushed += Int64(pending.count)
        pending.removeAll()
    }

    /// Reads exactly `count` bytes that were flushed before.
    func read(_ count: Int, at offset: Int64) throws(OutputFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let error = unsafe bytes.withUnsafeMutableBytes { unsafe OpenFile.read(into: $0, from: descriptor, at: offset) }
        if let error { throw OutputFailure.system(error, path: path) }
        return bytes
    }
}
