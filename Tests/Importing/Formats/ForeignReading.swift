import Foundation
import Workbench

@testable import Importing

/// What the tests of foreign files share: they read all of a table, write a file, and change bytes
/// from a fixed seed.
enum ForeignReading {
    /// At most `limit` rows of a table. Each cell is `kind:value`, and an empty one is `-`.
    static func rows(_ table: ForeignTable, limit: Int = 1_000_000) throws -> [[String]] {
        let rows = try table.open()
        var batch = ForeignBatch()
        var all: [[String]] = []
        while all.count < limit {
            try rows.fill(&batch)
            if batch.rowCount == 0 { break }
            for row in 0..<batch.rowCount {
                all.append(
                    (0..<batch.width(row)).map { column in
                        batch.string(row, column).map { "\(batch.cell(row, column).kind):\($0)" } ?? "-"
                    })
            }
        }
        return all
    }

    static func write(_ bytes: [UInt8], _ name: String, in folder: TemporaryFolder) throws -> String { try folder.write(bytes, to: name) }

    /// Variants of a file: some bytes are changed, cut off, doubled or set to extreme values.
    static func mutations(of bytes: [UInt8], count: Int, seed: UInt64, in range: Range<Int>? = nil) -> [[UInt8]] {
        var random = SeededNumbers(seed)
        let range = range ?? 0..<bytes.count
        return (0..<count).map { turn in
            var changed = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: range, using: &random)
                changed[index] = [0, 0xFF, 0x7F, 0x80, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
            }
            if turn % 7 == 0 { changed = Array(changed.prefix(Int.random(in: 0...bytes.count, using: &random))) }
            return changed
        }
    }
}
