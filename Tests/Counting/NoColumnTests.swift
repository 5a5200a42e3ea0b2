import Testing
import Workbench

@testable import Counting

/// Values that belong to no column end in a `CountFault` and not in a crash. The fuzzer found these
/// cases.
@Suite struct NoColumnTests {
    @Test(arguments: ["[[1]]", "[[z\"code\":\"C-1\",", "[[\"a\",1,true]]"]) func ofJSON(_ text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(text.utf8), to: "a.json")
        #expect(throws: CountFault.self) { try SourceCounter.count(path: path, kind: "json") }
    }

    @Test func ofCells() {
        var counts = ColumnCounts(numbers: true)
        #expect(throws: CountFault.self) { try counts.fill(-1, number: 1, times: 1) }
        #expect(throws: CountFault.self) { try counts.fillDate(-1) }
    }
}
