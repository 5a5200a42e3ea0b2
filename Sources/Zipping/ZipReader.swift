import CMinizip
import Glibc

/// Reads an archive that may be hostile: entry names are checked when it is opened, sizes are
/// limited, and damage throws a `ZipFailure`.
@safe package struct ZipReader: ~Copyable {
    private let archive: unzFile
    let path: String
    /// The entries in the order of the archive's directory.
    package let entries: [ZipEntry]
    let positions: [String: unz64_file_pos]

    /// `takesBackslashes`: some writers of Office documents separate folders with backslashes; such
    /// names are read as if they had slashes.
    package init(path: String, maximumEntries: Int = 100_000, takesBackslashes: Bool = false) throws(ZipFailure) {
        try ZipEnd.check(path)
        guard let opened = unsafe unzOpen64(path) else { throw .notAnArchive(path: path) }
        do {
            let listing = try unsafe Self.list(
                opened, path: path, limit: maximumEntries, takesBackslashes: takesBackslashes)
            entries = listing.entries
            positions = listing.positions
        } catch {
            unsafe unzClose(opened)
            throw error
        }
        unsafe archive = opened
        self.path = path
    }

    deinit {
        unsafe unzClose(archive)
    }

    package func entry(_ name: String) -> ZipEntry? { entries.first { $0.name == name } }

    /// The whole content of a small entry.
    package func read(_ name: String, atMost limit: UInt64) throws -> [UInt8] {
        guard let entry = entry(name) else { throw ZipFailure.entryMissing(name) }
        return try read(entry, atMost: limit)
    }

    /// The whole content of one of `entries`, without a search by name.
    package func read(_ entry: ZipEntry, atMost limit: UInt64) throws -> [UInt8] {
        guard entry.size <= limit else { throw ZipFailure.tooLarge(entry.name, size: entry.size, limit: limit) }
        var content: [UInt8] = []
        content.reserveCapacity(Int(entry.size))
        try chunks(of: entry) { chunk in
            for index in chunk.indices { content.append(chunk[index]) }
        }
        return content
    }

    /// Passes on the content of an entry piece by piece, and checks its checksum at the end.
    package func chunks(of entry: ZipEntry, _ take: (Span<UInt8>) throws -> Void) throws {
        try pass(entry, isRaw: false, expected: entry.size, take)
    }

    /// The compressed bytes of an entry, as they are in the archive.
    package func rawChunks(of entry: ZipEntry, _ take: (Span<UInt8>) throws -> Void) throws {
        try pass(entry, isRaw: true, expected: entry.compressedSize, take)
    }

    private func pass(_ entry: ZipEntry, isRaw: Bool, expected: UInt64, _ take: (Span<UInt8>) throws -> Void) throws {
        guard var position = positions[entry.name] else { throw ZipFailure.entryMissing(entry.name) }
        var method: Int32 = 0
        var level: Int32 = 0
        guard unsafe unzGoToFilePos64(archive, &position) == UNZ_OK,
            unsafe unzOpenCurrentFile2(archive, &method, &level, isRaw ? 1 : 0) == UNZ_OK
        else { throw ZipFailure.damaged(path: path, entry: entry.name) }
        var isOpen = true
        defer { if isOpen { unsafe unzCloseCurrentFile(archive) } }

        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var total: UInt64 = 0
        while true {
            let size = UInt32(buffer.count)
            let read = unsafe buffer.withUnsafeMutableBytes { unsafe unzReadCurrentFile(archive, $0.baseAddress, size) }
            guard read >= 0 else { throw ZipFailure.damaged(path: path, entry: entry.name) }
            if read == 0 { break }
            total += UInt64(read)
            try take(buffer.span.extracting(first: Int(read)))
        }
        isOpen = false
        // minizip only compares the checksum when a fully read entry is closed.
        guard unsafe unzCloseCurrentFile(archive) == UNZ_OK, total == expected else {
            throw ZipFailure.damaged(path: path, entry: entry.name)
        }
    }

    private static func list(
        _ archive: unzFile, path: String, limit: Int, takesBackslashes: Bool
    ) throws(ZipFailure) -> (entries: [ZipEntry], positions: [String: unz64_file_pos]) {
        var global = unz_global_info64()
        guard unsafe unzGetGlobalInfo64(archive, &global) == UNZ_OK else { throw .damaged(path: path, entry: nil) }
        guard global.number_entry <= UInt64(limit) else {
            throw .tooManyEntries(count: UInt64(global.number_entry), limit: limit)
        }
        var entries: [ZipEntry] = []
        var positions: [String: unz64_file_pos] = [:]
        var result = global.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : unsafe unzGoToFirstFile(archive)
        while result == UNZ_OK {
            let entry = try unsafe current(archive, path: path, takesBackslashes: takesBackslashes)
            var position = unz64_file_pos()
            guard unsafe unzGetFilePos64(archive, &position) == UNZ_OK else {
                throw .damaged(path: path, entry: entry.name)
            }
            guard positions.updateValue(position, forKey: entry.name) == nil else { throw .duplicateName(entry.name) }
            entries.append(entry)
            result = unsafe unzGoToNextFile(archive)
        }
        guard result == UNZ_END_OF_LIST_OF_FILE, entries.count == Int(global.number_entry) else {
            throw .damaged(path: path, entry: entries.last?.name)
        }
        return (entries, positions)
    }

    private static func current(_ archive: unzFile, path: String, takesBackslashes: Bool) throws(ZipFailure) -> ZipEntry
    {
        var info = unz_file_info64()
        var bytes = [CChar](repeating: 0, count: ZipName.longest + 2)
        let room = UInt(bytes.count - 1)
        let result = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe unzGetCurrentFileInfo64(archive, &info, $0.baseAddress, room, nil, 0, nil, 0)
        }
        guard result == UNZ_OK else { throw .damaged(path: path, entry: nil) }
        let length = min(Int(info.size_filename), bytes.count - 1)
        let stated = bytes[..<length].map { UInt8(bitPattern: $0) }
        let name = String(decoding: takesBackslashes ? stated.map { $0 == 0x5C ? 0x2F : $0 } : stated, as: UTF8.self)
        try ZipName.check(name)
        guard info.flag & 1 == 0 else { throw .encrypted(name) }
        guard let method = ZipEntry.Method(number: info.compression_method) else {
            throw .methodUnknown(name, method: Int(info.compression_method))
        }
        return ZipEntry(
            name: name, method: method, crc: UInt32(truncatingIfNeeded: info.crc),
            compressedSize: UInt64(info.compressed_size),
            size: UInt64(info.uncompressed_size), isLink: (info.external_fa >> 16) & 0xF000 == 0xA000)
    }
}

