/// The fixed records of a ZIP file (APPNOTE.TXT 6.3.9, section 4.3), little-endian.
enum ZipHeader {
    static let limit32: UInt64 = 0xFFFF_FFFF
    static let limit16 = 0xFFFF
    /// 1980-01-01, the earliest date in the format.
    private static let date: UInt16 = 0x0021

    static func local(
        name: String, method: ZipEntry.Method, crc: UInt32, compressedSize: UInt64, size: UInt64, keepsRoom: Bool
    ) -> [UInt8] {
        let isLarge = max(compressedSize, size) >= limit32
        var bytes: [UInt8] = []
        bytes.put(UInt32(0x0403_4B50))
        common(
            &bytes, name: name, method: method, crc: crc, compressedSize: compressedSize, size: size, isLarge: isLarge)
        bytes.put(UInt16(name.utf8.count))
        bytes.put(UInt16(isLarge || keepsRoom ? 20 : 0))
        bytes += name.utf8
        if isLarge {
            bytes.put(UInt16(0x0001))
            bytes.put(UInt16(16))
            bytes.put(size)
            bytes.put(compressedSize)
        } else if keepsRoom {
            bytes.put(UInt16(0xA220))
            bytes.put(UInt16(16))
            bytes.put(UInt16(0xA028))
            bytes += [UInt8](repeating: 0, count: 14)
        }
        return bytes
    }

    static func central(_ entry: ZipEntry, offset: UInt64) -> [UInt8] {
        let isLarge = max(entry.compressedSize, entry.size) >= limit32
        var extra: [UInt8] = []
        if isLarge {
            extra.put(entry.size)
            extra.put(entry.compressedSize)
        }
        if offset >= limit32 { extra.put(offset) }
        let needs64 = !extra.isEmpty
        var bytes: [UInt8] = []
        bytes.put(UInt32(0x0201_4B50))
        bytes.put(UInt16(needs64 ? 45 : 20))
        common(
            &bytes, name: entry.name, method: entry.method, crc: entry.crc, compressedSize: entry.compressedSize,
            size: entry.size,
            isLarge: isLarge, needs64: needs64)
        bytes.put(UInt16(entry.name.utf8.count))
        bytes.put(UInt16(needs64 ? extra.count + 4 : 0))
        // No comment, first disk, no attributes.
        bytes += [UInt8](repeating: 0, count: 10)
        bytes.put(UInt32(min(offset, limit32)))
        bytes += entry.name.utf8
        if needs64 {
            bytes.put(UInt16(0x0001))
            bytes.put(UInt16(extra.count))
            bytes += extra
        }
        return bytes
    }

    static func end(count: Int, offset: UInt64, size: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        if count >= limit16 || offset >= limit32 || size >= limit32 {
            bytes.put(UInt32(0x0606_4B50))
            bytes.put(UInt64(44))
            bytes.put(UInt16(45))
            bytes.put(UInt16(45))
            bytes.put(UInt64(0))
            bytes.put(UInt64(count))
            bytes.put(UInt64(count))
            bytes.put(size)
            bytes.put(offset)
            bytes.put(UInt32(0x0706_4B50))
            bytes.put(UInt32(0))
            bytes.put(offset + size)
            bytes.put(UInt32(1))
        }
        bytes.put(UInt32(0x0605_4B50))
        bytes.put(UInt32(0))
        bytes.put(UInt16(min(count, limit16)))
        bytes.put(UInt16(min(count, limit16)))
        bytes.put(UInt32(min(size, limit32)))
        bytes.put(UInt32(min(offset, limit32)))
        bytes.put(UInt16(0))
        return bytes
    }

    /// The fields that a local and a central header have in common, from version needed to sizes.
    private static func common(
        _ bytes: inout [UInt8], name: String, method: ZipEntry.Method, crc: UInt32, compressedSize: UInt64,
        size: UInt64,
        isLarge: Bool, needs64: Bool = false
    ) {
        bytes.put(UInt16(isLarge || needs64 ? 45 : 20))
        // Bit 11: the name is UTF-8.
        bytes.put(UInt16(name.utf8.allSatisfy { $0 < 0x80 } ? 0 : 0x0800))
        bytes.put(method.number)
        bytes.put(UInt16(0))
        bytes.put(date)
        bytes.put(crc)
        bytes.put(UInt32(isLarge ? limit32 : compressedSize))
        bytes.put(UInt32(isLarge ? limit32 : size))
    }
}

/// The central directory of an archive, collected while its entries are written.
struct ZipDirectory {
    private var records: [UInt8] = []
    private(set) var entries: [ZipEntry] = []
    private var names: Set<String> = []

    /// Checks a name and reserves it for an entry.
    mutating func reserve(_ name: String) throws(ZipFailure) {
        try ZipName.check(name)
        guard names.insert(name).inserted else { throw .duplicateName(name) }
    }

    mutating func add(_ entry: ZipEntry, at offset: Int64) {
        records += ZipHeader.central(entry, offset: UInt64(offset))
        entries.append(entry)
    }

    func bytes(at offset: Int64) -> [UInt8] {
        records + ZipHeader.end(count: entries.count, offset: UInt64(offset), size: UInt64(records.count))
    }
}

extension [UInt8] {
    fileprivate mutating func put(_ number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
