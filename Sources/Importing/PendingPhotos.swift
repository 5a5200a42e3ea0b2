import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file beside the stored photos that lists photos which may have to be removed: those of an
/// import whose rows are not stored yet, and those that an undo releases. The file is written to
/// disk before any photo is added or removed, so that the next run can clean up after a kill.
package struct PendingPhotos {
    package enum Reason: Equatable {
        /// Photos of an import that is complete only if the replica has more imports than
        /// `importsBefore`.
        case arriving(importsBefore: Int)
        case leaving
    }

    private let store: PhotoStore
    private let path: String

    package init(_ store: PhotoStore) {
        self.store = store
        path = store.folder + "/.unsettled"
    }

    package var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Creates the file or adds paths to it. Paths have the form in which rows store them.
    package func note(_ paths: [String], _ reason: Reason) throws {
        guard !paths.isEmpty else { return }
        let head: String
        switch reason {
        case .arriving(let count): head = "arriving \(count)"
        case .leaving: head = "leaving"
        }
        let isNew = !exists
        // The file is created under its final name: after a kill, a temporary file with another
        // name would never be found.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ImportFailure.photoStore(path: store.folder) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? file.close() }
        do {
            if isNew { try file.write(contentsOf: Data((head + "\n").utf8)) }
            try file.write(contentsOf: Data(paths.map { $0 + "\n" }.joined().utf8))
            try file.synchronize()
        } catch { throw ImportFailure.photoStore(path: store.folder) }
    }

    /// Removes the file, because no photo has to be removed.
    package func forget() { try? FileManager.default.removeItem(atPath: path) }

    /// Removes photos that are no longer needed. The caller must hold the replica's lock.
    ///
    /// - Parameters:
    ///   - imports: returns the number of imports in the replica.
    ///   - unnamed: returns those of the paths that no row refers to.
    package func resolve(imports: () throws -> Int, unnamed: ([String]) throws -> [String]) throws {
        guard exists else { return }
        let lines = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self).split(
            separator: "\n"
        ).map(String.init)
        // If the file's first line is cut off, the run was killed before it moved a photo.
        let words = lines.first?.split(separator: " ") ?? []
        let isIn = try words.first == "arriving" && words.last.flatMap { Int($0) }.map { try imports() > $0 } ?? true
        // The next run retries files that could not be removed.
        if try isIn || store.forget(unnamed(Array(lines.dropFirst()))) { forget() }
    }
}
