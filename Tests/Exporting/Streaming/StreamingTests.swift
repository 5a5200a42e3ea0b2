import Foundation
import Model
import OutputFiles
import Synchronization
import Testing
import Workbench
@testable import Exporting

@Suite struct ByteBufferTests {
    private func text(_ value: Double) -> String {
        var buffer = ByteBuffer()
        buffer.append(value)
        return buffer.string
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1, "1"), (-42, "-42"), (0.1, "0.1"), (-0.25, "-0.25"), (1.005, "1.005"), (8_661_234.56, "8661234.56"),
        (0.000001, "0.000001"), (123_456.789012, "123456.789012"), (0.1 + 0.2, "0.30000000000000004"), (1e21, "1e+21"), (.leastNonzeroMagnitude, "5e-324"),
        (1e15, "1000000000000000"), (1e16, "1e+16"), (999_999_999_999_999, "999999999999999"), (9_007_199_254_740_992, "9007199254740992"), (1.0 / 3, "0.3333333333333333"),
        (1e-7, "0.0000001"), (1e-12, "1e-12"), (.infinity, "inf"), (-.infinity, "-inf"),
    ])
    func knownNumbers(_ value: Double, _ expected: String) {
        #expect(text(value) == expected)
    }

    /// The text of a number is as short as the standard library's, and reading it gives the same
    /// number.
    @Test func numbersReadBackAndAreShortest() {
        var generator = SeededNumbers(7)
        for _ in 0..<200_000 {
            let value: Double
            switch generator.next() % 4 {
            case 0: value = Double(bitPattern: generator.next())
            case 1: value = Double(Int64(truncatingIfNeeded: generator.next()) % 100_000_000) / 100
            case 2: value = Double(Int64(truncatingIfNeeded: generator.next()) % 1_000_000_000_000) / 1_000_000
            default: value = Double(Int64(truncatingIfNeeded: generator.next()) >> Int64(generator.next() % 60))
            }
            guard value.isFinite else { continue }
            let written = text(value)
            #expect(Double(written) == (value == 0 ? 0 : value))
            #expect(written.filter(\.isNumber).count <= value.description.filter(\.isNumber).count + (value.magnitude < 1e-4 ? 6 : 0))
        }
    }

    @Test func integersAtTheEdges() {
        for value in [0, 9, 10, 99, 100, -1, Int64.max, Int64.min, 1_000_000] {
            var buffer = ByteBuffer()
            buffer.append(value)
            #expect(buffer.string == String(value))
        }
    }

    @Test func growsAndForgets() {
        var buffer = ByteBuffer(capacity: 64)
        for number in 0..<10_000 { buffer.append(number) }
        #expect(buffer.string == (0..<10_000).map(String.init).joined())
        buffer.removeAll()
        let isEmpty = buffer.isEmpty
        #expect(isEmpty)
        buffer.append("año")
        buffer.append(utf8: " ñ")
        buffer.appendFraction(120_000, digits: 6)
        buffer.appendDigits(7, width: 3)
        #expect(buffer.string == "año ñ.12007")
    }
}

@Suite struct SpoolFileTests {
    @Test func spooledBytesComeBackAndLeaveNoName() throws {
        let folder = try TemporaryFolder()
        var spool = try SpoolFile(beside: folder.path + "/a")
        for number in 0..<50_000 { try spool.append([UInt8(number & 255), UInt8(number >> 8 & 255)].span) }
        try spool.flush()
        #expect(try folder.names == [])
        #expect(try spool.read(4, at: 2 * 1000) == [232, 3, 233, 3])
        #expect(throws: OutputFailure.self) { try spool.read(4, at: 99_998) }
    }
}

@Suite struct BackgroundSinkTests {
    /// Stores the bytes that it gets. It fails after a given number of bytes, and notes when it is
    /// released.
    struct Recorder: ByteSink, ~Copyable, Sendable {
        var bytes: [UInt8] = []
        var limit = Int.max
        let death: Death
        final class Death: Sendable { let happened = Mutex(false) }

