import Glibc
package import Model
import OutputFiles
import Zipping

/// A workbook's file as every stage leaves it: the same bytes for the same workbook, flushed and summed, complete under its temporary name.
package enum WorkbookFile {
    /// - Parameters:
    ///   - path: the final one; its directory exists.
    ///   - make: writes the workbook as the library does, at the path it is given, and returns how many rows it holds.
    package static func write(to path: String, _ make: (String) throws -> Int) throws -> WrittenFile {
        let file = TemporaryFile(path: TemporaryName.path(beside: path))
        let rows = try make(file.path)
        // Taken over part by part: the library's archive bears times of this machine.
        var zip = ZipWriter(try OutputFile(finalPath: path, isPatched: true))
        let reader = try ZipReader(path: file.path)
        for entry in reader.entries { try zip.copy(entry, from: reader) }
        return try zip.finish().close(rows: rows)
    }
}
