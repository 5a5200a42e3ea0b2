import Counting
import Digests
import Glibc
package import Model
package import Zipping

/// A file that gets its final name only when it is complete. It is written under a temporary name
/// beside the final path; `close` flushes and closes it. A value that is released without `close`
/// removes the file. The code that registers the file renames it.
///
/// Counts the bytes and computes their SHA-256 while they are written. After a `patch` of earlier
/// bytes the sum is computed from the file instead.
package struct OutputFile: ~Copyable, ByteSink, ZipOutput {
    package let finalPath: String
    package let temporaryPath: String
    /// Bytes written so far.
    package private(set) var position: Int64 = 0
    private var descriptor: Int32
    private var sum = SHA256()
    private var isPatched: Bool

    /// Creates the temporary file; `finalPath`'s directory must exist. With `isPatched`, the
    /// SHA-256 is not computed during writing, because bytes will be patched later.
    package init(finalPath: String, isPatched: Bool = false) throws(OutputFailure) {
        self.isPatched = isPatched
        self.finalPath = finalPath
        temporaryPath = TemporaryName.path(beside: finalPath)
        descriptor = unsafe Glibc.open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputFailure.system(errno, path: finalPath) }
    }

    /// Opens a file that a library wrote and closed under a temporary name; `close` then computes
    /// its SHA-256 and flushes it.
    package init(written temporaryPath: String, finalPath: String) throws(OutputFailure) {
        (self.finalPath, self.temporaryPath, isPatched) = (finalPath, temporaryPath, true)
        descriptor = unsafe Glibc.open(temporaryPath, O_RDWR | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else {
            throw OutputFailure.system(errno, path: finalPath)
        }
        position = Int64(status.st_size)
    }

    deinit {
        if descriptor >= 0 {
            _ = Glibc.close(descriptor)
            unsafe unlink(temporaryPath)
        }
    }

    package mutating func write(_ bytes: Span<UInt8>) throws {
        try Interruption.check()
        if !isPatched { sum.update(bytes) }
        try unsafe bytes.withUnsafeBytes { raw in try unsafe put(raw, at: position) }
        position += Int64(bytes.count)
    }

    /// Replaces bytes that were written before, such as sizes that are only known at the end.
    package mutating func patch(_ bytes: Span<UInt8>, at offset: Int64) throws {
        isPatched = true
        try unsafe bytes.withUnsafeBytes { raw in try unsafe put(raw, at: offset) }
    }

    /// Flushes the file to disk and closes it; the file is then complete, under its temporary name.
    package consuming func close(rows: Int) throws -> WrittenFile {
        if isPatched { try sumFromFile() }
        let digest = sum.digest()
        guard fsync(descriptor) == 0 else { throw OutputFailure.system(errno, path: finalPath) }
        let closing = descriptor
        guard Glibc.close(closing) == 0 else {
            descriptor = -1
            unsafe unlink(temporaryPath)
            throw OutputFailure.system(errno, path: finalPath)
        }
        descriptor = -1
        return WrittenFile(
            temporaryPath: temporaryPath, finalPath: finalPath, bytes: position, sha256: digest.hexadecimal, rows: rows)
    }

    private func put(_ raw: UnsafeRawBufferPointer, at offset: Int64) throws(OutputFailure) {
        if let error = unsafe OpenFile.write(raw, to: descriptor, at: offset) {
            throw OutputFailure.system(error, path: finalPath)
        }
    }

    private mutating func sumFromFile() throws {
        sum = SHA256()
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        var offset: Int64 = 0
        while offset < position {
            let size = chunk.count
            let read = unsafe chunk.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress, size, off_t(offset))
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { throw OutputFailure.system(read < 0 ? errno : EIO, path: finalPath) }
            sum.update(chunk.span.extracting(..<read))
            offset += Int64(read)
        }
    }
}

extension OutputFile {
    /// Closes a document of JSON and counts the rows of one of its lists with a reader of its own.
    /// Deletes the file and throws `OutputFailure.inputOutput` if they are not as many as written.
    ///
    /// - Parameter filled: the number of rows that have a value, by member.
    package consuming func close(rows: Int, inList list: String, filled: [String: Int]) throws -> WrittenFile {
        let written = try close(rows: rows)
        var options = SourceCounter.Options()
        options.bounds.rows = .max
        do throws(CountFault) {
            let count = try SourceCounter.count(path: written.temporaryPath, kind: "json-tables", options: options)
            let table = count.tables.first { $0.name == list }
            let isSame = filled.allSatisfy { member, number in
                number == table?.columns.first { $0.name == member }?.filled ?? 0
            }
            guard table?.rows ?? 0 != rows || !isSame else { return written }
            throw .damaged("\(list): \(table?.rows ?? 0) of \(rows) rows")
        } catch {
            unsafe unlink(written.temporaryPath)
            throw OutputFailure.inputOutput(path: written.finalPath, reason: error.reason)
        }
    }
}

