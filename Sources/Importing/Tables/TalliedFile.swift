import Model

/// A file whose tables are counted as they are read.
final class TalliedFile: PictureFile {
    static let kind = "tallied"
    let tables: [ForeignTable]
    private let file: any TableFile
    var contentKind: String { file.contentKind }
    var findings: [Finding] { file.findings }
    var encodingName: String? { file.encodingName }

    init(_ file: any TableFile, path: String, _ tallies: ReadTallies) {
        self.file = file
        tables = file.tables.enumerated().map { tallies.counted($1, of: path, place: $0) }
    }

    func picture(_ entry: String, atMost limit: UInt64) throws -> [UInt8] {
        guard let file = file as? any PictureFile else { throw TableFailure.damaged(Place(), kind: contentKind, reason: "it has no pictures") }
        return try file.picture(entry, atMost: limit)
    }
}
