import Counting
import Foundation
import Importing
import Model
import Testing
import Workbench

/// The tables of a property list are counted without their reader, whatever they hold.
@Suite struct PropertyListCountTests {
    @Test("What Python writes has no gap", arguments: 11...12) func randomLists(seed: Int) throws {
        let folder = try TemporaryFolder()
        try PropertyListSamples.write(25, seed: seed, to: folder)
        for number in 0..<25 {
            for form in ["xml", "binary"] { try Evidence.expectWhole(folder.file("\(form)/\(number).plist")) }
        }
    }

    @Test("What is no value, and what only some programs write, has no gap") func rareValues() throws {
        let folder = try TemporaryFolder()
        let words = [
            "<integer> +7 </integer>", "<integer>0x1F</integer>", "<integer>-0x10</integer>", "<integer>seven</integer>", "<integer/>", "<integer>1 2</integer>", "<real>.5</real>",
            "<real>5.</real>", "<real>-1E-3</real>", "<real>1e999</real>", "<real>nan</real>", "<real>0x1p3</real>", "<date>x</date>", "<date/>", "<data/>", "<data>AAEC</data>",
            "<data>eyJhIjpbMSwyXX0=</data>", "<data> W1 0=</data>", "<data>Ww==</data>", "<data>e1xydGYxfQ==</data>", "<string/>", "<string> </string>", "<array/>", "<dict/>", "<true/>",
        ]
        for value in words + ["<array>\(words.joined())</array>", "<array><array>\(words.joined())</array></array>"] {
            for text in [value, "<dict><key>a</key>\(value)</dict>", "<array><dict><key>a\\\"</key>\(value)</dict></array>"] {
                try Evidence.expectWhole(folder.write("<plist>\(text)</plist>", to: "a.plist"))
            }
        }
        let objects: [[UInt8]] = [
            [0x00], [0x08], [0x09], [0x10, 0xFF], [0x11, 0xFF, 0xFF], [0x12, 0xFF, 0xFF, 0xFF, 0xFF], [0x13] + [UInt8](repeating: 0xFF, count: 8), [0x14] + [UInt8](repeating: 0xFE, count: 16),
            [0x22, 0x3F, 0, 0, 0], [0x23, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], [0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], [0x33, 0x41, 0xC0, 0, 0, 0, 0, 0, 0], [0x40], [0x43, 0x5B, 0x31, 0x5D],
            [0x50], [0x51, 0x61], [0x61, 0x00, 0xF1], [0xA0], [0xD0],
        ]
        let all = PropertyListSamples.list(Array(1...objects.count))
        try Evidence.expectWhole(folder.write(PropertyListSamples.binary([all] + objects), to: "a.plist"))
        for object in objects { try Evidence.expectWhole(folder.write(PropertyListSamples.binary([object]), to: "a.plist")) }
    }

    @Test("What the reader takes of changed lists has no gap", arguments: ["xml", "binary"]) func changedLists(form: String) throws {
        let folder = try TemporaryFolder()
        try PropertyListSamples.write(8, seed: 21, to: folder)
        var random = SeededNumbers(4)
        var options = TableOptions()
        try options.limits.set("propertyListBytes", to: "1M")
        options.kinds = [PropertyListFormat.self]
        var taken = 0
        for turn in 0..<400 {
            var bytes = Array(try folder.data(of: "\(form)/\(turn % 8).plist"))
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            let path = try folder.write(bytes, to: "a.plist")
            guard let file = try? TableFiles.open(path: path, options: options) else { continue }
            taken += 1
            let source = try SourceCounter.count(path: path, kind: "plist", options: Evidence.options(file, path: path))
            #expect(try CountComparison(reader: Evidence.tallies(file), source: source).gaps == [], "\(turn)")
        }
        #expect(taken > 50)
    }

    @Test("A lost row is a gap") func lostRow() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("<plist><array><true/><true/></array></plist>", to: "a.plist")
        var given = try Evidence.tallies(TableFiles.open(path: path))
        given[0].rows? -= 1
        let comparison = CountComparison(reader: given, source: try SourceCounter.count(path: path, kind: "plist"))
        #expect(comparison.gaps.map(\.what) == [.rows])
    }

    @Test("A broken list is a fault or is refused by its reader alone", arguments: PropertyListSamples.broken.indices) func broken(_ index: Int) throws {
        let folder = try TemporaryFolder()
        let (name, bytes, _) = PropertyListSamples.broken[index]
        let path = try folder.write(bytes, to: "a.plist")
        // The reader alone judges the characters of texts and the version.
        guard !["half a character", "a text that is not ASCII", "another version"].contains(name) else {
            _ = try? SourceCounter.count(path: path, kind: "plist")
            return
        }
        var options = SourceCounter.Options()
        options.bounds.ofFormats["propertyListBytes"] = 1 << 20
        #expect(throws: CountFault.self, "\(name)") { try SourceCounter.count(path: path, kind: "plist", options: options) }
    }
}
