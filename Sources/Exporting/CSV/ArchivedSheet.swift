import Zipping

/// One sheet's file inside an archive, on its way through a second thread.
struct ArchivedSheet: ~Copyable, ByteSink, @unchecked Sendable {
    // Sendable is unchecked because of the compressor's pointer: this value is the archive's only owner and cannot be copied.
    private var stream: ZipStream<OutputFile>

    init(_ zip: consuming ZipWriter<OutputFile>, name: String) throws {
        stream = try ZipStream(zip, name: name)
    }

    mutating func write(_ bytes: Span<UInt8>) throws { try stream.write(bytes) }

    consuming func finish() throws -> ZipWriter<OutputFile> { try stream.finish() }
}
