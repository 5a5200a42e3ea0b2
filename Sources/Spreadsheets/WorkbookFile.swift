package import Model
import OutputFiles
import Zipping

/// The file of a workbook, as every stage writes it: the same bytes for the same workbook, flushed
/// and summed, complete under its temporary name.
package struct WorkbookFile: ~Copyable {
    private let draft: TemporaryFile
    private let finalPath: String

    /// - Parameter finalPath: its directory must exist.
    package init(finalPath: String) {
        self.finalPath = finalPath
        draft = TemporaryFile(path: TemporaryName.path(beside: finalPath))
    }

    /// The path for the library's own file, which is deleted together with this value.
    package var draftPath: String { draft.path }

    /// Copies the closed workbook part by part, because the library's archive contains times of
    /// this machine.
    /// - Parameter pictures: those whose stand-ins are in the workbook.
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
        return try zip.close(rows: rows)
    }
}
