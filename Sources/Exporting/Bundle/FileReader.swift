import Glibc

/// Reads a file from front to back. It must be a regular file, so that a pipe or a device in its
/// place blocks nothing.
struct FileReader: ~Copyable {
    let path: String
    private let descriptor: Int32

    /// Returns nil when there is no such file, or it may not be read.
    init?(_ path: String) throws(BundleFailure) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(errno) else { throw Self.failure(path) }
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
