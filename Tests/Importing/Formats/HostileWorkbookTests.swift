import Foundation
import Model
import Testing
import Workbench

@testable import Importing

/// Workbooks that are wrong or that attack. Each ends with one clear failure of exit code 65.
@Suite struct HostileWorkbookTests {
    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    private func sheet(_ rows: String) -> String { "<worksheet><sheetData>\(rows)</sheetData></worksheet>" }

    private func expectFailure(_ path: String, _ code: String, _ limits: TableLimits = TableLimits(), _ words: String = "", _ location: Testing.SourceLocation = #_sourceLocation) throws {
        let failure = try failure(path, limits, sourceLocation: location)
        #expect(failure.code == code && failure.exitCode == .badInput, "\(failure)", sourceLocation: location)
        #expect(failure.place?.file == path, sourceLocation: location)
        #expect(failure.arguments.values.contains { $0.contains(words) } || words.isEmpty, "\(failure)", sourceLocation: location)
    }

    @Test func entitiesAreNotDeclared() throws {
        let bomb = "<!DOCTYPE w [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>" + sheet("<row><c t='str'><v>&b;</v></c></row>")
        try expectFailure(folder.workbook(bomb), "TABLE-DAMAGED", .init(), "document type")
        try expectFailure(folder.workbook(sheet("<row><c t='str'><v>&b;</v></c></row>")), "TABLE-DAMAGED", .init(), "entity")
    }

    @Test func boundsHold() throws {
        var limits = TableLimits()
        limits.columns = 10
        try expectFailure(folder.workbook(sheet("<row><c r='K1'><v>1</v></c></row>")), "TABLE-TOO-LARGE", limits, "columns 10")
        try expectFailure(folder.workbook(sheet("<row><c r='ZZZZZ1'><v>1</v></c></row>")), "TABLE-TOO-LARGE")
        limits = TableLimits()
        limits.rows = 100
        try expectFailure(folder.workbook(sheet("<row r='101'><c><v>1</v></c></row>")), "TABLE-TOO-LARGE", limits, "rows 100")
        limits = TableLimits()
        limits.cellBytes = 1000
        try expectFailure(folder.workbook(sheet("<row><c t='str'><v>\(String(repeating: "a", count: 1001))</v></c></row>")), "TABLE-TOO-LARGE", limits, "cellBytes")
        limits = TableLimits()
        limits.sharedStringBytes = 50
        let strings = "<sst>" + String(repeating: "<si><t>0123456789</t></si>", count: 10) + "</sst>"
        try expectFailure(folder.workbook(sheet(""), extra: ["xl/sharedStrings.xml": strings]), "TABLE-TOO-LARGE", limits, "sharedStringBytes")
        limits = TableLimits()
        limits.tables = 0
        try expectFailure(folder.workbook(sheet("")), "TABLE-TOO-LARGE", limits, "tables")
    }

    @Test func aBombIsNotInflated() throws {
        _ = try folder.workbook(sheet(""))
        try folder.python("""
            import zipfile
            with zipfile.ZipFile('book.xlsx') as old, zipfile.ZipFile('bomb.xlsx', 'w', zipfile.ZIP_DEFLATED) as new:
                for name in old.namelist():
                    if 'sheet1' not in name: new.writestr(name, old.read(name))
                with new.open('xl/worksheets/sheet1.xml', 'w', force_zip64=True) as out:
                    for _ in range(80): out.write(b' ' * (1 << 20))
            """)
        try expectFailure(folder.path("bomb.xlsx"), "TABLE-TOO-LARGE", .init(), "compressionRatio")
        var limits = TableLimits()
        limits.entryBytes = 1000
        try expectFailure(folder.path("bomb.xlsx"), "TABLE-TOO-LARGE", limits, "entryBytes")
        limits = TableLimits()
        limits.partBytes = 10
        try expectFailure(folder.path("book.xlsx"), "TABLE-TOO-LARGE", limits, "partBytes")
    }

    @Test func disorderIsDamage() throws {
        try expectFailure(
            folder.workbook(sheet("<row r='2'/><row r='2'/>")), "TABLE-DAMAGED", .init(), "row 2 comes twice")
        try expectFailure(folder.workbook(sheet("<row r='2'/><row r='1'/>")), "TABLE-DAMAGED", .init(), "order")
        try expectFailure(folder.workbook(sheet("<row r='0'/>")), "TABLE-DAMAGED", .init(), "number")
        try expectFailure(folder.workbook(sheet("<row r='x'/>")), "TABLE-DAMAGED")
        try expectFailure(folder.workbook(sheet("<row><c r='B1'><v>1</v></c><c r='A1'><v>1</v></c></row>")), "TABLE-DAMAGED", .init(), "order")
        try expectFailure(folder.workbook(sheet("<row><c r='1'><v>1</v></c></row>")), "TABLE-DAMAGED", .init(), "reference")
        for cut in ["", "<worksheet>", "<worksheet><sheetData>", "<worksheet><sheetData><row><c", "<worksheet><sheetData><row a='>", "<worksheet><sheetData><!-- ", "<worksheet><sheetData><![CDATA["] {
            try expectFailure(folder.workbook(cut), "TABLE-DAMAGED", .init(), "cut off")
        }
        try expectFailure(folder.workbook("\u{0}<\u{0}w"), "TABLE-DAMAGED", .init(), "cut off")
        try expectFailure(folder.workbook("\u{0}\u{0}\u{0}<"), "TABLE-DAMAGED", .init(), "UTF-8")
    }

