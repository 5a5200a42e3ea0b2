import Model

/// The lines of a calendar (RFC 5545, 3.1): a property each, folded before it has more than 75
/// octets, ended by CR LF.
struct CalendarText: ~Copyable {
    var buffer = ByteBuffer()
    /// Characters that no file may have, which were replaced.
    private(set) var replaced = 0
    private let classes = ByteClasses(escaped: Array("\\;,\n\r".utf8))
    private var line = ByteBuffer(capacity: 256)

    /// A property with a value that needs no escapes.
    mutating func add(_ name: String, _ value: String) {
        line.append(utf8: name + ":" + value)
        endLine()
    }

    /// A property whose value is a text of people (3.3.11): no line of it can begin a property of
    /// its own.
    mutating func add(text: String, as name: String) {
        line.append(utf8: name + ":")
        append(Array(text.utf8))
        endLine()
    }

    /// The same for the text of a cell; nothing where it has none.
    mutating func add(_ batch: borrowing RowBatch, _ row: Int, _ column: Int?, as name: String, suffix: String = "") {
        guard let column, batch.cell(row, column).kind != .null else { return }
        line.append(utf8: name + ":")
        if batch.cell(row, column).kind == .text {
            append(Array(batch.text[batch.cell(row, column).range]))
        } else {
            append(Array((batch.description(row, column) ?? "").utf8))
        }
        line.append(utf8: suffix)
        endLine()
    }

    private mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe line.appendClean(bytes, classes, replaced: &replaced) { byte, line in
                switch byte {
                // CR LF and LF are one break; a CR alone has no meaning.
                case 0x0D: break
                case 0x0A: line.append("\\n" as StaticString)
                default:
                    line.append(UInt8(ascii: "\\"))
                    line.append(byte)
                }
            }
        }
    }

    private static let octets = 75

    private mutating func endLine() {
        let bytes = line.array
        line.removeAll()
        var start = 0, room = Self.octets
        while bytes.count - start > room {
            var end = start + room
            // A character of several octets is not cut.
            while bytes[end] & 0xC0 == 0x80 { end -= 1 }
            buffer.append(Array(bytes[start..<end]))
            buffer.append("\r\n " as StaticString)
            (start, room) = (end, Self.octets - 1)
        }
        buffer.append(Array(bytes[start...]))
        buffer.append("\r\n" as StaticString)
    }
}
