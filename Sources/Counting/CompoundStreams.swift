/// The streams of a compound file ([MS-CFB]). No chain is followed for more steps than the file has
/// sectors.
struct CompoundStreams {
    static let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
    private static var mostBytes: Int { CountBounds.current.xlsBytes }

    private let file: SourceFile
    private let sector: Int
    /// Shorter streams are stored in small sectors.
    private let cutoff: Int
    /// For each sector, the next sector of its stream.
    private var next: [Int] = []
    private var smallNext: [Int] = []
    private var small: [UInt8] = []
    /// Start sector and length in bytes of the streams directly in the root, by name in lower case.
    private var streams: [String: (start: Int, count: Int)] = [:]

    init(_ file: SourceFile) throws(CountFault) {
        self.file = file
        let head = try file.read(at: 0, 512)
        guard head.starts(with: Self.signature), let shift = head.low(30, 2), shift == 9 || shift == 12,
            let directory = head.low(48, 4),
            let cutoff = head.low(56, 4), let smallTable = head.low(60, 4), var more = head.low(68, 4)
        else { throw .damaged("the head of its compound file is not valid") }
        sector = 1 << shift
        self.cutoff = cutoff
        let sectors = file.count / sector + 1
        var places = (0..<109).compactMap { head.low(76 + 4 * $0, 4) }
        var turns = 0
        while more < sectors {
            turns += 1
            guard turns <= sectors else { throw .damaged("the list of its sectors runs in a circle") }
            let list = try file.read(at: (more + 1) * sector, sector)
            places += (0..<(sector / 4 - 1)).compactMap { list.low(4 * $0, 4) }
            more = list.low(sector - 4, 4) ?? Int(UInt32.max)
        }
        for place in places.prefix(sectors) where place < sectors {
            next += Self.words(try file.read(at: (place + 1) * sector, sector))
        }
        let listing = try chain(directory)
        var isOwn = Self.rootMembers(listing)
        for place in stride(from: 0, to: listing.count - 127, by: 128) {
            guard let length = listing.low(place + 64, 2), 2...64 ~= length, let start = listing.low(place + 116, 4),
                let count = listing.low(place + 120, 4)
            else { continue }
            if listing[place + 66] == 5 {
                smallNext = Self.words(try chain(smallTable))
                small = Array(try chain(start).prefix(count))
            } else if listing[place + 66] == 2, isOwn.remove(place / 128) != nil {
                let name = String(decoding: (0..<(length / 2 - 1)).map { listing[place + 2 * $0] }, as: UTF8.self)
                    .lowercased()
                if streams[name] == nil { streams[name] = (start, count) }
            }
        }
    }

    /// The numbers of the entries in the root, without those in its storages. Each entry refers to
    /// two neighbours, and a storage to the first of its members.
    private static func rootMembers(_ listing: [UInt8]) -> Set<Int> {
        var members: Set<Int> = []
        var layer: [Int] = []
        for place in stride(from: 0, to: listing.count - 127, by: 128) where listing[place + 66] == 5 {
            layer.append(listing.low(place + 76, 4) ?? 0)
        }
        while !layer.isEmpty {
            let fresh = Set(layer).filter { $0 < listing.count / 128 }.subtracting(members)
            members.formUnion(fresh)
            layer = fresh.flatMap { [listing.low(128 * $0 + 68, 4) ?? 0, listing.low(128 * $0 + 72, 4) ?? 0] }
        }
        return members
    }

    func bytes(of name: String) throws(CountFault) -> [UInt8]? {
        guard let stream = streams[name.lowercased()] else { return nil }
        guard stream.count <= Self.mostBytes else { throw .tooLarge("xlsBytes \(Self.mostBytes)") }
        var found: [UInt8] = []
        if stream.count >= cutoff {
            found = try chain(stream.start)
        } else {
            var place = stream.start
            var turns = 0
            while place < smallNext.count, turns <= smallNext.count {
                found += small.dropFirst(place * 64).prefix(64)
                place = smallNext[place]
                turns += 1
            }
        }
        guard found.count >= stream.count else { throw .damaged("its stream is cut off") }
        return Array(found.prefix(stream.count))
    }

    private func chain(_ start: Int) throws(CountFault) -> [UInt8] {
        var found: [UInt8] = []
        var place = start
        var turns = 0
        while place < next.count {
            turns += 1
            guard turns <= next.count else { throw .damaged("a chain of its sectors runs in a circle") }
            guard found.count <= Self.mostBytes else { throw .tooLarge("xlsBytes \(Self.mostBytes)") }
            found += try file.read(at: (place + 1) * sector, sector)
            place = next[place]
        }
        return found
    }

    private static func words(_ bytes: [UInt8]) -> [Int] { (0..<(bytes.count / 4)).compactMap { bytes.low(4 * $0, 4) } }
}
