import Model
import Photos

/// Reads the pictures in a column of an external table, row by row.
final class RowPictures {
    /// Positions, in the entity, of the fields that are filled from the picture and not by the
    /// mapping.
    let fields: [Int]
    private let facts: [Entity.FileFact]
    private let table: any ContentTable
    private let column: String
    private let contents: any CellContents
    /// Reads the pictures a second time when they are stored, so that they need not stay in memory.
    private var again: (any CellContents)?
    /// File name extension and fault of the picture in the last row read. The extension follows
    /// from the picture's contents, because a name in the file may be wrong.
    private var ending: String?
    private var fault: (code: String, arguments: [String: String])?

    /// Nil if the target's picture is not the content of a column, or if the table does not provide
    /// the contents of pictures.
    ///
    /// - Parameters:
    ///   - mapped: names of the fields that the mapping fills.
    ///   - places: columns of the picture, as positions in the heading.
    init?(
        _ target: ImportMapping.Target, of entity: Entity, mapped: [String], _ places: [Int], _ heading: [String],
        in table: ForeignTable
    ) throws {
        guard target.photo?.isContent == true, let place = places.first, let own = table.contents,
            let contents = try own.contents(of: heading[place])
        else { return nil }
        (self.table, column, self.contents) = (own, heading[place], contents)
        let told = [Entity.FileFact.type, .width, .height, .latitude, .longitude, .taken].compactMap {
            fact -> (fact: Entity.FileFact, field: Int)? in
            guard let name = entity.file[fact], !mapped.contains(name) else { return nil }
            return entity.position(ofField: name).map { (fact, $0) }
        }
        (facts, fields) = (told.map(\.fact), told.map(\.field))
    }

    /// Reads a row's picture and appends the facts about the picture. A row without a usable
    /// picture is still imported, with its other values.
    func read(row: Int, into rows: inout RowBatch) throws {
        let said = try said(ofRow: row)
        for fact in facts {
            switch said.first(where: { $0.0 == fact })?.1 {
            case .integer(let number): rows.append(number)
            case .real(let number): rows.append(number)
            case .text(let text): rows.append(text)
            case .null, nil: rows.appendNull()
            }
        }
    }

    /// The facts in the picture of a row; sets `ending` and `fault`.
    private func said(ofRow row: Int) throws -> [(Entity.FileFact, MemoryRows.Value)] {
        (ending, fault) = (nil, nil)
        switch try contents.content(ofRow: row) {
        case .nothing: break
        case .other(let bytes): fault = noPhoto(bytes)
        case .tooLarge(let bytes, let limit):
            fault = ("IMPORT-CONTENT-SIZE", ["name": column, "bytes": String(bytes), "limit": limit])
        case .file(let bytes):
            guard let kind = PictureKind(bytes) else {
                fault = noPhoto(bytes.count)
                break
            }
            let picture = PhotoFile(bytes: bytes).picture
            ending = kind.ending
            if !kind.isComplete(bytes, picture) {
                fault = ("IMPORT-CONTENT-CUT", ["name": column, "bytes": String(bytes.count)])
            }
            return PhotoFacts.facts(of: kind, picture)
        }
        return []
    }

    private func noPhoto(_ bytes: Int) -> (code: String, arguments: [String: String]) {
        ("IMPORT-CONTENT-NO-PHOTO", ["name": column, "bytes": String(bytes)])
    }

    /// The fault of the picture in the last row read.
    func findings(at place: Place) -> [Finding] {
        fault.map { [Finding($0.code, place: place, arguments: $0.arguments)] } ?? []
    }

    /// The picture of the last row read, for the store.
    func photo(ofRow row: Int, of entity: String, id: String, file: String) -> SourcePhoto? {
        guard let ending else { return nil }
        return SourcePhoto(path: "\(file) (\(column), \(row))", name: "\(row).\(ending)", entity: entity, id: id) {
            [self] in
            let reader = try again ?? table.contents(of: column)
            again = reader
            guard case .file(let bytes)? = try reader?.content(ofRow: row) else { return BytesInMemory([]) }
            return BytesInMemory(bytes)
        }
    }
}

/// Bytes in memory, read like a file.
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
