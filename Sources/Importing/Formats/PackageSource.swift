import Foundation
import JSONReading
package import Model

/// A survey package as a folder: `manifest.json`, data files (JSON or NDJSON), photos. See `Docs/import.md`.
///
/// Input is hostile: a name that leaves the folder, or a link, ends the import before anything is read.
package enum PackageFormat: SourceFormat {
    package static let name = "package"

    package static func recognises(_ location: SourceLocation) -> Bool {
        location.isDirectory && FileManager.default.fileExists(atPath: location.url.appendingPathComponent("manifest.json").path)
    }

    package static func open(_ location: SourceLocation, pack: Pack) throws -> any Source {
        try PackageSource(folder: location.url.path, pack: pack, limits: location.limits)
    }
}

/// An opened package folder.
final class PackageSource: Source {
    private(set) var tables: [SourceTable] = []
    private(set) var photos: [SourcePhoto] = []
    private(set) var findings: [Finding] = []

    private let folder: String
    private let limits: TableLimits

    init(folder: String, pack: Pack, limits: TableLimits = TableLimits()) throws {
        self.folder = folder
        self.limits = limits
        let manifestPath = folder + "/manifest.json"
        guard let handle = FileHandle(forReadingAtPath: manifestPath) else { throw ImportFailure.unreadable(path: manifestPath) }
        defer { try? handle.close() }
        // No more than the bound is taken into memory.
        guard let data = try? handle.read(upToCount: limits.manifestBytes + 1) ?? Data() else { throw ImportFailure.unreadable(path: manifestPath) }
        guard data.count <= limits.manifestBytes else {
            throw TableFailure.tooLarge(Place(file: manifestPath), kind: PackageFormat.name, limit: "manifestBytes \(limits.manifestBytes)")
        }
        let manifest = try PackageManifest(path: manifestPath, bytes: Array(data))
        guard manifest.pack == pack.name else {
            throw ImportFailure.otherPack(path: manifestPath, found: manifest.pack, expected: pack.name)
        }
        for name in manifest.tables.map(\.file) + manifest.photos.map(\.file) { try checkName(name) }
        for table in manifest.tables { try addTable(table) }
        for photo in manifest.photos { try addPhoto(photo) }
        try reportExtraFiles(manifest)
    }

    /// Only plain relative names below the folder, and no links on the way.
    private func checkName(_ name: String) throws {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !name.contains("\\"), !name.contains("\0"), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw ImportFailure.escapingPath(path: folder, name: name)
        }
        var path = folder
        for part in parts {
            path += "/" + part
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            if attributes?[.type] as? FileAttributeType == .typeSymbolicLink {
                throw ImportFailure.escapingPath(path: folder, name: name)
            }
        }
    }

    private func addTable(_ table: PackageManifest.Table) throws {
        let path = folder + "/" + table.file
        guard FileManager.default.fileExists(atPath: path) else {
            findings.append(missing(table.file))
            return
        }
        if let expected = table.sha256 {
            try compareChecksum(path, name: table.file, expected: expected)
        }
        tables.append(SourceTable(name: table.entity, file: path, statedRows: table.rows) { [limits] body in
            try JSONSource.forEachRow(ofFile: path, limits: limits.json, body)
        })
    }

    private func addPhoto(_ photo: PackageManifest.Photo) throws {
        let path = folder + "/" + photo.file
        guard FileManager.default.fileExists(atPath: path) else {
            findings.append(missing(photo.file))
            return
        }
        if let expected = photo.sha256, try !compareChecksum(path, name: photo.file, expected: expected) { return }
        photos.append(SourcePhoto(
            path: path, name: String(photo.file.split(separator: "/").last ?? ""), entity: photo.entity, id: photo.id.lowercased(),
            sha256: photo.sha256?.lowercased(), bytes: photo.bytes))
    }

    @discardableResult
    private func compareChecksum(_ path: String, name: String, expected: String) throws -> Bool {
        let found = try FileDigest.sha256(ofFile: path)
        guard found != expected.lowercased() else { return true }
        findings.append(Finding(
            code: "IMPORT-CHECKSUM", severity: .error, place: Place(file: path),
            arguments: ["name": name, "expected": expected, "found": found]))
        return false
    }

    private func missing(_ name: String) -> Finding {
        Finding(code: "IMPORT-MISSING-FILE", severity: .error, place: Place(file: folder + "/" + name), arguments: ["name": name])
    }

    /// Files that the manifest does not name are told, and left alone.
    private func reportExtraFiles(_ manifest: PackageManifest) throws {
        let named = Set(manifest.tables.map(\.file) + manifest.photos.map(\.file) + ["manifest.json", "expected.json"])
        let present = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        for name in present where !named.contains(name) {
            var isDirectory: ObjCBool = false
            guard unsafe FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isDirectory), !isDirectory.boolValue else { continue }
            findings.append(Finding(
                code: "IMPORT-EXTRA-FILE", severity: .warning, place: Place(file: folder + "/" + name), arguments: ["name": name]))
        }
    }
}
