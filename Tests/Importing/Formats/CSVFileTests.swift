import Foundation
import Model
import Testing
import Workbench

@testable import Importing

@Suite struct CSVFileTests {
    /// The first accent of the file comes after the part that is looked at first.
    @Test(arguments: [("Descripción del ñandú", String.Encoding.windowsCP1252), ("Descripción", .utf8)])
    func anEncodingThatShowsLateIsFound(text: String, encoding: String.Encoding) throws {
        let folder = try Folder()
        let head = Array("a;b\n".utf8) + Array(repeatElement(Array("plain;text\n".utf8), count: 200_000).joined())
        let file = folder.path + "/late.csv"
        let last = try #require((text + ";x\n").data(using: encoding))
        try Data(head + last).write(to: URL(fileURLWithPath: file))
        let opened = try CSVFile(FileHead(path: file))
        #expect(opened.encoding.encoding == (encoding == .utf8 ? .utf8 : .windows1252))
        let rows = try opened.tables[0].open()
        var batch = ForeignBatch()
        var found: String?
        repeat {
            try rows.fill(&batch)
            if batch.rowCount > 0 { found = batch.string(batch.rowCount - 1, 0) }
        } while batch.rowCount > 0
        #expect(found == text)
    }

    /// With any encoding, some letters would be wrong, so none is chosen.
    @Test func aFileOfTwoEncodingsIsRefusedWithTheLine() throws {
        let folder = try Folder()
        let file = folder.path + "/mixed.csv"
        let head = Array("a;ñ\n".utf8) + Array(repeatElement(Array("plain;text\n".utf8), count: 10_000).joined())
        // This small file lies wholly in the part that is looked at first.
        try Data(Array("a;b\nñandú;é\nx".utf8) + [0xFF] + Array(";y\n".utf8)).write(to: URL(fileURLWithPath: file))
        let small = #expect(throws: TableFailure.self) { try CSVFile(FileHead(path: file)) }
        #expect(small?.place?.line == 3)
        for wrong: [UInt8] in [[0xF3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5]] {
            try Data(head + wrong + Array(";x\n".utf8)).write(to: URL(fileURLWithPath: file))
            let failure = #expect(throws: TableFailure.self) { try CSVFile(FileHead(path: file)) }
            #expect(failure?.place?.line == 10_002 && failure?.code == "TABLE-DAMAGED")
            #expect(throws: Never.self) { try CSVFile(FileHead(path: file), options: TableOptions(encoding: .utf8)) }
        }
    }

    /// Half a character of UTF-16 could belong to any character, so the file is refused.
    @Test(arguments: [false, true]) func halvesOfCharactersAreRefusedWithTheLine(isBig: Bool) throws {
        let place = try Folder()
        let file = place.path + "/wide.csv"
        func write(_ units: [UInt16], _ rest: [UInt8] = []) throws {
            let bytes = ([0xFEFF] + units).flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            try Data(bytes + rest).write(to: URL(fileURLWithPath: file))
        }
        let head = Array("a;b\n𝄞;ñ\n".utf16) + Array(repeatElement(Array("plain;text\n".utf16), count: 60_000).joined())
        try write(head + Array("x;𝄞\n".utf16))
        #expect(throws: Never.self) { try CSVFile(FileHead(path: file)) }
        for (units, rest) in [([0xD834, 0x0A], []), ([0xDD1E, 0x0A], []), ([0xD834, 0xD834, 0xDD1E], []), ([0xD834], []), ([0x78], [0x0A])] as [([UInt16], [UInt8])] {
            try write(head + units, rest)
            let failure = #expect(throws: TableFailure.self) { try CSVFile(FileHead(path: file)) }
            #expect(failure?.place?.line == 60_003 && failure?.code == "TABLE-DAMAGED")
        }
    }

    private let folder: TableFolder

    init() throws { folder = try TableFolder() }

