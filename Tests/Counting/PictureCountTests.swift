import Counting
import Foundation
import Importing
import Model
import Testing
import Workbench

/// Folders of pictures are counted without their reader.
@Suite struct PictureCountTests {
    @Test func everyFileThatTheReaderTakesIsCounted() throws {
        let folder = try TemporaryFolder()
        let heif = [0, 0, 0, 0x18] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 40)
        let files: [(name: String, bytes: [UInt8])] = [
            ("a.jpg", [0xFF, 0xD8, 0xFF, 0xE0]), ("below/b", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            ("below/c", heif), ("below/d.TIFF", Array("no picture".utf8)), ("below/e.png", []), ("Thumbs.db", [1]),
            (".hidden.jpg", [0xFF, 0xD8, 0xFF]), ("apart/f.jpg", [0xFF, 0xD8, 0xFF]),
        ]
        for file in files {
            let path = URL(fileURLWithPath: folder.file("fotos/" + file.name))
            let above = path.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
            try Data(file.bytes).write(to: path)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.file("fotos/link"), withDestinationPath: "below")
        var options = SourceCounter.Options()
        options.leftOut = ["Thumbs.db", "apart"]
        let count = try SourceCounter.count(path: folder.file("fotos"), kind: "pictures", options: options)
        #expect(count.tables.map(\.rows) == [5])
        #expect(count.tables[0].columns.map(\.filled) == [5, 5, 4, 5, 5])
        #expect(count.tables[0].columns.last?.numbers?.sum == Double(4 + 8 + heif.count + 10))
        var reading = TableOptions()
        reading.excluded = ["apart"]
        let read = try TableFiles.openFileOrFolder(path: folder.file("fotos"), options: reading)
        let rows = try read.tables[0].open()
        var batch = ForeignBatch()
        try rows.fill(&batch)
        let paths = (0..<batch.rowCount).map { batch.string($0, 0) }
        #expect(paths == ["a.jpg", "below/b", "below/c", "below/d.TIFF", "below/e.png"])
    }
}
