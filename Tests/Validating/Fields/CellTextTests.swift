import Foundation
import JSONReading
import Model
import Testing
import Workbench
@testable import Validating

@Suite struct CellTextTests {
    private func bytes(_ text: String) -> ([UInt8], Range<Int>) {
        // Other cells stand before and after this one.
        let bytes = Array(("7-" + text + "-0").utf8)
        return (bytes, 2..<(bytes.count - 2))
    }

    /// Python judges every combination of year, month and day too, valid or not.
    @Test func datesAsPythonHasThem() throws {
        var dates: [String] = []
        for year in ["0000", "0001", "1600", "1900", "2000", "2023", "2024", "2100", "9999", "20x4"] {
            for month in 0...13 {
                for day in 0...32 {
                    dates.append("\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)")
                }
            }
        }
        let judged = try python("""
            import sys, datetime
            for line in sys.stdin.read().split():
                try:
                    datetime.date.fromisoformat(line)
                    print(1)
                except ValueError:
                    print(0)
            """, input: dates.joined(separator: "\n")).split(separator: "\n").map { $0 == "1" }
        try #require(judged.count == dates.count)
        for (date, isDate) in zip(dates, judged) {
            let (text, range) = bytes(date)
            #expect(StoredTime.isDate(text.span.extracting(range)) == isDate, "\(date)")
        }
    }

    private func python(_ script: String, input: String) throws -> String {
        try OtherProgram.run("/usr/bin/python3", ["-c", script], input: input).text
    }

    /// The fast scan of JSON in a cell agrees with the reader. The texts are valid ones that are
    /// changed at random.
    @Test func jsonScanAgreesWithTheReader() {
        var generator = SeededNumbers(11)
        let alphabet = Array("[]{},:\"\\u0e129+-.tfnrals \n\u{1}".utf8)
        let seeds = [#"{"a":[1.5e-3,"\u00e1x",{"b":null}],"c":[true,false,[]],"d":"x\\"}"#, "[[0, 1.5], [2,3]]", "\"a\"", "-0.5E+10", "[\"a\",\"b\"]"]
        var accepted = 0
        for _ in 0..<20_000 {
            var text = Array((seeds.randomElement(using: &generator) ?? "").utf8)
            generator.damage(&text, with: alphabet)
            let read: Bool
            do throws(JSONMistake) {
                _ = try JSONValue.parse(text, limits: JSONLimits(allowsDuplicateKeys: true))
                read = true
            } catch {
                // The scan does not check the content of escapes.
                if error.reason == .loneSurrogate { continue }
                read = false
            }
            let scanned = JSONScan.isValue([0x22] + text + [0x5D], 1..<(text.count + 1))
            #expect(scanned == read, "\(String(decoding: text, as: UTF8.self))")
            if read { accepted += 1 }
        }
        #expect((2000..<18_000).contains(accepted))
    }

    @Test func jsonScanHasADepth() {
        func nested(_ depth: Int) -> Bool {
            let (text, range) = bytes(String(repeating: "[{\"a\":", count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2))
            return JSONScan.isValue(text, range)
        }
        #expect(nested(200))
        #expect(!nested(202))
        #expect(!nested(1_000_000))
    }
}
