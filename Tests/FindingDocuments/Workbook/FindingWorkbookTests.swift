import Foundation
import Model
import Testing
import Workbench

@testable import FindingDocuments
@testable import Spreadsheets

/// Findings and the rows of a table, in memory.
private final class Findings: FindingRowSource {
    var reported: [PlacedFinding] = []
    var table: FindingTable
    var cells: [[MemoryRows.Value]] = []
    var recordCount = 1

    init() {
        table = FindingTable(
            entity: "calicatas", title: "Pits [1]/'x'", columns: [
                SheetColumn(name: "code", label: "Code", kind: .text), SheetColumn(name: "depth_m", label: "Depth", unit: "m", kind: .decimal(decimals: 2)),
                SheetColumn(name: "title", label: "=Title", kind: .text),
            ], rowCount: 0, isWhole: true, allRows: 0)
    }

    func fill(rows: Int) {
        cells = (0..<rows).map { [.text("C-\($0)"), $0 == 1 ? .null : .real(Double($0) / 4), .text("=1+\($0)\u{1}")] }
        table.rowCount = rows
        table.allRows = rows + 3
    }

    func forEach(_ body: (PlacedFinding) throws -> Void) throws { try reported.forEach(body) }
    func strip(of finding: Finding) throws -> StrataStrip? { nil }
    func tables() throws -> [FindingTable] { [table] }
    func rows(of table: FindingTable) throws -> any RowSource { MemoryRows(columnCount: 3, rows: cells) }
    func forEach(in table: FindingTable, _ body: (PlacedFinding) throws -> Void) throws {
        for found in reported.filter({ $0.row != nil }).sorted(by: { ($0.row ?? 0) < ($1.row ?? 0) }) { try body(found) }
    }
    func records(_ body: (RecordCount) throws -> Void) throws {
        for number in 0..<recordCount {
            try body(RecordCount(project: "P-1", table: "calicatas", id: "c\(number)", key: "P-1 / C-\(number)", counts: [.error: 2, .warning: 1]))
        }
    }

    func add(_ code: String, _ severity: Severity, row: Int?, field: String? = nil, arguments: [String: String] = [:], acceptance: Acceptance? = nil) {
        let place = Place(table: "calicatas", id: row.map { "c\($0)" }, key: row.map { "P-1 / C-\($0)" }, field: field)
        reported.append(PlacedFinding(
            Finding(code: code, severity: severity, place: place, arguments: arguments, acceptance: acceptance), project: "P-1", row: row))
    }
}

@Suite struct FindingWorkbookTests {
    private let folder: TemporaryFolder
    private let texts: Texts

    init() throws {
        folder = try TemporaryFolder()
        texts = try ShippedPack.named("ingeplus").texts
    }

    private func sample() -> Findings {
        let findings = Findings()
        findings.fill(rows: 5)
        findings.add("FIELD-RANGE", .error, row: 3, field: "depth_m", arguments: ["value": "=cmd|' /C calc'!A0", "minimum": "1", "maximum": "2", "unit": "m"])
        findings.add("FIELD-REQUIRED", .error, row: 1, field: "depth_m")
        findings.add("FIELD-UNIQUE", .error, row: 1, field: "depth_m", arguments: ["value": String(repeating: "ñ🪨", count: 9000), "count": "2"])
        findings.add(
            "CALICATA-SIN-FOTO", .warning, row: 3,
            acceptance: Acceptance(reason: "why", actor: "a@b", acceptedAt: "2025-01-01T00:00:00Z", until: "2026-01-01"))
        return findings
    }

    private func write(_ findings: Findings, limits: XLSXLimits = .excel, comments: Int = 5000, name: String = "f") throws -> ReadBook {
        let head = FindingDocumentHead(
            packName: "ingeplus", packVersion: "1.0.0", system: "InGe+", environment: "DEV", environmentBanner: "DEV &G", programVersion: "0.1.0", actor: "Ana",
            asOf: Date(timeIntervalSince1970: 1_764_597_600), madeAt: "2025-12-01 09:00", projects: [.init(code: "P-1", name: "Uno")], rows: 5)
        let book = FindingWorkbook(
            FindingText(texts, in: .english), head: head, tally: try FindingTally(findings), limits: limits, mostComments: comments)
        let path = folder.path + "/\(name).xlsx"
        let file = try book.write(findings, to: path)
        try FileManager.default.moveItem(atPath: file.temporaryPath, toPath: path)
        #expect(try OtherProgram.sha256(path) == file.sha256)
        return ReadBook(path: path)
    }

