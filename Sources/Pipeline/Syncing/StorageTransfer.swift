import Foundation
import Glibc
import Importing
import Model
import OutputFiles
import Photos
import Recording
import Remotes
import Replica

/// Transfers one file between this machine and Storage. Several threads use one value at once.
struct StorageTransfer: Sendable {
    enum Outcome: Sendable {
        /// The file's place in Storage or in the replica's folder, its size and checksum.
        case done(String, bytes: Int64, sha256: String)
        case missing
        /// The disk did not give the file this time; its reason.
        case notRead(String)
        /// The file's size or checksum is not that of the row.
        case differs
        /// The row contains a path outside its project.
        case foreign
        case refused(PushFailureClass, String)
    }

    let pack: Pack
    let replica: Replica
    /// The address of the central database.
    let remote: String
    /// The organisations of projects by project id, and the configured organisation.
    let organisations: [String: String]
    let organisation: String?

    // MARK: Sending

    func send(_ file: FileTransfer, by storage: any RemoteStorage, progress: (Int64) -> Void) throws -> Outcome {
        let place = storagePath(of: file)
        guard isOwn(place, of: file) else { return .foreign }
        let content: LocalContent?
        do { content = try self.content(of: file) } catch let fault as POSIXError {
            return .notRead(unsafe String(cString: strerror(fault.code.rawValue)))
        }
        guard let content else { return .missing }
        guard file.sha256.map({ $0 == content.sha256 }) ?? true, file.bytes.map({ $0 == content.bytes }) ?? true else {
            return .differs
        }
        let begun = try replica.upload(of: content.sha256, to: place, at: remote)
        let outgoing = content.outgoing(type: Self.type(of: place), begun: begun) {
            try replica.keepUpload($0, of: content.sha256, to: place, at: remote)
        }
        try storage.send(outgoing, to: place, progress: progress)
        return .done(place, bytes: content.bytes, sha256: content.sha256)
    }

    /// The file, with its size on disk if its row has no size.
    func measured(_ file: FileTransfer) -> FileTransfer {
        guard file.bytes == nil, file.itemID == nil, let path = file.localPath else { return file }
        var file = file
        var status = stat()
        let handle = try? PhotoFolder(beside: replica.path).open(path)
        if let handle, unsafe fstat(handle.fileDescriptor, &status) == 0 { file.bytes = Int64(status.st_size) }
        return file
    }

    /// The bytes of a local file.
    private func content(of file: FileTransfer) throws -> LocalContent? {
        guard let path = file.localPath else { return nil }
        // Only the program itself writes the paths of registered documents; those of photos can
        // come from other programs and are opened with care.
        return try file.itemID != nil
            ? LocalContent(path: path) : LocalContent(PhotoFolder(beside: replica.path).open(path))
    }

    /// The storage path of a file: the row's path, or else the pack's path for files of this kind.
    private func storagePath(of file: FileTransfer) -> String {
        if let place = file.storagePath { return place }
        let entity = pack.entity(file.entity)
        let project = file.projectID ?? "-"
        var values = file.values
        values["project"] = project
        values["organisation"] = organisations[project] ?? organisation ?? "-"
        values["id"] = file.rowID
        if let place = entity?.filePlace { return StoragePath.file(at: place, values) }
        let name =
            entity?.field(of: .name).flatMap { file.values[$0.name] } ?? file.localPath.map {
                URL(fileURLWithPath: $0).lastPathComponent
            } ?? "-"
        return StoragePath.file(in: entity?.fileFolder ?? "", values, id: file.rowID, name: name)
    }

    /// Whether a path belongs to the file's project. A row may contain any path, and the person who
    /// syncs may see more than a later reader.
    private func isOwn(_ place: String, of file: FileTransfer) -> Bool {
        let entity = pack.entity(file.entity)
        // The pack defines no path for files that are not sent.
        guard let pattern = entity?.filePlace ?? entity?.fileFolder ?? (file.itemID == nil ? nil : StoragePath.pattern)
        else { return true }
        return StoragePath.isPlace(place, like: pattern, of: file.projectID)
    }

    // MARK: Fetching

    func fetch(_ file: FileTransfer, by storage: any RemoteStorage, progress: (Int64) -> Void) throws -> Outcome {
        guard let path = file.storagePath else { return .missing }
        guard isOwn(path, of: file) else { return .foreign }
        let store = PhotoStore(beside: replica.path)
        let root = URL(fileURLWithPath: replica.path).deletingLastPathComponent(),
            folder = root.appendingPathComponent(store.folderName)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // If the row has neither size nor checksum, Storage gives the size.
        let stated = file.bytes == nil && file.sha256 == nil ? try storage.size(of: path) : file.bytes
        var output = try OutputFile(finalPath: folder.appendingPathComponent(file.rowID).path)
        try storage.fetch(path) { bytes in
            try output.write(bytes)
            progress(output.position)
        }
        let written = try output.close(rows: 0)
        guard file.sha256.map({ $0 == written.sha256 }) ?? true, stated.map({ $0 == written.bytes }) ?? true else {
            try? FileManager.default.removeItem(atPath: written.temporaryPath)
            return .differs
        }
        let place = store.place(ofFile: path, sha256: written.sha256, bytes: written.bytes)
        let target = root.appendingPathComponent(place.relativePath)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard unsafe rename(written.temporaryPath, target.path) == 0 else {
            throw OutputFailure.system(errno, path: target.path)
        }
        return .done(place.relativePath, bytes: written.bytes, sha256: written.sha256)
    }

    /// The types of files that no export makes.
    private static let types = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "heic": "image/heic", "html": "text/html",
        "svg": "image/svg+xml", "dxf": "image/vnd.dxf",
    ]

    private static func type(of path: String) -> String {
        let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
        return ExportFormat(rawValue: ending)?.mediaType ?? types[ending] ?? "application/octet-stream"
    }
}