        mutating func write(_ bytes: Span<UInt8>) throws {
            for index in bytes.indices { self.bytes.append(bytes[index]) }
            if self.bytes.count > limit { throw OutputFailure.diskFull(path: "here") }
        }
        deinit { death.happened.withLock { $0 = true } }
    }

    @Test func everythingArrivesInOrder() throws {
        let sink = BackgroundSink(Recorder(death: .init()))
        var buffer = ByteBuffer()
        for number in 0..<5000 {
            buffer.append(number)
            try sink.send(&buffer)
            let isEmpty = buffer.isEmpty
            #expect(isEmpty)
        }
        let recorder = try sink.finish()
        #expect(String(decoding: recorder.bytes, as: UTF8.self) == (0..<5000).map(String.init).joined())
    }

    @Test func failuresComeBackAndNothingHangs() throws {
        let death = Recorder.Death()
        let sink = BackgroundSink(Recorder(limit: 10, death: death))
        #expect(throws: OutputFailure.diskFull(path: "here")) {
            var buffer = ByteBuffer()
            for number in 0..<1000 {
                buffer.append(number)
                try sink.send(&buffer)
            }
        }
        #expect(throws: OutputFailure.diskFull(path: "here")) { _ = try sink.finish() }
        #expect(death.happened.withLock { $0 })
    }

    @Test func givenUpItDropsItsSink() throws {
        let death = Recorder.Death()
        do {
            let sink = BackgroundSink(Recorder(death: death))
            var buffer = ByteBuffer()
            buffer.append("x")
            try sink.send(&buffer)
        }
        #expect(death.happened.withLock { $0 })
    }
}

@Suite struct PrefetchingRowsTests {
    final class Counting: RowSource {
        let columnCount = 1
        var next: Int64 = 0
        let end: Int64
        let failsAt: Int64?
        let death: BackgroundSinkTests.Recorder.Death
        init(end: Int64, failsAt: Int64? = nil, death: BackgroundSinkTests.Recorder.Death = .init()) {
            self.end = end
            self.failsAt = failsAt
            self.death = death
        }
        deinit { death.happened.withLock { $0 = true } }
        func fill(_ batch: inout RowBatch) throws {
            batch.removeAll()
            while next < end, !batch.isFull {
                if next == failsAt { throw OutputFailure.inputOutput(path: "db", reason: "gone") }
                batch.append(next)
                batch.endRow()
                next += 1
            }
        }
    }

    @Test(arguments: [0, 1, 256, 257, 10_000] as [Int64])
    func rowsComeInOrder(_ end: Int64) throws {
        let rows = PrefetchingRows(Counting(end: end))
        var batch = RowBatch(columnCount: 1)
        var seen: Int64 = 0
        repeat {
            try rows.fill(&batch)
            for row in 0..<batch.rowCount {
                #expect(batch.cell(row, 0).integer == seen)
                seen += 1
            }
        } while batch.rowCount > 0
        #expect(seen == end)
        try rows.fill(&batch)
        #expect(batch.rowCount == 0)
    }

    @Test func failuresComeBack() throws {
        let rows = PrefetchingRows(Counting(end: 10_000, failsAt: 3000))
        var batch = RowBatch(columnCount: 1)
        #expect(throws: OutputFailure.inputOutput(path: "db", reason: "gone")) {
            repeat { try rows.fill(&batch) } while batch.rowCount > 0
        }
        try rows.fill(&batch)
        #expect(batch.rowCount == 0)
    }

    @Test func droppedEarlyItDropsItsSource() throws {
        let death = BackgroundSinkTests.Recorder.Death()
        do {
            let rows = PrefetchingRows(Counting(end: 1_000_000, death: death))
            var batch = RowBatch(columnCount: 1)
            try rows.fill(&batch)
        }
        #expect(death.happened.withLock { $0 })
    }
}
