import Model
import OutputFiles
import Zipping

/// The final package while it is put together, part by part in a fixed order.
struct XLSXPackage: ~Copyable {
    private var zip: ZipWriter<OutputFile>
    private let compressionLevel: Int32
    private var written: Set<String> = []
    private var streamed: Set<String> = []

    /// The number of bytes that are passed to the other thread at once.
    private static let chunk = 1 << 17

    init(_ zip: consuming ZipWriter<OutputFile>, compressionLevel: Int32) {
        self.zip = zip
        self.compressionLevel = compressionLevel
    }

    /// The part by which programs such as `file` know the format; it depends on nothing.
    mutating func copyFirst(from pattern: borrowing PatternWorkbook) throws {
        for entry in pattern.entries where entry.name == "_rels/.rels" { try copy(entry, from: pattern) }
    }

    /// Every part that is not there yet.
    mutating func copyRest(from pattern: borrowing PatternWorkbook) throws {
        for entry in pattern.entries where !written.contains(entry.name) { try copy(entry, from: pattern) }
    }

    private mutating func copy(_ entry: ZipEntry, from pattern: borrowing PatternWorkbook) throws {
        written.insert(entry.name)
        try pattern.copy(entry, to: &zip)
    }

    /// This package with another sheet of rows, which are formatted here, and compressed and
    /// written on another thread.
    consuming func streaming(
        _ name: String, _ frame: SheetFrame, _ count: Int, _ rows: SheetRows, _ formatter: inout RowFormatter, progress: (Int) -> Void
    ) throws -> XLSXPackage {
        let compressionLevel = compressionLevel
        let (written, streamed) = (written.union([name]), streamed.union([name]))
        let sink = BackgroundSink(try ZipStream(zip, name: name, level: compressionLevel))
        var buffer = ByteBuffer(capacity: Self.chunk * 2)
        buffer.append(frame.head)
        var done = 0
        while done < count {
            let range = try rows.take(count - done)
            // The header is row 1.
            try formatter.append(rows.batch, range, row: done + 2, to: &buffer)
            done += range.count
            if buffer.count >= Self.chunk { try sink.send(&buffer) }
            progress(done)
        }
        buffer.append(frame.tail)
        try sink.send(&buffer)
        return XLSXPackage(try sink.finish().finish(), compressionLevel: compressionLevel, written, streamed)
    }

    private init(
        _ zip: consuming ZipWriter<OutputFile>, compressionLevel: Int32, _ written: Set<String>, _ streamed: Set<String>
    ) {
        self.zip = zip
        self.compressionLevel = compressionLevel
        self.written = written
        self.streamed = streamed
    }

    /// Ends the archive and reads it again, but for the sheets that were streamed: their bytes were
    /// counted as they went.
    consuming func close(rows: Int) throws -> WrittenFile {
        let streamed = streamed
        return try zip.close(rows: rows) { !streamed.contains($0) }
    }
}
