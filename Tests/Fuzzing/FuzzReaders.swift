import Counting
import Foundation
import JSONReading
import Model
import Packs
import Patterns
import Photos
import Schemas
import Zipping

@testable import Importing

/// One reader that libFuzzer tests.
struct FuzzReader: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void
}

/// Every reader of foreign bytes. `Scripts/fuzz` runs each of them with its own corpus.
enum FuzzReaders {
    static let all: [FuzzReader] = [
        FuzzReader(name: "csv") { bytes in file(bytes) { read(try CSVFile(FileHead(path: $0), options: options), "csv", $0) } },
        FuzzReader(name: "html") { bytes in file(bytes) { read(try HTMLFile(FileHead(path: $0), options: options), "html", $0) } },
        FuzzReader(name: "xml") { bytes in file(bytes) { read(try XMLFile(FileHead(path: $0), options: options), "xml", $0) } },
        FuzzReader(name: "plist") { bytes in file(bytes) { read(try PropertyListFormat.open(FileHead(path: $0), options), "plist", $0) } },
        FuzzReader(name: "xlsx") { bytes in file(bytes) { read(try XLSXFile(path: $0, limits: limits), "xlsx", $0) } },
        // LibreOffice is left out, because it is another program in a process of its own.
        FuzzReader(name: "xls") { bytes in file(bytes) { read(try XLSFile(path: $0, limits: XLSLimits(limits)), "xls", $0) } },
        FuzzReader(name: "xml2003") { bytes in file(bytes) { read(try XML2003File(path: $0, limits: limits), "xml2003", $0) } },
        // The content of an OpenDocument spreadsheet, without compression. Its styles follow after
        // a zero.
        FuzzReader(name: "ods") { bytes in
            let names = ["content.xml", "styles.xml"]
            file(StoredArchive.bytes(Array(zip(names, parts(bytes, names.count))))) { read(try ODSFile(path: $0, limits: limits), "ods", $0) }
        },
        // The first two bytes are the length of the table. Its memo file follows after the table.
        FuzzReader(name: "dbf") { bytes in
            guard bytes.count > 2 else { return }
            let length = min(Int(bytes[0]) | Int(bytes[1]) << 8, bytes.count - 2)
            let table = Array(bytes[2..<(2 + length)])
            file(table, ending: "dbf", beside: ("fpt", Array(bytes[(2 + length)...]))) { read(try DBFFile(path: $0, limits: DBFLimits(limits)), "dbf", $0) }
        },
        FuzzReader(name: "sqlite") { bytes in file(bytes) { read(try SQLiteFile(path: $0, limits: SQLiteLimits(limits)), "sqlite", $0) } },
        // The output of mdb-schema. Other programs read the databases themselves, within bounds.
        FuzzReader(name: "access") { bytes in
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("\t[") { _ = AccessColumn(line: line) }
        },
        FuzzReader(name: "json") { bytes in
            file(bytes) { path in
                count(path, "json")
                let rows = try JSONCells(file: path, limits: limits)
                var batch = ForeignBatch()
                repeat { try rows.fill(&batch) } while batch.rowCount > 0
            }
        },
        FuzzReader(name: "manifest") { bytes in _ = try? PackageManifest(path: "manifest.json", bytes: bytes) },
        FuzzReader(name: "zip") { bytes in
            file(bytes) { path in
                let zip = try ZipReader(path: path)
                for entry in zip.entries where entry.size < 1 << 20 { try zip.chunks(of: entry) { _ in } }
            }
        },
        FuzzReader(name: "jpeg") { bytes in _ = JPEGPicture(bytes) },
        FuzzReader(name: "drawing") { bytes in
            file(bytes, ending: "dxf") { path in
                count(path, "dxf")
                guard let plans = pack.plans, let layers = plans.layers else { return }
                let drawing = try DXFDrawing(path: path, source: try FileStream(path: path), layers: layers, limits: limits.packages)
                let plan = FloorPlan(drawing, heights: plans.heights, file: path)
                let rows = PlanRows(pack: pack, plans: plans, projectID: "p", file: path)
                _ = (plan.everything, rows.levels(plan.levels), rows.rooms(plan.levels, homeless: plan.homeless))
            }
        },
        // The schema of a family comes in with the data. The first line is the schema, and each
        // further line is a value to check.
        FuzzReader(name: "schema") { bytes in
            let lines = bytes.split(separator: 0x0A).prefix(20)
            guard let first = lines.first, let schema = try? JSONValue.parse(String(decoding: first, as: UTF8.self)) else { return }
            var extras = SchemaProgram.Options(assertsFormats: true)
            extras.readsExtras = true
            guard let program = SchemaProgram.compile(schema, options: extras).program else { return }
            var machine = SchemaMachine(program)
            for line in lines.dropFirst() {
                var document = JSONDocument()
                if (try? document.read(Array(line))) != nil { _ = machine.faults(of: document) }
            }
        },
        FuzzReader(name: "built-schema") { bytes in
            var built = BuiltSchema(bytes)
            let schema = built.schema()
            var extras = SchemaProgram.Options(assertsFormats: true)
            extras.readsExtras = true
            guard let program = SchemaProgram.compile(schema, options: extras).program else { return }
            var machine = SchemaMachine(program)
            for value in built.values() {
                var document = JSONDocument()
                guard (try? document.read(Array("\(value)".utf8))) != nil else { continue }
                // The same value must have the same faults again, whatever values the machine saw
                // before.
                let first = machine.faults(of: document)
                precondition(machine.faults(of: document) == first, "another answer the second time")
            }
        },
        // The XML of a workbook's parts, stored without compression. Changes of a whole archive
        // would only break its checksums.
        FuzzReader(name: "sheet") { bytes in
            let lines = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map(Array.init)
            let parts = ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"]
            file(StoredWorkbook.bytes(zip(parts, lines).map { ($0, $1) })) { read(try XLSXFile(path: $0, limits: limits), "xlsx", $0) }
        },
        // The parts of a binary workbook, also stored: book, texts, styles and sheet. Two bytes before each of the
        // first three are its length.
        FuzzReader(name: "xlsb") { bytes in
            let names = ["xl/workbook.bin", "xl/sharedStrings.bin", "xl/styles.bin", "xl/worksheets/sheet1.bin"]
            var (rest, parts): (ArraySlice<UInt8>, [[UInt8]]) = (bytes[...], [])
            while parts.count < names.count - 1 {
                let length = rest.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
                parts.append(Array(rest.dropFirst(2).prefix(length)))
                rest = rest.dropFirst(2 + length)
            }
            file(StoredWorkbook.binary(Array(zip(names, parts + [Array(rest)])))) {
                read(try XLSXFile(path: $0, limits: limits), "xlsx", $0)
            }
        },
        // A survey package: its manifest, types, assets and log of events, separated by zeros. It
        // is read up to the rows that would be stored.
        FuzzReader(name: "package") { bytes in
            let names = ["manifest.json", "types.ndjson", "instances.ndjson", "events.ndjson"]
            file(StoredArchive.bytes(Array(zip(names, parts(bytes, names.count)))), ending: "zip") { try rows(of: $0) }
        },
        // A folder of the app: its schema, its plan, and the rooms and the background of a level,
        // separated by zeros.
        FuzzReader(name: "app-folder") { bytes in
            let names = ["schema_version.json", "plan_template.json", "levels/L0/rooms.geojson", "levels/L0/background.geojson"]
            try? FileManager.default.createDirectory(atPath: folder + "/app/levels/L0", withIntermediateDirectories: true)
            for (name, part) in zip(names, parts(bytes, names.count)) {
                _ = FileManager.default.createFile(atPath: folder + "/app/" + name, contents: Data(part))
            }
            if let plans = pack.plans, let app = plans.folder {
                count(folder + "/app/" + app.plan.file, "app-folder", nested: plans.nested(in: app.plan, of: pack))
                count(folder + "/app/" + app.schema.file, "app-folder", nested: [app.schema.families.nested])
            }
            try? rows(of: folder + "/app")
        },
        // The first line is a pattern, which is compiled in both spellings. Each further line is a
        // text for it.
        FuzzReader(name: "pattern") { bytes in
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(20)
            let source = String(decoding: lines.first ?? [], as: UTF8.self)
            for reach in [Pattern.Reach.whole, .anywhere] {
                guard let pattern = try? Pattern(source, reach: reach) else { continue }
                for line in lines.dropFirst() {
                    _ = (pattern.matches(Array(line).span), pattern.firstGroup(in: String(decoding: line, as: UTF8.self)))
                }
            }
        },
    ]

