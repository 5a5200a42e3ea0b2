package import Model

/// Counts a source without any of the code that reads it: filled cells, rows, numbers and their sums, by table and column.
///
/// One type for each format: `CSVCount`, `XLSXCount` … The file may be hostile: whatever it holds, the outcome is a count or a `CountFault`.
package enum SourceCounter {
    /// What the reader knows of the file beside its bytes.
    package struct Options: Sendable {
        /// Of text: `utf-8`, `utf-16le`, `utf-16be`; any other name is a page of one byte a character.
        package var encoding = "utf-8"
        /// Of CSV.
        package var separator = UInt8(ascii: ",")
        package var quote = UInt8(ascii: "\"")
        /// Whether the first line of a CSV file states the separator (`sep=;`) and is none of the table.
        package var skipsFirstLine = false
        /// Whether the memos of a DBF table without a memo file hold nothing.
        package var isWithoutMemos = false
        /// Of JSON in an archive: its name there; the path is the archive's.
        package var entry: String?
        /// Of a document of JSON: the rows in its lists.
        package var nested: [NestedRows] = []
        /// Of JSON: whether each line is a row.
        package var isLines = false
        /// Lines of JSON that the reader gave as no rows and told of: they are there, and what is in them is not counted.
        package var rejectedLines = LineSet()
        package var bounds = CountBounds()
        /// Asked every so many bytes.
        package var isCancelled: @Sendable () -> Bool = { false }

        package init() {}
    }

    /// The kinds that can be counted, by the names that the readers have.
    package static let kinds = ["csv", "dbf", "xlsx", "ods", "xml2003", "xls", "html", "xml", "json", "sqlite", "access", "app-folder", "dxf"]

    /// Counts a file of a kind.
    package static func count(path: String, kind: String, options: Options = Options()) throws(CountFault) -> SourceCount {
        try CountBounds.$current.withValue(options.bounds) { () -> Result<SourceCount, CountFault> in
            do throws(CountFault) { return .success(try counted(path, kind, options)) } catch { return .failure(error) }
        }.get()
    }

    private static func counted(_ path: String, _ kind: String, _ options: Options) throws(CountFault) -> SourceCount {
        let file = try SourceFile(path, isCancelled: options.isCancelled)
        return switch kind {
        case "csv": try CSVCount.count(file, options)
        case "dbf": try DBFCount.count(file, options)
        case "xlsx": try XLSXCount.count(file)
        case "ods": try ODSCount.count(file)
        case "xml2003": try SpreadsheetML2003Count.count(file)
        case "xls": try XLSCount.count(file)
        case "html": try HTMLCount.count(file, options)
        case "xml": try XMLCount.count(file)
        case "json": try JSONCount.count(file, options)
        case "sqlite": try SQLiteCount.count(file)
        case "app-folder": try NestedCount.count(file, options.nested)
        case "dxf": try DXFCount.count(file)
        case "access": try AccessCount.count(file, options)
        default: throw .damaged("nothing here counts files of the kind \(kind)")
        }
    }
}
