import Blocks
import Counting
import Foundation
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

    /// Reads the file again to its end, because cairo makes most of it. Throws
    /// `OutputFailure.inputOutput` where it is not whole.
    ///
    /// - Parameter rows: the number of pages.
    func close(rows: Int) throws -> WrittenFile {
        guard let closing = file.take() else { throw ReportFailure.library(name: "cairo", reason: "closed twice") }
        let written = try closing.close(rows: rows)
        do throws(CountFault) {
            let pages = try WrittenPDF(path: written.temporaryPath).pages
            guard pages != rows else { return written }
            throw .damaged("it has \(pages) pages in place of \(rows)")
        } catch {
            try? FileManager.default.removeItem(atPath: written.temporaryPath)
            throw OutputFailure.inputOutput(path: written.finalPath, reason: error.reason)
        }
    }
}
