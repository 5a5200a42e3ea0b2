import Foundation
import JSONReading
package import Model
import Photos
import Zipping

/// A survey package, as a folder or a ZIP archive: `manifest.json`, data files (JSON or NDJSON),
/// photos. See `Docs/survey-package.md`.
///
/// The input may be hostile: a link, or a name that points outside the package, ends the import
/// before anything is read. When the package is opened, every file in the manifest is read to its
/// end and its checksum is computed. So damage is found before any row is imported.
package enum PackageFormat: SourceFormat {
    package static let kind = "package"

    package static func recognises(_ location: SourceLocation) -> Bool {
        if location.isDirectory {
            return FileManager.default.fileExists(atPath: location.url.appendingPathComponent("manifest.json").path)
        }
        return recognisesArchive(location)
    }

    /// Recognises an archive with a manifest. Also recognises an archive that cannot be opened and
    /// does not look like an Office document: opening it as a package reports the archive's fault.
    private static func recognisesArchive(_ location: SourceLocation) -> Bool {
        let signatures: [[UInt8]] = [[0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06]]
        guard signatures.contains(where: { location.head.starts(with: $0) }) else { return false }
        do {
            // Some writers of Office documents separate folders by backslashes. In a package,
            // backslashes are an error, which is reported when the package is opened.
            let zip = try ZipReader(
                path: location.url.path, maximumEntries: location.options.limits.entries, takesBackslashes: true)
            guard zip.entry("[Content_Types].xml") == nil else { return false }
            return ArchiveContainer.top(of: zip.entries.filter { !$0.isDirectory }.map(\.name)) != nil
        } catch {
            let marks = ["[Content_Types].xml", "xl/", "word/", "_rels/.rels"]
            return !marks.contains { location.head.firstRange(of: Array($0.utf8)) != nil }
        }
    }

    package static func open(_ location: SourceLocation, pack: Pack) throws -> any Source {
        let (path, options) = (location.url.path, location.options)
        let container: any PackageContainer = location.isDirectory
            ? FolderContainer(path: path, limits: options.limits)
            : try ArchiveContainer(path: path, limits: options.limits)
        return try PackageSource(container, pack: pack, options: options, limits: location.limits)
    }
}

/// An opened package.
package final class PackageSource: Source {
    package private(set) var tables: [SourceTable] = []
    package private(set) var photos: [SourcePhoto] = []
    package private(set) var findings: [Finding] = []
    /// Creation time that the package states; nil if it states none.
    package let createdAt: String?
    package var lastFindings: [Finding] { log?.findings ?? [] }
    package private(set) var countable: [CountableFile] = []
    package private(set) var uses: [ColumnUse] = []

    private let container: any PackageContainer
    private let limits: TableLimits
    private var log: EventLog?
    private var facts = PhotoFacts()

    init(_ container: any PackageContainer, pack: Pack, options: SourceOptions, limits: TableLimits) throws {
        (self.container, self.limits) = (container, limits)
        // Checks all files against the limits before reading any.
        _ = try container.names()
        let manifestPath = container.place(of: "manifest.json")
        guard container.contains("manifest.json") else { throw ImportFailure.unreadable(path: manifestPath) }
        let manifest = try PackageManifest(
            path: manifestPath, bytes: try container.read("manifest.json", atMost: options.limits.documentBytes))
        createdAt = manifest.createdAt
        guard manifest.pack == pack.name else {
            throw ImportFailure.otherPack(path: manifestPath, found: manifest.pack, expected: pack.name)
        }
        for name in manifest.tables.map(\.file) + manifest.photos.map(\.file) { try container.check(name) }
        for table in manifest.tables { try addTable(table, pack) }
        for photo in manifest.photos { try addPhoto(photo) }
        completeRows(pack)
        try reportExtraFiles(manifest)
        // The log is compared with the package's rows, or turned into rows if there are none.
        log = EventLog(tables, pack: pack, options: options)
        tables = log?.tables(tables) ?? tables
    }

    private func addTable(_ table: PackageManifest.Table, _ pack: Pack) throws {
        guard container.contains(table.file) else {
            findings.append(missing(table.file))
            return
        }
        try compareChecksum(of: table.file, expected: table.sha256)
        let (path, file) = (container.place(of: table.file), table.file)
        let head = try container.head(of: file)
        let layout = JSONLayout.detect(head.bytes, isWhole: head.isWhole, limits: limits.json)
        // If the manifest lists a file twice, the file's rows must be counted only once.
        let use = countable.contains { $0.path == path } ? nil : ColumnUse(file: path, table: table.entity)
        let tally = ReadTally()
        tables.append(
            SourceTable(
                named: table.entity, file: path, statedRows: table.rows, pack: pack, use: use,
                tally: (tally, isLines: layout == .lines)
            ) { [container, limits] in
                let cells = try JSONCells(try container.open(file), path: path, layout: layout, limits: limits)
                return EventLog.once(cells, of: table.entity, pack: pack)
            })
        guard let use else { return }
        uses.append(use)
        countable.append(
            CountableFile(
                path: path, kind: JSONFormat.kind, archive: container.entry(of: file).map { (container.path, $0) },
                isLines: layout == .lines,
                rejectedLines: { tally.rejected }, given: { tally.count.map { [$0] } ?? [] }))
    }

    private func addPhoto(_ photo: PackageManifest.Photo) throws {
        guard container.contains(photo.file) else {
            findings.append(missing(photo.file))
            return
        }
        var content: [UInt8] = []
        guard try compareChecksum(of: photo.file, expected: photo.sha256, { piece in
            if content.count <= PhotoFolder.maximumBytes { content += piece }
        }) else { return }
        facts.add(content, id: photo.id.lowercased())
        photos.append(
            SourcePhoto(
                path: container.place(of: photo.file), name: String(photo.file.split(separator: "/").last ?? ""),
                entity: photo.entity,
                id: photo.id.lowercased(), sha256: photo.sha256?.lowercased(), bytes: photo.bytes,
                open: { [container] in try container.open(photo.file) }))
    }

    /// Reads a file to its end, so that an archive's checksum is compared as well. Returns false if
    /// the content differs from the stated checksum.
    @discardableResult
    private func compareChecksum(of name: String, expected: String?, _ take: ((ArraySlice<UInt8>) -> Void)? = nil)
        throws -> Bool
    {
        guard expected != nil || take != nil || container is ArchiveContainer else { return true }
        let found = try FileDigest.sha256(of: try container.open(name)) { take?($0) }.sha256
        guard let expected, found != expected.lowercased() else { return true }
        findings.append(Finding(
            "IMPORT-CHECKSUM", place: Place(file: container.place(of: name)),
            arguments: ["name": name, "expected": expected, "found": found]))
        return false
    }

    private func missing(_ name: String) -> Finding {
        Finding("IMPORT-MISSING-FILE", place: Place(file: container.place(of: name)), arguments: ["name": name])
    }

    /// Adds facts from photo files to rows of photos without them.
    private func completeRows(_ pack: Pack) {
        guard !facts.isEmpty else { return }
        tables = tables.map { table in
            guard let entity = pack.entities.first(where: { $0.name == table.name || $0.aliases.contains(table.name) }),
                entity.file[.width] != nil
            else { return table }
            var completed = table
            completed.read = { [facts] taken, take in
                try table.read(taken) { stretch in
                    for index in stretch.batches.indices {
                        stretch.batches[index] = facts.completed(stretch.batches[index], entity)
                    }
                    try take(&stretch)
                }
            }
            return completed
        }
    }

    /// Reports files missing from the manifest; they are not read.
    private func reportExtraFiles(_ manifest: PackageManifest) throws {
        let named = Set(manifest.tables.map(\.file) + manifest.photos.map(\.file) + ["manifest.json", "expected.json"])
        for name in try container.names() where !named.contains(name) {
            findings.append(Finding(
                "IMPORT-EXTRA-FILE", place: Place(file: container.place(of: name)), arguments: ["name": name]))
        }
    }
}

