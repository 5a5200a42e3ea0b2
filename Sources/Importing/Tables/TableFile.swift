internal import Foundation
package import Model

/// A file with tables that do not follow a pack: sheets of a workbook, tables of a database, one
/// table of lines.
///
/// Each kind of file is a type in `Formats/` that conforms to this protocol. It recognises its kind
/// by content, and streams rows in constant memory if the format allows it. It trusts no length,
/// count or offset in a file.
package protocol TableFile: AnyObject {
    /// Machine-readable name of the kind: `csv`, `xlsx`, `dbf`.
    static var kind: String { get }
    /// The tables in the order of the file.
    var tables: [ForeignTable] { get }
    /// The kind that mappings use; for a folder, the kind of its files.
    var contentKind: String { get }
    /// Findings for the user from opening the file: a guessed code page, unreadable columns,
    /// missing tables.
    var findings: [Finding] { get }
    /// The encoding of the file's texts, if the whole file has one and the format allows several.
    var encodingName: String? { get }
    /// Lines that are not rows. Each becomes a row with a fault; the independent count does not
    /// count it as a row.
    var rejectedLines: LineSet { get }
    /// Where the file comes from if this program wrote it; nil for any other file.
    var origin: BookOrigin? { get }
}

extension TableFile {
    package var contentKind: String { Self.kind }
    package var findings: [Finding] { [] }
    package var encodingName: String? { nil }
    package var rejectedLines: LineSet { LineSet() }
    package var origin: BookOrigin? { nil }
}

/// A file of tables that also contains pictures.
package protocol PictureFile: TableFile {
    /// The bytes of a picture, by `SheetDetails.Picture.entry`.
    ///
    /// Throws `TableFailure` if the picture exceeds the limit or is damaged.
    func picture(_ entry: String, atMost limit: UInt64) throws -> [UInt8]
}

/// One table of an imported file.
package struct ForeignTable {
    /// The table's name in the file; without one, the file's name without its extension.
    package var name: String
    /// Whether programs that open the file hide the table.
    package var isHidden: Bool
    /// Column names defined by the file (a database); nil if a row of the table may contain them.
    package var columns: [String]?
    /// The columns that identify a row, if the source declares them.
    var key: [String] = []
    /// The number of rows that the file states; it may be false.
    package var statedRows: Int?
    /// The path of the table's file, for a table of a folder.
    package var file: String? = nil
    /// The table's name within its file. In a folder, `name` begins with the file's name if the
    /// file has several tables.
    var ownName: String {
        guard let file else { return name }
        let prefix = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent + " "
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    }
    /// Whether its rows are lines of text, divided into cells by a separator.
    package var isText = false
    /// Whether its rows are parts of records on the same lines of the file.
    var isRepeat = false
    /// Whether only columns that have a value in some row are listed.
    var isSparse = false
    /// Opens the rows at the start.
    package var open: () throws -> any ForeignRows
    /// Reads a sheet's properties other than its values; nil if the format has none.
    package var details: (() throws -> SheetDetails)?
    /// The files in the table's cells; nil if it cannot have any.
    var contents: (any ContentTable)?
    /// The counts of the values read from the table.
    let tally = ReadTally()

    package init(
        name: String, isHidden: Bool = false, columns: [String]? = nil, statedRows: Int? = nil,
        details: (() throws -> SheetDetails)? = nil, open: @escaping () throws -> any ForeignRows
    ) {
        self.name = name
        self.isHidden = isHidden
        self.columns = columns
        self.statedRows = statedRows
        self.open = open
        self.details = details
    }
}

/// The rows of an imported table, batch by batch.
package protocol ForeignRows: AnyObject {
    /// Empties the batch and fills it with the next rows; a batch without rows marks the end.
    ///
    /// Throws `TableFailure` if the rest of the file cannot be read.
    func fill(_ batch: inout ForeignBatch) throws
}