    static let current: FuzzReader = {
        let name = ProcessInfo.processInfo.environment["FICHERO_FUZZ_READER"] ?? ""
        guard let reader = all.first(where: { $0.name == name }) else {
            fatalError("FICHERO_FUZZ_READER: one of \(all.map(\.name).joined(separator: " "))")
        }
        return reader
    }()

    /// The bounds are small. So an input that takes seconds shows a fault of the reader.
    private static let limits: TableLimits = {
        var limits = TableLimits()
        limits.rows = 100_000
        limits.entryBytes = 8 << 20
        limits.partBytes = 1 << 20
        limits.sharedStringBytes = 8 << 20
        for (name, value) in [("xlsCells", "100000"), ("propertyListBytes", "1M"), ("dbfRecords", "100000"), ("sqliteSteps", "2000000")] { try? limits.set(name, to: value) }
        limits.packages.drawingPoints = 20_000
        return limits
    }()

    private static let options = TableOptions(limits: limits)

    /// The folder into which the input is written, because readers open files by path. The script
    /// makes and removes it.
    private static let folder = ProcessInfo.processInfo.environment["FICHERO_FUZZ_FOLDER"] ?? FileManager.default.currentDirectoryPath

    private static func file(_ bytes: [UInt8], ending: String = "bin", beside: (ending: String, bytes: [UInt8])? = nil, _ body: (String) throws -> Void) {
        let path = folder + "/input." + ending
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        if let beside { _ = FileManager.default.createFile(atPath: folder + "/input." + beside.ending, contents: Data(beside.bytes)) }
        try? body(path)
    }

