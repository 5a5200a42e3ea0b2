import CMinizip

/// Reads one entry of an archive on demand, with a handle of its own; several may be open at a
/// time.
@safe package final class ZipEntryReader {
    private let archive: unzFile
    private let path: String
    private let entry: ZipEntry
    private var total: UInt64 = 0
    private var isAtEnd = false

    init(path: String, entry: ZipEntry, position: unz64_file_pos) throws(ZipFailure) {
        guard let opened = unsafe unzOpen64(path) else { throw .cannotOpen(path: path) }
        var position = position
        guard unsafe unzGoToFilePos64(opened, &position) == UNZ_OK, unsafe unzOpenCurrentFile(opened) == UNZ_OK else {
            unsafe unzClose(opened)
            throw .damaged(path: path, entry: entry.name)
        }
        unsafe archive = opened
        self.path = path
        self.entry = entry
    }

    deinit {
        unsafe unzCloseCurrentFile(archive)
        unsafe unzClose(archive)
    }

    /// Reads into `buffer` from `offset` on, at most to its end; returns how many bytes, zero at
    /// the entry's end.
    ///
    /// Throws if the bytes are cut off, cannot be inflated, or differ from the entry's size or
    /// checksum.
    package func read(into buffer: inout [UInt8], from offset: Int) throws(ZipFailure) -> Int {
        guard !isAtEnd, offset >= 0, offset < buffer.count else { return 0 }
        let room = UInt32(clamping: buffer.count - offset)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe unzReadCurrentFile(archive, $0.baseAddress.map { unsafe $0 + offset }, room) }
        guard count >= 0 else { throw .damaged(path: path, entry: entry.name) }
        total += UInt64(count)
        if count == 0 {
            isAtEnd = true
            // minizip only compares the checksum when a fully read entry is closed.
            guard unsafe unzCloseCurrentFile(archive) == UNZ_OK, total == entry.size else { throw .damaged(path: path, entry: entry.name) }
        }
        return Int(count)
    }
}

extension ZipReader {
    /// A reader for an entry that is read piece by piece.
    package func reader(of entry: ZipEntry) throws(ZipFailure) -> ZipEntryReader {
        guard let position = positions[entry.name] else { throw .entryMissing(entry.name) }
        return try ZipEntryReader(path: path, entry: entry, position: position)
    }
}
