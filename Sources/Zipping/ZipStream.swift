/// One deflated entry that is being written. It owns the archive meanwhile and gives it back at its
/// end, so that both can be moved to another thread together.
package struct ZipStream<Output: ZipOutput & Sendable & ~Copyable>: ~Copyable, Sendable {
    private var zip: ZipWriter<Output>
    private var deflater: Deflater

    package init(_ zip: consuming ZipWriter<Output>, name: String, level: Int32 = 1) throws {
        let deflater = try Deflater(level: level)
        var zip = zip
        try zip.begin(name, method: .deflated)
        self.zip = zip
        self.deflater = deflater
    }

    package mutating func write(_ bytes: Span<UInt8>) throws {
        try deflater.write(bytes) { try zip.write($0) }
    }

    package consuming func finish() throws -> ZipWriter<Output> {
        try deflater.finish { try zip.write($0) }
        try zip.end(crc: deflater.crc, size: deflater.consumed)
        return zip
    }
}
