import Foundation
import JSONReading
import Testing
import Workbench

@Suite struct JSONRowsTests {
    /// Everything that a text gives, read in pieces of the given size.
    private func read(
        _ text: String, chunk: Int = 7, layout: JSONRows.Layout = .automatic, limits: JSONLimits = .standard
    ) -> (items: [JSONRows.Item], end: JSONMistake?) {
        var rest = Array(text.utf8)[...]
        let rows = JSONRows(layout: layout, limits: limits) { count in
            defer { rest = rest.dropFirst(min(chunk, count)) }
            return Array(rest.prefix(min(chunk, count)))
        }
        var items: [JSONRows.Item] = []
        do throws(JSONMistake) {
            while let item = try rows.next() { items.append(item) }
            return (items, nil)
        } catch {
            return (items, error)
        }
    }

    private func rows(_ items: [JSONRows.Item]) -> [JSONRows.Row] {
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
        // A text that never ends is given up long before the file does.
        var given = 0
        let endless = JSONRows(layout: .document, limits: JSONLimits(textBytes: 1000)) { count in
            given += count
            return given == count ? Array("[{\"a\":\"".utf8) : [UInt8](repeating: UInt8(ascii: "x"), count: count)
        }
        #expect(throws: JSONMistake.self) { try endless.next() }
        #expect(given < 1 << 20)
    }

    @Test func readsFilesAndSaysWhenItCannot() throws {
        let folder = try TemporaryFolder()
        let count = 50_000
        let lines = (0..<count).map { "{\"id\":\"\($0)\",\"n\":\($0).50}\n" }.joined()
        let file = URL(fileURLWithPath: try folder.write(lines, to: "rows.ndjson"))
        let rows = try JSONRows(file)
        var sum = 0
        while case .row(let row)? = try rows.next() {
            #expect(row.line == sum + 1)
            sum += 1
        }
        #expect(sum == count)
        #expect(throws: (any Error).self) { try JSONRows(file.appending(path: "no")) }
        struct Broken: Error {}
        let broken = JSONRows { _ in throw Broken() }
        #expect(throws: JSONMistake.self) { try broken.next() }
    }
}
