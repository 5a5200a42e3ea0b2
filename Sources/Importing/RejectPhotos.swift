import Foundation
import Model
import Photos

/// Finds the pictures of rejected rows that are retried. It searches these places in order and uses
/// the first file found:
///
/// 1. folders given by the user for this retry;
/// 2. the picture that the row's mapping found, or else the package (folder or archive) that
/// contained the row;
/// 3. the photo store, by the checksum in the row: the first import stored the bytes although
///    the row was rejected.
package final class RejectPhotos {
    package private(set) var photos: [SourcePhoto] = []

    private let folders: [String]
    private let store: PhotoStore
    private let limits: PackageLimits
    private var packages: [String: PackagePhotos?] = [:]

    package init(folders: [String] = [], store: PhotoStore, limits: PackageLimits = PackageLimits()) {
        (self.folders, self.store, self.limits) = (folders, store, limits)
    }

    /// Adds to each row the facts from its picture (pixels, position, time), or a finding if there
    /// is no picture.
    ///
    /// - Parameter mapped: the picture that the row's mapping found.
    func complete(_ batch: inout ImportedBatch, of entity: Entity, mapped: SourcePhoto? = nil) throws {
        guard Self.isPhoto(entity) else { return }
        let said = batch.notes.filter { $0.code == "IMPORT-NO-NAMED-PHOTO" }.compactMap { $0.arguments["name"] }
        batch.notes.removeAll { $0.code == "IMPORT-NO-NAMED-PHOTO" }
        var facts = PhotoFacts()
        for row in 0..<batch.rows.rowCount {
            guard let id = batch.rows.string(row, batch.fields.count - 1) else { continue }
            let wanted = Wanted(batch, row, entity, id: id, said: said)
            guard let photo = try find(wanted, entity, mapped) else {
                batch.notes.append(Finding(
                    "IMPORT-NO-PHOTO-FILE", place: batch.place(of: row),
                    arguments: ["name": wanted.names.first?.last ?? id, "places": places(wanted.file)]))
                continue
            }
            photos.append(photo)
            facts.add(try content(of: photo), id: id)
        }
        batch = facts.completed(batch, entity)
    }

    /// Whether rows of an entity describe a file: it has fields for the file's name and path.
    private static func isPhoto(_ entity: Entity) -> Bool {
        entity.file[.name] != nil && entity.file[.path] != nil
    }

    /// The file that a row needs, described by the row and by the mapping that did not find it.
    private struct Wanted {
        let id: String
        /// The file that the row came from.
        let file: String
        /// Possible names of the file, as paths split into components.
        let names: [[String]]
        let sha256: String?

        init(_ batch: ImportedBatch, _ row: Int, _ entity: Entity, id: String, said: [String]) {
            func text(_ fact: Entity.FileFact) -> String? {
                entity.file[fact].flatMap { entity.position(ofField: $0) }.flatMap { batch.column(ofField: $0) }.flatMap
                { batch.rows.string(row, $0) }
            }
            self.id = id
            file = batch.place.file ?? ""
            sha256 = text(.sha256)?.lowercased()
            let stated = [Entity.FileFact.name, .stored, .path].compactMap(text)
            names = (said + stated).map {
                $0.replacingOccurrences(of: "\\", with: "/").split(separator: "/").map(String.init)
            }
                .filter { !$0.isEmpty && !$0.contains("..") }
        }
    }

    /// The picture for a row, from the first place that has it.
    private func find(_ wanted: Wanted, _ entity: Entity, _ mapped: SourcePhoto?) throws -> SourcePhoto? {
        for folder in folders {
            for parts in wanted.names {
                guard let path = FileLocation.find(parts, below: folder) else { continue }
                return SourcePhoto(path: path, name: parts.last ?? "", entity: entity.name, id: wanted.id)
            }
        }
        if let mapped { return mapped }
        if let found = package(of: wanted.file)?.photo(
            id: wanted.id, names: Set(wanted.names.compactMap(\.last)), sha256: wanted.sha256)
        {
            return SourcePhoto(
                path: found.path, name: found.name, entity: entity.name, id: wanted.id, sha256: found.sha256,
                open: found.open)
        }
        guard let sha256 = wanted.sha256, let path = store.path(ofContent: sha256) else { return nil }
        return SourcePhoto(
            path: path, name: URL(fileURLWithPath: path).lastPathComponent, entity: entity.name, id: wanted.id,
            sha256: sha256)
    }

    /// The places that were searched, for the person who has to supply the file.
    private func places(_ file: String) -> String {
        (folders + [packagePath(of: file) ?? URL(fileURLWithPath: file).deletingLastPathComponent().path]).joined(
            separator: ", ")
    }

    private func content(of photo: SourcePhoto) throws -> [UInt8] {
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let source = try photo.open()
        while content.count <= PhotoFolder.maximumBytes {
            let count = try source.read(into: &piece, from: 0)
            if count == 0 { break }
            content += piece[..<count]
        }
        return content
    }

    // MARK: The package

    /// The package that contains a data file: the archive on its path, or the nearest folder above
    /// it with a manifest.
    private func packagePath(of file: String) -> String? {
        var url = URL(fileURLWithPath: file)
        for _ in 0..<16 where url.path != "/" {
            url.deleteLastPathComponent()
            guard let location = try? SourceLocation(path: url.path), PackageFormat.recognises(location) else {
                continue
            }
            return url.path
        }
        return nil
    }

    /// Nil if the package is gone or can no longer be read.
    private func package(of file: String) -> PackagePhotos? {
        guard let path = packagePath(of: file) else { return nil }
        if let known = packages[path] { return known }
        let found = try? PackagePhotos(path: path, limits: limits)
        packages[path] = .some(found)
        return found
    }
}

/// The photos named in a package's manifest.
private struct PackagePhotos {
    struct Found {
        var path: String
        var name: String
        var sha256: String?
        var open: () throws -> any ByteSource
    }

    private let container: any PackageContainer
    private let listed: [PackageManifest.Photo]

    init(path: String, limits: PackageLimits) throws {
        let isFolder = try SourceLocation(path: path).isDirectory
        container =
            isFolder ? FolderContainer(path: path, limits: limits) : try ArchiveContainer(path: path, limits: limits)
        let bytes = try container.read("manifest.json", atMost: limits.documentBytes)
        listed = try PackageManifest(path: container.place(of: "manifest.json"), bytes: bytes).photos
    }

    /// Finds the photo of a row by its id or, if a correction changed the row's id, by its name
    /// or content. A photo whose content differs from the manifest is not used.
    func photo(id: String, names: Set<String>, sha256: String?) -> Found? {
        let own = listed.filter { $0.id.lowercased() == id }
        let others = listed.filter { photo in
            names.contains(String(photo.file.split(separator: "/").last ?? ""))
                || (sha256 != nil && photo.sha256?.lowercased() == sha256)
        }
        guard let photo = own.first ?? (others.count == 1 ? others[0] : nil), (try? container.check(photo.file)) != nil,
            container.contains(photo.file)
        else { return nil }
        if let stated = photo.sha256?.lowercased() {
            guard (try? FileDigest.sha256(of: container.open(photo.file)))?.sha256 == stated else { return nil }
        }
        return Found(
            path: container.place(of: photo.file), name: String(photo.file.split(separator: "/").last ?? ""),
            sha256: photo.sha256,
            open: { [container] in try container.open(photo.file) })
    }
}
