import Digests
import Foundation
import JSONReading
package import Model

/// Writes a survey package as a folder, or as a ZIP archive if its name ends in `.zip`. Equal
/// content gives equal bytes.
///
/// A photo that is missing, or whose checksum differs from its row's, is left out and reported
/// (`PHOTO-MISSING`, `PHOTO-CHANGED`). The package is complete and flushed under a temporary name;
/// the caller that registers it renames it. After an error no files remain.
package struct PackageWriter {
    private static let pieceSize = 1 << 17

    package init() {}

    private struct Entry {
        var sha256: String
        var bytes: Int64
    }

    /// - Parameter nextPhoto: returns the photos in order of name and id, then nil.
    package func write(
        _ content: PackageContent, nextPhoto: () throws -> PackagePhoto?, finalPath: String, findings: any FindingSink,
        progress: (Int) -> Void
    ) throws -> WrittenPackage {
        let sink: any PackageSink = finalPath.lowercased().hasSuffix(".zip")
            ? try ArchiveSink(finalPath: finalPath) : try FolderSink(finalPath: finalPath)
        var manifest = Manifest(content)
        for table in content.tables {
            let file = "data/\(table.entity).ndjson"
            let (entry, count) = try write(table, as: file, to: sink, before: manifest.rows, progress)
            manifest.add(table, file, entry, rows: count)
        }
        var names: Set<String> = []
        while let photo = try nextPhoto() {
            // Photos of two records may have the same name; the later one goes into a separate
            // folder.
            let file =
                names.insert(photo.name.lowercased()).inserted
                ? "photos/" + photo.name : "photos/\(photo.id)/\(photo.name)"
            guard let entry = try write(photo, as: file, to: sink, findings) else { continue }
            manifest.add(photo, file, entry)
        }
        let text = manifest.text(createdAt: content.createdAt)
        try sink.begin("manifest.json", compressed: true)
        try sink.write(Array(text.utf8))
        try sink.end()
        let finished = try sink.finish()
        return WrittenPackage(
            temporaryPath: finished.path, finalPath: finalPath, rows: manifest.rows, photos: manifest.photos.count,
            bytes: finished.file?.bytes ?? manifest.bytes + Int64(text.utf8.count),
            sha256: finished.file?.sha256 ?? SHA256.digest(of: text).hexadecimal,
            content: SHA256.digest(of: manifest.text(createdAt: nil)).hexadecimal)
    }

    /// The list of a package's files, from which it is checked when it arrives.
    private struct Manifest {
        private let content: PackageContent
        private(set) var rows = 0
        private(set) var bytes: Int64 = 0
        private var tables: [String] = []
        private(set) var photos: [String] = []

        init(_ content: PackageContent) { self.content = content }

        mutating func add(_ table: PackageTable, _ file: String, _ entry: Entry, rows count: Int) {
            rows += count
            bytes += entry.bytes
            tables.append(
                """
                {\"entity\": \(quoted(table.entity)), \"file\": \(quoted(file)), \"rows\": \(count), \
                \"bytes\": \(entry.bytes), \"sha256\": \"\(entry.sha256)\"}
                """
            )
        }

        mutating func add(_ photo: PackagePhoto, _ file: String, _ entry: Entry) {
            bytes += entry.bytes
            photos.append(
                """
                {\"file\": \(quoted(file)), \"entity\": \(quoted(photo.entity)), \"id\": \
                \(quoted(photo.id)), \"sha256\": \"\(entry.sha256)\", \"bytes\": \(entry.bytes)}
                """
            )
        }

        /// - Parameter createdAt: nil for the text from which packages of equal content are known.
        func text(createdAt: String?) -> String {
            """
            {
              "format": "fichero-package",
              "formatVersion": 1,
              "pack": \(quoted(content.pack)),
              "packVersion": \(quoted(content.packVersion)),
              \(createdAt.map { "\"createdAt\": \(quoted($0))" } ?? ""),
              "project": \(quoted(content.project)),
              "counts": {"entities": \(tables.count), "rows": \(rows), "photos": \(photos.count), "bytes": \(bytes)},
              "entities": [\(list(tables))],
              "photos": [\(list(photos))]
            }

            """
        }

        private func list(_ items: [String]) -> String {
            items.isEmpty ? "" : "\n    " + items.joined(separator: ",\n    ") + "\n  "
        }

        private func quoted(_ text: String) -> String {
            var quoted = ""
            JSONString.append(text, to: &quoted)
            return quoted
        }
    }

    private func write(
        _ table: PackageTable, as file: String, to sink: any PackageSink, before: Int, _ progress: (Int) -> Void
    ) throws -> (Entry, Int) {
        try sink.begin(file, compressed: true)
        let line = PackageLine(fields: table.fields), source = try table.open()
        var sum = SHA256()
        var entry = Entry(sha256: "", bytes: 0)
        var batch = RowBatch(columnCount: source.columnCount)
        var bytes: [UInt8] = []
        var rows = 0
        while true {
            try source.fill(&batch)
            if batch.rowCount == 0 { break }
            bytes.removeAll(keepingCapacity: true)
            for row in 0..<batch.rowCount { line.append(batch, row, to: &bytes) }
            rows += batch.rowCount
            sum.update(bytes)
            entry.bytes += Int64(bytes.count)
            try sink.write(bytes)
            progress(before + rows)
        }
        try sink.end()
        entry.sha256 = sum.digest().hexadecimal
        return (entry, rows)
    }

    private func write(_ photo: PackagePhoto, as file: String, to sink: any PackageSink, _ findings: any FindingSink)
        throws -> Entry?
    {
        guard !photo.name.contains("/"), !photo.name.isEmpty, photo.name != ".", photo.name != ".." else {
            throw BundleFailure.nameRefused(photo.name)
        }
        guard let path = photo.path, let reading = try FileReader(path) else {
            try add("PHOTO-MISSING", photo, findings)
            return nil
        }
        // The whole photo is read into memory, so that its checksum matches the packed bytes even
        // if the file changes meanwhile.
        var content: [UInt8] = []
        try reading.read(&content, upTo: .max)
        let sha256 = SHA256.digest(of: content).hexadecimal
        if let expected = photo.sha256, expected.lowercased() != sha256 {
            try add("PHOTO-CHANGED", photo, findings)
            return nil
        }
        try sink.begin(file, compressed: false)
        try sink.write(content)
        try sink.end()
        return Entry(sha256: sha256, bytes: Int64(content.count))
    }

    private func add(_ code: String, _ photo: PackagePhoto, _ findings: any FindingSink) throws {
        try findings.add(Finding(
            code, place: Place(table: photo.entity, id: photo.id, file: photo.name),
            arguments: ["name": photo.name]))
    }
}

