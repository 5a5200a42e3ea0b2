import Foundation
import Model

/// Reads a binary property list: objects that refer to one another by number, a table of their
/// offsets, and a trailer. None of its numbers is trusted.
struct BinaryPropertyList {
    private static let trailerSize = 32

    private(set) var values: PropertyListValues
    private let bytes: [UInt8]
    /// Start of the table of offsets, which is the end of the objects.
    private let table: Int
    private let count: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private let top: Int
    /// The lists and dictionaries that contain the current object.
    private var open: [Int] = []
    private var text: [UInt8] = []

    init(_ bytes: [UInt8], into values: PropertyListValues) throws(TableFailure) {
        (self.bytes, self.values) = (bytes, values)
        guard bytes.starts(with: "bplist0".utf8) else { throw values.damaged("its version is not known") }
        let trailer = bytes.count - Self.trailerSize
        guard trailer > 8, let count = bytes.big(trailer + 8, 8).flatMap({ Int(exactly: $0) }),
            let top = bytes.big(trailer + 16, 8).flatMap({ Int(exactly: $0) }),
            let table = bytes.big(trailer + 24, 8).flatMap({ Int(exactly: $0) })
        else { throw values.damaged("it is cut off or has no trailer") }
        (self.count, self.top, self.table) = (count, top, table)
        (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, 9...trailer ~= table, count <= (trailer - table) / offsetSize
        else {
            throw values.damaged("its trailer does not fit its size")
        }
    }

    mutating func readAll() throws(TableFailure) { try read(top) }

    private mutating func read(_ object: Int) throws(TableFailure) {
        let start = try offset(of: object)
        let marker = bytes[start]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0 where low == 0: try values.append(.null)
        case 0x0 where low == 8: try values.append(.no)
        case 0x0 where low == 9: try values.append(.yes)
        case 0x1 where low <= 4:
            let number = try integer(at: start)
            try values.append(.number, "\(number)")
        case 0x2 where low == 2 || low == 3:
            let bits = try number(at: start + 1, 1 << low)
            try values.append(
                low == 2 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits))
        case 0x3 where low == 3: try appendDate(Double(bitPattern: number(at: start + 1, 8)))
        case 0x4:
            let range = try range(at: start, 1).range
            try append(.data, range)
        case 0x5, 0x6: try appendText(.string, at: start)
        case 0x8: throw .keyedArchive(Place(file: values.path))
        case 0xA, 0xD:
            guard !open.contains(object) else { throw values.damaged("object \(object) contains itself") }
            open.append(object)
            if marker >> 4 == 0xA { try readList(at: start) } else { try readDictionary(at: start) }
            open.removeLast()
        default: throw values.damaged("byte \(start): no kind of object has the mark \(marker)")
        }
    }

    private mutating func readList(at start: Int) throws(TableFailure) {
        let (references, count) = try range(at: start, referenceSize)
        try values.append(.startArray)
        for index in 0..<count { try read(reference(references.lowerBound, index)) }
        try values.append(.endArray)
    }

    /// The references to all keys precede those to the values.
    private mutating func readDictionary(at start: Int) throws(TableFailure) {
        let (references, count) = try range(at: start, 2 * referenceSize)
        try values.append(.startObject)
        for index in 0..<count {
            let key = try offset(of: reference(references.lowerBound, index))
            guard bytes[key] >> 4 == 0x5 || bytes[key] >> 4 == 0x6 else {
                throw values.damaged("byte \(key): a key is no text")
            }
            try appendText(.key, at: key)
            try read(reference(references.lowerBound, count + index))
        }
        try values.append(.endObject)
    }

    private mutating func appendDate(_ seconds: Double) throws(TableFailure) {
        let instant = try? CellConversion.moment("\(seconds)", since: 2001, .instant, in: .gmt)
        try values.append(instant == nil ? .error : .string, instant ?? "a date \(seconds) seconds after 2001")
    }

    /// A text of ASCII, or of UTF-16 with the high byte first.
    private mutating func appendText(_ kind: PropertyListValues.Kind, at start: Int) throws(TableFailure) {
        let isWide = bytes[start] >> 4 == 0x6
        let range = try range(at: start, isWide ? 2 : 1).range
        guard isWide else {
            guard !bytes[range].contains(where: { $0 >= 0x80 }) else {
                throw values.damaged("byte \(start): a text is not ASCII")
            }
            return try append(kind, range)
        }
        text.removeAll(keepingCapacity: true)
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).lazy.map { [bytes] in
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        let isBroken = transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true) {
            text.append($0)
        }
        guard !isBroken else { throw values.damaged("byte \(start): a text is not UTF-16") }
        try values.append(kind, text)
    }

    private mutating func append(_ kind: PropertyListValues.Kind, _ range: Range<Int>) throws(TableFailure) {
        // A span of one property would block changes of another property.
        let bytes = bytes
        try values.append(kind, bytes.span.extracting(range))
    }

    // MARK: Bytes

    /// The offset of an object's marker byte.
    private func offset(of object: Int) throws(TableFailure) -> Int {
        guard object < count, let offset = bytes.big(table + object * offsetSize, offsetSize), offset >= 8,
            offset < table
        else {
            throw values.damaged("object \(object) is not in the file")
        }
        return Int(offset)
    }

    private func reference(_ start: Int, _ index: Int) throws(TableFailure) -> Int {
        Int(truncatingIfNeeded: try number(at: start + index * referenceSize, referenceSize) & UInt64(Int.max))
    }

    /// The items after a marker. Their number is the low half of the marker byte or, if that is 15,
    /// an integer after the marker.
    ///
    /// - Parameter width: bytes of one item.
    private func range(at start: Int, _ width: Int) throws(TableFailure) -> (range: Range<Int>, count: Int) {
        var (first, count) = (start + 1, Int(bytes[start] & 0x0F))
        if count == 0x0F {
            guard first < table, bytes[first] >> 4 == 1, bytes[first] & 0x0F <= 3 else {
                throw values.damaged("byte \(start): its size is not stated")
            }
            let size = 1 << Int(bytes[first] & 0x0F)
            count = Int(clamping: try number(at: first + 1, size))
            first += 1 + size
        }
        guard count <= (table - first) / width else {
            throw values.damaged("byte \(start): it ends beyond the objects")
        }
        return (first..<(first + count * width), count)
    }

    /// Integers of up to four bytes have no sign.
    private func integer(at start: Int) throws(TableFailure) -> Int128 {
        let size = 1 << Int(bytes[start] & 0x0F)
        if size <= 4 { return Int128(try number(at: start + 1, size)) }
        let high = try number(at: start + 1, 8)
        guard size == 16 else { return Int128(Int64(bitPattern: high)) }
        return Int128(Int64(bitPattern: high)) << 64 | Int128(try number(at: start + 9, 8))
    }

    private func number(at start: Int, _ size: Int) throws(TableFailure) -> UInt64 {
        guard start <= table - size, let number = bytes.big(start, size) else {
            throw values.damaged("byte \(start): it ends beyond the objects")
        }
        return number
    }
}
