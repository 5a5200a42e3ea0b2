internal import CISAL

/// An archive that this program wrote with a library, read to its end. Entries follow one another
/// from the first byte to the directory, each at the position in the directory. Each content has
/// the stated size and checksum. Throws a `CountFault` if the archive differs.
///
/// Source: APPNOTE.TXT 6.3.9, sections 4.3.6 to 4.3.16.
package struct WrittenArchive {
    package struct Entry: Hashable, Sendable {
        package let name: String
        /// Checksum of the inflated content.
        package let crc: UInt32
        package let size: Int

        package init(name: String, crc: UInt32, size: Int) {
            (self.name, self.crc, self.size) = (name, crc, size)
        }
    }

    /// Entries in the order of the archive.
    package let entries: [Entry]

    /// - Parameter isRead: whether to read an entry's content; otherwise only headers are read.
    package init(path: String, reading isRead: (String) -> Bool) throws(CountFault) {
        let file = try SourceFile(path)
        // An archive that this program wrote may have any size.
        var bounds = CountBounds()
        (bounds.archiveEntries, bounds.partBytes) = (.max, .max)
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var entries: [Entry] = []
        var place = 0
        for entry in try ArchiveEntries.directory(of: file, bounds) {
            let data = try Self.data(of: entry, at: place, file)
            if isRead(entry.name) {
                do throws(CountFault) {
                    try Self.read(entry, at: data, file, &buffer)
                } catch .damaged(let reason) {
                    throw .damaged("\(entry.name): \(reason)")
                }
            }
            entries.append(Entry(name: entry.name, crc: entry.crc, size: entry.size))
            place = data + entry.packed
        }
        // The directory, and the Zip64 records before its end, begin with the same two letters.
        guard try file.read(at: place, 4).low(0, 2) == 0x4B50, place < file.count else {
            throw .damaged("bytes of no entry stand before the directory")
        }
        self.entries = entries
    }

    /// Start of an entry's data; the entry's header must agree with the directory.
    private static func data(
        of entry: ArchiveEntries.Entry, at place: Int, _ file: SourceFile
    ) throws(CountFault) -> Int {
        let name = Array(entry.name.utf8)
        let isWide = max(entry.packed, entry.size) >= 0xFFFF_FFFF
        let head = try file.read(at: place, 30 + name.count)
        guard entry.header == place, head.low(0, 4) == 0x0403_4B50, head.low(8, 2) == entry.method,
            head.low(14, 4) == Int(entry.crc), head.low(18, 4) == (isWide ? 0xFFFF_FFFF : entry.packed),
            head.low(22, 4) == (isWide ? 0xFFFF_FFFF : entry.size), head.low(26, 2) == name.count,
            head.dropFirst(30).elementsEqual(name),
            let extra = head.low(28, 2)
        else { throw .damaged("\(entry.name) is not where the directory says") }
        return place + 30 + name.count + extra
    }

    private static func read(
        _ entry: ArchiveEntries.Entry, at data: Int, _ file: SourceFile, _ buffer: inout [UInt8]
    ) throws(CountFault) {
        let inflation = Inflation(file, at: data, packed: entry.packed, size: entry.size, isStored: entry.method == 0)
        var (crc, size): (UInt32, Int) = (0, 0)
        while size < entry.size {
            let count = try inflation.read(into: &buffer, from: 0)
            guard count > 0 else { throw .damaged("its content is cut off") }
            crc = unsafe buffer.withUnsafeBufferPointer { unsafe crc32_gzip_refl(crc, $0.baseAddress, UInt64(count)) }
            size += count
        }
        guard crc == entry.crc else { throw .damaged("its content has another checksum") }
    }
}