    @Test func sheetsFollowFromTheFindings() throws {
        let book = try write(sample())
        #expect(try book("wb.sheetnames") == "['Summary', 'Records', 'Findings', \"Pits (1)-'x\"]")
        #expect(try book("row('Records', 2)") == "['P-1', 'Test pit', 'P-1 / C-0', 2, 1, 0, 3]")
        #expect(try book("[r[1].value for r in s('Findings').iter_rows(min_row=2)]") == "['FIELD-RANGE', 'FIELD-REQUIRED', 'FIELD-UNIQUE', 'CALICATA-SIN-FOTO']")
        #expect(try book("s('Findings')['K5'].value") == "by a@b until 2026-01-01: why")
        #expect(try book("s('Findings')['M2'].value == '\(sample().reported[0].finding.fingerprint)'") == "True")
        #expect(try book("s('Findings').auto_filter.ref") == "A1:M5")
    }

    @Test func linksLeadToTheRow() throws {
        let book = try write(sample())
        #expect(try book("s('Findings')['J2'].value") == ##"=HYPERLINK("#'Pits (1)-''x'!A6","→ 6")"##)
        #expect(try book("s(wb.sheetnames[3])['B6'].value") == "C-3")
        #expect(try book("[c.value for r in s('Summary').iter_rows() for c in r if str(c.value).startswith('=HYP')][1]") == ##"=HYPERLINK("#'Findings'!A3","→ A3")"##)
    }

    @Test func cellsInQuestionAreMarkedAndCommented() throws {
        let book = try write(sample())
        #expect(try book("s(wb.sheetnames[3])['C6'].fill.bgColor.rgb, s(wb.sheetnames[3])['C6'].fill.fgColor.rgb").contains("FFC7CE"))
        #expect(try book("sorted(c.coordinate for r in s(wb.sheetnames[3]).iter_rows() for c in r if c.comment)") == "['A6', 'C4', 'C6']")
        let comment = try book("s(wb.sheetnames[3])['C4'].comment.text")
        #expect(comment.contains("FIELD-REQUIRED") && comment.contains("→ ") && comment.utf16.count <= 2000)
        #expect(try book("s(wb.sheetnames[3])['A6'].comment.text").contains("Accepted by a@b until 2026-01-01: why"))
        #expect(try book("s(wb.sheetnames[3])['A4'].value, s(wb.sheetnames[3])['A6'].value") == "('Error (2)', 'Error (2)')")
    }

    @Test func nothingFromDataIsRun() throws {
        let book = try write(sample())
        #expect(try book("s('Findings')['G2'].data_type, s('Findings')['G2'].value") == "('s', \"=cmd|' /C calc'!A0\")")
        #expect(try book("{c.data_type for r in s(wb.sheetnames[3]).iter_rows(min_row=3) for c in r if c.column == 4}") == "{'s'}")
        #expect(try book("s(wb.sheetnames[3])['D3'].value") == "=1+0�")
    }

    @Test func limitsSplitCutAndAreSaid() throws {
        let findings = sample()
        findings.fill(rows: 9)
        findings.recordCount = 4
        let book = try write(findings, limits: XLSXLimits(rows: 4), comments: 1)
        #expect(try book("wb.sheetnames[2:4]") == "['Findings', 'Findings (2)']")
        #expect(try book("s('Findings').max_row, s('Findings (2)').max_row") == "(4, 2)")
        let about = try book("s(wb.sheetnames[4])['A1'].value")
        #expect(about.contains("Only the first 2 of 9 rows fit") && about.contains("Only the first 1 cells"))
        #expect(try book("s(wb.sheetnames[4]).max_row, sum(1 for r in s(wb.sheetnames[4]).iter_rows() for c in r if c.comment)") == "(4, 1)")
        #expect(try book("[r[0].value for r in s('Records').iter_rows(min_row=2)]") == "['P-1', 'P-1', 'Only the first 2 of 4 rows fit.']")
        // A row that does not exist gets no link.
        #expect(try book("s('Findings')['J2'].value") == "None")
    }

    @Test func equalFindingsGiveEqualBytesAndManyCommentsRead() throws {
        let findings = Findings()
        findings.fill(rows: 2600)
        for row in 0..<2600 { findings.add("FIELD-REQUIRED", .error, row: row, field: "title") }
        let first = try write(findings, name: "a")
        let second = try write(findings, name: "b")
        #expect(try OtherProgram.sha256(first.path) == OtherProgram.sha256(second.path))
        #expect(try first("sum(1 for r in s(wb.sheetnames[3]).iter_rows() for c in r if c.comment)") == "2600")
    }

    @Test func withoutFindingsItIsStillAWorkbook() throws {
        let findings = Findings()
        let book = try write(findings)
        #expect(try book("wb.sheetnames[:3], s('Findings').max_row") == "(['Summary', 'Records', 'Findings'], 1)")
    }
}
