/// Pages of a database of Access 2010 and later, parsed for columns that mdbtools cannot read: the
/// definition of a table, its rows in the order of `mdb-export`, and fields.
///
/// Results are nil wherever the file is not as expected; the column then remains unread.
struct AccessPages {
    struct Column {
        let name: String
        /// The column's index among all columns, and among those of varying length.
        let number: Int
        let slot: Int
        /// Position of a value of fixed length in a row; nil if the length varies.
        let fixed: Range<Int>?
    }

    struct Table {
        let page: Int
        let columns: [Column]
        /// The pages that contain its rows, in order.
        let pages: [Int]
    }

    private static let size = 4096
    /// Page of the table that lists all objects of the database.
    private static let catalogue = 2
    /// A definition needs one page for about 100 columns; a chain of pages could be circular.
    private static let mostPages = 64
    private let file: FileBytes

    init(path: String) throws { file = try FileBytes(path) }

    private func page(_ number: Int) -> [UInt8]? {
        let bytes = file.read(at: number * Self.size, Self.size)
        return bytes.count == Self.size ? bytes : nil
    }

    func table(named name: String) -> Table? {
        guard let catalogue = table(at: Self.catalogue),
            let names = catalogue.columns.first(where: { $0.name == "Name" }),
            let ids = catalogue.columns.first(where: { $0.name == "Id" })
        else { return nil }
        for page in catalogue.pages {
            for row in rows(of: page, in: catalogue) where row[names].flatMap(AccessText.string) == name {
                // A table's id has a zero upper byte; other objects may have the same name.
                guard let id = row[ids]?.little32(0), id < 1 << 24, let table = table(at: id) else { continue }
                return table
            }
        }
        return nil
    }

    private func table(at number: Int) -> Table? {
        guard let first = page(number), first[0] == 2, var next = first.little32(4) else { return nil }
        var bytes = first
        while next != 0 {
            guard bytes.count < Self.mostPages * Self.size, let more = page(next), more[0] == 2 else { return nil }
            bytes += more[8...]
            next = more.little32(4) ?? 0
        }
        guard let count = bytes.little16(45), let indexes = bytes.little32(51), let map = bytes.little32(55) else {
            return nil
        }
        var place = 63 + 12 * indexes
        let fields = (0..<count).map { place + 25 * $0 }
        place += 25 * count
        var columns: [Column] = []
        for field in fields {
            guard let number = bytes.little16(field + 5), let slot = bytes.little16(field + 7),
                let flags = bytes.little(field + 15, 1),
                let start = bytes.little16(field + 21), let length = bytes.little16(field + 23),
                let named = bytes.little16(place),
                place + 2 + named <= bytes.count
            else { return nil }
            let name = AccessText.wide(bytes[(place + 2)..<(place + 2 + named)])
            place += 2 + named
            columns.append(Column(
                    name: name, number: number, slot: slot,
                    fixed: flags & 1 == 1 ? (2 + start)..<(2 + start + length) : nil))
        }
        return pages(map).map { Table(page: number, columns: columns, pages: $0) }
    }

    /// The pages listed in a usage map: bits from a first page on, or pages of such bits.
    private func pages(_ map: Int) -> [Int]? {
        guard let map = row(map) else { return nil }
        if map.first == 0 { return map.little32(1).map { set(map.dropFirst(5), from: $0) } }
        var found: [Int] = []
        for index in 0..<((map.count - 1) / 4) {
            guard let number = map.little32(1 + 4 * index) else { return nil }
            guard number != 0 else { continue }
            guard let bits = page(number)?.dropFirst(4) else { return nil }
            found += set(bits, from: index * bits.count * 8)
        }
        return found
    }

    /// The file's pages whose bits are set.
    private func set(_ bits: ArraySlice<UInt8>, from first: Int) -> [Int] {
        var pages: [Int] = []
        for (index, byte) in bits.enumerated() where byte != 0 {
            for bit in 0..<8 where byte >> bit & 1 == 1 { pages.append(first + 8 * index + bit) }
        }
        return pages.filter { $0 < file.count / Self.size }
    }

    /// The row that a pointer refers to: one byte is its number, three are its page.
    private func row(_ pointer: Int) -> ArraySlice<UInt8>? {
        page(pointer >> 8).flatMap { Self.row(pointer & 0xFF, of: $0) }
    }

    private static func row(_ index: Int, of page: [UInt8]) -> ArraySlice<UInt8>? {
        guard let start = page.little16(14 + 2 * index), let end = index == 0 ? size : page.little16(12 + 2 * index)
        else { return nil }
        let range = (start & 0x1FFF, index == 0 ? end : end & 0x1FFF)
        return range.0 <= range.1 && range.1 <= size ? page[range.0..<range.1] : nil
    }

    /// The rows of a page, without deleted rows and pointers to moved rows.
    func rows(of number: Int, in table: Table) -> [AccessStoredRow] {
        guard let page = page(number), page[0] == 1, page.little32(4) == table.page, let count = page.little16(12)
        else { return [] }
        return (0..<count).compactMap { index in
            guard let start = page.little16(14 + 2 * index), start & 0x4000 == 0 else { return nil }
            // mdbtools leaves out rows of zero bytes.
            return Self.row(index, of: page).flatMap { $0.isEmpty ? nil : AccessStoredRow($0) }
        }
    }

    /// A long value from its head in a row: in the row, in another row, or in a chain of rows.
    func long(_ stated: ArraySlice<UInt8>) -> [UInt8]? {
        guard let head = stated.little32(0), var pointer = stated.little32(4) else { return nil }
        let length = head & 0x3FFF_FFFF
        // The longest text: two bytes a letter after a calculated value's head.
        guard length <= 2 * AccessRows.longestValue + 20 else { return nil }
        switch head >> 30 {
        case 2: return Array(stated.dropFirst(12).prefix(length))
        case 1: return row(pointer).map { Array($0.prefix(length)) }
        case 0:
            var value: [UInt8] = []
            // Every piece but the last fills nearly a page; a chain could be circular.
            var left = length / 256 + 8
            while value.count < length {
                left -= 1
                guard left > 0, let piece = row(pointer), piece.count > 4, let next = piece.little32(0) else {
                    return nil
                }
                value += piece.dropFirst(4)
                pointer = next
            }
            return Array(value.prefix(length))
        default: return nil
        }
    }
}

/// A row as it is stored: values of fixed length, values of varying length, the starts of these,
/// and a bit for each column that has a value.
struct AccessStoredRow {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Nil if the column has no value, or if the row is malformed.
    subscript(_ column: AccessPages.Column) -> ArraySlice<UInt8>? {
        guard let count = bytes.little16(0), column.number < count else { return nil }
        let mask = bytes.count - (count + 7) / 8
        guard let present = bytes.little(mask + column.number / 8, 1), present >> (column.number % 8) & 1 == 1 else {
            return nil
        }
        if let fixed = column.fixed { return slice(fixed.lowerBound, fixed.upperBound, before: mask) }
        guard let varying = bytes.little16(mask - 2), column.slot < varying else { return nil }
        let places = mask - 4 - 2 * column.slot
        guard let start = bytes.little16(places), let end = bytes.little16(places - 2) else { return nil }
        return slice(start, end, before: mask)
    }

    private func slice(_ start: Int, _ end: Int, before limit: Int) -> ArraySlice<UInt8>? {
        guard start <= end, end <= limit else { return nil }
        return bytes[(bytes.startIndex + start)..<(bytes.startIndex + end)]
    }
}