/// Checks an archive's end record before minizip reads it. Beyond the end of a file, minizip reads
/// zeros (its `UNZ_EOF` equals its `UNZ_OK`). So an archive that was cut off within the end record
/// would look empty.
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
        let read = unsafe tail.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, count, length - off_t(count))
        }
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

/// Reads one entry of an archive on demand. Each reader opens the archive separately, so several
/// may be in use at a time.
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

    /// Reads bytes into `buffer`, from `offset` on; returns their number, zero at the entry's end.
    ///
    /// Throws if the bytes are cut off, cannot be inflated, or differ from the entry's size or
    /// checksum.
    package func read(into buffer: inout [UInt8], from offset: Int) throws(ZipFailure) -> Int {
        guard !isAtEnd, offset >= 0, offset < buffer.count else { return 0 }
        let room = UInt32(clamping: buffer.count - offset)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe unzReadCurrentFile(archive, $0.baseAddress.map { unsafe $0 + offset }, room)
        }
        guard count >= 0 else { throw .damaged(path: path, entry: entry.name) }
        total += UInt64(count)
        if count == 0 {
            isAtEnd = true
            // minizip only compares the checksum when a fully read entry is closed.
            guard unsafe unzCloseCurrentFile(archive) == UNZ_OK, total == entry.size else {
                throw .damaged(path: path, entry: entry.name)
            }
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

/// One file in an archive.
package struct ZipEntry: Sendable, Hashable {
    package enum Method: Sendable, Hashable {
        case stored, deflated

        var number: UInt16 {
            switch self {
            case .stored: 0
            case .deflated: 8
            }
        }

        init?(number: UInt) {
            switch number {
            case 0: self = .stored
            case 8: self = .deflated
            default: return nil
            }
        }
    }

    /// The name, with `/` between folders; checked by `ZipName`.
    package let name: String
    package let method: Method
    package let crc: UInt32
    package let compressedSize: UInt64
    package let size: UInt64
    /// Whether the archive marks the entry as a symbolic link (the mode that Unix programs store in
    /// the external attributes).
    package var isLink = false

    package var isDirectory: Bool { name.hasSuffix("/") }
}

/// The rules for an entry's name, read or written: a relative path that stays inside the archive's
/// folder.
package enum ZipName {
    package static let longest = 1024

    package static func check(_ name: String) throws(ZipFailure) {
        guard isSafe(name) else { throw .nameRefused(name) }
    }

    private static func isSafe(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= longest else { return false }
        guard !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || $0 == "\\" || $0 == ":" })
        else { return false }
        let path = name.hasSuffix("/") ? name.dropLast() : name[...]
        return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part != "." && part != ".."
        }
    }
}

/// Reason why an archive could not be read or written. Errors of the output are passed on
/// unchanged.
package enum ZipFailure: Error, Sendable, Hashable {
    case cannotOpen(path: String)
    case notAnArchive(path: String)
    /// The archive is cut off, a checksum is wrong, or sizes contradict each other.
    case damaged(path: String, entry: String?)
    /// An entry name that leaves the archive's folder, is empty, or contains characters that no
    /// file system accepts.
    case nameRefused(String)
    case duplicateName(String)
    case entryMissing(String)
    case encrypted(String)
    case methodUnknown(String, method: Int)
    case tooManyEntries(count: UInt64, limit: Int)
    case tooLarge(String, size: UInt64, limit: UInt64)
    /// zlib failed; `number` is its result code.
    case compression(number: Int32)
}
