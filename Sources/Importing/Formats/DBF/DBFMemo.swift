/// The memo file beside a table: DBT of dBase III and IV, FPT of FoxPro.
///
/// A memo's bytes are contiguous, and no block points to another, so there are no cycles. A hostile
/// file can only point every record to one large memo, which `budget` limits.
final class DBFMemo {
    enum Value {
        case text([UInt8])
        /// A picture or an object, with its size in bytes.
        case binary(Int)
        /// Reason in English why there is no value.
        case unreadable(String)
    }

    private let file: FileBytes
    private let isFoxPro: Bool
    private let blockSize: Int
    private let limits: DBFLimits
    /// Number of memo bytes read so far, and their limit for the whole table.
    private var given = 0
    private let budget: Int

    init(_ file: FileBytes, limits: DBFLimits) {
        self.file = file
        self.limits = limits
        let head = file.read(at: 0, 512)
        let name = file.path.lowercased()
        isFoxPro = !name.hasSuffix(".dbt")
        if isFoxPro {
            // Visual FoxPro allows blocks of one byte, written as 0.
            blockSize = max(1, Int(head.big(6, 2) ?? 0))
        } else {
            // dBase IV states the block size; dBase III leaves these bytes undefined.
            let size = head.little16(20) ?? 0
            blockSize = size >= 512 && size % 512 == 0 && head.count > 16 && head[16] != 3 ? size : 512
        }
        budget = max(limits.memoBytes, file.count) * 4
    }

    /// The block number in a field of four bytes or digits: 0 if there is no memo, nil if the field
    /// is not a number.
    static func block(_ bytes: ArraySlice<UInt8>) -> Int? {
        if bytes.count == 4 { return bytes.little32(0) }
        let digits = OldValueText.trimmed(bytes)
        if digits.isEmpty { return 0 }
        guard digits.count <= 10, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Reads the memo that begins at a block. Throws if the table requests more bytes than its memo
    /// file can contain.
    func value(_ block: Int) throws(DBFDamage) -> Value {
        let (start, overflow) = block.multipliedReportingOverflow(by: blockSize)
        guard block > 0, !overflow, start < file.count else { return .unreadable("outside the file") }
        let head = file.read(at: start, 8)
        let value: Value
        if isFoxPro {
            guard let kind = head.big(0, 4), let length = head.big(4, 4) else { return .unreadable("cut off") }
            guard kind <= 2 else { return .unreadable("not at the beginning of a memo") }
            guard Int(length) <= file.count - start - 8 else { return .unreadable("cut off: \(length) bytes stated") }
            value = kind == 1 ? try text(start + 8, Int(length)) : .binary(Int(length))
        } else if head.starts(with: [0xFF, 0xFF, 0x08, 0x00]) {
            guard let length = head.little32(4), length >= 8, length <= file.count - start else {
                return .unreadable("cut off")
            }
            value = try text(start + 8, length - 8)
        } else {
            value = try ended(start)
        }
        return value
    }

    private func text(_ start: Int, _ length: Int) throws(DBFDamage) -> Value {
        guard length <= limits.memoBytes else {
            return .unreadable("\(length) bytes, more than the limit of \(limits.memoBytes)")
        }
        let bytes = file.read(at: start, length)
        try spend(length)
        return bytes.count == length ? .text(bytes) : .unreadable("cut off")
    }

    /// A memo of dBase III, which ends at 0x1A.
    private func ended(_ start: Int) throws(DBFDamage) -> Value {
        var bytes: [UInt8] = []
        while bytes.count <= limits.memoBytes {
            let piece = file.read(at: start + bytes.count, 4096)
            try spend(piece.count)
            if let end = piece.firstIndex(of: 0x1A) { return .text(bytes + piece[..<end]) }
            if piece.isEmpty { return .unreadable("without an end") }
            bytes += piece
        }
        return .unreadable("more than the limit of \(limits.memoBytes) bytes")
    }

    /// Adds to the bytes read; throws if they exceed the budget.
    private func spend(_ count: Int) throws(DBFDamage) {
        given += count
        guard given <= budget else { throw DBFDamage("its records ask for far more memo text than the memo file has") }
    }
}
