package import Model
import OutputFiles
import Zipping

/// A workbook's file as every stage leaves it: the same bytes for the same workbook, flushed and summed, complete under its temporary name.
package struct WorkbookFile: ~Copyable {
    private let draft: TemporaryFile
    private let finalPath: String

    /// - Parameter finalPath: its directory exists.
    package init(finalPath: String) {
        self.finalPath = finalPath
        draft = TemporaryFile(path: TemporaryName.path(beside: finalPath))
    }

    /// Where the library writes: gone with this value.
    package var draftPath: String { draft.path }

    /// Takes the closed workbook over part by part: the library's archive bears times of this machine.
    /// - Parameter pictures: those whose stand-ins the workbook holds.
    package func finish(rows: Int, pictures: PictureStore? = nil) throws -> WrittenFile {
        var zip = ZipWriter(try OutputFile(finalPath: finalPath, isPatched: true))
        let reader = try ZipReader(path: draft.path)
        for entry in reader.entries {
            if let pictures, entry.name.hasPrefix("xl/media/") {
                guard let picture = try pictures.picture(standing: reader.read(entry, atMost: 1 << 10)) else {
                    throw OutputFailure.library(name: "libxlsxwriter", reason: "\(entry.name): no picture")
                }
                // A picture is compressed already.
                try zip.add(entry.name, picture.span, method: .stored)
            } else {
                try zip.copy(entry, from: reader)
            }
        }
        return try zip.finish().close(rows: rows)
    }
}
