import Counting
import Foundation
import Importing
import Model
import Testing
import Workbench

/// What the tests of the count share: reading a file with the readers and tallying it, counting it without them, and telling the gaps.
enum Evidence {
    static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Samples").standardized.path

    /// What the readers give of every table of a file that they can open.
    static func tallies(_ file: any TableFile) throws -> [TableCount] {
        try file.tables.map { table in
            var tally = TableTally(table)
            try forEachBatch(of: table) { tally.add($0) }
            return tally.count
        }
    }

    static func forEachBatch(of table: ForeignTable, _ body: (ForeignBatch) throws -> Void) throws {
        let rows = try table.open()
        var batch = ForeignBatch()
        while true {
            try rows.fill(&batch)
            if batch.rowCount == 0 { return }
            try body(batch)
        }
    }

    /// What the count must know of a file beside its bytes.
    static func options(_ file: any TableFile, path: String) throws -> SourceCounter.Options {
        var options = SourceCounter.Options()
        if let text = file as? CSVFile {
            options.encoding = text.encoding.encoding.rawValue
            options.separator = text.dialect.separator
            options.quote = text.dialect.quote
            let head = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(16).filter { $0 != 0 && $0 < 0x80 && $0 != 0x22 }
            options.skipsFirstLine = head.starts(with: Array("sep=".utf8))
        }
        return options
    }

    /// How the count of a file differs from what its reader gives.
    static func comparison(_ path: String, encoding: String? = nil) throws -> CountComparison {
        let file = try TableFiles.open(path: path)
        var options = try options(file, path: path)
        if let encoding { options.encoding = encoding }
        let source = try SourceCounter.count(path: path, kind: file.contentKind, options: options)
        return CountComparison(reader: try tallies(file), source: source)
    }

    /// No gap, nothing uncounted, nothing unread.
    static func expectWhole(_ path: String, encoding: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
        let comparison = try comparison(path, encoding: encoding)
        #expect(comparison.gaps == [], "\(path)", sourceLocation: sourceLocation)
        #expect(comparison.uncounted == [], "\(path)", sourceLocation: sourceLocation)
        #expect(comparison.unread == [], "\(path)", sourceLocation: sourceLocation)
    }
}
