/// Writes the streams of old workbooks for the tests, record by record, and compound files around
/// them.
enum BIFFWriting {
    static func record(_ id: Int, _ data: [UInt8]) -> [UInt8] { little(id, 2) + little(data.count, 2) + data }
    static func little(_ value: Int, _ size: Int) -> [UInt8] { DBFWriting.little(value, size) }
    static func double(_ value: Double) -> [UInt8] { little(Int(bitPattern: UInt(value.bitPattern)), 8) }
    /// A text of BIFF8. Its length takes two bytes.
    static func text(_ text: String) -> [UInt8] { little(text.utf16.count, 2) + [1] + text.utf16.flatMap { little(Int($0), 2) } }
    static func cell(_ id: Int, _ row: Int, _ column: Int, _ xf: Int, _ value: [UInt8]) -> [UInt8] {
        record(id, little(row, 2) + little(column, 2) + little(xf, 2) + value)
    }
    static let end = record(0x0A, [])

    /// A workbook of BIFF8. Its globals come first, then its sheets, and the places of the sheets
    /// are filled in.
    static func workbook(globals: [UInt8], sheets: [(name: String, hidden: UInt8, kind: UInt8, cells: [UInt8])]) -> [UInt8] {
        let bodies = sheets.map { record(0x0809, little(0x0600, 2) + little(0x10, 2) + little(0, 12)) + $0.cells + end }
        let begin = record(0x0809, little(0x0600, 2) + little(0x05, 2) + little(0, 12)) + globals
        let entries = sheets.map { [$0.hidden, $0.kind, UInt8($0.name.utf8.count), 0] + Array($0.name.utf8) }
        var place = begin.count + entries.reduce(0) { $0 + 8 + $1.count } + end.count
        var out = begin
        for (entry, body) in zip(entries, bodies) {
            out += record(0x85, little(place, 4) + entry)
            place += body.count
        }
        return out + end + bodies.flatMap { $0 }
    }

    /// A compound file with one large stream, and perhaps another in an embedded object's storage,
    /// which comes first in the directory.
    static func compound(
        _ name: String, _ stream: [UInt8], embedded: (name: String, stream: [UInt8])? = nil
    ) -> [UInt8] {
        func body(_ stream: [UInt8]) -> [UInt8] { stream.padded(max(4096, (stream.count + 511) / 512 * 512), 0) }
        let bodies = ([stream] + (embedded.map { [$0.stream] } ?? [])).map(body)
        // Sector 0 is the table and sector 1 the directory. The streams follow.
        var table: [Int] = [0xFFFF_FFFD, 0xFFFF_FFFE]
        for body in bodies {
            let first = table.count
            table += (1..<(body.count / 512)).map { first + $0 } + [0xFFFF_FFFE]
        }
        var head: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + little(0, 16) + [0x3E, 0, 3, 0, 0xFE, 0xFF, 9, 0, 6, 0]
        head += little(0, 10) + little(1, 4) + little(1, 4) + little(0, 4) + little(4096, 4) + little(0xFFFF_FFFE, 4) + little(0, 4)
        head += little(0xFFFF_FFFE, 4) + little(0, 4) + little(0, 4)
        head = head.padded(512, 0xFF)
        let none = 0xFFFF_FFFF
        func entry(
            _ name: String, _ kind: UInt8, right: Int? = nil, child: Int? = nil, _ start: Int = 0, _ count: Int = 0
        ) -> [UInt8] {
            let units = name.utf16.flatMap { little(Int($0), 2) }
            let links = [none, right ?? none, child ?? none].flatMap { little($0, 4) }
            return units.padded(64, 0) + little(units.count + 2, 2) + [kind, 1] + links + little(0, 36)
                + little(start, 4) + little(count, 8)
        }
        var directory = entry("Root Entry", 5, child: 1, 0xFFFF_FFFE)
        if let embedded {
            directory += entry("MBD0001", 1, right: 3, child: 2)
            directory += entry(embedded.name, 2, 2 + bodies[0].count / 512, max(embedded.stream.count, 4096))
        }
        directory += entry(name, 2, 2, max(stream.count, 4096))
        let sectors = table.flatMap { little($0, 4) }.padded(512, 0xFF)
        return head + sectors + directory.padded(512, 0) + bodies.flatMap { $0 }
    }
}
