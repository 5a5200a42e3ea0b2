/// One decoded row of COPY in text format (PostgreSQL 15, COPY, "Text Format"). The buffer is
/// reused for the next row, so that no cell needs new memory.
package struct CopiedRow {
    /// The bytes of all values, one after the other.
    package private(set) var bytes: [UInt8] = []
    /// The range of each value in `bytes`; nil for null.
    package private(set) var values: [Range<Int>?] = []

    package init() {}

    /// Decodes a line, with or without its end.
    mutating func parse(_ line: UnsafeBufferPointer<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        var start = 0, isNull = false, index = 0
        var end = line.count
        if end > 0, unsafe line[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        bytes.reserveCapacity(end)
        func close(_ bytes: borrowing [UInt8]) -> Range<Int>? { isNull ? nil : start..<bytes.count }
        while index < end {
            let byte = unsafe line[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\t"):
                values.append(close(bytes))
                (start, isNull) = (bytes.count, false)
            case UInt8(ascii: "\\") where index < end:
                let letter = unsafe line[index]
                index += 1
                switch letter {
                case UInt8(ascii: "N"): isNull = true
                case UInt8(ascii: "b"): bytes.append(8)
                case UInt8(ascii: "t"): bytes.append(9)
                case UInt8(ascii: "n"): bytes.append(10)
                case UInt8(ascii: "v"): bytes.append(11)
                case UInt8(ascii: "f"): bytes.append(12)
                case UInt8(ascii: "r"): bytes.append(13)
                default: bytes.append(letter)
                }
            default: bytes.append(byte)
            }
        }
        values.append(close(bytes))
    }

    /// A value as a text; nil for null. Not for bulk work.
    package func text(_ column: Int) -> String? {
        values[column].map { String(decoding: bytes[$0], as: UTF8.self) }
    }
}
