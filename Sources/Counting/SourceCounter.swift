internal import Foundation
package import Model

/// Counts a source without any code of its readers: filled cells, rows, numbers and their sums, by
/// table and column.
///
/// Each format has a type: `CSVCount`, `XLSXCount` … The file may be hostile: whatever it contains,
/// the result is a count or a `CountFault`.
package enum SourceCounter {
    /// The reader's information about the file that is not in its bytes.
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
        /// For JSON in an archive: the entry's name; the path is that of the archive.
        package var entry: String?
        /// For a JSON document: the rows in its lists.
        package var nested: [NestedRows] = []
        /// For a JSON document: objects whose members are rows, by path, with the heading for the
        /// members' keys.
        package var keyed: [String: String] = [:]
        /// For JSON: whether each line is a row.
        package var isLines = false
        /// Lines of JSON that the reader rejected and reported; they count as lines, without their
        /// contents.
        package var rejectedLines = LineSet()
        /// For a folder of pictures: paths below it that were skipped.
        package var leftOut: Set<String> = []
        package var bounds = CountBounds()
        /// Called after regular numbers of bytes.
        package var isCancelled: @Sendable () -> Bool = { false }

        package init() {}
    }

    /// The counts of all kinds of files; a new format needs its file and one line in this list.
    static let all: [any FileCount.Type] = [
        CSVCount.self, DBFCount.self, XLSXCount.self, ODSCount.self, SpreadsheetML2003Count.self, XLSCount.self,
        HTMLCount.self, XMLCount.self, JSONCount.self,
        SQLiteCount.self, AccessCount.self, NestedCount.self, DXFCount.self,
        SubmissionsCount.self, JSONTablesCount.self, PropertyListCount.self, GeoJSONCount.self,
    ]

    /// The kinds that can be counted, as their readers call them.
    package static let kinds = all.map { $0.kind }

    /// Counts a file of a given kind.
    package static func count(path: String, kind: String, options: Options = Options()) throws(CountFault)
        -> SourceCount
    {
        try CountBounds.$current.withValue(options.bounds) { () -> Result<SourceCount, CountFault> in
            do throws(CountFault) { return .success(try counted(path, kind, options)) } catch { return .failure(error) }
        }.get()
    }

    private static func counted(_ path: String, _ kind: String, _ options: Options) throws(CountFault) -> SourceCount {
        // A folder cannot be opened as a file.
        if kind == PictureCount.kind { return try PictureCount.count(path, options) }
        let file = try SourceFile(path, isCancelled: options.isCancelled)
        guard let count = all.first(where: { $0.kind == kind }) else {
            throw .damaged("nothing here counts files of the kind \(kind)")
        }
        return try count.count(file, options)
    }
}

/// Counts one kind of file.
protocol FileCount: SendableMetatype {
    /// The kind of the matching reader in Importing.
    static var kind: String { get }
    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount
}

/// Counts the tables of a JSON document: lists outside of rows, by the path of their keys; objects
/// with plain members, which are one row; and the members of objects listed in the mapping.
enum JSONTablesCount: FileCount {
    static let kind = "json-tables"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        var tables = PathTables(keyed: options.keyed)
        var scan = JSONTokens()
        var isFirst = true
        try file.forEachPiece { (piece) throws(CountFault) in
            let bytes = isFirst && piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece.dropFirst(3) : piece[...]
            isFirst = false
            for byte in bytes { try scan.take(byte) { (event) throws(CountFault) in try tables.take(event) } }
        }
        try scan.finish { (event) throws(CountFault) in try tables.take(event) }
        guard tables.hasValue else { throw .damaged("the document is empty") }
        return SourceCount(tables: try tables.counts(whole: file.stem), columnsByName: true)
    }
}

/// Reason, in English, why a source could not be counted.
package enum CountFault: Error, Equatable, Sendable {
    case unreadable(String)
    /// The file is not in its format, or in a variant that this code does not know.
    case damaged(String)
    /// The source exceeds a limit on resources.
    case tooLarge(String)
    case encrypted
    /// A required program is not installed.
    case needs(String)
    case cancelled

    package var reason: String {
        switch self {
        case .unreadable(let reason), .damaged(let reason): reason
        case .tooLarge(let bound): "it goes beyond the bound \(bound)"
        case .encrypted: "it is encrypted"
        case .needs(let what): "\(what) is missing"
        case .cancelled: "the count was ended"
        }
    }
}

