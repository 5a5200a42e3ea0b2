/// The streams of an OLE2 compound file, in which Excel has stored workbooks since version 5.
///
/// Source: [MS-CFB]. Chains of sectors may be circular or point outside the file, so none is
/// followed for more steps than the file has sectors.
struct CompoundFile {
    static let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

    struct Entry {
        let name: String
        let kind: UInt8
        let start: Int
        let count: Int
    }

    /// Entries directly in the root. Embedded objects have separate storages, whose streams have
    /// the same names.
    private(set) var entries: [Entry] = []
    private let bytes: FileBytes
    private let sectorSize: Int
    private let miniSize: Int
    private let cutoff: Int
    private var table: [UInt32] = []
    private var miniTable: [UInt32] = []
    private var miniStream: [UInt8] = []

    init(_ file: FileBytes, limit: Int) throws(XLSDamage) {
        bytes = file
        let head = file.read(at: 0, 512)
        guard head.starts(with: Self.signature), let shift = head.little16(30), shift == 9 || shift == 12,
            let miniShift = head.little16(32),
            miniShift == 6, let directory = head.little32(48), let cutoff = head.little32(56),
            let miniStart = head.little32(60),
            let next = head.little32(68)
        else { throw .damaged("its compound file has no valid header") }
        sectorSize = 1 << shift
        miniSize = 1 << miniShift
        self.cutoff = cutoff
        let sectors = (file.count + sectorSize - 1) / sectorSize
        // Sectors of the allocation table: 109 are in the header, the rest in a chain.
        var places = (0..<109).compactMap { head.little32(76 + 4 * $0) }
        var more = next
        var turns = 0
        while more < sectors {
            turns += 1
            guard turns <= sectors, places.count <= sectors + 109 else {
                throw .damaged("the list of its sectors runs in a circle")
            }
            let sector = file.read(at: (more + 1) * sectorSize, sectorSize)
            guard sector.count == sectorSize else { break }
            places += (0..<(sectorSize / 4 - 1)).compactMap { sector.little32(4 * $0) }
            more = sector.little32(sectorSize - 4) ?? Int(UInt32.max)
        }
        for place in places.prefix(sectors) where place < sectors {
            let sector = file.read(at: (place + 1) * sectorSize, sectorSize)
            table += stride(from: 0, to: sector.count - 3, by: 4).map {
                UInt32(truncatingIfNeeded: sector.little(Int($0), 4) ?? 0)
            }
        }
        let listing = try chain(directory, limit: 1 << 24)
        let offsets = stride(from: 0, to: listing.count - 127, by: 128)
        guard let offset = offsets.first(where: { listing[$0 + 66] == 5 }),
            let root = Self.entry(listing, offset)
        else {
            throw .damaged("its compound file has no root")
        }
        entries = Self.entries(listing, in: offset)
        if root.count > 0, root.start < sectors {
            miniStream = Array(try chain(root.start, limit: limit).prefix(root.count))
            miniTable = try chain(miniStart, limit: limit).words
        }
    }

    private static func entry(_ listing: [UInt8], _ offset: Int) -> Entry? {
        guard let length = listing.little16(offset + 64), 2...64 ~= length, let start = listing.little32(offset + 116),
            let count = listing.little32(offset + 120)
        else { return nil }
        let units = (0..<(length / 2 - 1)).map { UInt16(truncatingIfNeeded: listing.little16(offset + 2 * $0) ?? 0) }
        let name = String(decoding: units, as: UTF16.self)
        return Entry(name: name, kind: listing[offset + 66], start: start, count: count)
    }

    /// The entries of a storage, which form a binary tree with the storage's child as its root.
    private static func entries(_ listing: [UInt8], in storage: Int) -> [Entry] {
        var found: [Entry] = []
        var seen: Set<Int> = []
        var waiting = [listing.little32(storage + 76)]
        while let next = waiting.popLast() {
            guard let number = next, number < listing.count / 128, seen.insert(number).inserted else { continue }
            if let entry = entry(listing, number * 128) { found.append(entry) }
            waiting += [listing.little32(number * 128 + 72), listing.little32(number * 128 + 68)]
        }
        return found
    }

    /// The bytes of a stream of the root; nil if there is none with that name.
    func stream(_ name: String, limit: Int) throws(XLSDamage) -> [UInt8]? {
        guard let entry = entries.first(where: { $0.kind == 2 && $0.name.lowercased() == name.lowercased() }) else {
            return nil
        }
        guard entry.count <= limit else { throw .tooLarge("xlsBytes \(limit)") }
        let found: [UInt8]
        if entry.count >= cutoff {
            found = try chain(entry.start, limit: limit + sectorSize)
        } else {
            found = try miniChain(entry.start)
        }
        guard found.count >= entry.count else {
            throw .damaged("its stream \(name) has \(found.count) of \(entry.count) bytes")
        }
        return Array(found.prefix(entry.count))
    }

    private func chain(_ start: Int, limit: Int) throws(XLSDamage) -> [UInt8] {
        var found: [UInt8] = []
        var sector = start
        var turns = 0
        // Values beyond the table mark the end of a chain, or an absent sector.
        while sector < table.count {
            turns += 1
            guard turns <= table.count else { throw .damaged("a chain of its sectors runs in a circle") }
            guard found.count <= limit else { throw .tooLarge("xlsBytes \(limit)") }
            found += bytes.read(at: (sector + 1) * sectorSize, sectorSize)
            sector = Int(table[sector])
        }
        return found
    }

    private func miniChain(_ start: Int) throws(XLSDamage) -> [UInt8] {
        var found: [UInt8] = []
        var sector = start
        var turns = 0
        while sector < miniTable.count {
            turns += 1
            guard turns <= miniTable.count else { throw .damaged("a chain of its small sectors runs in a circle") }
            found += miniStream.dropFirst(sector * miniSize).prefix(miniSize)
            sector = Int(miniTable[sector])
        }
        return found
    }
}

extension [UInt8] {
    fileprivate var words: [UInt32] {
        stride(from: 0, to: count - 3, by: 4).map { UInt32(truncatingIfNeeded: little($0, 4) ?? 0) }
    }
}
