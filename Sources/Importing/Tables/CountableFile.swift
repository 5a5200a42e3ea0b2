package import Model

/// A file that was read, with everything that an independent count needs to know and what its
/// reader returned.
package struct CountableFile {
    package let path: String
    /// The value of `ImportFormat.kind`.
    package let kind: String
    /// For a file in an archive: the archive, and the name of the entry; `path` is the path shown
    /// in places.
    package var archive: (path: String, entry: String)?
    /// The encoding that the reader used; nil where the file states it itself.
    package var encoding: String?
    /// For CSV.
    package var dialect: (separator: UInt8, quote: UInt8, skipsFirstLine: Bool)?
    /// Whether memos of a DBF table are left out on purpose.
    package var isWithoutMemos = false
    /// For a JSON document: the rows in its lists.
    package var nested: [NestedRows] = []
    /// For a JSON document: objects whose members are rows, by path, and the heading of what the
    /// members are called.
    package var keyed: [String: String] = [:]
    /// For JSON: whether each line is a row.
    package var isLines = false
    /// For a folder of pictures: paths below it that are not read.
    package var leftOut: Set<String> = []
    /// Lines that the reader rejected, once the file has been read.
    package var rejectedLines: () -> LineSet = { LineSet() }
    /// The counts of each table that was read to its end, as its reader returned it.
    package var given: () -> [TableCount] = { [] }
}

extension TableFile {
    /// The files that contain the tables; a folder lists each of its files.
    func countable(path: String, isWithoutMemos: Bool) -> [CountableFile] {
        if let folder = self as? TableFolder {
            return folder.files.flatMap { $0.file.countable(path: $0.path, isWithoutMemos: isWithoutMemos) }
        }
        var countable = CountableFile(path: path, kind: contentKind, encoding: encodingName, isWithoutMemos: isWithoutMemos)
        if let csv = self as? CSVFile { countable.dialect = (csv.dialect.separator, csv.dialect.quote, csv.skipsFirstLine) }
        if let submissions = self as? SubmissionsFile { countable.isLines = submissions.isLines }
        if let tables = self as? JSONTables { countable.keyed = tables.document.keyed }
        if let pictures = self as? PictureFolder { countable.leftOut = pictures.leftOut }
        countable.rejectedLines = { [rejectedLines] in rejectedLines }
        countable.given = { [tables] in tables.compactMap(\.tally.count) }
        return [countable]
    }
}
