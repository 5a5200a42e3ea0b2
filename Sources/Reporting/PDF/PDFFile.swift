import Blocks
import Model
import OutputFiles

/// The file of a PDF under way. When it is closed, it is complete and flushed under its temporary
/// name; when it is given up before, it is deleted.
final class PDFFile {
    private var file: OutputFile?

    init(finalPath: String) throws {
        file = try OutputFile(finalPath: finalPath)
    }

    func write(_ bytes: [UInt8]) throws {
        try file?.write(bytes.span)
    }

    /// - Parameter rows: the number of pages.
    func close(rows: Int) throws -> WrittenFile {
        guard let closing = file.take() else { throw ReportFailure.library(name: "cairo", reason: "closed twice") }
        return try closing.close(rows: rows)
    }
}
