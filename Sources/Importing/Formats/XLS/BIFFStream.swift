/// The records of a workbook's stream: each has a number, a length, and its bytes.
struct BIFFStream {
    struct Record {
        let id: Int
        /// Range of its data in the stream.
        let range: Range<Int>

        /// Whether it has the layout of BIFF2, in a stream of this version: cells with three bytes of
        /// attributes, lengths of one byte. Some programs write records of BIFF3 between them.
        func isOfBIFF2(_ version: Int) -> Bool { version == 2 && id < 0x0200 }
    }

    let bytes: [UInt8]
    var position: Int

    /// The next record; nil at the end of the stream.
    mutating func next() throws(XLSDamage) -> Record? {
        guard let id = bytes.little16(position), let length = bytes.little16(position + 2) else { return nil }
        let start = position + 4
        guard start + length <= bytes.count else { throw .damaged("a record (\(id)) at byte \(position) is cut off") }
        position = start + length
        return Record(id: id, range: start..<position)
    }

    /// The data of a record and of those that continue it.
    func segments(from record: Record) -> [Range<Int>] {
        var all = [record.range]
        var rest = BIFFStream(bytes: bytes, position: record.range.upperBound)
        while let next = try? rest.next(), next.id == 0x3C { all.append(next.range) }
        return all
    }
}
