import Foundation
import JSONReading
import Testing

@Suite struct JSONRowsTests {
    /// A row with its value, or a line that is not a row.
    private enum Item {
        case row(Found)
        case mistake(JSONMistake, line: [UInt8])
    }

    private struct Found {
        var value: JSONValue
        var line: Int, offset: Int, pointer: String, member: String?
    }

    /// Makes values of the rows that it gets.
    private final class Taker: JSONRowHandler {
        var items: [Item] = []
        var isFull = false
        private var row = JSONRows.Row(line: 0, offset: 0)
        private var text = JSONTextWriter(limits: .standard)

        func beginRow(_ row: JSONRows.Row) {
            self.row = row
            text.removeAll()
            // The reader leaves it to the taker to find a key that occurs twice in the row itself.
            try? text.take(.startObject, Span())
        }

        func take(_ event: JSONEvent, _ bytes: Span<UInt8>) throws(JSONMistake.Reason) {
            try text.take(event, bytes)
        }

        func endRow(line: Span<UInt8>) {
            try? text.take(.endObject, Span())
            let value = (try? JSONValue.parse(text.bytes, limits: JSONLimits(allowsDuplicateKeys: true))) ?? .null
            items.append(.row(Found(value: value, line: row.line, offset: row.offset, pointer: row.pointer, member: row.member)))
            if line.count > 0 { #expect((try? JSONValue.parse(line)) == value) }
        }

        func take(_ mistake: JSONMistake, line: Span<UInt8>) {
            items.append(.mistake(mistake, line: line.indices.map { line[$0] }))
        }
    }

