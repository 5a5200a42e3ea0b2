import Digests
package import Foundation
package import Model

/// A kind of file or folder that contains rows of a pack's own entities.
///
/// A source recognises its kind by content, not by name, lists what it contains, and returns the
/// rows of each table as stretches of typed rows, in flat memory. It does not know the replica:
/// `Importer` passes the rows on.
package protocol SourceFormat: ImportFormat {
    /// Whether the file or folder is of this kind, according to its first bytes or its contents.
    static func recognises(_ location: SourceLocation) -> Bool
    /// Opens the file or folder; throws if it is of this kind but cannot be read.
    static func open(_ location: SourceLocation, pack: Pack) throws -> any Source
}

/// A file or folder given to `fichero import`, with its first bytes.
package struct SourceLocation {
    package var url: URL
    package var isDirectory: Bool
    /// Up to 4,096 bytes from the start of a file.
    package var head: [UInt8]
    /// Information about the source from the user and the replica.
    package var options: SourceOptions
    /// Limits for reading the source.
    package var limits = TableLimits()
    /// Files of the replica, which are not part of the source if they are in its folder.
    package var own = ReplicaFiles()

    package init(path: String, entity: String? = nil, options: SourceOptions = SourceOptions()) throws(ImportFailure) {
        url = URL(fileURLWithPath: path)
        self.options = options
        if let entity { self.options.entity = entity }
        var directory: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &directory) else {
            throw .notFound(path: path)
        }
        isDirectory = directory.boolValue
        head = []
        if !isDirectory {
            // Opening a pipe or device could block for ever, so they are rejected.
            guard let file = try? FileBytes(path) else { throw .unreadable(path: path) }
            head = file.read(at: 0, 4096)
        }
    }
}

/// An opened source.
package protocol Source: AnyObject {
    /// Its tables, in the order in which they are imported.
    var tables: [SourceTable] { get }
    /// Pictures that belong to rows of this source.
    var photos: [SourcePhoto] { get }
    /// Findings about the source as a whole: missing or changed files, counts.
    var findings: [Finding] { get }
    /// Files that can be counted independently.
    var countable: [CountableFile] { get }
    /// For sources with named columns: counts of each table's read and ignored cells, complete at
    /// the end.
    var uses: [ColumnUse] { get }
    /// Findings that are known only when all rows have been read.
    var lastFindings: [Finding] { get }
}

extension Source {
    package var countable: [CountableFile] { [] }
    package var uses: [ColumnUse] { [] }
    package var lastFindings: [Finding] { [] }
}

/// One table of a source: rows of one entity.
package struct SourceTable {
    /// The name in the source; it is resolved against the pack's entities and their aliases.
    package var name: String
    package var file: String
    /// The number of rows that the source declares, if any.
    package var statedRows: Int?
    /// Opens the unconverted cells at the first row; nil for tables that do not follow a pack,
    /// which `TableSurvey` describes.
    var cells: (() throws -> any NamedRows)?
    /// Reads the rows, stretch by stretch. `taken` is the number of rows that an earlier run has
    /// stored; one stretch ends with the last of them.
    package var read: RowReader
    /// Counts of the values read, and whether each row is a line of the file. Tables that do not
    /// follow a pack use `ForeignTable.tally`.
    var tally: (tally: ReadTally, isLines: Bool)?

    package typealias RowReader = (_ taken: Int, _ take: (inout ImportedStretch) throws -> Void) throws -> Void

    init(
        name: String, file: String, statedRows: Int? = nil, cells: (() throws -> any NamedRows)? = nil,
        read: @escaping RowReader
    ) {
        (self.name, self.file, self.statedRows, self.cells, self.read) = (name, file, statedRows, cells, read)
    }
}

/// A photo of a source: its location, the row it belongs to, and the source's facts about it.
package struct SourcePhoto {
    /// The path shown in findings: the file, or the archive and the name in it.
    package var path: String
    package var name: String
    package var entity: String
    package var id: String
    package var sha256: String?
    package var bytes: Int64?
    /// Opens its bytes from the start.
    package var open: () throws -> any ByteSource

    package init(
        path: String, name: String, entity: String, id: String, sha256: String? = nil, bytes: Int64? = nil,
        open: (() throws -> any ByteSource)? = nil
    ) {
        self.path = path
        self.name = name
        self.entity = entity
        self.id = id
        self.sha256 = sha256
        self.bytes = bytes
        self.open = open ?? { try FileStream(path: path) }
    }
}