/// Facts found in photo files: their kind, size in pixels, and the camera's position. They fill
/// gaps in the rows.
struct PhotoFacts {
    private var files: [String: [(Entity.FileFact, MemoryRows.Value)]] = [:]

    /// Stores the facts of a photo by its row's id. A file that is not a picture, or is larger than
    /// any photo, has none.
    mutating func add(_ bytes: [UInt8], id: String) {
        guard bytes.count <= PhotoFolder.maximumBytes, let kind = PictureKind(bytes) else { return }
        files[id] = Self.facts(of: kind, PhotoFile(bytes: bytes).picture)
    }

    var isEmpty: Bool { files.isEmpty }

    /// The batch with the facts in those of its rows' fields that are null.
    func completed(_ batch: ImportedBatch, _ entity: Entity) -> ImportedBatch {
        var changes: [Int: [Int: MemoryRows.Value]] = [:]
        for row in 0..<batch.rows.rowCount {
            guard let id = batch.rows.string(row, batch.fields.count - 1), let facts = files[id] else { continue }
            for (fact, value) in facts {
                guard let field = entity.file[fact].flatMap({ entity.position(ofField: $0) }),
                    let column = batch.column(ofField: field), batch.rows.cell(row, column).kind == .null
                else { continue }
                changes[row, default: [:]][column] = value
            }
        }
        return batch.replacing(changes)
    }

    /// Facts from a photo file. A time is used only if the camera states its clock's offset from
    /// UTC.
    ///
    /// - Parameter picture: the contents of a JPEG; for other kinds nothing more is known.
    static func facts(of kind: PictureKind, _ picture: JPEGPicture?) -> [(Entity.FileFact, MemoryRows.Value)] {
        var facts: [(Entity.FileFact, MemoryRows.Value)] = [(.type, .text(kind.type))]
        guard let picture else { return facts }
        facts += [(.width, .integer(Int64(picture.width))), (.height, .integer(Int64(picture.height)))]
        if let latitude = picture.camera.latitude, let longitude = picture.camera.longitude {
            facts += [(.latitude, .real(latitude)), (.longitude, .real(longitude))]
        }
        if let taken = picture.camera.taken, taken.offset != nil {
            facts.append((.taken, .text(Timestamp.format(taken.instant(in: .gmt)))))
        }
        return facts
    }
}
