import Foundation
import Testing
import Workbench

@testable import Importing

/// Tries every reader on files that other people's programs made. `FICHERO_COLLECTION` names a
/// folder of such files, which is not part of the project. The test prints the result for each
/// file. It fails only if a reader crashes or hangs.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["FICHERO_COLLECTION"] != nil))
struct CollectionTests {
    @Test("Files of public collections do not make a reader crash or hang")
    func collection() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["FICHERO_COLLECTION"])
        let changes = ProcessInfo.processInfo.environment["FICHERO_MUTATIONS"].flatMap { Int($0) } ?? 0
        let scratch = try TemporaryFolder()
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            let path = folder + "/" + name
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            print(name, outcome(path))
            guard changes > 0, data.count > 100 else { continue }
            var outcomes: [String: Int] = [:]
            let range = 0..<min(data.count, 1 << 16)
            for bytes in ForeignReading.mutations(of: Array(data), count: changes, seed: 11, in: range) {
                let changed = try ForeignReading.write(bytes, "changed", in: scratch)
                let told = outcome(changed)
                outcomes[told.hasPrefix("tables") ? "read" : told, default: 0] += 1
            }
            for (told, count) in outcomes.sorted(by: { $0.value > $1.value }).prefix(8) { print("   ", count, told) }
        }
    }

    private func outcome(_ path: String) -> String {
        do {
            guard let file = try LegacyFiles.open(path) else { return "unknown kind" }
            var told: [String] = []
            for table in file.tables {
                let rows = try ForeignReading.rows(table, limit: 100_000)
                told.append("\(table.name): \(rows.count) × \(table.columns?.count ?? rows.map(\.count).max() ?? 0), \(rows.joined().filter { $0 != "-" }.count) values \(rows.first ?? [])".prefix(300) + "")
            }
            return "tables \(file.tables.count)\n    " + told.joined(separator: "\n    ")
        } catch {
            return "\(error)".replacingOccurrences(of: path, with: "FILE")
        }
    }
}

/// Tells the old kinds of files apart by their content.
enum LegacyFiles {
    static func open(_ path: String) throws -> (any TableFile)? {
        let head = try FileBytes(path).read(at: 0, 1 << 16)
        if AccessFile.recognises(head) {
            var limits = ProgramLimits()
            limits.processorSeconds = 5
            return try AccessFile(path: path, limits: limits)
        }
        if XLSFile.recognises(head) { return try XLSFile(path: path) }
        if SQLiteFile.recognises(head) { return try SQLiteFile(path: path) }
        if DBFFile.recognises(head) { return try DBFFile(path: path) }
        return nil
    }
}
