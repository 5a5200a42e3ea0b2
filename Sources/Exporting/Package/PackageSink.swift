import Foundation
import Glibc
import Model
import OutputFiles
import Zipping

/// Receives the files of a package, one after the other.
protocol PackageSink: AnyObject {
    func begin(_ name: String, compressed: Bool) throws
    func write(_ bytes: [UInt8]) throws
    func end() throws
    /// Flushes everything to disk. Returns the temporary path, and for an archive its size and
    /// digest.
    func finish() throws -> (path: String, file: WrittenFile?)
}

/// A folder that is written under a temporary name beside its final path.
final class FolderSink: PackageSink {
    private let temporary: String
    private let final: String
    private var handle: FileHandle?
    private var folders: Set<String> = []
    private var isFinished = false

    init(finalPath: String) throws {
        final = finalPath
        temporary = TemporaryName.path(beside: finalPath)
        try makeFolder(temporary)
    }

    deinit {
        if !isFinished { try? FileManager.default.removeItem(atPath: temporary) }
    }

    private func makeFolder(_ path: String) throws {
        guard folders.insert(path).inserted else { return }
        guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else { throw OutputFailure.system(errno, path: final) }
    }

    func begin(_ name: String, compressed: Bool) throws {
        var path = temporary
        for part in name.split(separator: "/").dropLast() {
            path += "/" + part
            try makeFolder(path)
        }
        let file = temporary + "/" + name
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputFailure.system(errno, path: final) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ bytes: [UInt8]) throws {
        do {
            try handle?.write(contentsOf: Data(bytes))
        } catch {
            throw OutputFailure.system(errno, path: final)
        }
    }

    func end() throws {
        guard let handle else { return }
        guard fsync(handle.fileDescriptor) == 0 else { throw OutputFailure.system(errno, path: final) }
        try handle.close()
        self.handle = nil
    }

    func finish() throws -> (path: String, file: WrittenFile?) {
        for folder in folders {
            let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw OutputFailure.system(errno, path: final) }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 || errno == EINVAL else { throw OutputFailure.system(errno, path: final) }
        }
        isFinished = true
        return (temporary, nil)
    }
}

/// One ZIP archive: data deflated, photos stored.
final class ArchiveSink: PackageSink {
    private var zip: ZipWriter<OutputFile>?
    private var deflater: Deflater?
    private var crc: UInt32 = 0
    private var size: UInt64 = 0

    init(finalPath: String) throws {
        zip = ZipWriter(try OutputFile(finalPath: finalPath, isPatched: true))
    }

    func begin(_ name: String, compressed: Bool) throws {
        (crc, size) = (0, 0)
        deflater = compressed ? try Deflater(level: 6) : nil
        try change { try $0.begin(name, method: compressed ? .deflated : .stored) }
    }

    func write(_ bytes: [UInt8]) throws {
        crc = bytes.span.crc32(continuing: crc)
        size += UInt64(bytes.count)
        if var packing = deflater.take() {
            var packed: [[UInt8]] = []
            try packing.write(bytes.span) { piece in packed.append(Self.array(piece)) }
            deflater = consume packing
            for piece in packed { try change { try $0.write(piece.span) } }
        } else {
            try change { try $0.write(bytes.span) }
        }
    }

    func end() throws {
        if var packing = deflater.take() {
            var packed: [[UInt8]] = []
            try packing.finish { piece in packed.append(Self.array(piece)) }
            for piece in packed { try change { try $0.write(piece.span) } }
        }
        let (crc, size) = (crc, size)
        try change { try $0.end(crc: crc, size: size) }
    }

    func finish() throws -> (path: String, file: WrittenFile?) {
        guard let zip = zip.take() else { throw BundleFailure.archive(reason: "finished twice") }
        let file = try zip.close(rows: 0)
        return (file.temporaryPath, file)
    }

    private func change(_ body: (inout ZipWriter<OutputFile>) throws -> Void) throws {
        guard var writer = zip.take() else { throw BundleFailure.archive(reason: "the archive is closed") }
        do {
            try body(&writer)
        } catch let failure as ZipFailure {
            throw BundleFailure(failure)
        }
        zip = consume writer
    }

    private static func array(_ bytes: Span<UInt8>) -> [UInt8] {
        var array: [UInt8] = []
        array.reserveCapacity(bytes.count)
        for index in bytes.indices { array.append(bytes[index]) }
        return array
    }
}
