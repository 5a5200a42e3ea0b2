import Glibc
package import Model
import Zipping

/// A finished file that goes into a package.
package struct BundleFile: Sendable, Hashable {
    /// Its path inside the package: `data/assets.xlsx`.
    package var name: String
    /// The file's current path: its temporary name if it is not renamed yet.
    package var path: String
    package var sha256: String
    package var rows: Int

    package init(name: String, path: String, sha256: String, rows: Int) {
        self.name = name
        self.path = path
        self.sha256 = sha256
        self.rows = rows
    }

    /// Describes a file that a writer has finished under its temporary name, and that goes into
    /// this folder of the package.
    package init(_ file: WrittenFile, in folder: String = "data") {
        let name = file.finalPath.split(separator: "/").last.map(String.init) ?? file.finalPath
        self.init(name: folder + "/" + name, path: file.temporaryPath, sha256: file.sha256, rows: file.rows)
    }
}

/// A photo with the name and checksum of its record.
package struct BundlePhoto: Sendable, Hashable {
    /// The unchanged file name, given at capture; no folders.
    package var name: String
    /// The path on this machine; nil if the replica has no file of the photo.
    package var path: String?
    /// The record's checksum, lower-case hexadecimal; nil if the record has none.
    package var sha256: String?

    package init(name: String, path: String?, sha256: String?) {
        self.name = name
        self.path = path
        self.sha256 = sha256
    }

    /// Whether a file exists. Whether it matches the record's checksum is only known after reading
    /// it.
    package func isThere() throws(BundleFailure) -> Bool {
        guard let path, let reading = try FileReader(path) else { return false }
        return !reading.path.isEmpty
    }
}

/// Reads a file from front to back. Accepts only regular files, since reading a pipe or a device
/// could block.
struct FileReader: ~Copyable {
    let path: String
    private let descriptor: Int32

    /// Returns nil if the file does not exist or may not be read.
    init?(_ path: String) throws(BundleFailure) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard [ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG].contains(errno) else {
                throw Self.failure(path)
            }
            return nil
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Fills `piece` with the next bytes, fewer only at the file's end.
    func read(_ piece: inout [UInt8], upTo limit: Int) throws(BundleFailure) {
        piece.removeAll(keepingCapacity: true)
        var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 17))
        while piece.count < limit {
            let size = min(chunk.count, limit - piece.count)
            let count = unsafe Glibc.read(descriptor, &chunk, size)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(path) }
            if count == 0 { break }
            piece.append(contentsOf: chunk[..<count])
        }
    }

    private static func failure(_ path: String) -> BundleFailure {
        .fileUnreadable(path: path, reason: unsafe String(cString: strerror(errno)))
    }
}

/// Reason why a package for a client could not be made.
package typealias BundleFailure = DeclaredFailure<BundleWriter>

extension BundleFailure {
    /// A name that leaves its folder, or that no file system accepts.
    package static func nameRefused(_ name: String) -> Self { Self("BUNDLE-NAME", .badInput, ["name": name]) }
    /// Two photos or two files of the package have the same name.
    package static func nameTwice(_ name: String) -> Self { Self("BUNDLE-NAME-TWICE", .badInput, ["name": name]) }
    /// A file to be packed is missing, or was changed after it was written.
    package static func fileChanged(path: String) -> Self { Self("BUNDLE-FILE-CHANGED", .inputOutput, ["path": path]) }
    package static func fileUnreadable(path: String, reason: String) -> Self {
        Self("BUNDLE-FILE-UNREADABLE", .inputOutput, ["path": path, "reason": reason])
    }
    /// The archive could not be written because of a mistake of this program.
    package static func archive(reason: String) -> Self { Self("BUNDLE-ARCHIVE", .internalError, ["reason": reason]) }

    init(_ failure: ZipFailure) {
        switch failure {
        case .nameRefused(let name): self = .nameRefused(name)
        case .duplicateName(let name): self = .nameTwice(name)
        default: self = .archive(reason: "\(failure)")
        }
    }
}
