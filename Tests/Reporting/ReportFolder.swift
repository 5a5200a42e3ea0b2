import Foundation
import Model
import OutputFiles
import Testing
import Workbench

@testable import Blocks
@testable import Reporting

extension TemporaryFolder {
    func write(_ sections: [SectionContent], head: DocumentHead = ReportSamples.head(), name: String = "informe.xlsx") throws -> ReadReport {
        let renderer = try WorkbookRenderer(head: head, path: path + "/" + name)
        for section in sections { try renderer.add(section) }
        let file = try renderer.finish()
        #expect(file.finalPath == path + "/" + name && file.bytes > 0)
        try FileManager.default.moveItem(atPath: file.temporaryPath, toPath: file.finalPath)
        return ReadReport(path: file.finalPath)
    }
}

/// A workbook that was written, as openpyxl reads it.
struct ReadReport {
    let path: String

    /// The value of a Python expression. In it, `wb` is the workbook, `s(name)` a sheet, and
    /// `find(name, text)` the first cell with a text.
    func callAsFunction(_ expression: String) throws -> String {
        try OtherProgram.python(
            """
            import sys, warnings, zipfile, re, openpyxl
            warnings.simplefilter('error')
            z = zipfile.ZipFile(sys.argv[1])
            wb = openpyxl.load_workbook(sys.argv[1])
            def s(name): return wb[name]
            def find(name, text): return next(c for r in s(name) for c in r if c.value == text)
            def under(cell, rows=1): return cell.parent.cell(cell.row + rows, cell.column)
            def beside(cell):
                ranges = [m for m in cell.parent.merged_cells.ranges if cell.coordinate in m]
                return cell.parent.cell(cell.row, (ranges[0].max_col if ranges else cell.column) + 1)
            def overlaps():
                found = []
                for w in wb:
                    seen = set()
                    for m in w.merged_cells.ranges:
                        for r in range(m.min_row, m.max_row + 1):
                            for c in range(m.min_col, m.max_col + 1):
                                if (r, c) in seen: found.append((w.title, m.coord))
                                seen.add((r, c))
                return found
            def links(name):
                cells = [c for r in s(name) for c in r if c.hyperlink]
                return [(c.coordinate, c.hyperlink.location, c.hyperlink.target) for c in cells]
            print(eval(sys.argv[2]))
            """, path, expression)
    }

    /// The value of a Python expression about the archive `z`, for workbooks that openpyxl cannot
    /// open.
    func archive(_ expression: String) throws -> String {
        try OtherProgram.python("import sys, zipfile, re\nz = zipfile.ZipFile(sys.argv[1])\nprint(eval(sys.argv[2]))", path, expression)
    }

    /// The complaints of `xmllint` about any part. The text is empty if all parts are well-formed.
    func malformedParts() throws -> String { try OtherProgram.malformedParts(of: path) }
}
