/// A directory of the TIFF structure inside Exif (TIFF 6.0, section 2). Each entry has a tag, a
/// type, a count, and a value or its offset.
struct TIFFDirectory {
    /// The byte order, and the offset of the first directory.
    struct Header {
        let reader: ByteReader
        let first: Int

        init?(_ bytes: ArraySlice<UInt8>) {
            var reader = ByteReader(bytes)
            switch (reader.byte(0), reader.byte(1)) {
            case (0x49, 0x49): reader.isLittleEndian = true
            case (0x4D, 0x4D): reader.isLittleEndian = false
            default: return nil
            }
            guard reader.number16(2) == 42, let first = reader.number32(4) else { return nil }
            self.reader = reader
            self.first = first
        }
    }

    private let reader: ByteReader
    private let offset: Int
    private let count: Int

    private static let maximumEntries = 500
    private static let maximumText = 100
    private enum Kind { static let text = 2, short = 3, long = 4, rational = 5 }

    init?(_ header: Header, at offset: Int) {
        guard let count = header.reader.number16(offset), count <= Self.maximumEntries,
            header.reader.slice(offset + 2, count * 12) != nil
        else { return nil }
        (reader, self.offset, self.count) = (header.reader, offset, count)
    }

    /// The whole number of a tag.
    func number(_ tag: Int) -> Int? {
        guard let entry = entry(tag), reader.number32(entry + 4) == 1 else { return nil }
        switch reader.number16(entry + 2) {
        case Kind.short: return reader.number16(entry + 8)
        case Kind.long: return reader.number32(entry + 8)
        default: return nil
        }
    }

    /// The ASCII text of a tag up to its first zero byte, without spaces at the ends; nil if the
    /// text is longer than `maximumText`.
    func text(_ tag: Int) -> String? {
        guard let entry = entry(tag), reader.number16(entry + 2) == Kind.text, let length = reader.number32(entry + 4),
            length <= Self.maximumText, let place = length <= 4 ? entry + 8 : reader.number32(entry + 8),
            let bytes = reader.slice(place, length)
        else { return nil }
        let characters = bytes.prefix { $0 != 0 }
        guard characters.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let text = String(decoding: characters, as: UTF8.self)
        return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// Up to three fractions of a tag; nil when a denominator is zero.
    func rationals(_ tag: Int) -> [Double]? {
        guard let entry = entry(tag), reader.number16(entry + 2) == Kind.rational,
            let length = reader.number32(entry + 4),
            (1...3).contains(length), let place = reader.number32(entry + 8)
        else { return nil }
        var values: [Double] = []
        for index in 0..<length {
            guard let above = reader.number32(place + 8 * index), let below = reader.number32(place + 8 * index + 4),
                below != 0
            else { return nil }
            values.append(Double(above) / Double(below))
        }
        return values
    }

    /// The offset of the entry with this tag.
    private func entry(_ tag: Int) -> Int? {
        for index in 0..<count {
            let entry = offset + 2 + 12 * index
            if reader.number16(entry) == tag { return entry }
        }
        return nil
    }
}

/// Reads numbers from bytes whose lengths and offsets may be false: every access beyond the end
/// returns nil.
struct ByteReader {
    let bytes: ArraySlice<UInt8>
    var isLittleEndian = false

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func byte(_ offset: Int) -> UInt8? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return bytes[bytes.startIndex + offset]
    }

    func number16(_ offset: Int) -> Int? {
        guard let first = byte(offset), let second = byte(offset + 1) else { return nil }
        return isLittleEndian ? Int(second) << 8 | Int(first) : Int(first) << 8 | Int(second)
    }

    func number32(_ offset: Int) -> Int? {
        guard let first = number16(offset), let second = number16(offset + 2) else { return nil }
        return isLittleEndian ? second << 16 | first : first << 16 | second
    }

    /// Returns nil if the range goes beyond the end.
    func slice(_ offset: Int, _ length: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, length >= 0, offset <= bytes.count, length <= bytes.count - offset else { return nil }
        return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + length]
    }
}
