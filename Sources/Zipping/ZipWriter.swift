/// Writes an archive, with the same bytes for the same entries: every time is 1980-01-01, and
/// nothing depends on the machine.
///
/// minizip does not write the headers, because of entries of unknown size: minizip must know
/// beforehand whether one exceeds 4 GiB, and fails if that was wrong. Otherwise it leaves a ZIP64
/// field beside plain sizes, which Excel reports as damage. In this writer, such an entry reserves
/// space for that field as padding (`0xA220`, the growth hint of the Open Packaging Conventions),
/// which becomes the ZIP64 field only if it is needed (APPNOTE.TXT 6.3.9, sections 4.3 and 4.5.3).
package struct ZipWriter<Output: ZipOutput & ~Copyable>: ~Copyable {
    private var output: Output
    private var directory = ZipDirectory()
    /// The open entry, with the positions of its header and of its data.
    private var open: (name: String, method: ZipEntry.Method, header: Int64, start: Int64)?

    package init(_ output: consuming Output) {
        self.output = output
    }

    /// The completed entries, in the order of the archive.
    package var entries: [ZipEntry] { directory.entries }

    // MARK: Whole entries

    package mutating func add(
        _ name: String, _ content: Span<UInt8>, method: ZipEntry.Method = .deflated, level: Int32 = 6
    ) throws {
        var packed: [UInt8] = []
        if method == .deflated {
            var deflater = try Deflater(level: level)
            let keep: (Span<UInt8>) -> Void = { piece in
                for index in piece.indices { packed.append(piece[index]) }
            }
            try deflater.write(content, keep)
            try deflater.finish(keep)
        }
        let size = UInt64(content.count)
        let entry = ZipEntry(
            name: name, method: method, crc: content.crc32(),
            compressedSize: method == .deflated ? UInt64(packed.count) : size, size: size)
        try header(of: entry)
        if method == .deflated {
            try output.write(packed.span)
        } else {
            try output.write(content)
        }
    }

    /// Copies an entry of another archive in its compressed form.
    package mutating func copy(_ entry: ZipEntry, from reader: borrowing ZipReader) throws {
        try header(of: entry)
        try reader.rawChunks(of: entry) { try output.write($0) }
    }

    // MARK: Streamed entries

    /// Begins an entry whose sizes are only known at its end.
    package mutating func begin(_ name: String, method: ZipEntry.Method) throws {
        precondition(open == nil, "an entry is still open")
        let header = output.position
        try directory.reserve(name)
        try output.write(
            ZipHeader.local(name: name, method: method, crc: 0, compressedSize: 0, size: 0, keepsRoom: true).span)
        open = (name, method, header, output.position)
    }

    /// Writes bytes of the open entry, already compressed by its method.
    package mutating func write(_ bytes: Span<UInt8>) throws {
        try output.write(bytes)
    }

    /// Ends the open entry: `crc` and `size` are those of its content before compression.
    package mutating func end(crc: UInt32, size: UInt64) throws {
        guard let entry = open else { preconditionFailure("no entry is open") }
        open = nil
        let compressed = UInt64(output.position - entry.start)
        let header = ZipHeader.local(
            name: entry.name, method: entry.method, crc: crc, compressedSize: compressed, size: size, keepsRoom: true)
        try output.patch(header.span, at: entry.header)
        directory.add(
            ZipEntry(name: entry.name, method: entry.method, crc: crc, compressedSize: compressed, size: size),
            at: entry.header)
    }

    /// Writes the directory and returns the output.
    package consuming func finish() throws -> Output {
        precondition(open == nil, "an entry is still open")
        try output.write(directory.bytes(at: output.position).span)
        return output
    }

    private mutating func header(of entry: ZipEntry) throws {
        precondition(open == nil, "an entry is still open")
        try directory.reserve(entry.name)
        directory.add(entry, at: output.position)
        try output.write(
            ZipHeader.local(
                name: entry.name, method: entry.method, crc: entry.crc, compressedSize: entry.compressedSize,
                size: entry.size,
                keepsRoom: false
            ).span)
    }
}

extension ZipWriter: Sendable where Output: Sendable & ~Copyable {}

/// One compressed entry that is being written. The stream owns the archive until `finish` returns
/// it, so that both can be moved to another thread together.
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
