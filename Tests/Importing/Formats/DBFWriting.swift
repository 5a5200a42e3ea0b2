/// Writes tables for the tests as old programs did. A record is given as the bytes of its fields.
struct DBFWriting {
    struct Column {
        let name: String
        let type: Character
        let length: Int
        var decimals = 0
        var flags: UInt8 = 0
    }

    var version: UInt8 = 0x03
    var driver: UInt8 = 0x02
    var columns: [Column]
    /// The fields of each record. Shorter texts get blanks on the right, and shorter numbers on the
    /// left.
    var records: [[[UInt8]]]
    var deleted: Set<Int> = []
    var statedRecords: Int?
    var backlink = false

    var bytes: [UInt8] {
        let header = 32 + 32 * columns.count + 1 + (backlink ? 263 : 0)
        let length = 1 + columns.reduce(0) { $0 + $1.length }
        var out: [UInt8] = [version, 126, 3, 9] + Self.little(statedRecords ?? records.count, 4) + Self.little(header, 2) + Self.little(length, 2)
        out += [UInt8](repeating: 0, count: 17) + [driver, 0, 0]
        for column in columns {
            let isLongText = column.type == "C" && column.length > 255
            out += Array(column.name.utf8).padded(11, 0) + [column.type.asciiValue ?? 0, 0, 0, 0, 0]
            out += [UInt8(column.length & 255), isLongText ? UInt8(column.length >> 8) : UInt8(column.decimals), column.flags]
            out += [UInt8](repeating: 0, count: 13)
        }
        out.append(0x0D)
        if backlink { out += [UInt8](repeating: 0, count: 263) }
        for (index, record) in records.enumerated() {
            out.append(deleted.contains(index) ? 0x2A : 0x20)
            for (column, field) in zip(columns, record) {
                if "NF".contains(column.type), field.count < column.length {
                    out += [UInt8](repeating: 0x20, count: column.length - field.count) + field
                } else {
                    out += field.padded(column.length, 0x20)
                }
            }
        }
        return out + [0x1A]
    }

    static func little(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    static func big(_ value: Int, _ size: Int) -> [UInt8] { little(value, size).reversed() }

    /// An FPT file with blocks of 64 bytes, and the number of the first block of each memo.
    static func fpt(_ memos: [(kind: Int, bytes: [UInt8])]) -> (bytes: [UInt8], blocks: [Int]) {
        var out: [UInt8] = big(0, 4) + [0, 0] + big(64, 2)
        out = out.padded(512, 0)
        var blocks: [Int] = []
        for memo in memos {
            blocks.append(out.count / 64)
            out += big(memo.kind, 4) + big(memo.bytes.count, 4) + memo.bytes
            out = out.padded((out.count + 63) / 64 * 64, 0)
        }
        return (out, blocks)
    }
}

extension [UInt8] {
    func padded(_ count: Int, _ byte: UInt8) -> [UInt8] { self + [UInt8](repeating: byte, count: Swift.max(0, count - self.count)) }
}
