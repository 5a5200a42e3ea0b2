import Counting
import Foundation
import Importing
import Model
import Testing

/// Over every sample of every kind of file: what the reader gives is what the count finds, column by column.
@Suite struct SampleCountTests {
    @Test func everySample() throws {
        var kinds: [String: Int] = [:]
        var cells = 0
        var sums = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: Evidence.samples).sorted() {
            let path = Evidence.samples + "/" + name
            var isFolder: ObjCBool = false
            guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                let file = try? TableFiles.open(path: path), file.contentKind != "csv" || name.hasSuffix(".csv"),
                let tallies = try? Evidence.tallies(file)
            else { continue }
            kinds[file.contentKind, default: 0] += 1
            let source = try SourceCounter.count(path: path, kind: file.contentKind, options: try Evidence.options(file, path: path))
            let comparison = CountComparison(reader: tallies, source: source)
            #expect(comparison.gaps == [], "\(name)")
            #expect(comparison.uncounted == [], "\(name)")
            #expect(comparison.unread == [], "\(name)")
            cells += source.tables.reduce(0) { $0 + $1.columns.reduce(0) { $0 + $1.filled } }
            sums += comparison.sums.count { $0.isCovered }
        }
        #expect(Set(kinds.keys).isSuperset(of: ["access", "csv", "dbf", "html", "sqlite", "xls", "xlsx", "xml"]), "\(kinds)")
        #expect(cells > 1000 && sums > 50, "\(cells) cells, \(sums) sums")
    }
}
