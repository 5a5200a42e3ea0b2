import Glibc
package import Model
import OutputFiles
import Zipping

/// A workbook's file as every stage leaves it: the same bytes for the same workbook, flushed and summed, complete under its temporary name.
package enum WorkbookFile {
    /// - Parameters:
    ///   - path: the final one; its directory exists.
    ///   - pictures: those whose stand-ins the workbook holds.
    ///   - make: writes the workbook as the library does, at the path it is given, and returns how many rows it holds.
    package static func write(to path: String, pictures: PictureStore? = nil, _ make: (String) throws -> Int) throws -> WrittenFile {
        let file = TemporaryFile(path: TemporaryName.path(beside: path))
        let rows = try make(file.path)
        // Taken over part by part: the library's archive bears times of this machine.
        var zip = ZipWriter(try OutputFile(finalPath: path, isPatched: true))
        let reader = try ZipReader(path: file.path)
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
