/// The central directory of a ZIP archive, parsed without the readers' code (APPNOTE 4.3, with the
/// records of Zip64).
struct ArchiveEntries {
    struct Entry {
        /// As written in the directory.
        let name: String
        let method: Int
        let crc: UInt32
        let packed: Int
        let size: Int
        let header: Int
        let isEncrypted: Bool
    }

    let file: SourceFile
    private var entries: [String: Entry] = [:]
    private let bounds = CountBounds.current

    init(_ file: SourceFile) throws(CountFault) {
        self.file = file
        for entry in try Self.directory(of: file, bounds) { entries[Self.plain(entry.name)] = entry }
    }

    /// The entries in the order of the directory.
    static func directory(of file: SourceFile, _ bounds: CountBounds) throws(CountFault) -> [Entry] {
        let tailStart = max(0, file.count - 65_557 - 20)
        let tail = try file.read(at: tailStart, file.count - tailStart)
        guard let end = (0..<max(0, tail.count - 21)).reversed().first(where: { tail.low($0, 4) == 0x0605_4B50 }) else {
            throw .damaged("the archive has no end")
        }
        var (total, length, start) = (
            tail.low(end + 10, 2) ?? 0, tail.low(end + 12, 4) ?? 0, tail.low(end + 16, 4) ?? 0
        )
        if end >= 20, tail.low(end - 20, 4) == 0x0706_4B50, let place = tail.low(end - 12, 8), place >= 0 {
            let wide = try file.read(at: place, 56)
            if wide.low(0, 4) == 0x0606_4B50 {
                (total, length, start) = (wide.low(32, 8) ?? 0, wide.low(40, 8) ?? 0, wide.low(48, 8) ?? 0)
            }
        }
        guard 0...bounds.archiveEntries ~= total else { throw .tooLarge("archiveEntries \(bounds.archiveEntries)") }
        guard 0...bounds.partBytes ~= length else { throw .tooLarge("partBytes \(bounds.partBytes)") }
        let bytes = try file.read(at: start, length)
        guard bytes.count == length else { throw .damaged("the archive's directory is cut off") }
        var entries: [Entry] = []
        var place = 0
        for _ in 0..<total {
            guard bytes.low(place, 4) == 0x0201_4B50, let nameLength = bytes.low(place + 28, 2),
                let extra = bytes.low(place + 30, 2), let comment = bytes.low(place + 32, 2),
                place + 46 + nameLength + extra <= bytes.count
            else { throw .damaged("the archive's directory is cut off") }
            let afterName = place + 46 + nameLength
            var numbers = [
                bytes.low(place + 24, 4) ?? 0, bytes.low(place + 20, 4) ?? 0, bytes.low(place + 42, 4) ?? 0,
            ]
            Self.widen(&numbers, Array(bytes[afterName..<(afterName + extra)]))
            entries.append(
                Entry(
                    name: String(decoding: bytes[(place + 46)..<afterName], as: UTF8.self),
                    method: bytes.low(place + 10, 2) ?? 0, crc: UInt32(bytes.low(place + 16, 4) ?? 0),
                    packed: numbers[1], size: numbers[0], header: numbers[2],
                    isEncrypted: (bytes.low(place + 8, 2) ?? 0) & 1 != 0))
            place += 46 + nameLength + extra + comment
        }
        return entries
    }

    /// Reads sizes and offsets that do not fit four bytes from extra field 1.
    private static func widen(_ numbers: inout [Int], _ extra: [UInt8]) {
        var place = 0
        while let id = extra.low(place, 2), let length = extra.low(place + 2, 2) {
            if id == 1 {
                var value = place + 4
                for index in numbers.indices where numbers[index] == 0xFFFF_FFFF {
                    numbers[index] = extra.low(value, 8) ?? -1
                    value += 8
                }
            }
            place += 4 + length
        }
    }

    /// Normalises a name, because names may differ in case, and some programs write backslashes.
    private static func plain(_ name: String) -> String {
        let name = name.lowercased().replacing("\\", with: "/")
        return name.hasPrefix("/") ? String(name.dropFirst()) : name
    }

    /// The names of all entries, in lower case.
    var names: [String] { entries.keys.sorted() }

    func holds(_ name: String) -> Bool { entries[Self.plain(name)] != nil }

    /// Opens an entry for reading.
    func open(_ name: String) throws(CountFault) -> Inflation {
        guard let entry = entries[Self.plain(name)] else { throw .damaged("\(name) is missing") }
        guard !entry.isEncrypted else { throw .encrypted }
        guard entry.method == 0 || entry.method == 8 else {
            throw .damaged("\(name) is packed by method \(entry.method)")
        }
        guard entry.packed >= 0, 0...bounds.entryBytes ~= entry.size else {
            throw .tooLarge("entryBytes \(bounds.entryBytes)")
        }
        guard entry.size <= 64 << 20 || entry.size / max(entry.packed, 1) <= bounds.compressionRatio else {
            throw .tooLarge("compressionRatio \(bounds.compressionRatio)")
        }
        let head = try file.read(at: entry.header, 30)
        guard head.low(0, 4) == 0x0403_4B50, let nameLength = head.low(26, 2), let extra = head.low(28, 2) else {
            throw .damaged("\(name) is not where the directory says")
        }
        return Inflation(
            file, at: entry.header + 30 + nameLength + extra, packed: entry.packed, size: entry.size,
            isStored: entry.method == 0)
    }

    /// Returns all bytes of a small entry.
    func bytes(of name: String) throws(CountFault) -> [UInt8] {
        let inflation = try open(name)
        guard inflation.size <= bounds.partBytes else { throw .tooLarge("partBytes \(bounds.partBytes)") }
        var bytes = [UInt8](repeating: 0, count: inflation.size)
        var done = 0
        while done < bytes.count {
            let count = try inflation.read(into: &bytes, from: done)
            guard count > 0 else { throw .damaged("\(name) is cut off") }
            done += count
        }
        return bytes
    }
}
