import Blocks
import Model
import OutputFiles

/// The file that a PDF grows into: complete and flushed under its temporary name once it is closed, gone when it is given up before.
final class PDFFile {
    private var file: OutputFile?

    init(finalPath: String) throws {
        file = try OutputFile(finalPath: finalPath)
    }

    func write(_ bytes: [UInt8]) throws {
        try file?.write(bytes.span)
    }

    /// - Parameter rows: the pages.
    func close(rows: Int) throws -> WrittenFile {
        guard let closing = file.take() else { throw ReportFailure.library(name: "cairo", reason: "closed twice") }
        return try closing.close(rows: rows)
    }
}