    /// The rows and the end of a text that is read in pieces of this size.
    private func read(
        _ text: String, chunk: Int = 7, layout: JSONRows.Layout = .automatic, limits: JSONLimits = .standard
    ) -> (items: [Item], end: JSONMistake?) {
        var rest = Array(text.utf8)[...]
        let taker = Taker()
        let rows = JSONRows(layout: layout, limits: limits, taker: taker) { buffer, offset in
            let piece = rest.prefix(min(chunk, buffer.count - offset))
            buffer.replaceSubrange(offset..<offset + piece.count, with: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
        do throws(JSONMistake) {
            try rows.next()
            return (taker.items, nil)
        } catch {
            return (taker.items, error)
        }
    }

    private func rows(_ items: [Item]) -> [Found] {
        items.compactMap { if case .row(let row) = $0 { row } else { nil } }
    }

    @Test(arguments: [1, 2, 5, 64, 100_000])
    func readsAnArray(chunk: Int) {
        let text = "\u{FEFF}[\n  {\"id\": 1, \"l\": [1, {\"x\": 2}]},\n  {\"id\": 2}\n, {}]\n"
        let (items, end) = read(text, chunk: chunk)
        let found = rows(items)
        #expect(end == nil)
        #expect(found.map(\.pointer) == ["/0", "/1", "/2"])
        #expect(found.map(\.line) == [2, 3, 4])
        #expect(found.map(\.value.description) == ["{\"id\":1,\"l\":[1,{\"x\":2}]}", "{\"id\":2}", "{}"])
        let bytes = Array(text.utf8)
        for row in found { #expect(bytes[row.offset] == UInt8(ascii: "{")) }
        #expect(found[1].offset == text.utf8.count - "{\"id\": 2}\n, {}]\n".utf8.count)
    }

    @Test(arguments: [3, 100_000])
    func readsAnObjectWithArrays(chunk: Int) {
        let (items, end) = read(
            "{\"at\":\"2025\",\"meta\":{\"n\":[1]},\n\"rows\":[{\"a\":1},{\"a\":2}],\"more/x\":[{\"b\":1}]}", chunk: chunk)
        #expect(end == nil)
        #expect(rows(items).map(\.pointer) == ["/rows/0", "/rows/1", "/more~1x/0"])
        #expect(rows(items).map(\.member) == ["rows", "rows", "more/x"])
        #expect(read("{\"rows\":[{\"a\":1}]}", chunk: chunk).items.count == 1)
        #expect(rows(read("{\"rows\":[{\"a\":1}]}", chunk: chunk).items).first?.pointer == "/rows/0")
        #expect(read("{\"rows\":[]}", chunk: chunk).items.isEmpty)
        #expect(read("{\n\"rows\": [\n{\"a\":1},\n{\"a\":2}\n]}", chunk: chunk).items.count == 2)
        #expect(read("{\"rows\": [\n{\"a\":1},\n{\"a\":2}\n]}", chunk: chunk).items.count == 2)
    }

    @Test(arguments: [1, 4, 100_000])
    func readsLines(chunk: Int) {
        let (items, end) = read("{\"id\":\"a\",\"l\":[]}\r\n\n  \n{\"id\":\"b\"}\n{\"id\":}\n[1]\n{\"id\":\"c\"}", chunk: chunk)
        #expect(end == nil)
        #expect(rows(items).map(\.line) == [1, 4, 7])
        #expect(rows(items).map(\.value["id"]) == [.string("a"), .string("b"), .string("c")])
        guard items.count == 5, case .mistake(let first, let firstLine) = items[2], case .mistake(let second, let secondLine) = items[3] else {
            Issue.record("\(items)")
            return
        }
        #expect(first.line == 5)
        #expect(second.reason == .rowIsNoObject)
        #expect(second.line == 6)
        #expect(String(decoding: firstLine, as: UTF8.self) == "{\"id\":}")
        #expect(String(decoding: secondLine, as: UTF8.self) == "[1]")
        #expect(read("{\"id\":\"a\",\"l\":[]}").items.count == 1)
        #expect(rows(read("{\"id\":\"a\",\"l\":[{\"x\":1}]}").items).first?.pointer == "")
        #expect(read("", chunk: chunk).items.isEmpty)
    }

    @Test func aBrokenFirstLineIsOneMistake() {
        let (items, end) = read("{\"id\":1,}\n{\"id\":2}\n{\"id\":3}\n")
        #expect(end == nil)
        #expect(rows(items).count == 2)
        #expect(items.count == 3)
    }

    @Test func aMistakeInAnArrayEndsItAfterTheRowsBeforeIt() {
        let (items, end) = read("[{\"a\":1},\n{\"a\":2},\n{\"a\":x}]")
        #expect(rows(items).map(\.value.description) == ["{\"a\":1}", "{\"a\":2}"])
        #expect(end?.line == 3)
        #expect(end?.offset == 25)
        #expect(read("[{\"a\":1}").end?.reason == .unexpectedEnd)
        #expect(read("[{\"a\":1}, 5]").end?.reason == .rowIsNoObject)
        #expect(read("[{\"a\":1}, [5]]").end?.reason == .rowIsNoObject)
        #expect(read("{\n\"a\": 1\n}").end?.reason == .noRows)
        #expect(read("[{\"a\":1},{\"b\":1,\"b\":2}]").end?.reason == .duplicateKey("b"))
    }

    @Test func keepsRowsWithinLimits() {
        let limits = JSONLimits(valueBytes: 50)
        let long = "{\"t\":\"" + String(repeating: "x", count: 100) + "\"}"
        let (items, end) = read("{\"a\":1}\n\(long)\n{\"a\":2}\n", limits: limits)
        #expect(end == nil)
        #expect(rows(items).map(\.line) == [1, 3])
        #expect(read("[{\"a\":1},\(long)]", limits: limits).end?.reason == .valueTooLarge(limit: 50))
        // If a text never ends, the reader stops long before the end of the file.
        var given = 0
        let endless = JSONRows(layout: .document, limits: JSONLimits(textBytes: 1000), taker: Taker()) { buffer, offset in
            let start = Array("[{\"a\":\"".utf8)
            for index in offset..<buffer.count { buffer[index] = given == 0 && index < start.count ? start[index] : UInt8(ascii: "x") }
            given += buffer.count - offset
            return buffer.count - offset
        }
        #expect(throws: JSONMistake.self) { try endless.next() }
        #expect(given < 1 << 20)
    }

    @Test func aLongFileIsReadTurnByTurn() throws {
        let count = 50_000
        let text = (0..<count).map { "{\"id\":\"\($0)\",\"n\":\($0).50}\n" }.joined()
        let found = rows(read(text, chunk: 60_000).items)
        #expect(found.count == count)
        #expect(found.enumerated().allSatisfy { $1.line == $0 + 1 && $1.value["id"] == .string("\($0)") })
        struct Broken: Error {}
        let broken = JSONRows(taker: Taker()) { _, _ in throw Broken() }
        #expect(throws: JSONMistake.self) { try broken.next() }
    }

    @Test func aTakerThatHasEnoughIsGivenNoMoreLines() throws {
        final class One: JSONRowHandler {
            var count = 0
            var isFull = false
            func beginRow(_ row: JSONRows.Row) {}
            func take(_ event: JSONEvent, _ bytes: Span<UInt8>) throws(JSONMistake.Reason) {}
            func endRow(line: Span<UInt8>) { (count, isFull) = (count + 1, true) }
            func take(_ mistake: JSONMistake, line: Span<UInt8>) {}
        }
        let taker = One()
        var rest = Array("{\"a\":1}\n{\"a\":2}\n{\"a\":3}".utf8)
        let rows = JSONRows(taker: taker) { buffer, offset in
            buffer.replaceSubrange(offset..<offset + rest.count, with: rest)
            defer { rest = [] }
            return rest.count
        }
        for turn in 1...5 {
            taker.isFull = false
            try rows.next()
            #expect(taker.count == min(turn, 3))
        }
    }

    @Test func aLineWithMoreThanAnObjectIsNoRow() {
        for line in ["{\"a\":1}{\"a\":2}", "{\"a\":1} 2", "{\"a\":1} x", "{\"a\":1}]", "{\"a\":1}, {\"a\":2}"] {
            let (items, end) = read("{\"b\":1}\n\(line)\n{\"c\":1}\n")
            #expect(end == nil)
            guard items.count == 3, case .mistake(let mistake, _) = items[1] else {
                Issue.record("\(line): \(items)")
                continue
            }
            #expect(mistake.reason == .trailingText, "\(line)")
            #expect(rows(items).map(\.value.description) == ["{\"b\":1}", "{\"c\":1}"])
        }
        let (items, _) = read("{\"b\":1}\n{\"c\":1\n{\"d\":1}\n5\n\u{FEFF}\n\u{FEFF}{\"e\":1}")
        let reasons: [JSONMistake.Reason?] = items.map { item in if case .mistake(let mistake, _) = item { mistake.reason } else { nil } }
        #expect(reasons == [nil, .unexpectedEnd, nil, .rowIsNoObject, .unexpectedEnd, nil])
    }
}