extension ZipWriter where Output == OutputFile {
    /// Ends the archive, flushes and closes it, and reads it back with an independent ZIP reader.
    /// Deletes the file and throws `OutputFailure.inputOutput` if the entries differ from those
    /// written.
    ///
    /// - Parameter isRead: whether an entry's content is read back, and not only its headers.
    package consuming func close(rows: Int, reading isRead: (String) -> Bool = { _ in true }) throws -> WrittenFile {
        let sent = entries.map { WrittenArchive.Entry(name: $0.name, crc: $0.crc, size: Int($0.size)) }
        let written = try finish().close(rows: rows)
        do throws(CountFault) {
            guard try WrittenArchive(path: written.temporaryPath, reading: isRead).entries != sent else {
                return written
            }
            throw .damaged("the directory lists other entries")
        } catch {
            unsafe unlink(written.temporaryPath)
            throw OutputFailure.inputOutput(path: written.finalPath, reason: error.reason)
        }
    }
}

/// A destination for finished bytes: a file, or a compressed entry of one.
package protocol ByteSink: ~Copyable, SendableMetatype {
    mutating func write(_ bytes: Span<UInt8>) throws
}

extension ZipStream: ByteSink where Output: ~Copyable {}

/// Reads and writes whole ranges of an open file, in whatever pieces the system transfers them.
/// Each call returns the number of the error that ended it, or nil.
package enum OpenFile {
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) -> Int32? {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            done += count
        }
        return nil
    }

    /// Fills the whole buffer; if the file ends earlier, `EIO` is returned.
    package static func read(into bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int64)
        -> Int32?
    {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            done += count
        }
        return nil
    }
}

/// Collects a text and writes it as UTF-8 to an `OutputFile`, in large pieces.
package final class TextFile {
    private let path: String
    /// The open file; nil once it is closed.
    private var file: OutputFile?
    private var buffer: [UInt8] = []

    private static let pieceSize = 1 << 16

    /// Creates the temporary file; `finalPath`'s directory must exist.
    package init(finalPath: String) throws {
        path = finalPath
        file = try OutputFile(finalPath: finalPath)
        buffer.reserveCapacity(2 * Self.pieceSize)
    }

    package func write(_ text: String) throws {
        buffer += text.utf8
        if buffer.count >= Self.pieceSize { try flush() }
    }

    /// Flushes and closes the file, complete under its temporary name; `rows` is its row count.
    package func close(rows: Int) throws -> WrittenFile {
        try flush()
        guard let file = file.take() else { throw OutputFailure.system(EBADF, path: path) }
        return try file.close(rows: rows)
    }

    private func flush() throws {
        guard file != nil else { throw OutputFailure.system(EBADF, path: path) }
        try file?.write(buffer.span)
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Reason why an export's or a report's file could not be written.
package typealias OutputFailure = DeclaredFailure<TextFile>

extension OutputFailure {
    package static func diskFull(path: String) -> Self { Self("OUTPUT-DISK-FULL", .inputOutput, ["path": path]) }
    package static func directoryMissing(path: String) -> Self {
        Self("OUTPUT-DIRECTORY", .cannotCreateOutput, ["path": path])
    }
    package static func notPermitted(path: String) -> Self {
        Self("OUTPUT-PERMISSION", .cannotCreateOutput, ["path": path])
    }
    package static func nameRefused(path: String) -> Self { Self("OUTPUT-NAME", .cannotCreateOutput, ["path": path]) }
    package static func inputOutput(path: String, reason: String) -> Self {
        Self("OUTPUT-IO", .inputOutput, ["path": path, "reason": reason])
    }
    /// The number of written rows differs from the number that was counted in the same transaction.
    package static func rowCount(sheet: String, expected: Int, found: Int) -> Self {
        Self("EXPORT-ROW-COUNT", .internalError, ["sheet": sheet, "expected": expected, "found": found])
    }
    package static func tooManyColumns(sheet: String, count: Int, limit: Int) -> Self {
        Self("XLSX-COLUMNS", .badConfiguration, ["sheet": sheet, "count": count, "limit": limit])
    }
    package static func noColumns(sheet: String) -> Self {
        Self("EXPORT-NO-COLUMNS", .badConfiguration, ["sheet": sheet])
    }
    /// A library refused its input or returned an unusable result, because of a mistake in this
    /// program.
    package static func library(name: String, reason: String) -> Self {
        Self("EXPORT-LIBRARY", .internalError, ["name": name, "reason": reason])
    }
    /// A library wrote an incomplete file; `folder` is where its temporary files are.
    package static func libraryFileDamaged(name: String, reason: String, folder: String) -> Self {
        Self("OUTPUT-LIBRARY-FILE", .inputOutput, ["name": name, "reason": reason, "folder": folder])
    }

    /// The failure for a system error number while writing a file.
    package static func system(_ number: Int32, path: String) -> OutputFailure {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
        case ENOENT, ENOTDIR: .directoryMissing(path: path)
        case EACCES, EPERM, EROFS: .notPermitted(path: path)
        case ENAMETOOLONG, EISDIR, EINVAL, EILSEQ: .nameRefused(path: path)
        default: .inputOutput(path: path, reason: unsafe String(cString: strerror(number)))
        }
    }
}
