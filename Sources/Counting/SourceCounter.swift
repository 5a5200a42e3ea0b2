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

    /// What counts each kind of file: a new one is its file and one line here.
    static let all: [any FileCount.Type] = [
        CSVCount.self, DBFCount.self, XLSXCount.self, ODSCount.self, SpreadsheetML2003Count.self, XLSCount.self, HTMLCount.self, XMLCount.self, JSONCount.self,
        SQLiteCount.self, AccessCount.self, NestedCount.self, DXFCount.self,
        SubmissionsCount.self,
    ]

    /// The kinds that can be counted, by the names that the readers have.
    package static let kinds = all.map { $0.kind }

    /// Counts a file of a kind.
    package static func count(path: String, kind: String, options: Options = Options()) throws(CountFault) -> SourceCount {
        try CountBounds.$current.withValue(options.bounds) { () -> Result<SourceCount, CountFault> in
            do throws(CountFault) { return .success(try counted(path, kind, options)) } catch { return .failure(error) }
        }.get()
    }

    private static func counted(_ path: String, _ kind: String, _ options: Options) throws(CountFault) -> SourceCount {
        let file = try SourceFile(path, isCancelled: options.isCancelled)
        guard let count = all.first(where: { $0.kind == kind }) else { throw .damaged("nothing here counts files of the kind \(kind)") }
        return try count.count(file, options)
    }
}

/// Counts one kind of file.
protocol FileCount: SendableMetatype {
    /// As the reader of Importing is called.
    static var kind: String { get }
    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount
}
