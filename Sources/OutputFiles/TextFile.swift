import Glibc
package import Model

/// A text that grows as UTF-8 in an `OutputFile`, written in large pieces.
package final class TextFile {
    private let path: String
    /// Nil once it is closed.
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

    /// Flushes and closes the file, complete under its temporary name; `rows` is what it holds.
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
