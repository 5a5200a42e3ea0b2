/// A column of a DBF file.
struct DBFField {
    /// Undecoded, because the code page is not known yet.
    let name: [UInt8]
    let type: UInt8
    /// Offset in the record, whose first byte is the deletion mark.
    let start: Int
    let length: Int
    let decimals: Int
    /// Bit in `_NullFlags` that marks a missing value.
    let nullBit: Int?
    /// Bit in `_NullFlags` for a value shorter than the field; the field's last byte is then its
    /// length.
    let lengthBit: Int?

    /// Whether the field's values are block numbers in the memo file.
    func isMemo(in header: DBFHeader) -> Bool {
        "MGPW".utf8.contains(type) || type == UInt8(ascii: "B") && length != 8 && !header.isVisualFoxPro
    }

    static let types = Set("CNFDLMIBYTGPVQWO+@0".utf8)

    /// Reads the descriptors of a header that ends at `end`; their lengths must add up to the
    /// record's.
    static func list(_ bytes: [UInt8], layout: DBFHeader.Layout, end: Int, recordLength: Int, version: UInt8)
        throws(DBFDamage) -> [DBFField]
    {
        // Clipper and FoxPro store the upper byte of a long text's length in the byte in which
        // other programs store the decimals.
        for longTexts in [false, true] {
            var descriptors = DBFDescriptors(
                bytes: bytes, layout: layout, end: min(end, bytes.count), version: version, longTexts: longTexts)
            var fields: [DBFField] = []
            while let field = try descriptors.next(fields.count + 1) { fields.append(field) }
            if descriptors.start == recordLength, !fields.isEmpty { return fields }
            if longTexts {
                throw DBFDamage(
                    fields.isEmpty
                        ? "it has no columns" : "its columns do not make up its record of \(recordLength) bytes")
            }
        }
        return []
    }
}

/// Reads the descriptors of the columns one after the other.
private struct DBFDescriptors {
    private let bytes: [UInt8]
    private let layout: DBFHeader.Layout
    private let end: Int
    private let hasFlags: Bool
    private let longTexts: Bool
    /// The size of a descriptor, and the places of its parts.
    private let (size, nameLength, lengthOffset, decimalsOffset): (Int, Int, Int, Int)
    private var position: Int
    /// The offset of the next column in the record.
    private(set) var start = 1
    /// The next bit of `_NullFlags`.
    private var bit = 0

    init(bytes: [UInt8], layout: DBFHeader.Layout, end: Int, version: UInt8, longTexts: Bool) {
        (self.bytes, self.layout, self.end, self.longTexts) = (bytes, layout, end, longTexts)
        hasFlags = 0x30...0x32 ~= version
        (position, size, nameLength, lengthOffset, decimalsOffset) =
            switch layout {
            case .dBaseII: (8, 16, 11, 12, 15)
            case .dBaseIII: (32, 32, 11, 16, 17)
            case .dBase7: (68, 48, 32, 33, 34)
            }
    }

    /// The next column, with its number for messages; nil after the last.
    mutating func next(_ number: Int) throws(DBFDamage) -> DBFField? {
        guard position < end, bytes[position] != 0x0D else { return nil }
        guard position + size <= end else { throw DBFDamage("the list of its columns is cut off") }
        guard number <= DBFHeader.mostFields else {
            throw DBFDamage("it has more than \(DBFHeader.mostFields) columns")
        }
        let type = bytes[position + nameLength]
        guard DBFField.types.contains(type) else {
            throw DBFDamage("column \(number) is of no known type (\(type))")
        }
        let decimals = Int(bytes[position + decimalsOffset])
        var length = Int(bytes[position + lengthOffset])
        if longTexts, type == UInt8(ascii: "C") { length += decimals << 8 }
        guard length > 0 else { throw DBFDamage("column \(number) has no length") }
        let isVariable = hasFlags && (type == UInt8(ascii: "V") || type == UInt8(ascii: "Q"))
        let flags = hasFlags && layout == .dBaseIII ? bytes[position + 18] : 0
        let lengthBit = isVariable ? takeBit() : nil
        let nullBit = flags & 2 != 0 && type != UInt8(ascii: "0") ? takeBit() : nil
        defer {
            start += length
            position += size
        }
        return DBFField(
            name: Array(bytes[position..<(position + nameLength)].prefix { $0 != 0 }), type: type, start: start,
            length: length, decimals: decimals, nullBit: nullBit, lengthBit: lengthBit)
    }

    private mutating func takeBit() -> Int {
        defer { bit += 1 }
        return bit
    }
}
