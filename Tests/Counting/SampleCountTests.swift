import Counting
import Foundation
import Importing
import Model
import Testing

/// For every sample file of every kind, the reader's tally is equal to the count in every column.
@Suite struct SampleCountTests {
    /// Samples that these readers do not read. All others must be read and counted.
    private static let others: Set<String> = ["jpg", "png", "fpt"]

    private static func isOfTables(_ name: String) -> Bool { !others.contains(URL(fileURLWithPath: name).pathExtension.lowercased()) }

    @Test func everySample() throws {
        var kinds: [String: Int] = [:]
        var cells = 0
        var sums = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: Evidence.samples).sorted() {
            let path = Evidence.samples + "/" + name
            var isFolder: ObjCBool = false
            guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue, Self.isOfTables(name) else { continue }
            let file = try TableFiles.open(path: path)
            guard file.contentKind != "csv" || name.hasSuffix(".csv") else { continue }
            let tallies = try Evidence.tallies(file)
            kinds[file.contentKind, default: 0] += 1
            let source = try SourceCounter.count(path: path, kind: file.contentKind, options: try Evidence.options(file, path: path))
            let comparison = CountComparison(reader: tallies, source: source)
            #expect(comparison.gaps == [], "\(name)")
            #expect(comparison.uncounted == [], "\(name)")
            #expect(comparison.unread == [], "\(name)")
            cells += source.tables.reduce(0) { $0 + $1.columns.reduce(0) { $0 + $1.filled } }
            sums += comparison.sums.count { $0.isCovered }
        }
        #expect(Set(kinds.keys).isSuperset(of: ["access", "csv", "dbf", "html", "sqlite", "xls", "xlsx", "xml", "json-tables", "plist"]), "\(kinds)")
        #expect(cells > 1000 && sums > 50, "\(cells) cells, \(sums) sums")
    }
}
