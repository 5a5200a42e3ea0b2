import Foundation
@testable import Importing
import JSONReading
import Model
import Photos
import Zipping

/// One reader under libFuzzer.
struct FuzzReader: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void
}

/// Every reader of foreign bytes. `Scripts/fuzz` runs each with a corpus of its own.
enum FuzzReaders {
    static let all: [FuzzReader] = [
        FuzzReader(name: "csv") { bytes in file(bytes) { read(try CSVFile(FileHead(path: $0), options: options)) } },
        FuzzReader(name: "html") { bytes in file(bytes) { read(try HTMLFile(FileHead(path: $0), options: options)) } },
        FuzzReader(name: "xml") { bytes in file(bytes) { read(try XMLFile(FileHead(path: $0), options: options)) } },
        FuzzReader(name: "xlsx") { bytes in file(bytes) { read(try XLSXFile(path: $0, limits: limits)) } },
        // No LibreOffice: it is a program of others, in a process of its own.
        FuzzReader(name: "xls") { bytes in file(bytes) { read(try XLSFile(path: $0, limits: limits.xls)) } },
        // The first two bytes say how many of the rest are the table; what follows is its memo file.
        FuzzReader(name: "dbf") { bytes in
            guard bytes.count > 2 else { return }
            let length = min(Int(bytes[0]) | Int(bytes[1]) << 8, bytes.count - 2)
            let table = Array(bytes[2..<(2 + length)])
            file(table, ending: "dbf", beside: ("fpt", Array(bytes[(2 + length)...]))) { read(try DBFFile(path: $0, limits: limits.dbf)) }
        },
        FuzzReader(name: "sqlite") { bytes in file(bytes) { read(try SQLiteFile(path: $0, limits: limits.sqlite)) } },
        // What mdb-schema prints: the databases themselves are read by programs of others, bounded.
        FuzzReader(name: "access") { bytes in
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("\t[") { _ = AccessColumn(line: line) }
        },
        FuzzReader(name: "json") { bytes in
            var isDone = false
            let rows = JSONRows(limits: limits.json) { _ in
                defer { isDone = true }
                return isDone ? [] : bytes
            }
            while case .some = try? rows.next() {}
        },
        FuzzReader(name: "manifest") { bytes in _ = try? PackageManifest(path: "manifest.json", bytes: bytes) },
        FuzzReader(name: "zip") { bytes in
            file(bytes) { path in
                let zip = try ZipReader(path: path)
                for entry in zip.entries where entry.size < 1 << 20 { try zip.chunks(of: entry) { _ in } }
            }
        },
        FuzzReader(name: "jpeg") { bytes in _ = JPEGPicture(bytes) },
    ]

    static let current: FuzzReader = {
        let name = ProcessInfo.processInfo.environment["FICHERO_FUZZ_READER"] ?? ""
        guard let reader = all.first(where: { $0.name == name }) else {
            fatalError("FICHERO_FUZZ_READER: one of \(all.map(\.name).joined(separator: " "))")
        }
        return reader
    }()

    /// Small enough that an input which takes seconds is a fault of the reader, not of its bounds.
    private static let limits: TableLimits = {
        var limits = TableLimits()
        limits.rows = 100_000
        limits.entryBytes = 8 << 20
        limits.partBytes = 1 << 20
        limits.sharedStringBytes = 8 << 20
        limits.xls.cells = 100_000
        limits.dbf.records = 100_000
        limits.sqlite.steps = 2_000_000
        return limits
    }()

    private static let options = TableOptions(limits: limits)

    /// Where the input is put as a file, for the readers open files by path; the script makes it and takes it away.
    private static let folder = ProcessInfo.processInfo.environment["FICHERO_FUZZ_FOLDER"] ?? FileManager.default.currentDirectoryPath

    private static func file(_ bytes: [UInt8], ending: String = "bin", beside: (ending: String, bytes: [UInt8])? = nil, _ body: (String) throws -> Void) {
        let path = folder + "/input." + ending
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        if let beside { _ = FileManager.default.createFile(atPath: folder + "/input." + beside.ending, contents: Data(beside.bytes)) }
        try? body(path)
    }

    /// All rows of all tables, as far as they can be read.
    private static func read(_ file: any TableFile) {
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
