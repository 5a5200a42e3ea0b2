package import Model

/// A file that was read and what somebody must know who counts it by other means, with what its reader gave.
package struct CountableFile {
    package let path: String
    /// As `ImportFormat.kind`.
    package let kind: String
    /// Where it lies within an archive: the archive, and its name there; `path` is what places call it.
    package var archive: (path: String, entry: String)?
    /// As the reader took it; nil where the file says it itself.
    package var encoding: String?
    /// Of CSV.
    package var dialect: (separator: UInt8, quote: UInt8, skipsFirstLine: Bool)?
    /// Whether memos of a DBF table are left out on purpose.
    package var isWithoutMemos = false
    /// Of a document of JSON: the rows in its lists.
    package var nested: [NestedRows] = []
    /// Of JSON: whether each line is a row.
    package var isLines = false
    /// Lines that its reader gave as no rows, once it has been read.
    package var rejectedLines: () -> LineSet = { LineSet() }
    /// What its reader gave of each table that was read to its end.
    package var given: () -> [TableCount] = { [] }
}

extension TableFile {
    /// The files that the tables lie in; those of a folder's files are its own.
    func countable(path: String, isWithoutMemos: Bool) -> [CountableFile] {
        if let folder = self as? TableFolder {
            return folder.files.flatMap { $0.file.countable(path: $0.path, isWithoutMemos: isWithoutMemos) }
        }
        var countable = CountableFile(path: path, kind: Self.kind, encoding: encodingName, isWithoutMemos: isWithoutMemos)
        if let csv = self as? CSVFile { countable.dialect = (csv.dialect.separator, csv.dialect.quote, csv.skipsFirstLine) }
        countable.rejectedLines = { [rejectedLines] in rejectedLines }
        countable.given = { [tables] in tables.compactMap(\.tally.count) }
        return [countable]
    }
}
