import Counting
import Foundation
import Model
import Testing
import Workbench

@testable import CommandLineTool
@testable import Importing

/// What the tests of the count share: reading a file with the readers and tallying it, counting it without them, and telling the gaps.
enum Evidence {
    static let samples = ProjectFolder.root.appendingPathComponent("Samples").path

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

    /// What the count must know of a file besides its bytes, as the program gives it.
    static func options(_ file: any TableFile, path: String) throws -> SourceCounter.Options {
        SourceCounter.Options(try #require(file.countable(path: path, isWithoutMemos: false).first))
    }

    /// How the count of a file differs from what its reader gives: both by the way that an import takes.
    static func comparison(_ path: String, options: TableOptions = TableOptions()) throws -> CountComparison {
        let file = try TableFiles.open(path: path, options: options)
        let files = file.countable(path: path, isWithoutMemos: options.isWithoutMemos)
        let count = IndependentCount(files, limits: options.limits)
        for table in file.tables { try table.forEachRow { _ in } }
        let outcome = try #require(count.outcomes(of: files).first)
        return try #require(outcome.comparison, "\(outcome.reason ?? "")")
    }

    /// No gap, nothing uncounted, nothing unread.
    static func expectWhole(_ path: String, options: TableOptions = TableOptions(), sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
        let comparison = try comparison(path, options: options)
        #expect(comparison.gaps == [], "\(path)", sourceLocation: sourceLocation)
        #expect(comparison.uncounted == [], "\(path)", sourceLocation: sourceLocation)
        #expect(comparison.unread == [], "\(path)", sourceLocation: sourceLocation)
    }
}
