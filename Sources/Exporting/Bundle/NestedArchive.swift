import OutputFiles
import Zipping

/// Writes an archive's bytes as one stored entry of another archive, as they come. They cannot be
/// changed afterwards, so every entry of the inner archive must be added whole.
struct NestedArchive: ~Copyable, ZipOutput {
    private var outer: ZipWriter<OutputFile>
    private var crc: UInt32 = 0
    private(set) var position: Int64 = 0

    init(_ outer: consuming ZipWriter<OutputFile>, name: String) throws {
        var outer = outer
        try outer.begin(name, method: .stored)
        self.outer = outer
    }

    mutating func write(_ bytes: Span<UInt8>) throws {
        try outer.write(bytes)
        crc = bytes.crc32(continuing: crc)
        position += Int64(bytes.count)
    }

    mutating func patch(_ bytes: Span<UInt8>, at offset: Int64) throws {
        throw BundleFailure.archive(reason: "patch inside an entry")
    }

    consuming func finish() throws -> ZipWriter<OutputFile> {
        try outer.end(crc: crc, size: UInt64(position))
        return outer
    }
}
