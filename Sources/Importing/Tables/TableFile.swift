internal import Foundation
package import Model

/// A file with tables that do not follow a pack: sheets of a workbook, tables of a database, one
/// table of lines.
///
/// Each kind of file is a type that conforms to this protocol, in `Formats/`. It recognises its
/// kind by content, streams rows in flat memory where the format allows it, and trusts nothing that
/// it reads: lengths, counts and offsets in a file may be false.
package protocol TableFile: AnyObject {
    /// Machine name of the kind: `csv`, `xlsx`, `dbf`.
    static var kind: String { get }
    /// The tables in the file's own order.
    var tables: [ForeignTable] { get }
    /// The kind that mappings refer to; for a folder, the kind of its files.
    var contentKind: String { get }
    /// Findings from opening the file that the user should know: a guessed code page, columns that
    /// cannot be read, missing tables.
    var findings: [Finding] { get }
    /// The encoding of the file's texts, where there is one for the whole file and it is not always
    /// the same.
    var encodingName: String? { get }
    /// Lines that are not rows: each becomes a row with a fault, and the independent count does not
    /// count it as a row.
    var rejectedLines: LineSet { get }
    /// The export or report that the file is, where this program made it.
    var origin: String? { get }
}

extension TableFile {
    package var contentKind: String { Self.kind }
    package var findings: [Finding] { [] }
    package var encodingName: String? { nil }
    package var rejectedLines: LineSet { LineSet() }
    package var origin: String? { nil }
}

/// A file of tables that also contains pictures.
package protocol PictureFile: TableFile {
    /// The bytes of a picture, by `SheetDetails.Picture.entry`.
    ///
    /// Throws `TableFailure` for a picture that exceeds the limit or is damaged.
    func picture(_ entry: String, atMost limit: UInt64) throws -> [UInt8]
}

/// One table of a foreign file.
package struct ForeignTable {
    /// The table's name in the file; a single table without a name has the file's name without its
    /// ending.
    package var name: String
    /// Whether the table is hidden from a person who opens the file.
    package var isHidden: Bool
    /// Names of columns where the file defines them (a database); nil where a row of the table may
    /// contain them.
    package var columns: [String]?
    /// The columns that tell its rows apart, where the source says so.
    var key: [String] = []
    /// The number of rows that the file states, which may be false.
    package var statedRows: Int?
    /// The table's own file, where the table belongs to a folder of files.
    package var file: String? = nil
    /// The table's name within its own file: in a folder, `name` has the file's name before it
    /// where the file contains several tables.
    var ownName: String {
        guard let file else { return name }
        let prefix = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent + " "
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    }
    /// Whether its rows are lines of text, divided into cells by a separator.
    package var isText = false
    /// Whether its rows are parts of the records that are on the same lines of the file.
    var isRepeat = false
    /// Whether it has only the columns in which some row has a value.
    var isSparse = false
    /// Opens the rows from the start.
    package var open: () throws -> any ForeignRows
    /// Reads the properties of a sheet in addition to its values; nil where the format has none.
    package var details: (() throws -> SheetDetails)?
    /// The files in its cells, where it may have any.
    var contents: (any ContentTable)?
    /// The counts of what was read from it.
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

/// The rows of a foreign table, batch by batch.
package protocol ForeignRows: AnyObject {
    /// Empties the batch and fills it with the next rows; a batch without rows marks the end.
    ///
    /// Throws `TableFailure` where the file cannot be read further.
    func fill(_ batch: inout ForeignBatch) throws
}

/// A table whose cells may contain whole files, such as photos in BLOB columns.
package protocol ContentTable {
    /// Opens the rows from the start. Of files in these columns only the size is read.
    func rows(sparing columns: Set<Int>) throws -> any ForeignRows

    /// Opens the files of one column; nil where there is no column of this name.
    func contents(of column: String) throws -> (any CellContents)?
}

/// The files in one column of a table.
package protocol CellContents: AnyObject {
    /// What the cell of a row contains, rows counted from 1. Going forward is cheap; going back
    /// begins from the start.
    func content(ofRow row: Int) throws -> CellFile
}

/// What a cell that should contain a file contains.
package enum CellFile: Equatable {
    case nothing
    case file([UInt8])
    /// A file beyond the limit of one value.
    case tooLarge(bytes: Int, limit: String)
    /// A text or a number of this size.
    case other(bytes: Int)
}

/// Properties of a sheet in addition to its values, read only on request: forms laid out on a sheet
/// need them.
package struct SheetDetails: Sendable, Equatable {
    package typealias Position = SheetCell

    /// A merged range of cells: its value is that of the first cell.
    package struct CellRange: Sendable, Hashable {
        package var first: Position
        package var last: Position
    }

    /// A picture placed over a sheet, by the cell under its upper left corner.
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
