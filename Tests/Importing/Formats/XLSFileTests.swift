import Foundation
import Model
import Testing
import Workbench

@testable import Importing

struct XLSFileTests {
    typealias W = BIFFWriting
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ bytes: [UInt8], _ name: String = "old.xls", limits: XLSLimits = XLSLimits()) throws -> XLSFile {
        #expect(XLSFile.recognises(bytes))
        return try XLSFile(path: try ForeignReading.write(bytes, name, in: folder), limits: limits)
    }

    private func reason(_ bytes: [UInt8]) -> String? {
        do {
            for table in try open(bytes).tables { _ = try ForeignReading.rows(table) }
            return nil
        } catch let failure as TableFailure where failure.code == "TABLE-DAMAGED" {
            return failure.arguments["reason"]
        } catch { return "\(error)" }
    }

    /// The formats of cells: XF 0 is general, 1 is a date, 2 is a format of the workbook's own, and
    /// 3 is a time.
    private static let globals =
        W.record(0x41E, W.little(164, 2) + W.text("dd\\-mm\\-yyyy\\ hh:mm;@"))
        + [0, 14, 164, 20].flatMap { W.record(0xE0, W.little(0, 2) + W.little($0, 2) + W.little(0, 16)) }

    private static let texts = W.record(0xFC, W.little(2, 4) + W.little(2, 4) + W.text("Grava") + W.little(4, 2) + [0] + Array("Li".utf8))
        + W.record(0x3C, [1] + "ño".utf16.flatMap { W.little(Int($0), 2) })

    private static var workbook: [UInt8] {
        var cells = W.cell(0xFD, 0, 0, 0, W.little(0, 4)) + W.cell(0xFD, 0, 2, 0, W.little(1, 4))
        cells += W.cell(0x203, 1, 0, 0, W.double(12.5)) + W.cell(0x27E, 1, 1, 1, W.little(38717 << 2 | 2, 4))
        cells += W.cell(0x203, 1, 2, 2, W.double(38717.5)) + W.cell(0x203, 1, 3, 3, W.double(0.75))
        // This is a chart in the sheet. Its numbers do not belong to the sheet.
        cells += W.record(0x0809, W.little(0x0600, 2) + W.little(0x20, 2) + W.little(0, 12)) + W.cell(0x203, 0, 0, 0, W.double(7)) + W.end
        cells += W.record(0xBD, W.little(2, 2) + W.little(1, 2) + W.little(0, 2) + W.little(150 << 2 | 3, 4) + W.little(0, 2) + W.little(5 << 2 | 2, 4) + W.little(2, 2))
        cells += W.cell(0x205, 3, 0, 0, [1, 0]) + W.cell(0x205, 3, 1, 0, [0x17, 1])
        cells += W.cell(0x06, 3, 2, 0, [0, 0, 0, 0, 0, 0, 0xFF, 0xFF] + W.little(0, 8)) + W.record(0x4BC, W.little(0, 10)) + W.record(0x207, W.text("x"))
        cells += W.cell(0x06, 3, 3, 0, [2, 0, 7, 0, 0, 0, 0xFF, 0xFF] + W.little(0, 8)) + W.cell(0x06, 3, 4, 0, W.double(2) + W.little(0, 8))
        cells += W.cell(0x06, 3, 5, 0, [3, 0, 0, 0, 0, 0, 0xFF, 0xFF] + W.little(0, 8)) + W.cell(0x204, 3, 6, 0, W.text("y"))
        return W.workbook(
            globals: globals + texts, sheets: [("Pozos", 0, 0, cells), ("Chart", 0, 2, []), ("Old", 1, 0, W.cell(0x203, 9, 0, 0, W.double(1)))])
    }

    private static let expected = [
        ["text:Grava", "-", "text:Liño"],
        ["number:12.5", "date:2005-12-31", "dateTime:2005-12-31T12:00:00", "time:18:00:00"],
        ["-", "number:1.5", "number:5"],
        ["boolean:true", "error:#REF!", "text:x", "error:#DIV/0!", "number:2", "-", "text:y"],
    ]

    @Test("BIFF8 is read bare and in a compound file, with shared texts, dates, packed numbers, formulas and errors")
    func biff8() throws {
        for bytes in [Self.workbook, W.compound("Workbook", Self.workbook)] {
            let file = try open(bytes)
            #expect(file.tables.map(\.name) == ["Pozos", "Old"])
            #expect(file.tables.map(\.isHidden) == [false, true])
            #expect(try ForeignReading.rows(file.tables[0]) == Self.expected)
            var batch = ForeignBatch()
            try file.tables[1].open().fill(&batch)
            #expect(batch.rows.first?.number == 10)
        }
    }

    @Test("BIFF2 and BIFF4: the only sheet is read, with its code page and its formats")
    func oldest() throws {
        let two = W.record(0x0009, W.little(2, 2) + W.little(0x10, 2)) + W.record(0x42, W.little(850, 2))
            + W.record(0x1E, [7] + Array("General".utf8)) + W.record(0x1E, [8] + Array("dd/mm/yy".utf8))
            + W.record(0x04, W.little(0, 4) + [0, 0, 0, 2, 0x61, 0xA4]) + W.record(0x02, W.little(1, 2) + W.little(0, 2) + [0, 1, 0] + W.little(36526, 2))
            + W.record(0x03, W.little(1, 2) + W.little(1, 2) + [0, 0, 0] + W.double(0.1)) + W.end
        #expect(try ForeignReading.rows(try #require(try open(two, "a.xls").tables.first)) == [["text:añ"], ["date:2000-01-01", "number:0.1"]])
        let four = W.record(0x0409, W.little(4, 2) + W.little(0x10, 2) + W.little(0, 2)) + W.record(0x22, W.little(1, 2))
            + W.record(0x41E, W.little(0, 2) + [5] + Array("h:mm;".utf8)) + W.record(0x443, [0, 0] + W.little(0, 10))
            + W.cell(0x203, 0, 0, 0, W.double(0.25)) + W.cell(0x204, 0, 1, 0, W.little(1, 2) + [0xE9]) + W.end
        let file = try open(four, "b.xls")
        #expect(file.tables.first?.name == "b")
        #expect(try ForeignReading.rows(try #require(file.tables.first)) == [["time:06:00:00", "text:é"]])
    }

    @Test("A cell is a number, a date or a time by the same rules as in newer workbooks; elapsed hours are numbers")
    func formats() throws {
        let codes = ["General\" m\"", "[h]:mm", "[HH]", "[ss]", "yyyy-mm-dd", "mm:ss.0", "Estándar"]
        let globals = codes.enumerated().flatMap { W.record(0x41E, W.little(164 + $0, 2) + W.text($1)) }
            + codes.indices.flatMap { W.record(0xE0, W.little(0, 2) + W.little(164 + $0, 2) + W.little(0, 16)) }
        let cells = codes.indices.flatMap { W.cell(0x203, 0, $0, $0, W.double($0 == 5 ? 0.5 : 38717)) }
        let file = try open(W.workbook(globals: globals, sheets: [("A", 0, 0, cells)]))
        #expect(try ForeignReading.rows(file.tables[0]) == [
            ["number:38717", "number:38717", "number:38717", "number:38717", "date:2005-12-31", "time:12:00:00", "number:38717"],
        ])
    }

    @Test("Days count from 1900 or from 1904, and the day 1900-02-29 is given as Excel shows it")
    func days() {
        func cell(_ value: Double, _ epoch: SerialDate.Epoch = .year1900) -> String {
            var batch = ForeignBatch()
            SerialDate.append(value, as: .date, epoch, to: &batch)
            batch.endRow(number: 1)
            return "\(batch.cell(0, 0).kind):\(batch.string(0, 0) ?? "")"
        }
        #expect(cell(1) == "date:1900-01-01")
        #expect(cell(59) == "date:1900-02-28")
        #expect(cell(60) == "date:1900-02-29")
        #expect(cell(61) == "date:1900-03-01")
        #expect(cell(0, .year1904) == "date:1904-01-01")
        #expect(cell(0) == "number:0")
        #expect(cell(-1) == "number:-1")
        #expect(cell(1e9) == "number:1e+09" || cell(1e9) == "number:1000000000")
        #expect(cell(1.5) == "dateTime:1900-01-01T12:00:00")
        #expect(cell(.infinity) == "error:inf")
    }

    @Test("If the stated number of shared texts is wrong, the existing ones are read")
    func wrongCount() throws {
        for stated in [0, 1, 9] {
            let texts = W.record(0xFC, W.little(stated, 4) + W.little(stated, 4) + W.text("a") + W.text("b"))
            let cells = W.cell(0xFD, 0, 0, 0, W.little(0, 4)) + W.cell(0xFD, 0, 1, 0, W.little(1, 4))
            let file = try open(W.workbook(globals: texts, sheets: [("A", 0, 0, cells)]))
            #expect(try ForeignReading.rows(file.tables[0]) == [["text:a", "text:b"]])
        }
    }

    @Test("A list of texts may continue in empty records")
    func emptyContinuation() throws {
        let texts = W.record(0xFC, W.little(3, 4) + W.little(3, 4) + W.text("a")) + W.record(0x3C, [])
            + W.record(0x3C, W.text("b") + W.little(4, 2) + [0] + Array("Li".utf8)) + W.record(0x3C, [])
            + W.record(0x3C, [1]) + W.record(0x3C, [0] + Array("ma".utf8))
        let cells = (0..<3).flatMap { W.cell(0xFD, 0, $0, 0, W.little($0, 4)) }
        let file = try open(W.workbook(globals: texts, sheets: [("A", 0, 0, cells)]))
        #expect(try ForeignReading.rows(file.tables[0]) == [["text:a", "text:b", "text:Lima"]])
    }

    @Test("An empty text may lack its flags")
    func emptyText() throws {
        let begin = W.record(0x0809, W.little(0x0600, 2) + W.little(0x10, 2) + W.little(0, 12))
        func rows(_ empty: [UInt8]) throws -> [[String]] {
            let sheet = begin + W.cell(0x204, 0, 0, 0, empty) + W.cell(0x204, 0, 1, 0, W.text("own")) + W.end
            return try ForeignReading.rows(open(W.compound("Workbook", sheet)).tables[0])
        }
        let bare = try rows(W.little(0, 2))
        #expect(try bare == rows(W.text("")) && bare.first?.last == "text:own", "\(bare)")
        let cut = begin + W.cell(0x204, 0, 0, 0, W.little(1, 2)) + W.end
        #expect(reason(W.compound("Workbook", cut))?.contains("cut off") == true)
    }

    @Test("Only streams of the root are the workbook, not those of a workbook that is embedded in it")
    func embedded() throws {
        func book(_ version: Int, _ text: String) -> [UInt8] {
            let rest = W.little(0, version == 0x0500 ? 4 : 12)
            let begin = W.record(0x0809, W.little(version, 2) + W.little(0x10, 2) + rest)
            let label = version == 0x0500 ? W.little(text.utf8.count, 2) + Array(text.utf8) : W.text(text)
            return begin + W.cell(0x204, 0, 0, 0, label) + W.end
        }
        for (name, version) in [("Book", 0x0500), ("Workbook", 0x0600)] {
            for inner in ["Workbook", "Book"] {
                let file = try open(W.compound(name, book(version, "own"), embedded: (inner, book(0x0600, "other"))))
                #expect(try ForeignReading.rows(file.tables[0]) == [["text:own"]], "\(name) \(inner)")
            }
        }
        let none = W.compound("Contents", [1], embedded: ("Workbook", book(0x0600, "other")))
        #expect(reason(none) == "its compound file holds no workbook")
    }

    @Test("Texts of Excel 5 are in the code page that the file names, for Macintosh too")
    func namedCodePages() throws {
        let pages: [(Int, UInt8, String)] = [
            (0x8000, 0x8E, "é"), (10000, 0x8E, "é"), (10029, 0x8E, "é"), (10029, 0xE5, "Ś"), (10007, 0x80, "А"),
            (10006, 0xB0, "Α"), (10081, 0xDA, "Ğ"),
            // LibreOffice, which converted these, computed their formulas anew.
            (874, 0xA1, "ก"), (1255, 0xE0, "\u{5D0}"), (1256, 0xC7, "\u{627}"), (1258, 0xD0, "Đ"),
            (862, 0x80, "\u{5D0}"),
        ]
        for (page, byte, letter) in pages {
            func begin(_ kind: Int) -> [UInt8] {
                W.record(0x0809, W.little(0x0500, 2) + W.little(kind, 2) + W.little(0, 4))
            }
            let globals = begin(0x05) + W.record(0x42, W.little(page, 2))
            let sheet = begin(0x10) + W.cell(0x204, 0, 0, 0, W.little(1, 2) + [byte]) + W.end
            let entry = [0, 0, 1, 0x41] as [UInt8]
            let place = globals.count + 4 + 4 + entry.count + W.end.count
            let file = try open(globals + W.record(0x85, W.little(place, 4) + entry) + W.end + sheet)
            #expect(try ForeignReading.rows(file.tables[0]) == [["text:\(letter)"]], "\(page)")
        }
    }

    /// FONT of Excel 5: the character set is the thirteenth byte.
    @Test(
        "Where a file names no code page, its fonts know it",
        arguments: [
            ([204], 0xCF, "П"), ([204, 204], 0xCF, "П"), ([238], 0x8C, "Ś"), ([0], 0xCF, "Ï"), ([204, 0], 0xCF, "Ï"),
            ([], 0xCF, "Ï"),
        ] as [([UInt8], UInt8, String)])
    func pagesOfFonts(sets: [UInt8], byte: UInt8, letter: String) throws {
        func begin(_ kind: Int) -> [UInt8] {
            W.record(0x0809, W.little(0x0500, 2) + W.little(kind, 2) + W.little(0, 4))
        }
        let fonts = sets.flatMap {
            W.record(0x31, W.little(200, 2) + W.little(0, 10) + [$0, 0, 5] + Array("Arial".utf8))
        }
        let globals = begin(0x05) + fonts
        let sheet = begin(0x10) + W.cell(0x204, 0, 0, 0, W.little(1, 2) + [byte]) + W.end
        let entry = [0, 0, 1, 0x41] as [UInt8]
        let place = globals.count + 4 + 4 + entry.count + W.end.count
        let file = try open(globals + W.record(0x85, W.little(place, 4) + entry) + W.end + sheet)
        #expect(try ForeignReading.rows(file.tables[0]) == [["text:\(letter)"]])
    }

    @Test("A file of Excel 2 may have records of Excel 3")
    func mixedRecords() throws {
        let two = W.record(0x0009, W.little(2, 2) + W.little(0x10, 2))
            + W.record(0x1E, [7] + Array("General".utf8)) + W.record(0x1E, [8] + Array("dd/mm/yy".utf8))
            + W.record(0x43, [0, 0, 0, 0]) + W.record(0x43, [0, 0, 1, 0])
            + W.cell(0x204, 0, 0, 0, W.little(4, 2) + Array("Pozo".utf8)) + W.cell(0x203, 0, 1, 1, W.double(36526))
            + W.cell(0x203, 0, 2, 0, W.double(1.5))
            + W.record(0x04, W.little(0, 2) + W.little(3, 2) + [0, 0, 0, 2, 0x61, 0x62])
            + W.record(0x06, W.little(0, 2) + W.little(4, 2) + W.little(0, 9) + [0xFF, 0xFF] + W.little(0, 2))
            + W.record(0x207, W.little(1, 2) + [0x78]) + W.end
        #expect(try ForeignReading.rows(try #require(try open(two).tables.first)) == [
            ["text:Pozo", "date:2000-01-01", "number:1.5", "text:ab", "text:x"],
        ])
    }

    @Test("Old and new encrypted workbooks are refused as encrypted")
    func encrypted() throws {
        let book = W.workbook(globals: W.record(0x2F, W.little(0, 6)), sheets: [])
        #expect(throws: TableFailure.self) { try open(book) }
        for bytes in [book, W.compound("EncryptedPackage", [1])] {
            do {
                _ = try open(bytes)
                Issue.record("an encrypted file was opened")
            } catch let failure as TableFailure where failure.code == "TABLE-ENCRYPTED" {}
        }
    }

    @Test("A workbook that is cut off or has wrong places is damage, and is never read in part")
    func damaged() throws {
        let book = Self.workbook
        #expect(reason(book) == nil)
        #expect(reason(Array(book.dropLast(4))) == "sheet Old has no end")
        #expect(reason(Array(book.dropLast(6)))?.contains("cut off") == true)
        let cutTexts = W.workbook(globals: W.record(0xFC, W.little(2, 4) + W.little(2, 4) + W.text("a") + [5, 0, 0, 0x61]), sheets: [])
        #expect(reason(cutTexts) == "its list of texts is cut off after 1")
        #expect(reason(W.workbook(globals: [], sheets: [("A", 0, 0, W.cell(0x203, 0, 300, 0, W.double(1)))])) == "sheet A: a cell's record at byte 57 is not valid")
        #expect(reason(W.workbook(globals: [], sheets: [("A", 0, 0, W.cell(0xFD, 0, 0, 0, W.little(5, 4)))])) == "a cell wants text 5 of 0")
        #expect(reason(W.compound("WordDocument", [1])) == "its compound file holds no workbook")
        // Twenty further sheets begin at the place of the first.
        let blanks = (0..<1000).flatMap { W.cell(0x201, $0, 0, 0, []) }
        var heap = W.workbook(globals: [], sheets: [("A", 0, 0, blanks)] + (0..<20).map { ("S\($0)", 0, 0, []) })
        var position = 0
        var first: ArraySlice<UInt8>?
        while let id = heap.little16(position), let length = heap.little16(position + 2), id != 0x0A {
            if id == 0x85 {
                first = first ?? heap[(position + 4)..<(position + 8)]
                heap.replaceSubrange((position + 4)..<(position + 8), with: first ?? [])
            }
            position += 4 + length
        }
        #expect(reason(heap) == "its sheets lie over one another")
        // The chain of the stream's sectors is a circle.
        var circle = W.compound("Workbook", book)
        circle[512 + 8] = 2
        #expect(reason(circle) == "a chain of its sectors runs in a circle")
    }

    @Test("Cells that are out of order are sorted, and the later one of two in one place counts")
    func disorder() throws {
        let cells = W.cell(0x203, 1, 0, 0, W.double(3)) + W.cell(0x203, 0, 1, 0, W.double(1)) + W.cell(0x203, 0, 1, 0, W.double(2))
        let file = try open(W.workbook(globals: [], sheets: [("A", 0, 0, cells)]))
        #expect(try ForeignReading.rows(file.tables[0]) == [["-", "number:2"], ["number:3"]])
    }

    @Test("A workbook with more cells or sheets than the bounds is refused")
    func limits() throws {
        var limits = XLSLimits()
        limits.cells = 3
        #expect(throws: TableFailure.self) { try open(Self.workbook, limits: limits) }
        limits = XLSLimits()
        limits.sheets = 1
        #expect(throws: TableFailure.self) { try open(Self.workbook, limits: limits) }
    }

    @Test("LibreOffice converts an unknown form; if it is missing or makes nothing, this is a failure")
    func libreOffice() throws {
        let bound = W.record(0x0409, W.little(4, 2) + W.little(0x0100, 2) + W.little(0, 2)) + W.end
        let path = try ForeignReading.write(bound, "w.xls", in: folder)
        #expect(throws: TableFailure.needs(path: path, kind: "xls", what: "a reader for a bound workspace of BIFF4")) { try XLSFile(path: path) }
        #expect(throws: TableFailure.needs(path: path, kind: "xls", what: "LibreOffice (soffice), for a bound workspace of BIFF4")) {
            try XLSFile(path: path, openXLSX: { try XLSFile(path: $0) }, search: folder.path)
        }
        // This script takes the place of LibreOffice and gives a known form.
        let made = try ForeignReading.write(Self.workbook, "made", in: folder)
        for (body, works) in [("while [ $# -gt 2 ]; do shift; done; /bin/cp '\(made)' \"$1/book.xlsx\"", true), ("exit 0", false), ("exit 7", false)] {
            try StandInProgram.install("soffice", body, in: folder.path)
            if works {
                let file = try XLSFile(path: path, openXLSX: { try XLSFile(path: $0) }, search: folder.path)
                #expect(try ForeignReading.rows(file.tables[0]) == Self.expected)
                // What another program computed anew is told.
                #expect(file.findings.map(\.code) == ["IMPORT-CONVERTED"])
                #expect(file.findings.first?.arguments["form"] == "a bound workspace of BIFF4")
                #expect(try XLSFile(path: made).findings.isEmpty)
            } else {
                #expect(throws: TableFailure.self) { try XLSFile(path: path, openXLSX: { try XLSFile(path: $0) }, search: folder.path) }
            }
        }
    }

    @Test("A changed workbook gives values or a declared failure, and never a crash")
    func mutations() throws {
        var read = 0
        for source in [Self.workbook, W.compound("Workbook", Self.workbook)] {
            for bytes in ForeignReading.mutations(of: source, count: 500, seed: 8, in: 0..<min(source.count, 512 * 3 + Self.workbook.count)) {
                let path = try ForeignReading.write(bytes, "m.xls", in: folder)
                do {
                    for table in try XLSFile(path: path).tables { read += try ForeignReading.rows(table).count }
                } catch is TableFailure {}
            }
        }
        #expect(read > 0)
    }

    @Test(
        "Texts, numbers, dates and truth values of a file that LibreOffice saves as Excel 97 are read unchanged",
        arguments: ["xls:MS Excel 97"])
    func otherWriter(_ filter: String) throws {
        let text = "Código,Prof,Fecha,Seco\nC-01,1.25,2005-12-31,TRUE\n\"Año, ñ\",-3,1999-01-01,FALSE\n"
        let path = try ForeignReading.write(Array(text.utf8), "pits.csv", in: folder)
        _ = try BoundedProgram(
            "soffice",
            [
                "--headless", "-env:UserInstallation=\(folder.url.appendingPathComponent("profile").absoluteString)", "--infilter=CSV:44,34,76,1",
                "--convert-to", filter, "--outdir", folder.path, path,
            ], search: "/usr/bin:/bin", limits: LibreOfficeConversion.limits
        ).all(limit: 1 << 20)
        let rows = try ForeignReading.rows(try #require(try XLSFile(path: folder.url.appendingPathComponent("pits.xls").path).tables.first))
        #expect(rows[0] == ["text:Código", "text:Prof", "text:Fecha", "text:Seco"])
        #expect(rows[1] == ["text:C-01", "number:1.25", "date:2005-12-31", "boolean:true"])
        #expect(rows[2] == ["text:Año, ñ", "number:-3", "date:1999-01-01", "boolean:false"])
    }
}
