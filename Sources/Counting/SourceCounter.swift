package import Model

/// Counts a source without any of the code that reads it: filled cells, rows, numbers and their
/// sums, by table and column.
///
/// There is one type for each format: `CSVCount`, `XLSXCount` … The file may be hostile: whatever
/// it contains, the result is a count or a `CountFault`.
package enum SourceCounter {
    /// What the reader knows about the file beyond its bytes.
    package struct Options: Sendable {
        /// For text: `utf-8`, `utf-16le`, `utf-16be`; any other name is an encoding of one byte a
        /// character.
        package var encoding = "utf-8"
        /// For CSV.
        package var separator = UInt8(ascii: ",")
        package var quote = UInt8(ascii: "\"")
        /// Whether the first line of a CSV file declares the separator (`sep=;`) and is not part of
        /// the table.
        package var skipsFirstLine = false
        /// Whether memos count as empty for a DBF table without a memo file.
        package var isWithoutMemos = false
        /// For JSON in an archive: the name of the entry; the path is that of the archive.
        package var entry: String?
        /// For a JSON document: the rows in its lists.
        package var nested: [NestedRows] = []
        /// For a JSON document: objects whose members are rows, by path, and the heading of what the
        /// members are called.
        package var keyed: [String: String] = [:]
        /// For JSON: whether each line is a row.
        package var isLines = false
        /// Lines of JSON that the reader rejected and reported: they exist, and their contents are
        /// not counted.
        package var rejectedLines = LineSet()
        /// For a folder of pictures: paths below it that are not read.
        package var leftOut: Set<String> = []
        package var bounds = CountBounds()
        /// Called at regular intervals of bytes.
        package var isCancelled: @Sendable () -> Bool = { false }

        package init() {}
    }

    /// The counts of all kinds of files: a new format needs its file and one line here.
    static let all: [any FileCount.Type] = [
        CSVCount.self, DBFCount.self, XLSXCount.self, ODSCount.self, SpreadsheetML2003Count.self, XLSCount.self, HTMLCount.self, XMLCount.self, JSONCount.self,
        SQLiteCount.self, AccessCount.self, NestedCount.self, DXFCount.self,
        SubmissionsCount.self, JSONTablesCount.self, PropertyListCount.self,
    ]

    /// The kinds that can be counted, by the names of their readers.
    package static let kinds = all.map { $0.kind }

    /// Counts a file of a given kind.
    package static func count(path: String, kind: String, options: Options = Options()) throws(CountFault) -> SourceCount {
        try CountBounds.$current.withValue(options.bounds) { () -> Result<SourceCount, CountFault> in
            do throws(CountFault) { return .success(try counted(path, kind, options)) } catch { return .failure(error) }
        }.get()
    }

    private static func counted(_ path: String, _ kind: String, _ options: Options) throws(CountFault) -> SourceCount {
        // A folder is no file.
        if kind == PictureCount.kind { return try PictureCount.count(path, options) }
        let file = try SourceFile(path, isCancelled: options.isCancelled)
        guard let count = all.first(where: { $0.kind == kind }) else { throw .damaged("nothing here counts files of the kind \(kind)") }
        return try count.count(file, options)
    }
}

/// Counts one kind of file.
protocol FileCount: SendableMetatype {
    /// The name of the matching reader in Importing.
    static var kind: String { get }
    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount
}
