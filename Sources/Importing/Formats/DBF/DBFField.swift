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
        let (first, size) =
            switch layout {
            case .dBaseII: (8, 16)
            case .dBaseIII: (32, 32)
            case .dBase7: (68, 48)
            }
        // Clipper and FoxPro store the upper byte of a long text's length in the byte in which
        // other programs store the decimals.
        for longTexts in [false, true] {
            var fields: [DBFField] = []
            var position = first
            var start = 1
            var bit = 0
            while position < end, position < bytes.count, bytes[position] != 0x0D {
                guard position + size <= min(end, bytes.count) else {
                    throw DBFDamage("the list of its columns is cut off")
                }
                guard fields.count < DBFHeader.mostFields else {
                    throw DBFDamage("it has more than \(DBFHeader.mostFields) columns")
                }
                let item = bytes[position..<(position + size)]
                let nameLength = layout == .dBase7 ? 32 : 11
                let name = Array(item.prefix(nameLength).prefix { $0 != 0 })
                let type = item[position + nameLength]
                guard types.contains(type) else {
                    throw DBFDamage("column \(fields.count + 1) is of no known type (\(type))")
                }
                let lengthOffset =
                    switch layout {
                    case .dBaseII: 12
                    case .dBaseIII: 16
                    case .dBase7: 33
                    }
                var length = Int(item[position + lengthOffset])
                let decimalsOffset = layout == .dBaseII ? 15 : lengthOffset + 1
                let decimals = Int(item[position + decimalsOffset])
                if longTexts, type == UInt8(ascii: "C") { length += decimals << 8 }
                guard length > 0 else { throw DBFDamage("column \(fields.count + 1) has no length") }
                let flags = 0x30...0x32 ~= version && layout == .dBaseIII ? item[position + 18] : 0
                var lengthBit: Int?
                if type == UInt8(ascii: "V") || type == UInt8(ascii: "Q"), 0x30...0x32 ~= version {
                    lengthBit = bit
                    bit += 1
                }
                var nullBit: Int?
                if flags & 2 != 0, type != UInt8(ascii: "0") {
                    nullBit = bit
                    bit += 1
                }
                fields.append(
                    DBFField(
                        name: name, type: type, start: start, length: length, decimals: decimals, nullBit: nullBit,
                        lengthBit: lengthBit))
                start += length
                position += size
            }
            if start == recordLength, !fields.isEmpty { return fields }
            if longTexts {
                throw DBFDamage(
                    fields.isEmpty
                        ? "it has no columns" : "its columns do not make up its record of \(recordLength) bytes")
            }
        }
        return []
    }
}
