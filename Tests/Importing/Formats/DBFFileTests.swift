import Foundation
import Model
import Testing
import Workbench

@testable import Importing

struct DBFFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ writing: DBFWriting, memo: (ending: String, bytes: [UInt8])? = nil, encoding: String? = nil) throws -> [[String]] {
        let path = try ForeignReading.write(writing.bytes, "pits.dbf", in: folder)
        if let memo { _ = try ForeignReading.write(memo.bytes, "PITS.\(memo.ending)", in: folder) }
        return try ForeignReading.rows(try #require(try DBFFile(path: path, encoding: encoding).tables.first))
    }

    private func damage(_ bytes: [UInt8]) throws -> String? {
        let path = try ForeignReading.write(bytes, "pits.dbf", in: folder)
        do {
            for table in try DBFFile(path: path).tables { _ = try ForeignReading.rows(table) }
            return nil
        } catch let failure as TableFailure where failure.code == "TABLE-DAMAGED" {
            return failure.arguments["reason"]
        }
    }

    @Test("dBase III: texts in CP850, numbers, dates and logical values are read, and deleted records are only counted")
    func plain() throws {
        let writing = DBFWriting(
            columns: [
                .init(name: "CALICATA", type: "C", length: 12), .init(name: "PROF", type: "N", length: 6, decimals: 2),
                .init(name: "FECHA", type: "D", length: 8), .init(name: "SECO", type: "L", length: 1),
            ],
            records: [
                [[0x43, 0xA5, 0x61], Array("1.50".utf8), Array("20051231".utf8), [0x54]],
                [[], [], [], [0x3F]],
                [Array("X".utf8), Array("******".utf8), Array("20050231".utf8), [0x23]],
                [Array("Y".utf8), Array("1,5".utf8), Array("00000000".utf8), [0x6E]],
            ], deleted: [1])
        let path = try ForeignReading.write(writing.bytes, "Pozos.DBF", in: folder)
        #expect(DBFFile.recognises(writing.bytes))
        let file = try DBFFile(path: path)
        let table = try #require(file.tables.first)
        #expect(table.name == "Pozos")
        #expect(table.columns == ["CALICATA", "PROF", "FECHA", "SECO"])
        #expect(
            try ForeignReading.rows(table) == [
                ["text:CÑa", "number:1.50", "date:2005-12-31", "boolean:true"],
                ["text:X", "error:******", "error:20050231", "error:#"],
                ["text:Y", "error:1,5", "-", "boolean:false"],
            ])
        #expect(file.deletedRecords == 1)
        #expect(try ForeignReading.rows(table).count == 3)
        #expect(file.deletedRecords == 1)
    }

    @Test("A stated code page counts before the .cpg file, and this before the driver; an unknown page is refused")
    func codePages() throws {
        var writing = DBFWriting(columns: [.init(name: "A", type: "C", length: 4)], records: [[[0xE1]]])
        #expect(try read(writing) == [["text:ß"]])
        writing.driver = 0x03
        #expect(try read(writing) == [["text:á"]])
        _ = try ForeignReading.write(Array("ISO 8859-2\n".utf8), "pits.CPG", in: folder)
        writing.records = [[[0xE6]]]
        #expect(try read(writing) == [["text:ć"]])
        #expect(try read(writing, encoding: "CP437") == [["text:µ"]])
        #expect(throws: TableFailure.self) { try read(writing, encoding: "cp932") }
    }

    @Test(
        "Without a language driver, the code page is guessed from the texts, and the guess is reported",
        arguments: [
            (UInt8(0), UInt8(0x03), "Excavación en año húmedo", "cp1252", "windows-1252"), (0, 0x03, "Excavación en año húmedo", "cp850", "cp850"),
            (0x69, 0x03, "Ídem, ½\" de grava", "cp1252", "windows-1252"), (0, 0x30, "Ñuñoa", "cp1252", "windows-1252"), (0, 0x03, "Perforación 2º", "utf-8", "utf-8"),
            (0, 0x03, "Шурф разведочный, песок", "cp866", "cp866"),
            (0, 0x30, "Шурф разведочный, песок", "cp1251", "cp1251"),
        ])
    func guessedCodePage(_ driver: UInt8, _ version: UInt8, _ text: String, _ page: String, _ expected: String) throws {
        let points = try #require(CodePageTables.upperHalves[page]?.unicodeScalars ?? (page == "utf-8" ? "".unicodeScalars : nil)).map { $0 }
        let bytes = page == "utf-8" ? Array(text.utf8) : try text.unicodeScalars.map { scalar in
            scalar.isASCII ? UInt8(scalar.value) : UInt8(0x80 + (try #require(points.firstIndex(of: scalar))))
        }
        let writing = DBFWriting(
            version: version, driver: driver, columns: [.init(name: "A", type: "C", length: 40), .init(name: "N", type: "N", length: 3)],
            records: (0..<3).map { [$0 == 2 ? bytes : Array("arena".utf8), Array("1".utf8)] }, backlink: version == 0x30)
        let file = try DBFFile(path: try ForeignReading.write(writing.bytes, "guess.dbf", in: folder))
        #expect(try ForeignReading.rows(try #require(file.tables.first))[2][0] == "text:" + text)
        let finding = try #require(file.findings.first)
        #expect(finding.code == "IMPORT-CODE-PAGE")
        #expect(finding.arguments["encoding"] == expected)
        #expect(finding.arguments["said"] == "driver " + OldValueText.hexadecimal([driver]))
        let asked = try DBFFile(path: file.findings[0].place.file ?? "", encoding: "cp437")
        #expect(asked.findings.isEmpty && asked.codePage.name == "cp437")
    }

    @Test("Texts of memos help to guess the code page, and nothing is guessed if all texts are ASCII")
    func guessedByMemos() throws {
        let (memo, blocks) = DBFWriting.fpt([(1, Array("Ma".utf8) + [0xF1] + Array("ana".utf8))])
        let writing = DBFWriting(
            version: 0xF5, driver: 0, columns: [.init(name: "M", type: "M", length: 10)], records: [[Array("\(blocks[0])".utf8)]])
        #expect(try read(writing, memo: ("FPT", memo)) == [["text:Mañana"]])
        let plain = DBFWriting(driver: 0, columns: [.init(name: "A", type: "C", length: 4)], records: [[Array("a".utf8)]])
        let file = try DBFFile(path: try ForeignReading.write(plain.bytes, "plain.dbf", in: folder))
        #expect(file.findings.isEmpty && file.codePage.name == "cp850")
    }

    @Test("A number gets digits on both sides of its point, even if the file left them out")
    func numbers() throws {
        let texts = [".50", "-.5", "12.", "+3", "1E5", "-", ".", "1.2.3"]
        let writing = DBFWriting(columns: [.init(name: "N", type: "N", length: 6, decimals: 2)], records: texts.map { [Array($0.utf8)] })
        #expect(
            try read(writing).map { $0[0] } == [
                "number:0.50", "number:-0.5", "number:12", "number:3", "number:1E5", "error:-", "error:.", "error:1.2.3",
            ])
    }

    @Test("A table of dBase II, which has another header, is read")
    func dBaseII() throws {
        var bytes: [UInt8] = [2] + DBFWriting.little(2, 2) + [3, 9, 84] + DBFWriting.little(1 + 4 + 5, 2)
        bytes += Array("POZO".utf8).padded(11, 0) + [UInt8(ascii: "C"), 4, 0, 0, 0] + Array("PROF".utf8).padded(11, 0) + [UInt8(ascii: "N"), 5, 0, 0, 2]
        bytes = (bytes + [0x0D]).padded(521, 0) + Array(" P-1  1.20*P-2  0.00".utf8) + [0x1A]
        #expect(DBFFile.recognises(bytes))
        let file = try DBFFile(path: try ForeignReading.write(bytes, "two.dbf", in: folder))
        #expect(file.tables.first?.columns == ["POZO", "PROF"])
        #expect(try ForeignReading.rows(try #require(file.tables.first)) == [["text:P-1", "number:1.20"]])
    }

    @Test("dBase 7: long names, integers, counters and doubles are read")
    func dBase7() throws {
        let columns: [(String, Character, Int)] = [("Profundidad de la napa", "O", 8), ("Número", "+", 4), ("Cantidad", "I", 4)]
        var bytes: [UInt8] = [4, 126, 3, 9] + DBFWriting.little(2, 4) + DBFWriting.little(68 + 48 * 3 + 1, 2) + DBFWriting.little(17, 2)
        bytes = bytes.padded(29, 0) + [3]
        bytes = bytes.padded(68, 0)
        for (name, type, length) in columns {
            var code: [UInt8] = []
            for scalar in name.unicodeScalars { code.append(UInt8(truncatingIfNeeded: scalar.value)) }
            bytes += code.padded(32, 0) + [type.asciiValue ?? 0, UInt8(length)].padded(16, 0)
        }
        bytes.append(0x0D)
        for (double, number) in [(1.5, 1), (-2.25, -7)] {
            let pattern = double.bitPattern
            let sorted = double < 0 ? ~pattern : pattern ^ 1 << 63
            let integer = DBFWriting.big(Int(UInt32(bitPattern: Int32(number)) ^ 0x8000_0000), 4)
            bytes += [0x20] + DBFWriting.big(Int(bitPattern: UInt(sorted)), 8) + integer + integer
        }
        #expect(DBFFile.recognises(bytes))
        let file = try DBFFile(path: try ForeignReading.write(bytes, "seven.dbf", in: folder))
        #expect(file.tables.first?.columns == columns.map(\.0))
        #expect(
            try ForeignReading.rows(try #require(file.tables.first)) == [
                ["number:1.5", "number:1", "number:1"], ["number:-2.25", "number:-7", "number:-7"],
            ])
    }

    @Test("Texts of FoxPro and Clipper may have a length of two bytes")
    func longText() throws {
        let text = [UInt8](repeating: 0x61, count: 700)
        let writing = DBFWriting(version: 0xF5, columns: [.init(name: "A", type: "C", length: 1000)], records: [[text]])
        #expect(try read(writing) == [["text:" + String(repeating: "a", count: 700)]])
    }

    @Test("Visual FoxPro: binary numbers, currency, times, nulls, varying lengths and counters are read")
    func visualFoxPro() throws {
        let writing = DBFWriting(
            version: 0x32, driver: 0x03,
            columns: [
                .init(name: "I", type: "I", length: 4), .init(name: "B", type: "B", length: 8), .init(name: "Y", type: "Y", length: 8),
                .init(name: "T", type: "T", length: 8, flags: 2), .init(name: "V", type: "V", length: 6, flags: 2),
                .init(name: "Q", type: "Q", length: 3), .init(name: "_NullFlags", type: "0", length: 1, flags: 5),
            ],
            records: [
                // The bits are, in order: T is null, V has a length, V is null, Q has a length.
                [
                    DBFWriting.little(-7, 4), DBFWriting.little(Int(bitPattern: UInt(1.25.bitPattern)), 8), DBFWriting.little(-123_456, 8),
                    DBFWriting.little(2_451_545, 4) + DBFWriting.little(43_199_999, 4), [0x61, 0x20, 0x62, 0, 0, 3], [1, 2, 0xAB], [0b0010],
                ],
                [
                    DBFWriting.little(2, 4), DBFWriting.little(0, 8), DBFWriting.little(0, 8), DBFWriting.little(0, 8), [], [0, 0, 0], [0b0101],
                ],
            ], backlink: true)
        #expect(
            try read(writing) == [
                ["number:-7", "number:1.25", "number:-12.3456", "dateTime:2000-01-01T12:00:00", "text:a b", "error:0x0102AB"],
                ["number:2", "number:0", "number:0.0000", "-", "-", "-"],
            ])
    }

    @Test("FoxPro: memos are read, and a memo that is no text, outside the file or cut off is an error cell with its number")
    func foxProMemos() throws {
        let (memo, blocks) = DBFWriting.fpt([(1, Array("Arena limosa".utf8) + [0xA2]), (0, [1, 2, 3]), (1, [UInt8](repeating: 0x41, count: 300))])
        let cut = Array(memo.dropLast(100))
        let numbers = [blocks[0], blocks[1], blocks[2], 9, 5000].map { Array("\($0)".utf8) }
        let writing = DBFWriting(
            version: 0xF5, columns: [.init(name: "M", type: "M", length: 10)], records: (numbers + [[], Array("zz".utf8)]).map { [$0] })
        #expect(
            try read(writing, memo: ("FPT", cut)) == [
                ["text:Arena limosaó"], ["error:memo 9: 3 bytes that are no text"], ["error:memo 10: cut off: 300 bytes stated"],
                ["error:memo 9: 3 bytes that are no text"], ["error:memo 5000: outside the file"], ["-"], ["error:memo zz"],
            ])
    }

    @Test("Memos of dBase III end with 0x1A, and those of dBase IV state their length")
    func dBaseMemos() throws {
        let first = [UInt8](repeating: 0, count: 512) + [0x61, 0xA0, 0x1A, 0x1A].padded(512, 0) + [0x62]
        let writing = DBFWriting(
            version: 0x83, columns: [.init(name: "M", type: "M", length: 10)], records: [[Array("1".utf8)], [Array("2".utf8)]])
        #expect(try read(writing, memo: ("DBT", first)) == [["text:aá"], ["error:memo 2: without an end"]])
        let block: [UInt8] = [0xFF, 0xFF, 8, 0] + DBFWriting.little(11, 4) + Array("abc".utf8)
        var head = [UInt8](repeating: 0, count: 512)
        head[21] = 2
        var fourth = writing
        fourth.version = 0x8B
        #expect(try read(fourth, memo: ("DBT", head + block)) == [["text:abc"], ["error:memo 2: outside the file"]])
    }

    @Test("If the memo file is missing, reading a memo is refused, unless the import asks to do without memos")
    func missingMemo() throws {
        let writing = DBFWriting(version: 0x83, columns: [.init(name: "M", type: "M", length: 10)], records: [[Array("1".utf8)]])
        let path = folder.file("pits.dbf")
        #expect(throws: TableFailure.missingMemo(Place(file: path, line: 1), name: "pits")) { try read(writing) }
        let file = try DBFFile(path: path, isWithoutMemos: true)
        #expect(try ForeignReading.rows(try #require(file.tables.first)) == [["-"]])
        #expect(file.findings.map(\.code) == ["IMPORT-NO-MEMO"])
        #expect(file.findings.first?.arguments["columns"] == "M")
        // If the memo file is there, the option changes nothing.
        _ = try ForeignReading.write([UInt8](repeating: 0, count: 512) + Array("a".utf8) + [0x1A], "pits.dbt", in: folder)
        let whole = try DBFFile(path: path, isWithoutMemos: true)
        #expect(try ForeignReading.rows(try #require(whole.tables.first)) == [["text:a"]])
        #expect(whole.findings.isEmpty)
    }

    @Test("Many records that point to one large memo exceed a bound")
    func sharedMemo() throws {
        let (memo, blocks) = DBFWriting.fpt([(1, [UInt8](repeating: 0x41, count: 1 << 20))])
        let writing = DBFWriting(
            version: 0xF5, columns: [.init(name: "M", type: "M", length: 10)],
            records: [[[UInt8]]](repeating: [Array("\(blocks[0])".utf8)], count: 100))
        let path = try ForeignReading.write(writing.bytes, "pits.dbf", in: folder)
        _ = try ForeignReading.write(memo, "pits.fpt", in: folder)
        var limits = DBFLimits()
        limits.memoBytes = 2 << 20
        let table = try #require(try DBFFile(path: path, limits: limits).tables.first)
        #expect(throws: TableFailure.self) { try ForeignReading.rows(table) }
    }

    @Test("A wrong number of records and a record that is cut off are damage")
    func lyingCounts() throws {
        var writing = DBFWriting(columns: [.init(name: "A", type: "C", length: 9)], records: (0..<5).map { [Array("r\($0)".utf8)] })
        #expect(try damage(writing.bytes) == nil)
        writing.statedRecords = 9
        #expect(try damage(writing.bytes) == "it says it has 9 records and has 5")
        writing.statedRecords = 3
        #expect(try damage(writing.bytes) == "it says it has 3 records and has more")
        writing.statedRecords = 5
        #expect(try damage(writing.bytes.dropLast(4)) == "record 5 is cut off")
        writing.statedRecords = 0x7FFF_FFFF
        #expect(throws: TableFailure.self) { try damage(writing.bytes) }
    }

    @Test("Columns that do not fill the record, and a table without columns, are damage")
    func lyingColumns() throws {
        let writing = DBFWriting(columns: [.init(name: "A", type: "C", length: 9)], records: [])
        var bytes = writing.bytes
        bytes[10] = 200
        #expect(try damage(bytes) == "its columns do not make up its record of 200 bytes")
        #expect(try damage(DBFWriting(columns: [], records: []).bytes) == "it has no columns")
    }

    @Test("Other files are not recognised as tables", arguments: ["%PDF-1.4 and so on, and so on, and so on, and so on, and so on", "", "\u{3}"])
    func others(_ text: String) {
        #expect(!DBFFile.recognises(Array(text.utf8)))
    }

    @Test("A changed file gives values or a declared failure, and never a crash")
    func mutations() throws {
        let (memo, blocks) = DBFWriting.fpt([(1, Array("Arena".utf8)), (1, Array("Grava".utf8))])
        let writing = DBFWriting(
            version: 0x30, driver: 0x03,
            columns: [
                .init(name: "M", type: "M", length: 4), .init(name: "N", type: "N", length: 6), .init(name: "T", type: "T", length: 8),
                .init(name: "V", type: "V", length: 5, flags: 2), .init(name: "_NullFlags", type: "0", length: 1, flags: 5),
            ],
            records: (0..<6).map { [DBFWriting.little(blocks[$0 % 2], 4), Array("\($0)".utf8), DBFWriting.little(2_451_545, 8), [0x61, 1], [1]] },
            backlink: true)
        var read = 0
        for (index, bytes) in ForeignReading.mutations(of: writing.bytes, count: 600, seed: 4).enumerated() {
            let path = try ForeignReading.write(bytes, "m.dbf", in: folder)
            _ = try ForeignReading.write(ForeignReading.mutations(of: memo, count: 1, seed: UInt64(index))[0], "m.fpt", in: folder)
            do {
                for table in try DBFFile(path: path).tables { read += try ForeignReading.rows(table).count }
            } catch is TableFailure {}
        }
        #expect(read > 0)
    }
}
