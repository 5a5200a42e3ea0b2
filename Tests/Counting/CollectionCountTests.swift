import Counting
import Foundation
import Importing
import Model
import Testing

/// Compares readers and counts over files that other people's programs made. `FICHERO_COLLECTION`
/// names a folder of such files, which is not part of the project. The test prints which files
/// cannot be opened or counted, and why. A gap makes it fail.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["FICHERO_COLLECTION"] != nil))
struct CollectionCountTests {
    @Test func readersGiveWhatIsThere() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["FICHERO_COLLECTION"])
        var outcomes: [String: Int] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            let path = folder + "/" + name
            guard let file = try? TableFiles.open(path: path), file.contentKind != "csv" || name.hasSuffix(".csv"), let tallies = try? Evidence.tallies(file) else {
                outcomes["not opened", default: 0] += 1
                continue
            }
            do throws(CountFault) {
                let options = (try? Evidence.options(file, path: path)) ?? SourceCounter.Options()
                let comparison = CountComparison(reader: tallies, source: try SourceCounter.count(path: path, kind: file.contentKind, options: options))
                outcomes[file.contentKind + (comparison.gaps.isEmpty ? " whole" : " GAP"), default: 0] += 1
                if let gap = comparison.gaps.first { Issue.record("\(name): \(comparison.gaps.count) gaps, first \(gap)") }
            } catch {
                outcomes[file.contentKind + " not counted", default: 0] += 1
                print(name, error.reason)
            }
        }
        print(outcomes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
    }
}