/// Counts a tree of folders of pictures, with a row for each picture. A file is a picture by its
/// first bytes or its name. Only columns that follow from paths and sizes are counted.
enum PictureCount {
    static let kind = "pictures"

    private static let uncounted: Set<String> = [
        "stem", "number", "type", "sha256", "width", "height", "taken", "latitude", "longitude",
    ]
    private static let endings = ["jpg", "jpeg", "png", "heic", "heif", "gif", "tif", "tiff", "bmp", "webp"]

    static func count(_ folder: String, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        // A link is resolved first, because it would be walked as a file.
        let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        guard let walk = FileManager.default.enumerator(atPath: root) else { throw .unreadable("it cannot be opened") }
        var counts = ColumnCounts(numbers: true)
        for (place, name) in ["path", "root", "folder", "name", "bytes"].enumerated() { try counts.name(place, name) }
        while let path = walk.nextObject() as? String {
            guard !options.isCancelled() else { throw .cancelled }
            let attributes = walk.fileAttributes
            if options.leftOut.contains(path) || path.split(separator: "/").last?.hasPrefix(".") == true {
                walk.skipDescendants()
                continue
            }
            let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
            guard isFile, isPicture(root + "/" + path) else { continue }
            try counts.fill(0)
            try counts.fill(1)
            if path.contains("/") { try counts.fill(2) }
            try counts.fill(3)
            try counts.fill(4, number: Double(attributes?[.size] as? Int ?? 0))
            counts.endRow()
        }
        var count = SourceCount(tables: [counts.table(kind)], columnsByName: true)
        count.uncountedColumns[kind] = uncounted
        return count
    }

    private static func isPicture(_ path: String) -> Bool {
        if let last = path.split(separator: ".").last, endings.contains(last.lowercased()) { return true }
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        let head = Array((try? file.read(upToCount: 44)) ?? Data())
        let isPNG = head.high(0, 4) == 0x8950_4E47 && head.high(4, 4) == 0x0D0A_1A0A
        if isPNG || head.high(0, 3) == 0xFFD8FF { return true }
        // A box `ftyp` with a brand of HEIF.
        guard head.count >= 44, head[0] == 0, head.high(4, 4) == 0x6674_7970 else { return false }
        return [0x68_6569, 0x6D_6966].contains(head.high(8, 3))
    }
}

/// Counts the tables of a property list, XML or binary, like those of a JSON document with the same
/// values.
enum PropertyListCount: FileCount {
    static let kind = "plist"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let most = CountBounds.current.propertyListBytes
        guard file.count <= most else { throw .tooLarge("propertyListBytes \(most)") }
        var values = ListedValues(PathTables(keyed: options.keyed), most: most)
        let bytes = try file.read(at: 0, file.count)
        if bytes.starts(with: "bplist".utf8) {
            var objects = try ObjectWalk(bytes, values)
            try objects.all()
            values = objects.values
        } else {
            let elements = ElementValues(values)
            try MarkupStream.read(bytes, elements)
            values = elements.values
        }
        guard values.tables.hasValue else { throw .damaged("the list is empty") }
        return SourceCount(tables: try values.tables.counts(whole: file.stem), columnsByName: true)
    }
}

extension CountBounds {
    fileprivate var propertyListBytes: Int { self["propertyListBytes", usually: 64 << 20] }
}

/// Limits for counting a source. They are those of its reader, so that everything the reader
/// accepts can be counted.
package struct CountBounds: Sendable {
    package var columns = 16_384
    package var rows = 50_000_000
    /// Nesting depth of elements, and of JSON arrays and objects.
    package var depth = 256
    package var jsonDepth = 200
    package var jsonNumberLength = 400
    package var jsonRowBytes = 16 << 20
    package var cellBytes = 8 << 20
    package var archiveEntries = 100_000
    package var partBytes = 64 << 20
    package var entryBytes = 16 << 30
    package var compressionRatio = 400
    /// Limits of single formats, by the names by which users set them. Each count defines their
    /// defaults.
    package var ofFormats: [String: Int] = [:]

    package init() {}

    subscript(name: String, usually standard: Int) -> Int { ofFormats[name] ?? standard }

    /// The limits of the running count.
    @TaskLocal static var current = CountBounds()
}
