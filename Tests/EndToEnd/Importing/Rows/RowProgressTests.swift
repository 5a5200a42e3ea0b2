import Foundation
import Testing
import Workbench

/// Whoever looks on sees how many rows of all have come, and how long the rest takes.
@Suite struct RowProgressTests {
    @Test func rowsAreShownOfAllWithTheTimeLeft() throws {
        let office = try SyncedOffice()
        // Enough rows to take longer than the tenth of a second between two lines.
        let count = 100_000
        try office.central("INSERT INTO calicatas (id, project_id, code, status) SELECT gen_random_uuid(), '\(SyncedOffice.project)', 'P-' || n, 'BORRADOR' FROM generate_series(1, \(count)) AS n")
        for step in [["sync"], ["offline", "PRUEBA-1", "--available"]] { #expect(try office.runs(step).status == 0) }
        let synced = try office.run("sync", "--progress", "always")
        #expect(synced.status == 0, "\(synced.output)")
        let lines = synced.error.matches(of: /calicatas: (\d+)\/(\d+) \((\d+) %\), (\d+ s|\d+ min|\d+ h \d\d min), \d+\/s/)
        try #require(!lines.isEmpty, "\(synced.error.prefix(2000))")
        #expect(lines.allSatisfy { Int($0.2) == count && Int($0.1).map { $0 * 100 / count } == Int($0.3) })
        let numbers = lines.compactMap { Int($0.1) }
        #expect(numbers == numbers.sorted() && numbers.allSatisfy { $0 > 0 && $0 <= count })
        let quiet = try office.run("sync", "--progress", "never")
        #expect(!quiet.error.contains("%"), "\(quiet.error)")
    }
}
