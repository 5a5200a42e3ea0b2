import Foundation
import Testing
import Workbench

@testable import Importing

/// A batch of any size ends between two rows. The cells of a table are the same, whether it is read
/// byte by byte or at once.
@Suite struct BatchSizeTests {
    private static let sizes: [(rows: Int, room: Int)] = [(1, 1), (256, 1), (256, 7), (3, 64), (256, 1000), (256, 1 << 18), (1 << 30, 1 << 30)]

    private func check(_ path: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
        let file = try TableFiles.openFileOrFolder(path: path)
        for table in file.tables {
            let whole = try table.content(into: ForeignBatch(mostRows: 1 << 30, mostRoom: 1 << 30))
            for (rows, room) in Self.sizes {
                let parts = try table.content(into: ForeignBatch(mostRows: rows, mostRoom: room))
                let isSame = parts == whole
                #expect(isSame, "\(path) \(table.name), \(rows) rows, \(room) bytes", sourceLocation: sourceLocation)
            }
        }
    }

    @Test("Every sample of every kind of file gives the same cells in batches of any size")
    func samples() throws {
        let samples = ProjectFolder.root.appendingPathComponent("Samples").path
        // These readers refuse such files. They must read every other file.
        let others: Set<String> = ["jpg", "png", "fpt"]
        var kinds: Set<String> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: samples).sorted() {
            let path = samples + "/" + name
            var isFolder: ObjCBool = false
            guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                !others.contains(URL(fileURLWithPath: name).pathExtension.lowercased())
            else { continue }
            kinds.insert(try TableFiles.open(path: path).contentKind)
            try check(path)
        }
        #expect(kinds.isSuperset(of: ["access", "csv", "dbf", "html", "sqlite", "xls", "xlsx", "xml", "json-tables", "plist"]))
    }

    @Test("Workbooks of OpenDocument and of Excel 2003 in XML give the same cells in batches of any size")
    func otherWorkbooks() throws {
        let folder = try TableFolder()
        let rows = (0..<60).map { row in
            "<table:table-row table:number-rows-repeated='\(row % 4 + 1)'>" + (0..<5).map { column in
                "<table:table-cell office:value-type='\(column % 2 == 0 ? "string" : "float")' office:value='\(row).\(column)' table:number-columns-repeated='\(column % 3 + 1)'><text:p>"
                    + String(repeating: "ñ", count: row * column) + "</text:p></table:table-cell>"
            }.joined() + "</table:table-row>"
        }.joined()
        let content = "<d><office:spreadsheet><table:table table:name='a'>\(rows)</table:table></office:spreadsheet></d>"
        _ = try folder.write(content, "content.xml")
        try folder.python("""
            import zipfile
            with zipfile.ZipFile('a.ods', 'w') as z:
                z.writestr('mimetype', 'application/vnd.oasis.opendocument.spreadsheet')
                z.write('content.xml')
            """)
        let cells = (0..<200).map { row in
            "<Row>" + (0..<4).map { "<Cell ss:Index='\($0 * 2 + 1)'><Data ss:Type='String'>" + String(repeating: "x", count: row * $0) + "</Data></Cell>" }.joined() + "</Row>"
        }.joined()
        let xml = try folder.write(
            "<?xml version='1.0'?><Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet'><Worksheet ss:Name='a'><Table>\(cells)</Table></Worksheet></Workbook>",
            "a.xls")
        for (path, kind, count) in [(folder.path("a.ods"), "ods", 150), (xml, "xml2003", 199)] {
            let file = try TableFiles.open(path: path)
            #expect(file.contentKind == kind)
            #expect(try file.tables[0].content().count == count)
            try check(path)
        }
    }

    /// The text of a batch is full in the middle of a row. The row must not lose cells, and its
    /// cells must not move to the left.
    @Test(arguments: [(300, 3, 2_000), (40, 120, 100), (5, 3, 300_000), (700, 1, 1_000)])
    func aBatchThatIsFullWithinARow(rows: Int, columns: Int, length: Int) throws {
        let folder = try TableFolder()
        let texts = (0..<rows).map { row in (0..<columns).map { column in "\(row)/\(column)" + String(repeating: "x", count: (row * 31 + column * 17) % length) } }
        let expected = texts.enumerated().map { row, cells in "\(row + 1) " + cells.map { "t:" + $0 }.joined(separator: " ") }
        let csv = try folder.write(texts.map { $0.enumerated().map { $0 % 2 == 0 ? $1 : "\"\($1)\"" }.joined(separator: ";") }.joined(separator: "\n") + "\n", "a.csv")
        let sheet = texts.map { "<row>" + $0.map { "<c t='inlineStr'><is><t>\($0)</t></is></c>" }.joined() + "</row>" }.joined()
        let xlsx = try folder.workbook("<worksheet><sheetData>\(sheet)</sheetData></worksheet>")
        let html = try folder.write(
            "<html><table>" + texts.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>" }.joined() + "</table></html>", "a.html")
        for path in [csv, xlsx, html] {
            let isWhole = try contents(path) == expected
            #expect(isWhole, "\(path)")
            try check(path)
        }
    }
}