/// A table whose cells may contain whole files, such as photos in BLOB columns.
package protocol ContentTable {
    /// Opens the rows at the start. For files in `columns`, only their sizes are read.
    func rows(sparing columns: Set<Int>) throws -> any ForeignRows

    /// Opens the files of one column; nil if there is no such column.
    func contents(of column: String) throws -> (any CellContents)?
}

/// The files in one column of a table.
package protocol CellContents: AnyObject {
    /// Content of a row's cell, with rows counted from 1. Reading forward is cheap; reading back
    /// restarts at the first row.
    func content(ofRow row: Int) throws -> CellFile
}

/// Content of a cell that should be a file.
package enum CellFile: Equatable {
    case nothing
    case file([UInt8])
    /// A file larger than the limit of one value.
    case tooLarge(bytes: Int, limit: String)
    /// A text or a number of this size.
    case other(bytes: Int)
}

/// Properties of a sheet other than its values, read on request for forms laid out on a sheet.
package struct SheetDetails: Sendable, Equatable {
    package typealias Position = SheetCell

    /// A merged range of cells, with the value of its first cell.
    package struct CellRange: Sendable, Hashable {
        package var first: Position
        package var last: Position
    }

    /// A picture placed over a sheet, with the cell under its upper left corner.
    package struct Picture: Sendable, Hashable {
        package var cell: Position
        /// Name of the picture's entry in the workbook's archive.
        package var entry: String
    }

    package var mergedRanges: [CellRange] = []
    package var links: [Position: String] = [:]
    package var pictures: [Picture] = []
    /// Hidden columns and rows, counted from 0.
    package var hiddenColumns: [ClosedRange<Int>] = []
    package var hiddenRows: [Int] = []
}

/// A file that was read: the settings that an independent count needs, and its reader's counts.
package struct CountableFile {
    package let path: String
    /// The value of `ImportFormat.kind`.
    package let kind: String
    /// For a file in an archive: paths of the archive and of the entry in it. `path` is the path in
    /// a `Place`.
    package var archive: (path: String, entry: String)?
    /// The encoding that the reader used; nil if the file declares it.
    package var encoding: String?
    /// For CSV.
    package var dialect: (separator: UInt8, quote: UInt8, skipsFirstLine: Bool)?
    /// Whether memos of a DBF table were left out on purpose.
    package var isWithoutMemos = false
    /// For a JSON document: the rows in its lists.
    package var nested: [NestedRows] = []
    /// For a JSON document: objects whose members are rows, by path, with the heading for the
    /// members' keys.
    package var keyed: [String: String] = [:]
    /// For JSON: whether each line is a row.
    package var isLines = false
    /// For a folder of pictures: paths below it that were skipped.
    package var leftOut: Set<String> = []
    /// Lines that the reader rejected; complete once the file has been read.
    package var rejectedLines: () -> LineSet = { LineSet() }
    /// The reader's counts of each table that was read to its end.
    package var given: () -> [TableCount] = { [] }
}

extension TableFile {
    /// The files that contain the tables; for a folder, each of its files.
    func countable(path: String, isWithoutMemos: Bool) -> [CountableFile] {
        if let folder = self as? TableFolder {
            return folder.files.flatMap { $0.file.countable(path: $0.path, isWithoutMemos: isWithoutMemos) }
        }
        var countable = CountableFile(
            path: path, kind: contentKind, encoding: encodingName, isWithoutMemos: isWithoutMemos)
        if let csv = self as? CSVFile {
            countable.dialect = (csv.dialect.separator, csv.dialect.quote, csv.skipsFirstLine)
        }
        if let submissions = self as? SubmissionsFile { countable.isLines = submissions.isLines }
        if let tables = self as? JSONTables { countable.keyed = tables.document.keyed }
        if let pictures = self as? PictureFolder { countable.leftOut = pictures.leftOut }
        countable.rejectedLines = { [rejectedLines] in rejectedLines }
        countable.given = { [tables] in tables.compactMap(\.tally.count) }
        return [countable]
    }
}
