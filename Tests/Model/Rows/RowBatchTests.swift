import Model
import Testing

@Suite struct RowBatchTests {
    @Test func cellsComeBackAsTheyWentIn() {
        var batch = RowBatch(columnCount: 4)
        batch.append(Int64.min)
        batch.append(-0.0)
        batch.append("ñandú \u{1F3D4}")
        batch.appendNull()
        batch.endRow()
        batch.append(Int64(7))
        batch.append(2.5)
        batch.append("")
        batch.append("x")
        batch.endRow()
        #expect(batch.rowCount == 2)
        #expect(batch.cell(0, 0).integer == Int64.min)
        #expect(batch.cell(0, 1).real.sign == .minus)
        #expect(batch.string(0, 2) == "ñandú \u{1F3D4}")
        #expect(batch.cell(0, 3).kind == .null)
        #expect(batch.string(1, 2) == "")
        #expect(batch.cell(1, 3).range == batch.text.count - 1..<batch.text.count)
    }

    @Test func bytesThatAreNoUTF8AreKeptForTheWriterToReplace() {
        var batch = RowBatch(columnCount: 1)
        let bytes: [UInt8] = [0x41, 0xFF, 0x42]
        unsafe bytes.withUnsafeBufferPointer { unsafe batch.append(utf8: $0) }
        batch.endRow()
        #expect(Array(batch.text[batch.cell(0, 0).range]) == bytes)
        #expect(batch.string(0, 0) == "A\u{FFFD}B")
    }

    @Test func removingKeepsTheColumnsAndEmptiesTheRest() {
        var batch = RowBatch(columnCount: 1)
        batch.append("x")
        batch.endRow()
        batch.removeAll()
        #expect(batch.rowCount == 0)
        #expect(batch.text.isEmpty)
        batch.append("y")
        batch.endRow()
        #expect(batch.string(0, 0) == "y")
    }

    @Test func memoryRowsComeInBatchesToTheEnd() {
        let rows = (0..<1000).map { [MemoryRows.Value.integer(Int64($0)), .text(String($0))] }
        let source = MemoryRows(columnCount: 2, rows: rows)
        var batch = RowBatch(columnCount: 2)
        var seen: [Int64] = []
        repeat {
            source.fill(&batch)
            for row in 0..<batch.rowCount { seen.append(batch.cell(row, 0).integer) }
        } while batch.rowCount > 0
        #expect(seen == (0..<1000).map(Int64.init))
    }
}
