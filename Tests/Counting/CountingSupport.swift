import Counting
import Foundation
import Model
import Testing
import Workbench

@testable import Importing
@testable import Pipeline

/// What the tests of the count share: they read and tally a file with its reader, count it without
/// the reader, and compare both.
enum Evidence {
    static let samples = ProjectFolder.root.appendingPathComponent("Samples").path

    /// The tally of every table that the reader of a file gives.
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

    /// What the count must know of a file besides its bytes. The program gives the same.
    static func options(_ file: any TableFile, path: String) throws -> SourceCounter.Options {
        SourceCounter.Options(try #require(file.countable(path: path, isWithoutMemos: false).first))
    }

    /// How the count of a file differs from what its reader gives. Both work in the same way as in
    /// an import.
    static func comparison(_ path: String, options: TableOptions = TableOptions()) throws -> CountComparison {
        let file = try TableFiles.open(path: path, options: options)
        let files = file.countable(path: path, isWithoutMemos: options.isWithoutMemos)
        let count = IndependentCount(files, limits: options.limits)
        for table in file.tables { try table.forEachRow { _ in } }
        let outcome = try #require(count.outcomes(of: files).first)
        return try #require(outcome.comparison, "\(outcome.reason ?? "")")
    }

    /// Expects that there is no gap and that every table is both counted and read.
    static func expectWhole(_ path: String, options: TableOptions = TableOptions(), sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
        let comparison = try comparison(path, options: options)
        #expect(comparison.gaps == [], "\(path)", sourceLocation: sourceLocation)
        #expect(comparison.uncounted == [], "\(path)", sourceLocation: sourceLocation)
        #expect(comparison.unread == [], "\(path)", sourceLocation: sourceLocation)
    }
}
