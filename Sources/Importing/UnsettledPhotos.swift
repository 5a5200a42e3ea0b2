import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A note beside the kept photos of those that may have to go: ones that an import has brought and whose rows are not in yet, ones that an
/// undo lets go. It is on disk before anything happens, so that whoever finds it after a kill can put things right.
package struct UnsettledPhotos {
    package enum Reason: Equatable {
        /// Not in as long as the replica knows no more imports than these.
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

    /// Begins a note, or goes on with one. Paths are those that rows name.
    package func note(_ paths: [String], _ reason: Reason) throws {
        guard !paths.isEmpty else { return }
        let head: String
        switch reason {
        case .arriving(let count): head = "arriving \(count)"
        case .leaving: head = "leaving"
        }
        let isNew = !exists
        // At its own name from the beginning: whatever else a kill leaves of it, nobody would know.
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

    /// Everything is as it should be.
    package func forget() { try? FileManager.default.removeItem(atPath: path) }

    /// Takes away what is of no use to anybody, for whoever holds the replica's lock.
    ///
    /// - Parameters:
    ///   - imports: how many imports the replica knows.
    ///   - unnamed: those of the paths that no row names.
    package func settle(imports: () throws -> Int, unnamed: ([String]) throws -> [String]) throws {
        guard exists else { return }
        let lines = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
        // A head that was cut off comes before any photo has moved.
        let words = lines.first?.split(separator: " ") ?? []
        let isIn = try words.first == "arriving" && words.last.flatMap { Int($0) }.map { try imports() > $0 } ?? true
        // What the disk would not remove is tried again by the next run.
        if try isIn || store.forget(unnamed(Array(lines.dropFirst()))) { forget() }
    }
}
