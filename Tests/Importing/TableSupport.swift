import Foundation
import Model
import Testing
import Workbench

@testable import Importing

/// A folder for files that a test writes, and what the readers make of them.
final class TableFolder {
    private let folder: TemporaryFolder
    var url: URL { folder.url }

    init() throws { folder = try TemporaryFolder() }

    func path(_ name: String) -> String { folder.file(name) }

    func write(_ bytes: [UInt8], _ name: String = "file") throws -> String { try folder.write(bytes, to: name) }

    func write(_ text: String, _ name: String = "file") throws -> String { try write(Array(text.utf8), name) }

    /// The lines of a text with their numbers. Each line is cut into cells at its semicolons.
    static func cells(_ text: String) -> [(Int, [String])] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            (index + 1, line.split(separator: ";", omittingEmptySubsequences: false).map(String.init))
        }
    }

    /// Runs a Python script that writes into this folder, which is its working directory.
    func python(_ script: String) throws {
        let ended = try OtherProgram.run("/usr/bin/python3", ["-c", script], in: url.path)
        try #require(ended.status == 0, "\(ended.text)")
    }

    /// Writes a workbook of these parts and the fixed ones. Its only sheet has these rows.
    func workbook(_ sheet: String, extra: [String: String] = [:], name: String = "book.xlsx") throws -> String {
        var parts = [
            "[Content_Types].xml": "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>",
            "_rels/.rels": "<Relationships><Relationship Id='r1' Type='http://x/officeDocument' Target='xl/workbook.xml'/></Relationships>",
            "xl/workbook.xml": "<workbook xmlns:r='x'><sheets><sheet name='S' sheetId='1' r:id='r1'/></sheets></workbook>",
            "xl/_rels/workbook.xml.rels":
                "<Relationships><Relationship Id='r1' Type='x/worksheet' Target='worksheets/sheet1.xml'/><Relationship Id='r2' Type='x/sharedStrings' Target='/xl/sharedStrings.xml'/><Relationship Id='r3' Type='x/styles' Target='styles.xml'/></Relationships>",
            "xl/worksheets/sheet1.xml": sheet,
        ]
        parts.merge(extra) { $1 }
        let json = String(decoding: try JSONEncoder().encode(parts), as: UTF8.self)
        _ = try write(json, "parts.json")
        try python("""
            import json, zipfile
            with zipfile.ZipFile('\(name)', 'w', zipfile.ZIP_DEFLATED) as z:
                for part, text in sorted(json.load(open('parts.json')).items()): z.writestr(part, text)
            """)
        return path(name)
    }
}

extension ForeignTable {
    /// Every row as its number and its cells. A cell is the first letter of its kind and its value,
    /// and an empty one is `-`. The batch into which rows are read may have any size.
    func content(into batch: ForeignBatch = ForeignBatch()) throws -> [String] {
        let rows = try open()
        var batch = batch
        var lines: [String] = []
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { return lines }
            for row in 0..<batch.rowCount {
                let cells = (0..<batch.width(row)).map { column -> String in
                    guard let value = batch.string(row, column) else { return "-" }
                    return "\(batch.cell(row, column).kind)".prefix(1) + ":" + value
                }
                lines.append("\(batch.rows[row].number) " + cells.joined(separator: " "))
            }
        }
    }
}

/// Opens a file, reads every table, and returns the rows of the first one.
func contents(_ path: String, _ options: TableOptions = TableOptions()) throws -> [String] {
    let file = try TableFiles.open(path: path, options: options)
    let all = try file.tables.map { try $0.content() }
    return all.first ?? []
}

/// The failure with which reading a file ends.
func failure(_ path: String, _ limits: TableLimits = TableLimits(), sourceLocation: Testing.SourceLocation = #_sourceLocation) throws -> any Failure {
    let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try contents(path, TableOptions(limits: limits)) }
    return try #require(error as? any Failure, sourceLocation: sourceLocation)
}
