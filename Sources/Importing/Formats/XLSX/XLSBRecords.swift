/// The records of a part of a binary workbook (MS-XLSB 2.1.4): a kind and a length, of up to two and four bytes with
/// seven bits each, then the content.
struct XLSBRecords {
    struct Record {
        let kind: Int
        let range: Range<Int>
    }

    struct Cut: Error {}

    let bytes: [UInt8]
    private var place = 0
    /// Where the content of the record at hand ends: no value reaches beyond it.
    private var end = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Nil at the end.
    mutating func next() throws(Cut) -> Record? {
        guard place < bytes.count else { return nil }
        let kind = try number(2)
        let length = try number(4)
        guard length <= bytes.count - place else { throw Cut() }
        end = place + length
        defer { place = end }
        return Record(kind: kind, range: place..<end)
    }

    private mutating func number(_ most: Int) throws(Cut) -> Int {
        var value = 0
        for index in 0..<most {
            guard place < bytes.count else { throw Cut() }
            let byte = Int(bytes[place])
            place += 1
            value |= (byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { break }
        }
        return value
    }

    /// A text with its number of letters before it, and the place after it; an absent one is empty.
    func text(at place: Int) throws(Cut) -> (text: String, end: Int) {
        let count = try number32(at: place)
        if count == 0xFFFF_FFFF { return ("", place + 4) }
        guard count <= (end - place - 4) / 2 else { throw Cut() }
        let units = (0..<count).map { UInt16(bytes[place + 4 + 2 * $0]) | UInt16(bytes[place + 5 + 2 * $0]) << 8 }
        return (String(decoding: units, as: UTF16.self), place + 4 + 2 * count)
    }

    func number32(at place: Int) throws(Cut) -> Int {
        Int(try number(at: place, 4))
    }

    /// A number of up to eight bytes.
    func number(at place: Int, _ width: Int) throws(Cut) -> UInt64 {
        guard place + width <= end, let number = bytes.little(place, width) else { throw Cut() }
        return number
    }
}
