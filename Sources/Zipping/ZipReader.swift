import CMinizip
import Glibc

/// Reads an archive that may be hostile: names are checked when it is opened, sizes are bounded,
/// damage is a typed error.
@safe package struct ZipReader: ~Copyable {
    private let archive: unzFile
    let path: String
    /// In the order of the archive's directory.
    package let entries: [ZipEntry]
    let positions: [String: unz64_file_pos]

    /// `takesBackslashes`: some writers of Office documents separate folders with backslashes; such
    /// names are read as if they had slashes.
    package init(path: String, maximumEntries: Int = 100_000, takesBackslashes: Bool = false) throws(ZipFailure) {
        try ZipEnd.check(path)
        guard let opened = unsafe unzOpen64(path) else { throw .notAnArchive(path: path) }
        do {
            let listing = try unsafe Self.list(opened, path: path, limit: maximumEntries, takesBackslashes: takesBackslashes)
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

    /// Passes on the content of an entry piece by piece, and compares its checksum at the end.
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
        guard global.number_entry <= UInt64(limit) else { throw .tooManyEntries(count: UInt64(global.number_entry), limit: limit) }
        var entries: [ZipEntry] = []
        var positions: [String: unz64_file_pos] = [:]
        var result = global.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : unsafe unzGoToFirstFile(archive)
        while result == UNZ_OK {
            let entry = try unsafe current(archive, path: path, takesBackslashes: takesBackslashes)
            var position = unz64_file_pos()
            guard unsafe unzGetFilePos64(archive, &position) == UNZ_OK else { throw .damaged(path: path, entry: entry.name) }
            guard positions.updateValue(position, forKey: entry.name) == nil else { throw .duplicateName(entry.name) }
            entries.append(entry)
            result = unsafe unzGoToNextFile(archive)
        }
        guard result == UNZ_END_OF_LIST_OF_FILE, entries.count == Int(global.number_entry) else {
            throw .damaged(path: path, entry: entries.last?.name)
        }
        return (entries, positions)
    }

    private static func current(_ archive: unzFile, path: String, takesBackslashes: Bool) throws(ZipFailure) -> ZipEntry {
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
            name: name, method: method, crc: UInt32(truncatingIfNeeded: info.crc), compressedSize: UInt64(info.compressed_size),
            size: UInt64(info.uncompressed_size), isLink: (info.external_fa >> 16) & 0xF000 == 0xA000)
    }
}
