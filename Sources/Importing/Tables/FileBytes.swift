import Foundation
internal import Glibc

/// The bytes of a regular file, read on demand. They are never memory-mapped, so that the program
/// does not crash if the file is truncated during an import.
@safe package final class FileBytes: Sendable {
    let path: String
    /// Size in bytes when the file was opened.
    package let count: Int
    private let descriptor: Int32

    /// Throws `ImportFailure.unreadable` if the path is not a readable regular file.
    package init(_ path: String) throws {
        // Opens without blocking, so that a named pipe is rejected below without a wait.
        let opened = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw ImportFailure.unreadable(path: path) }
        var status = stat()
        guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw ImportFailure.unreadable(path: path)
        }
        self.path = path
        count = Int(status.st_size)
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Up to `length` bytes from `offset`; fewer at the end of the file, none beyond it.
    package func read(at offset: Int, _ length: Int) -> [UInt8] {
        guard offset >= 0, offset < count, length > 0 else { return [] }
        let wanted = min(length, count - offset)
        let descriptor = descriptor
        return unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            while filled < wanted {
                let got = unsafe pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), wanted - filled, off_t(offset + filled))
                guard got > 0 else { break }
                filled += got
            }
        }
    }
}

/// Numbers in little-endian and big-endian order; nil beyond the end.
extension RandomAccessCollection<UInt8> where Index == Int {
    func little(_ offset: Int, _ size: Int) -> UInt64? {
        guard offset >= 0, size <= 8, offset <= count - size else { return nil }
        return (0..<size).reduce(0) { $0 | UInt64(self[startIndex + offset + $1]) << UInt64(8 * $1) }
    }

    func big(_ offset: Int, _ size: Int) -> UInt64? {
        guard offset >= 0, size <= 8, offset <= count - size else { return nil }
        return (0..<size).reduce(0) { $0 << 8 | UInt64(self[startIndex + offset + $1]) }
    }

    func little16(_ offset: Int) -> Int? { little(offset, 2).map { Int($0) } }
    func little32(_ offset: Int) -> Int? { little(offset, 4).map { Int($0) } }
    func signed32(_ offset: Int) -> Int? { little(offset, 4).map { Int(Int32(truncatingIfNeeded: $0)) } }
}

/// The first bytes of a file, from which its kind is determined.
package struct FileHead: Sendable {
    package let path: String
    /// Up to 64 KiB.
    package let bytes: [UInt8]
    /// Size of the whole file.
    package let size: Int

    package init(path: String) throws(ImportFailure) {
        guard FileManager.default.fileExists(atPath: path) else { throw .notFound(path: path) }
        // Opening a pipe or device could block for ever, so they are rejected.
        guard let file = try? FileBytes(path) else { throw .unreadable(path: path) }
        self.init(path: path, bytes: file.read(at: 0, 1 << 16), size: file.count)
    }

    package init(path: String, bytes: [UInt8], size: Int) {
        self.path = path
        self.bytes = bytes
        self.size = size
    }

    package func starts(with signature: [UInt8]) -> Bool { bytes.starts(with: signature) }

    /// Whether the file contains only spaces, line endings and byte order marks.
    package var isEmpty: Bool {
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let mark = isWide ? 2 : bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let spaces: [UInt8] = [0x09, 0x0A, 0x0D, 0x20, 0x1A]
        return size == bytes.count && bytes.dropFirst(mark).allSatisfy { spaces.contains($0) || (isWide && $0 == 0) }
    }

    /// The head as UTF-8, without its byte order mark; nil if no encoding fits.
    var text: [UInt8]? {
        guard let guess = EncodingDetector.guess(bytes) else { return nil }
        var decoder = TextDecoder(guess.encoding)
        var text: [UInt8] = []
        decoder.decode(bytes.span.extracting(droppingFirst: guess.mark), isLast: true, to: &text)
        return text
    }

    /// Whether the head contains an ASCII string.
    package func contains(_ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }

    /// The file's name without its extension: the name of a table that has none.
    package var tableName: String {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return name.isEmpty ? path : name
    }
}
