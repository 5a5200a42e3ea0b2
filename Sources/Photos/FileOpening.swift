internal import Foundation
#if canImport(Glibc)
internal import Glibc
#endif

/// Opens and reads a file, one path component at a time, so that no symbolic link is followed.
enum FileOpening {
    /// The system's error number for a file that was not opened.
    struct Refusal: Error {
        let number: CInt

        /// A missing or refused file remains so on a retry; other errors may be temporary.
        var outcome: PhotoFolder.Outcome {
            switch number {
            case ENOENT: .missing
            case EACCES, EPERM, ELOOP, ENOTDIR, EISDIR, ENAMETOOLONG, ENXIO, ENODEV: .unreadable
            default: .failed
            }
        }
    }

    static func read(_ parts: [String], below base: String, limit: Int) -> PhotoFolder.Outcome {
        let file: CInt
        do { file = try open(parts, below: base) } catch { return error.outcome }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= limit else {
            return .unreadable
        }
        guard let bytes = contents(file, expected: Int(facts.st_size), limit: limit) else { return .failed }
        return .read(PhotoFile(bytes: bytes))
    }

    /// Returns the descriptor of the opened file, which the caller must close.
    static func open(_ parts: [String], below base: String) throws(Refusal) -> CInt {
        var folder = unsafe Glibc.open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Refusal(number: errno) }
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            // Opening a pipe for reading would wait for ever without O_NONBLOCK.
            let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (isLast ? 0 : O_DIRECTORY)
            let next = unsafe openat(folder, part, flags)
            let number = errno
            close(folder)
            guard next >= 0 else { throw Refusal(number: number) }
            folder = next
        }
        return folder
    }

    /// A text that changes when the file does: its size, times, inode number and mode. The file may be
    /// of any kind. A link at the end of the path is not followed.
    static func stamp(_ parts: [String], below base: String) -> String {
        var facts = stat()
        guard unsafe lstat(([base] + parts).joined(separator: "/"), &facts) == 0 else { return "" }
        return [
            Int(facts.st_size), Int(facts.st_mtim.tv_sec), Int(facts.st_mtim.tv_nsec), Int(facts.st_ctim.tv_sec),
            Int(facts.st_ctim.tv_nsec),
            Int(facts.st_ino), Int(facts.st_mode),
        ].map(String.init).joined(separator: " ")
    }

    /// Reads all bytes of a file that may grow or shrink meanwhile; bytes added meanwhile are left
    /// out.
    private static func contents(_ file: CInt, expected: Int, limit: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: expected)
        var count = 0
        while count < bytes.count {
            let wanted = bytes.count - count
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                guard let start = buffer.baseAddress else { return 0 }
                return unsafe Glibc.read(file, start + count, wanted)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
