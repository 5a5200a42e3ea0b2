import Model
import Photos

/// The files that a column of a foreign table contains, as the pictures of its rows.
final class RowContents {
    /// The picture of one row.
    struct Picture {
        /// The ending is that of its kind: a name from the file may be anything.
        let name: String
        let facts: [(Entity.FileFact, MemoryRows.Value)]
    }

    private let table: any ContentTable
    private let column: String
    private let contents: any CellContents
    /// Reads the files once more when they are stored, so that they never wait in memory.
    private var again: (any CellContents)?

    /// Nil where the target's picture is not the content of a column, or the table has no such
    /// contents.
    init?(_ target: ImportMapping.Target, _ places: [Int], _ heading: [String], in table: ForeignTable) throws {
        guard target.photo?.isContent == true, let place = places.first, let own = table.contents, let contents = try own.contents(of: heading[place])
        else { return nil }
        (self.table, column, self.contents) = (own, heading[place], contents)
    }

    /// The picture in a row, and what is wrong with it. The row comes in without a picture where
    /// there is none: what it says besides is not worse for it.
    func picture(ofRow row: Int) throws -> (picture: Picture?, finding: (code: String, arguments: [String: String])?) {
        switch try contents.content(ofRow: row) {
        case .nothing: return (nil, nil)
        case .other(let bytes): return (nil, noPhoto(bytes))
        case .tooLarge(let bytes, let limit):
            return (nil, ("IMPORT-CONTENT-SIZE", ["name": column, "bytes": String(bytes), "limit": limit]))
        case .file(let bytes):
            guard let kind = PictureKind(bytes) else { return (nil, noPhoto(bytes.count)) }
            let facts = PhotoFile(bytes: bytes).picture.map(PhotoFacts.facts) ?? []
            let picture = Picture(name: "\(row).\(kind.ending)", facts: facts)
            return (picture, kind.isComplete(bytes) ? nil : ("IMPORT-CONTENT-CUT", ["name": column, "bytes": String(bytes.count)]))
        }
    }

    private func noPhoto(_ bytes: Int) -> (code: String, arguments: [String: String]) {
        ("IMPORT-CONTENT-NO-PHOTO", ["name": column, "bytes": String(bytes)])
    }

    /// A row's picture for the store.
    func photo(_ picture: Picture, ofRow row: Int, of entity: String, id: String, file: String) -> SourcePhoto {
        SourcePhoto(path: "\(file) (\(column), \(row))", name: picture.name, entity: entity, id: id) { [self] in
            let reader = try again ?? table.contents(of: column)
            again = reader
            guard case .file(let bytes)? = try reader?.content(ofRow: row) else { return BytesInMemory([]) }
            return BytesInMemory(bytes)
        }
    }
}

/// The bytes of one file.
private final class BytesInMemory: ByteSource {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into buffer: inout [UInt8], from offset: Int) -> Int {
        let count = min(bytes.count - position, buffer.count - offset)
        guard count > 0 else { return 0 }
        buffer.replaceSubrange(offset..<(offset + count), with: bytes[position..<(position + count)])
        position += count
        return count
    }
}
