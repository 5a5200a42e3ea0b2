package import Model
import OutputFiles

/// A text that grows as UTF-8 in an `OutputFile`, written on a thread of its own in large pieces.
package final class TextFile {
    private let sink: BackgroundSink<OutputFile>
    private var buffer = ByteBuffer(capacity: 1 << 17)

    private static let pieceSize = 1 << 16

    /// Creates the temporary file; `finalPath`'s directory must exist.
    package init(finalPath: String) throws {
        sink = BackgroundSink(try OutputFile(finalPath: finalPath))
    }

    package func write(_ text: String) throws {
        var text = text
        text.withUTF8 { unsafe buffer.append($0) }
        if buffer.count >= Self.pieceSize { try sink.send(&buffer) }
    }

    /// Flushes and closes the file, complete under its temporary name; `rows` is what it holds.
    package func close(rows: Int) throws -> WrittenFile {
        try sink.send(&buffer)
        return try sink.finish().close(rows: rows)
    }
}