    /// Splits the input into so many parts. Missing parts are empty.
    private static func parts(_ bytes: [UInt8], _ count: Int) -> [[UInt8]] {
        let found = bytes.split(separator: 0, maxSplits: count - 1, omittingEmptySubsequences: false).map(Array.init)
        return found + Array(repeating: [], count: count - found.count)
    }

    private static let pack: Pack = {
        let templates = ProcessInfo.processInfo.environment["FICHERO_FUZZ_TEMPLATES"] ?? "Templates"
        do {
            return try PackLoader.load("anagrafica", from: URL(fileURLWithPath: templates))
        } catch {
            fatalError("FICHERO_FUZZ_TEMPLATES: \(error)")
        }
    }()

    /// Reads everything that a source of the pack's own form gives, and converts it as an import
    /// would.
    private static func rows(of path: String) throws {
        var options = SourceOptions()
        options.limits = limits.packages
        options.folders = [pack.plans?.folder].compactMap(\.self)
        let source = try SourceFormats.open(SourceLocation(path: path, options: options), pack: pack)
        for table in source.tables { try? table.read(0) { _ in } }
    }

    /// Everything that the independent count finds in a file. It shares no code with the reader.
    private static func count(_ path: String, _ kind: String, of file: (any TableFile)? = nil, nested: [NestedRows] = []) {
        var options = SourceCounter.Options()
        options.nested = nested
        if let csv = file as? CSVFile {
            (options.separator, options.quote, options.skipsFirstLine) = (csv.dialect.separator, csv.dialect.quote, csv.skipsFirstLine)
        }
        (options.bounds.rows, options.bounds.partBytes, options.bounds.entryBytes) = (limits.rows, limits.partBytes, limits.entryBytes)
        options.bounds.ofFormats = limits.ofFormats
        _ = try? SourceCounter.count(path: path, kind: kind, options: options)
    }

    /// Reads all rows of all tables as far as possible, and counts them.
    private static func read(_ file: any TableFile, _ kind: String, _ path: String) {
        count(path, kind, of: file)
        for table in file.tables.prefix(20) {
            guard let rows = try? table.open() else { continue }
            var batch = ForeignBatch()
            repeat {
                guard (try? rows.fill(&batch)) != nil else { break }
                for row in 0..<batch.rowCount {
                    for column in 0..<batch.width(row) { _ = batch.string(row, column) }
                }
            } while batch.rowCount > 0
            _ = try? table.details?()
        }
    }
}