    @Test func partsThatAreNotThere() throws {
        try expectFailure(folder.workbook(sheet(""), extra: ["_rels/.rels": "<Relationships/>"]), "TABLE-DAMAGED", .init(), "no workbook")
        try expectFailure(folder.workbook(sheet(""), extra: ["xl/workbook.xml": "<document/>"]), "TABLE-DAMAGED", .init(), "no workbook")
        let away = "<Relationships><Relationship Id='r1' Type='x/worksheet' Target='../../../../etc/passwd'/></Relationships>"
        try expectFailure(folder.workbook(sheet(""), extra: ["xl/_rels/workbook.xml.rels": away]), "TABLE-DAMAGED", .init(), "missing")
        let outside = "<Relationships><Relationship Id='r1' Type='x/worksheet' Target='file:///etc/passwd' TargetMode='External'/></Relationships>"
        #expect(try TableFiles.open(path: folder.workbook(sheet(""), extra: ["xl/_rels/workbook.xml.rels": outside])).tables.isEmpty)
        for name in ["../escape", "..\\escape", "/escape", "c:escape"] {
            try expectFailure(folder.workbook(sheet(""), extra: [name: "x"]), "TABLE-DAMAGED", .init(), "leaves")
        }
        // Some programs write backslashes between folders.
        _ = try folder.workbook(sheet("<row><c><v>1</v></c></row>"))
        try folder.python("""
            import zipfile
            with zipfile.ZipFile('book.xlsx') as old, zipfile.ZipFile('back.xlsx', 'w') as new:
                for name in old.namelist(): new.writestr(name.replace('/', chr(92)), old.read(name))
            """)
        #expect(try contents(folder.path("back.xlsx")) == ["1 n:1"])
    }

    @Test func brokenArchives() throws {
        let whole = try Array(Data(contentsOf: URL(fileURLWithPath: folder.workbook(sheet("<row><c><v>1</v></c></row>")))))
        try expectFailure(folder.write(Array(whole.dropLast(30)), "cut.xlsx"), "TABLE-DAMAGED", .init(), "cut off")
        try expectFailure(folder.write(Array(whole.prefix(600)), "half.xlsx"), "TABLE-DAMAGED", .init(), "cut off")
        // Every header of the directory gets the flag of encryption.
        var encrypted = whole
        for index in encrypted.indices.dropLast(10) where encrypted[index...].starts(with: [0x50, 0x4B, 0x01, 0x02]) { encrypted[index + 8] |= 1 }
        try expectFailure(folder.write(encrypted, "secret.xlsx"), "TABLE-ENCRYPTED")
        // The stated size is not the real one.
        var lying = whole
        for index in lying.indices.dropLast(40) where lying[index...].starts(with: [0x50, 0x4B, 0x01, 0x02]) { lying[index + 24] = 0xFF }
        try expectFailure(folder.write(lying, "lying.xlsx"), "TABLE-DAMAGED")
        try folder.python("""
            import warnings, zipfile
            warnings.simplefilter('ignore')
            with zipfile.ZipFile('book.xlsx', 'a') as z: z.writestr('xl/workbook.xml', '<workbook/>')
            """)
        try expectFailure(folder.path("book.xlsx"), "TABLE-DAMAGED", .init(), "twice")
        // Names that differ in case alone are one name: a sheet would be read for the other.
        _ = try folder.workbook(sheet("<row><c><v>1</v></c></row>"))
        try folder.python("""
            import zipfile
            with zipfile.ZipFile('book.xlsx', 'a') as z: z.writestr('xl/worksheets/Sheet1.xml', '<worksheet/>')
            """)
        try expectFailure(folder.path("book.xlsx"), "TABLE-DAMAGED", .init(), "one name")
    }

    @Test func anEncryptedDocumentIsDistinguishedFromAnOldWorkbook() throws {
        var bytes = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 1016)
        bytes[30] = 9
        // A compound file is read as an old workbook, until it turns out to have none.
        try expectFailure(folder.write(bytes), "TABLE-DAMAGED")
        bytes += "EncryptedPackage".utf8.flatMap { [$0, 0] as [UInt8] }
        try expectFailure(folder.write(bytes), "TABLE-ENCRYPTED")
    }

    /// Random bytes of the parts are changed from a fixed seed. Every reading ends with rows or
    /// with a declared failure.
    @Test func changedBytesNeverCrash() throws {
        let original = Array("""
            <worksheet><cols><col min="1" max="2" hidden="1"/></cols><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a&amp;b</t></is></c><c r="B1" s="1"><v>45000.5</v></c></row><row r="2" hidden="1"><c r="A2" t="s"><v>0</v></c><c t="b"><v>1</v></c><c t="d"><v>2024-01-01</v></c></row></sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>
            """.utf8)
        var generator = SeededNumbers(20_250_403)
        let parts = try WorkbookParts(path: folder.workbook(sheet("")), limits: TableLimits())
        var ends = (whole: 0, failed: 0)
        for _ in 0..<3_000 {
            var bytes = original
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 9)], at: place)
                }
            }
            let scanner = MarkupScanner(MemoryBytes(bytes, step: Int.random(in: 1..<40, using: &generator)), limit: 1 << 12, windowSize: 64)
            var parser = SheetParser(scanner, limits: TableLimits(), place: Place(file: "f"), strings: SharedStrings(), styles: CellStyles(), epoch: .year1900)
            var batch = ForeignBatch()
            do {
                try parts.reading("part") { try parser.fill(&batch) }
                ends.whole += 1
            } catch is TableFailure {
                ends.failed += 1
            }
        }
        #expect(ends.whole > 100 && ends.failed > 100)
    }
}
