import Glibc

/// Checks an archive's last record before minizip reads it. minizip reads zeros beyond the end of a
/// file, so it would take an archive that was cut off within that record for an empty one (its
/// `UNZ_EOF` equals its `UNZ_OK`).
enum ZipEnd {
    private static let size = 22
    private static let longestComment = 0xFFFF

    static func check(_ path: String) throws(ZipFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path) }
        defer { _ = close(descriptor) }
        let length = lseek(descriptor, 0, SEEK_END)
        guard length >= 0 else { throw .cannotOpen(path: path) }
        var tail = [UInt8](repeating: 0, count: min(Int(length), size + longestComment))
        let count = tail.count
        let read = unsafe tail.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, count, length - off_t(count)) }
        guard read == count else { throw .cannotOpen(path: path) }
        guard let start = lastRecord(in: tail) else { throw .notAnArchive(path: path) }
        guard start + size <= count, start + size + Int(tail[start + 20]) + Int(tail[start + 21]) << 8 <= count else {
            throw .damaged(path: path, entry: nil)
        }
    }

    private static func lastRecord(in tail: [UInt8]) -> Int? {
        guard tail.count >= 4 else { return nil }
        return (0...(tail.count - 4)).last { index in
            tail[index] == 0x50 && tail[index + 1] == 0x4B && tail[index + 2] == 0x05 && tail[index + 3] == 0x06
        }
    }
}
