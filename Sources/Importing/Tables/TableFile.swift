internal import Foundation
package import Model

/// A file that holds tables which know nothing of a pack: sheets of a workbook, tables of a database, one table of lines.
///
/// A kind of file is one type conforming to this, in `Formats/`. It tells itself from others by content, streams rows in flat memory
/// where the format allows, and takes nothing that it reads for true: lengths, counts and offsets of a file may lie.
package protocol TableFile: AnyObject {
    /// Machine name of the kind: `csv`, `xlsx`, `dbf`.
    static var kind: String { get }
    /// The tables in the file's own order.
    var tables: [ForeignTable] { get }
    /// The kind that mappings speak of; a folder's is that of its files.
    var contentKind: String { get }
    /// What was noticed when the file was opened and its user should know: a guessed code page, columns that cannot be read, tables that are
    /// not there.
    var findings: [Finding] { get }
    /// How the bytes of its texts are characters, where that is one for the file and not always the same.
    var encodingName: String? { get }
    /// Lines that are no rows: each is given as one with a fault, and counted as no row by whoever counts the file.
    var rejectedLines: LineSet { get }
}

extension TableFile {
    package var contentKind: String { Self.kind }
    package var findings: [Finding] { [] }
    package var encodingName: String? { nil }
    package var rejectedLines: LineSet { LineSet() }
}

/// A file of tables that holds pictures too.
package protocol PictureFile: TableFile {
    /// The bytes of a picture, by `SheetDetails.Picture.entry`.
    ///
    /// Throws `TableFailure` for one above the limit or damaged.
    func picture(_ entry: String, atMost limit: UInt64) throws -> [UInt8]
}

/// One table of a foreign file.
package struct ForeignTable {
    /// As the file names it; of a file with one nameless table, the file's name without its ending.
    package var name: String
    /// Whether a person who opens the file sees it.
    package var isHidden: Bool
    /// Names of columns where the file itself has them (a database); nil where a row of the table may hold them.
    package var columns: [String]?
    /// How many rows the file says there are; a claim.
    package var statedRows: Int?
    /// The table's own file, where it is one of several in a folder.
    package var file: String? = nil
    /// The name within its own file: a table of one of several files bears the file's name before it.
    var ownName: String {
        guard let file else { return name }
        let prefix = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent + " "
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    }
    /// Whether its rows are lines of text that a separator cuts into cells.
    package var isText = false
    /// Opens the rows anew, from the first.
    package var open: () throws -> any ForeignRows
    /// Reads what a sheet says beside its values; nil where the kind of file has nothing of the sort.
    package var details: (() throws -> SheetDetails)?
    /// What was read of it.
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

/// Rows of a foreign table, batch after batch.
package protocol ForeignRows: AnyObject {
    /// Empties the batch and fills it with the next rows; a batch without rows means the end.
    ///
    /// Throws `TableFailure` where the file cannot be read on.
    func fill(_ batch: inout ForeignBatch) throws
}
