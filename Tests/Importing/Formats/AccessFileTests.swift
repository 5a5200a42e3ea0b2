import Foundation
import Model
import Testing
import Workbench

@testable import Importing

/// Scripts replace the programs of mdbtools. They give output that no sound database gives, so that
/// our side is tested.
struct AccessFileTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try ForeignReading.write([0, 1, 0, 0] + Array("Standard Jet DB\0".utf8) + [1], "old.mdb", in: folder)
        try install("mdb-tables", "printf 'Calicatas\\036'")
        try install("mdb-schema", #"printf 'CREATE TABLE [Calicatas]\n (\n\t[Codigo]\t\t\tText (8), \n\t[Prof [m]]\t\t\tDouble, \n\t[Fecha]\t\t\tDateTime, \n\t[Seco]\t\t\tBoolean NOT NULL, \n\t[Foto]\t\t\tOLE (255)\n);\n'"#)
        try install("mdb-count", "echo 2")
        try install("mdb-prop", "exit 1")
    }

    private func install(_ name: String, _ script: String) throws {
        try StandInProgram.install(name, script, in: folder.path)
    }

    private func read(_ limits: ProgramLimits = ProgramLimits()) throws -> [[String]] {
        let file = try AccessFile(path: path, limits: limits, search: folder.path)
        return try ForeignReading.rows(try #require(file.tables.first))
    }

    private func failure(_ limits: ProgramLimits = ProgramLimits()) -> TableFailure? {
        do {
            _ = try read(limits)
            return nil
        } catch { return error as? TableFailure }
    }

    private func bound(_ limit: String) -> TableFailure {
        .tooLarge(Place(file: path, sheet: "Calicatas"), kind: "access", limit: limit)
    }

    private func reason(_ limits: ProgramLimits = ProgramLimits()) -> String? {
        guard let failure = failure(limits), failure.code == "TABLE-DAMAGED" else { return nil }
        return failure.arguments["reason"]
    }

    @Test("A value is read by the type of its column, also with quotes and line ends; a picture is an error cell")
    func values() throws {
        try install("mdb-export", #"printf '"C""1\n, a",1.50,"2005-12-31T00:00:00",TRUE,"0A0B"\n,,"1899-12-30T08:30:00",FALSE,\n'"#)
        #expect(
            try read() == [
                ["text:C\"1\n, a", "number:1.50", "date:2005-12-31", "boolean:true", "error:0x0A0B"],
                ["-", "-", "time:08:30:00", "boolean:false", "-"],
            ])
        #expect(try AccessFile(path: path, search: folder.path).tables.first?.columns == ["Codigo", "Prof [m]", "Fecha", "Seco", "Foto"])
    }

    /// The cells of a table with these columns, some of which mdbtools cannot read.
    private func columns(_ types: [(String, String)], _ line: String) throws -> (cells: [String], findings: [Finding]) {
        let columns = types.map { #"\t[\#($0)]\t\t\t\#($1)"# }.joined(separator: #", \n"#)
        try install("mdb-schema", #"printf 'CREATE TABLE [Calicatas]\n (\n\#(columns)\n);\n'"#)
        try install("mdb-count", "echo 1")
        try install("mdb-export", #"printf '\#(line)\n'"#)
        let file = try AccessFile(path: path, search: folder.path)
        return (try ForeignReading.rows(try #require(file.tables.first))[0], file.findings)
    }

    @Test("Columns that mdbtools cannot read give error cells, and each of them is reported")
    func unreadableColumns() throws {
        try install("mdb-prop", #"printf 'name: A\n\tRequired: no\n\nname: Mes\n\tExpression: [Salary]/12\n'"#)
        let (cells, findings) = try columns(
            [("A", "Text (8)"), ("Mes", "Double"), ("Fotos", "Unknown_0012"), ("Cuando", "Unknown_0014"), ("Otro", "Unknown_0046")], #""x",0,7,,"#)
        #expect(cells == [
            "text:x", "error:calculated column", "error:attachment or multi-valued field", "error:Date/Time Extended", "error:Unknown_0046",
        ])
        #expect(findings.map(\.code) == Array(repeating: "IMPORT-UNREADABLE-COLUMN", count: 4))
        #expect(findings.map { $0.arguments["column"] ?? "" } == ["Mes", "Fotos", "Cuando", "Otro"])
    }

    /// A database with calculated columns, written page by page.
    private func calculatedBook() throws -> TableFolder {
        let folder = try TableFolder()
        let scripts = URL(fileURLWithPath: #filePath + "/../../../../Scripts").standardizedFileURL.path
        try folder.python("""
            import datetime, pathlib, sys
            sys.path.insert(0, '\(scripts)')
            sys.dont_write_bytecode = True
            from samples.access_file import Column, Database, Table
            def computed(name, kind, **more): return Column(name, kind, expression='[Id]', **more)
            kinds = ['yesno', 'byte', 'integer', 'long', 'money', 'single', 'double', 'datetime', 'text', 'memo']
            columns = [Column('Id', 'long')] + [computed(kind, kind) for kind in kinds] + [computed('numeric', 'numeric', scale=6)]
            day = datetime.datetime(2019, 3, 12, 8, 30)
            rows = [
                [1, True, 200, -3, 70000, '83333.33', 0.1, 1/3, day, 'Arena ñ', 'corto', '-50.325'],
                [2, False, 0, 5, -1, '-0.5', -2.5, 1e300, datetime.datetime(1900, 1, 1), 'м', 'x' * 9000, '79228162514264337593.5'],
                [3] + [None] * 11,
            ] + [[number, None, None, None, number, None, None, None, None, 'n' * 200, None, None] for number in range(4, 60)]
            database = Database(day)
            database.add(Table('Otra', [Column('Id', 'long')], [[1]]))
            database.add(Table('Pozos', columns, rows))
            database.write(pathlib.Path('book.accdb'))
            """)
        return folder
    }

    /// mdbtools itself reads the other columns.
    @Test("Calculated columns are read by the type of their result, in the order of the other columns")
    func calculatedColumns() throws {
        let folder = try calculatedBook()
        let file = try AccessFile(path: folder.path("book.accdb"))
        #expect(file.findings.isEmpty)
        let rows = try ForeignReading.rows(try #require(file.tables.last))
        #expect(rows.count == 59)
        #expect(rows[0] == [
            "number:1", "boolean:true", "number:200", "number:-3", "number:70000", "number:83333.33", "number:0.1",
            "number:0.3333333333333333", "dateTime:2019-03-12T08:30:00", "text:Arena ñ", "text:corto", "number:-50.325",
        ])
        #expect(rows[1] == [
                "number:2", "boolean:false", "number:0", "number:5", "number:-1", "number:-0.5", "number:-2.5",
                "number:1e+300",
            "date:1900-01-01", "text:м", "text:" + String(repeating: "x", count: 9000), "number:79228162514264337593.5",
        ])
        #expect(rows[2] == ["number:3"] + Array(repeating: "-", count: 11))
        #expect(rows[3...].allSatisfy { $0[0] == $0[4] })
    }

    @Test("Pages whose numbers are others give values or a declared failure, and never a crash")
    func changedPages() throws {
        let folder = try calculatedBook()
        let path = folder.path("book.accdb")
        let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var random = SeededNumbers(38)
        for round in 0..<120 {
            var bytes = sound
            for _ in 0..<(1 + round % 4) {
                // The heads of pages hold the numbers that lead to others; the first page is the file's own.
                let page = Int.random(in: 1..<(bytes.count / 4096), using: &random)
                let place = 4096 * page + Int.random(in: 0..<(round % 2 == 0 ? 64 : 4096), using: &random)
                bytes[place] = round % 3 == 0 ? 0xFF : UInt8.random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            for name in ["Pozos", "Otra"] {
                guard let values = try? AccessCalculated(path: path, table: name, statedRows: nil) else { continue }
                var batch = ForeignBatch()
                var rows = 0
                while values.advance(), rows < 200 {
                    for kind in [AccessResult.memo, .text, .decimal, .date] { values.append("memo", kind, to: &batch) }
                    batch.endRow(number: rows + 1)
                    rows += 1
                }
            }
        }
    }

    @Test("Replication ids get back the dash that mdbtools leaves out, and unknown days are error cells")
    func identifiersAndDays() throws {
        let text = "{8E39276A-BCA8-4AC4-891E49911D8438DD}".utf8.map { String($0, radix: 16) }.joined()
        let (cells, findings) = try columns(
            [("Id", "Replication ID"), ("Otro", "Replication ID"), ("Fecha", "DateTime")], #""\#(text)","7B7D","1900-01-00T00:00:00""#)
        #expect(cells == [
            "text:8E39276A-BCA8-4AC4-891E-49911D8438DD", "error:7B7D",
            "error:a date before 1899-12-30 or after the year 4636, which mdbtools does not give",
        ])
        #expect(findings.isEmpty)
    }

    @Test("Tables that lie in other files are reported by name")
    func linkedTables() throws {
        try install("mdb-tables", #"[ "$3" = -T ] && printf '1 Calicatas\036 6 Obras viejas\036 4 Pedidos\036 4 Informe\036 5 Consulta\036' || printf 'Calicatas\036'"#)
        // Reports have the same number as linked tables, but with a minus sign.
        try install("mdb-schema", #"printf 'CREATE TABLE [x]\n (\n\t[Name]\t\t\tText (8), \n\t[Type]\t\t\tInteger\n);\n'"#)
        try install("mdb-export", #"printf '"Pedidos",4\n"Informe",-32764\n'"#)
        let file = try AccessFile(path: path, search: folder.path)
        #expect(file.tables.map(\.name) == ["Calicatas"])
        #expect(file.findings.map { $0.code + " " + ($0.arguments["name"] ?? "") } == ["IMPORT-LINKED-TABLE Obras viejas", "IMPORT-LINKED-TABLE Pedidos"])
    }

    @Test("Two question marks are a lost character only if the file has such a character between the same letters")
    func lostCharacters() throws {
        let head = try FileBytes(path).read(at: 0, 100)
        let letters = "mal 😀 hoy".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        _ = try ForeignReading.write(head + letters + [0xD8, 0xD8, 0xDC, 0xDC], "old.mdb", in: folder)
        let (cells, _) = try columns([("A", "Text (8)"), ("B", "Text (8)"), ("C", "Memo/Hyperlink (255)")], #""mal ?? hoy","¿de verdad??","a?""#)
        #expect(cells == ["error:mal ?? hoy", "text:¿de verdad??", "text:a?"])
    }

    @Test("A table with fewer rows than it states is damaged")
    func lostRows() throws {
        try install("mdb-export", #"printf 'a,1,,TRUE,\n'"#)
        #expect(reason() == "table Calicatas: it says it has 2 rows and gives 1")
    }

    @Test(
        "Output that is not a table is damage",
        arguments: [
            (#"printf 'a,1\n'"#, "has 2 values instead of 5"), (#"printf '"a'"#, "is cut off"), (#"printf 'a,1,,TRUE,,9\n'"#, "has more than 5 values"),
            (#"printf '"a"b,1,,TRUE,\n'"#, "is cut off"), ("/usr/bin/head -c 5000 /dev/zero", "is cut off"),
        ])
    func garbage(_ script: String, _ reason: String) throws {
        try install("mdb-export", script)
        #expect(self.reason() == "table Calicatas: row 1 " + reason)
    }

    @Test("A program that fails or crashes is reported with its reason")
    func faults() throws {
        try install("mdb-export", "echo 'page 7 is bad' >&2; exit 3")
        #expect(reason() == "mdb-export ended with code 3: page 7 is bad")
        try install("mdb-export", "kill -SEGV $$")
        #expect(reason() == "mdb-export was ended by signal 11")
    }

    @Test("A program that uses too much processor time is ended, and so is one that prints nothing for too long")
    func time() throws {
        var limits = ProgramLimits()
        limits.processorSeconds = 1
        try install("mdb-export", "while :; do :; done")
        #expect(failure(limits) == bound("accessSeconds 1"))
        limits = ProgramLimits()
        limits.silentSeconds = 1
        for script in ["exec /bin/sleep 1000", "exec >&-; exec /bin/sleep 1000", "exec >&- 2>&-; /bin/sleep 1000; :"] {
            try install("mdb-export", script)
            // On a busy machine, an earlier program may be the one that is too slow.
            let failure = failure(limits)
            #expect(failure?.code == "TABLE-TOO-LARGE", "\(script): \(String(describing: failure))")
            #expect(failure?.arguments["kind"] == "access")
            #expect(failure?.arguments["limit"] == "accessSilentSeconds 1")
        }
    }

    @Test("A process that the program leaves behind does not delay the reading")
    func leftBehind() throws {
        try install("mdb-export", #"printf 'a,1,,TRUE,\nb,1,,TRUE,\n'; /bin/sleep 1000 >&- & exit 0"#)
        #expect(try read().count == 2)
        try install("mdb-export", "/bin/sleep 1000 >&- & echo why >&2; exit 5")
        #expect(reason() == "mdb-export ended with code 5: why")
    }

    @Test("A program that takes too much memory or prints without end is ended")
    func space() throws {
        var limits = ProgramLimits()
        limits.memory = 32 << 20
        // The system gives a program no more memory than this. The program then ends for a reason
        // of its own.
        try install("mdb-export", "/usr/bin/dd if=/dev/zero of=/dev/null bs=64M count=1; exit 9")
        #expect(reason(limits)?.hasPrefix("mdb-export ended with code 9: /usr/bin/dd: memory exhausted") == true)
        // GLib prints such a message when memory is full, and then a signal ends the program.
        try install("mdb-export", "echo 'GLib-ERROR **: gmem.c:136: failed to allocate 131072 bytes' >&2; kill -TRAP $$")
        #expect(failure(limits) == bound("accessMemoryBytes \(32 << 20)"))
        limits = ProgramLimits()
        limits.output = 1 << 20
        try install("mdb-export", "while :; do echo 'a,1,,TRUE,'; done")
        #expect(failure(limits) == bound("accessOutputBytes \(1 << 20)"))
    }

    @Test("Too many tables are refused with the bound `tables`, and an endless list of tables is damage")
    func tables() throws {
        try install("mdb-tables", "printf 'Calicatas\\036Estratos\\036Obras\\036'")
        #expect(throws: TableFailure.tooLarge(Place(file: path), kind: "access", limit: "tables 2", found: "3")) {
            try AccessFile(path: path, mostTables: 2, search: folder.path)
        }
        try install("mdb-tables", "exec /usr/bin/yes Calicatas")
        #expect(reason() == "mdb-tables prints more than 4194304 bytes")
    }

    @Test("A text that mdbtools would cut off is damage")
    func longText() throws {
        try install("mdb-export", "printf '\"'; /usr/bin/head -c 200000 /dev/zero | /usr/bin/tr '\\000' x; printf '\",1,,TRUE,\\n'")
        #expect(reason() == "table Calicatas: a text of row 1 is longer than the 199000 bytes that mdbtools can give")
    }

    @Test("mdbtools gets the code page that is asked for")
    func encoding() throws {
        try install("mdb-tables", "printf \"$MDB_JET3_CHARSET\\036\"")
        #expect(try AccessFile(path: path, search: folder.path).tables.map(\.name) == ["CP1252"])
        #expect(try AccessFile(path: path, encoding: "cp850", search: folder.path).tables.map(\.name) == ["cp850"])
    }

    @Test("Without mdbtools, the file is refused and the missing program is named")
    func missing() throws {
        #expect(throws: TableFailure.needs(path: path, kind: "access", what: "mdb-tables (mdbtools)")) {
            try AccessFile(path: path, search: folder.path + "/none")
        }
    }

    @Test("A database of Jet or ACE is recognised by its first bytes")
    func recognition() throws {
        #expect(AccessFile.recognises(try FileBytes(path).read(at: 0, 512)))
        #expect(AccessFile.recognises([0, 1, 0, 0] + Array("Standard ACE DB\0".utf8)))
        #expect(!AccessFile.recognises([0, 1, 0, 0] + Array("Standard Jet".utf8)))
    }
}