/// The formats that contain rows of a pack's own entities.
package enum SourceFormats {
    package static func open(_ location: SourceLocation, pack: Pack) throws -> any Source {
        guard let format = format(of: location) else {
            throw ImportFailure.unknownKind(
                path: location.url.path, known: ImportFormats.all.compactMap { ($0 as? any SourceFormat.Type)?.kind })
        }
        return try format.open(location, pack: pack)
    }

    /// The kind of a file or folder; nil if none of these formats recognises it.
    package static func name(of location: SourceLocation) -> String? { format(of: location)?.kind }

    /// The source's format; nil if a table format that is earlier in the list recognises the
    /// source.
    private static func format(of location: SourceLocation) -> (any SourceFormat.Type)? {
        guard let last = ImportFormats.all.lastIndex(where: { $0 is any SourceFormat.Type }) else { return nil }
        for format in ImportFormats.all[...last] {
            if let own = format as? any SourceFormat.Type {
                if own.recognises(location) { return own }
            } else if let table = format as? any TableFormat.Type, !location.isDirectory,
                let head = try? FileHead(path: location.url.path)
            {
                if table.recognises(head) { return nil }
            }
        }
        return nil
    }
}

extension SourceLocation {
    /// SHA-256 of a file, or of a folder's manifest. For a folder without a manifest, it covers the
    /// names and hashes of the files directly in the folder, or of the given pictures.
    package func digest(of pictures: [String]? = nil) throws -> String? {
        let manifest = url.appendingPathComponent("manifest.json").path
        guard isDirectory, !FileManager.default.fileExists(atPath: manifest) else {
            return try FileDigest.sha256(ofFile: isDirectory ? manifest : url.path)
        }
        var lines = ""
        let isOwn = own.filter(below: url.path)
        let files = FileManager.default
        let names = try pictures ?? files.contentsOfDirectory(atPath: url.path)
        for name in names.sorted() where pictures != nil || !isOwn(name) {
            let path = url.appendingPathComponent(name).path
            let type = try files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            guard type == .typeRegular else { continue }
            lines += "\(try FileDigest.sha256(ofFile: path))  \(name)\n"
        }
        return FileDigest.sha256(of: Array(lines.utf8))
    }
}

/// Computes the SHA-256 of imported files.
package enum FileDigest {
    /// Lower-case hexadecimal, read in pieces.
    package static func sha256(ofFile path: String) throws -> String {
        try sha256(of: try FileStream(path: path)).sha256
    }

    /// The SHA-256 and the number of bytes; `take` receives each piece.
    static func sha256(of source: any ByteSource, _ take: (ArraySlice<UInt8>) throws -> Void = { _ in }) throws -> (
        sha256: String, bytes: Int64
    ) {
        let read = try SHA256.digest { piece in
            let count = try source.read(into: &piece, from: 0)
            if count > 0 { try take(piece[..<count]) }
            return count
        }
        return (read.digest.hexadecimal, read.bytes)
    }

    package static func sha256(of bytes: [UInt8]) -> String { SHA256.digest(of: bytes).hexadecimal }
}

/// A kind of file or folder that records are imported from: one type in `Formats/` and one line in
/// `ImportFormats.all`. Most contain tables that mappings read (`TableFormat`); a few contain rows
/// of a pack's own entities (`SourceFormat`).
package protocol ImportFormat: SendableMetatype {
    /// Machine name, as `fichero describe` shows it and an import records it.
    static var kind: String { get }
    /// Limits that only this format has, declared in its file (`FormatLimits`).
    static var bounds: [ReadingBound] { get }
}

extension ImportFormat {
    package static var bounds: [ReadingBound] { [] }
}

/// A kind of file with tables that do not follow a pack.
package protocol TableFormat: ImportFormat {
    /// Whether the format is a workbook: a mapping that accepts one kind of workbook accepts the
    /// same sheets in any other.
    static var isWorkbook: Bool { get }
    /// Recognises the format by content; the file's name and ending are ignored.
    static func recognises(_ head: FileHead) -> Bool
    static func open(_ head: FileHead, _ options: TableOptions) throws -> any TableFile
}

extension TableFormat {
    package static var isWorkbook: Bool { false }
}

/// Every kind of file or folder that can be imported, in the order in which they are tried.
package enum ImportFormats {
    package static let all: [any ImportFormat.Type] = [
        PackageFormat.self,
        AppFolderFormat.self,
        SubmissionsFile.self,
        // A map is also JSON, so it is tried before the formats of other JSON.
        GeoJSONFormat.self,
        JSONFormat.self,
        JSONTables.self,
        DXFFormat.self,
        ODSFile.self,
        XLSXFile.self,
        AccessFile.self,
        SQLiteFile.self,
        XLSFile.self,
        PropertyListFormat.self,
        XML2003File.self,
        HTMLFile.self,
        XMLFile.self,
        // The signature of dBase is short, so this format is tried after those with a reliable
        // signature.
        DBFFile.self,
        // Any text could be a CSV file, so it is tried last.
        CSVFile.self,
    ]
}