    private func opened(_ path: String) throws -> CSVFile { try #require(try TableFiles.open(path: path) as? CSVFile) }

    @Test func quotesLineEndsAndRaggedRows() throws {
        let text = "a,b,c\r\n1,\"x, \"\"y\"\"\r\nz\",3\n\n4,5\"6\r,,\n7,8,9,10,\n\"\",\"p\"q,\n"
        #expect(try contents(folder.write(text)) == [
            "1 t:a t:b t:c", "2 t:1 t:x, \"y\"\r\nz t:3", "5 t:4 t:5\"6", "7 t:7 t:8 t:9 t:10 -", "8 - t:pq -",
        ])
        #expect(try contents(folder.write("a;b\n1;2")) == ["1 t:a t:b", "2 t:1 t:2"])
        #expect(try contents(folder.write("solo")) == ["1 t:solo"])
    }

    @Test(arguments: [
        ("a;b\n1,5;2,5\n", ";"), ("a\tb;c\n1\t2\n", "\t"), ("a|b\n1|2\n", "|"), ("a,b\n\"1;2\",3\n4,5\n", ","), ("sep=!\na!b\n", "!"),
        ("\"sep=;\"\na;b\n", ";"), ("a;b\n\"x\"\"y,\n,\n,,\";2\n", ";"), ("nombre\nuno\ndos\n", ","),
        // Each description is in quotes and has a semicolon. Quotes inside a plain cell, such as
        // for inches, do not decide the separator.
        ("pozo,de,a,desc\nC-1,0.00,0.50,\"Arena; húmeda\"\nC-2,0.00,1.00,\"Grava; seca\"\nC-3,0.0,1.0,\"Limo; gris\"\n", ","),
        ("a;b\n2\" x;1,5\n3\" y;2,5\n", ";"), ("\"C-1\";\"0,50\";\"1,00\"\n\"C-2\";\"0,50\";\"1,00\"\n", ";"),
        ("Informe, de prueba\n\nc;p;n\n1;2;3\n4;5;6\n7;8;9\n", ";"),
    ]) func findsTheSeparator(text: String, separator: String) throws {
        let file = try opened(folder.write(text))
        #expect(file.dialect.separator == separator.utf8.first)
    }

    @Test func theLineThatNamesTheSeparatorIsNoRow() throws {
        #expect(try contents(folder.write("sep=!\na!b\n")) == ["2 t:a t:b"])
        #expect(try contents(folder.write("'a, b';'c'\n'd';'e'\n")) == ["1 t:a, b t:c", "2 t:d t:e"])
    }

    /// Python encodes the same words in each encoding.
    @Test(arguments: [
        ("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-16le"), ("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be"),
        ("cp1252", "windows-1252"), ("cp850", "cp850"),
    ]) func findsTheEncoding(python: String, name: String) throws {
        try folder.python("""
            import csv
            with open('f.csv', 'w', newline='', encoding='\(python)') as f:
                w = csv.writer(f, delimiter=';')
                w.writerow(['Código', 'Descripción', 'Niño', 'Nº'])
                for i in range(300): w.writerow([i, 'Grava limosa, color marrón; húmeda', 'Ñandú è così più', 'ÁREA'])
            """)
        let file = try opened(folder.path("f.csv"))
        #expect(file.encoding.encoding.rawValue == name)
        let rows = try file.tables[0].content()
        #expect(rows.count == 301)
        #expect(rows[0] == "1 t:Código t:Descripción t:Niño t:Nº")
        #expect(rows[300] == "301 t:299 t:Grava limosa, color marrón; húmeda t:Ñandú è così più t:ÁREA")
    }

    @Test func everyByteOfACodePageIsWhatPythonSays() throws {
        for (encoding, codec) in [(TextEncoding.windows1252, "cp1252"), (.cp850, "cp850"), (.cp437, "cp437"), (.latin1, "latin-1"), (.latin9, "iso8859-15")] {
            try folder.python("open('t', 'w').write(bytes(range(128, 256)).decode('\(codec)', 'replace'))")
            let expected = try String(contentsOfFile: folder.path("t"), encoding: .utf8)
            var decoder = TextDecoder(encoding)
            var text: [UInt8] = []
            let bytes = [UInt8](128...255)
            decoder.decode(bytes.span, isLast: true, to: &text)
            #expect(String(decoding: text, as: UTF8.self) == expected, "\(codec)")
        }
    }

    @Test func theEuroTellsLatin9AndAnOptionOverrules() throws {
        let bytes = Array("precio;raz\u{f3}n\n5 ".unicodeScalars.map { UInt8($0.value) }) + [0xA4, 0x0A]
        let path = try folder.write(bytes)
        #expect(try opened(path).encoding.encoding == .latin9)
        #expect(try contents(path, TableOptions(encoding: .cp850)).last == "2 t:5 ñ")
    }

    /// If the encoding is stated, such bytes are replaced. Otherwise the file is refused.
    @Test func whatTheStatedEncodingCannotSayIsReplaced() throws {
        let bytes = try folder.write(Array("\u{FEFF}a,b\nx".utf8) + [0xFF, 0x2C, 0x00] + Array("y\n".utf8))
        #expect(try contents(bytes, TableOptions(encoding: .utf8)) == ["1 t:a t:b", "2 t:x\u{FFFD} t:\u{FFFD}y"])
        #expect(#expect(throws: TableFailure.self) { try contents(bytes) }?.place?.line == 2)
        let units = try folder.write([0xFF, 0xFE, 0x61, 0, 0x2C, 0, 0x00, 0xD8, 0x62, 0, 0x63])
        #expect(try contents(units, TableOptions(encoding: .utf16LittleEndian)) == ["1 t:a t:\u{FFFD}b\u{FFFD}"])
        #expect(#expect(throws: TableFailure.self) { try contents(units) }?.place?.line == 1)
    }

    @Test func decodesTheSameHoweverItIsCut() throws {
        let text = Array("añ€𝄞;\"b\r\nc\"\"\";x\r\n1;2;3\r\n".utf8)
        let guess = EncodingDetector.Guess(encoding: .utf8, mark: 0, isCertain: true)
        func rows(_ step: Int) throws -> [String] {
            try ForeignTable(name: "") {
                CSVRows(MemoryBytes(text, step: step), path: "f", encoding: guess, dialect: TextDialect(separator: 0x3B), skipsFirstLine: false, limits: TableLimits())
            }.content()
        }
        let whole = try rows(1_000)
        #expect(whole == ["1 t:añ€𝄞 t:b\r\nc\" t:x", "3 t:1 t:2 t:3"])
        for step in 1...12 { #expect(try rows(step) == whole, "\(step)") }
    }

    @Test func failuresHaveTheirLine() throws {
        #expect(try failure(folder.write("a,b\n1,\"open\n2,3\n")) as? TableFailure
            == .damaged(Place(file: folder.path("file"), line: 2), kind: "csv", reason: "the quote opened in line 2 is not closed to the file's end"))
        var limits = TableLimits()
        limits.columns = 3
        #expect(try failure(folder.write("a,b\n1,2,3,4\n"), limits).place?.line == 2)
        limits = TableLimits()
        limits.cellBytes = 100_000
        #expect(try failure(folder.write("a,b\n" + String(repeating: "x", count: 300_000)), limits).code == "TABLE-TOO-LARGE")
        #expect(try failure(folder.write("a,b\n\"" + String(repeating: "x\n", count: 300_000)), limits).place?.line == 2)
        limits = TableLimits()
        limits.rows = 2
        #expect(try failure(folder.write("a\nb\nc\n"), limits).arguments["limit"] == "rows 2")
        #expect(try failure(folder.write(String(repeating: ",", count: 1_000_000))).arguments["limit"] == "columns 16384")
    }

    @Test func whatIsNoTableIsReported() throws {
        for bytes in [[], [0xEF, 0xBB, 0xBF], Array(" \r\n\t\n".utf8), [0xFF, 0xFE, 0x20, 0, 0x0A, 0]] { #expect(try failure(folder.write(bytes)).code == "IMPORT-EMPTY") }
        for bytes in [[0, 1, 2, 3], [UInt8](repeating: 0, count: 100), [UInt8](repeating: 7, count: 100)] {
            #expect(try failure(folder.write(bytes)).code == "IMPORT-KIND")
        }
        #expect(try failure(folder.path("none")).code == "IMPORT-NOT-FOUND")
    }

    @Test("What holds no table is refused by what it is, whatever its name", arguments: ["x.xls", "x.csv"])
    func whatHoldsNoTable(name: String) throws {
        func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0xF1, count: 200) }
        // A bitmap of 24 bits with white pixels has few zeros, and would pass for text.
        let bitmap = Array("BM".utf8) + [0xF6, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]
        let flat = """
            <?xml version="1.0" encoding="UTF-8"?>
            <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
            xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
            office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>
            <table:table table:name="A"/></office:spreadsheet></office:body></office:document>
            """
        let files: [(String, [UInt8])] = [
            ("BMP", padded(bitmap)), ("PNG", padded([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])),
            ("JPEG", padded([0xFF, 0xD8, 0xFF, 0xE0])), ("GIF", padded(Array("GIF89a".utf8))),
            ("TIFF", padded([0x49, 0x49, 0x2A, 0])), ("PDF", padded(Array("%PDF-1.4\n".utf8))),
            ("WebP", padded(Array("RIFFaaaaWEBP".utf8))), ("RTF", Array("{\\rtf1\\ansi a;b}".utf8)),
            ("FODS", Array(flat.utf8)),
        ]
        for (kind, bytes) in files {
            let path = try folder.write(bytes, name)
            #expect(try failure(path) as? ImportFailure == .tableless(path: path, found: kind), "\(kind)")
        }
        // A text may begin with the same letters.
        #expect(try contents(folder.write("BM;GIF\n1;2\n", name)) == ["1 t:BM t:GIF", "2 t:1 t:2"])
    }

    /// Random bytes from a fixed seed are read in every encoding. Every reading ends with rows or
    /// with a declared failure.
    @Test func anyBytesEnd() throws {
        var generator = SeededNumbers(7)
        let letters: [UInt8] = Array("a1,;\"'\n\r\t|=".utf8) + [0, 0x1A, 0x80, 0xA4, 0xC3, 0xB1, 0xE2, 0xF0, 0xD8, 0xDC, 0xFE, 0xFF]
        for round in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? 0 }
            let encoding = TextEncoding.allCases[round % TextEncoding.allCases.count]
            let table = ForeignTable(name: "") {
                CSVRows(
                    MemoryBytes(bytes, step: 1 + round % 17), path: "f", encoding: .init(encoding: encoding, mark: 0, isCertain: false),
                    dialect: TextDialect.detect(bytes), skipsFirstLine: round % 5 == 0, limits: TableLimits())
            }
            do {
                for row in try table.content() { #expect(row.utf8.count < 4_000) }
            } catch is TableFailure {}
        }
    }
}