/// Formats a row as a line of NDJSON: fields by their names, without empty ones. A JSON field is
/// copied if it is already in this program's form; otherwise it is written as a text.
struct PackageLine {
    let fields: [Field]

    /// The names under which an import reads a row's states.
    private static let states = ["syncStatus", "localVersion", "remoteUpdatedAt"]

    func append(_ batch: RowBatch, _ row: Int, to bytes: inout [UInt8]) {
        var isFirst = true
        func begin(_ name: String) {
            bytes.append(UInt8(ascii: isFirst ? "{" : ","))
            isFirst = false
            append(quoted: name)
            bytes.append(UInt8(ascii: ":"))
        }
        func append(quoted text: String) {
            var quoted = ""
            JSONString.append(text, to: &quoted)
            bytes += quoted.utf8
        }
        for (index, field) in fields.enumerated() {
            let cell = batch.cell(row, index)
            switch cell.kind {
            case .null: continue
            case .integer:
                begin(field.name)
                bytes += (field.type == .boolean ? (cell.integer == 0 ? "false" : "true") : String(cell.integer)).utf8
            case .real:
                begin(field.name)
                bytes += cell.real.description.utf8
            case .text:
                let text = batch.string(row, index) ?? ""
                begin(field.name)
                if [.json, .point, .polygon, .list].contains(field.type), let value = try? JSONValue.parse(text),
                    value.description == text
                {
                    bytes += text.utf8
                } else {
                    append(quoted: text)
                }
            }
        }
        // The state `synced` applies in every replica. All other sync states apply in one replica
        // only, and are not written.
        if batch.string(row, fields.count) == SyncState.synced.rawValue {
            begin(Self.states[0])
            append(quoted: SyncState.synced.rawValue)
            begin(Self.states[1])
            bytes += String(batch.cell(row, fields.count + 1).integer).utf8
            if let time = batch.string(row, fields.count + 2) {
                begin(Self.states[2])
                append(quoted: time)
            }
        }
        bytes += (isFirst ? "{}\n" : "}\n").utf8
    }
}
