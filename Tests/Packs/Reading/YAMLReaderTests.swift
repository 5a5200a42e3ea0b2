import Foundation
import Testing
import Workbench

@testable import Model
@testable import Packs

@Suite struct YAMLReaderTests {
    private func read(_ text: String) -> (YAMLNode?, [PackMistake]) {
        let mistakes = MistakeList()
        return (YAMLReader.read(Array(text.utf8), file: "f.yaml", mistakes: mistakes), mistakes.sorted)
    }

    @Test func keepsTextsAndPlaces() throws {
        let (node, mistakes) = read("a: 0045\nb: [12:30, NO, 1.10, ~]\nc:\n  ñ: {d: 'x', e: }\n")
        #expect(mistakes.isEmpty)
        let root = try #require(node)
        #expect(root.text("a") == "0045")
        #expect(root.texts("b") == ["12:30", "NO", "1.10", "~"])
        let inner = try #require(root["c"]?["ñ"])
        #expect(inner["d"]?.place == PackPlace(file: "f.yaml", line: 4, column: 10))
        #expect(inner["e"]?.isNothing == true && inner["e"]?.text == nil)
    }

    @Test(arguments: [
        ("a: 1\na: 2\n", [(2, 1)]),
        ("a: 1\nb: 2\n\"a\": 2\n", [(3, 1)]),
        ("x: {a: 1, b: a, a: 2}\n", [(1, 17)]),
        ("x:\n  - a: 1\n    c: 2\n    a: 3\n  - a: 1\n    a: 2\n", [(4, 5), (6, 5)]),
        ("a: 1\nb: 1\na: 2\na: 3\nb: 2\n", [(3, 1), (4, 1), (5, 1)]),
        ("x:\n  a: 1\ny:\n  a: 1\nx: 2\n", [(5, 1)]),
        ("1: a\n'1': b\n", [(2, 1)]),
        ("no: a\nNO: b\nno: c\n", [(3, 1)]),
    ])
    func findsEveryDuplicateKey(_ text: String, _ places: [(Int, Int)]) {
        let (node, mistakes) = read(text)
        #expect(node != nil)
        #expect(mistakes.allSatisfy { $0.code == .duplicateKey })
        #expect(mistakes.map(\.line) == places.map(\.0))
        #expect(mistakes.map(\.column) == places.map(\.1))
    }

    @Test(arguments: [
        ("a: [1, 2\n", PackMistake.Code.yaml), ("a: 'x\n", .yaml), ("a: b: c\n", .yaml), ("\ta: 1\n", .yaml), ("", .yaml),
        ("a: 1\n---\nb: 2\n", .yaml),
        ("a: \u{1}\n", .yaml), ("a: &x 1\nb: *x\n", .anchor), ("a: &x 1\n", .anchor), ("a: *x\n", .anchor),
        ("a: !!int 3\n", .anchor),
        ("a: !secret x\n", .anchor), ("\u{FEFF}a: 1\n", .notUTF8), ("? [a]\n: 1\n", .wrongType),
    ])
    func refusesWhatPacksMayNotHold(_ text: String, _ code: PackMistake.Code) {
        let (_, mistakes) = read(text)
        #expect(mistakes.map(\.code) == [code])
    }

    @Test func syntaxErrorsSayWhere() {
        let (_, mistakes) = read("a: 1\nb: [1,\nc: 2\n")
        #expect(mistakes.first?.line ?? 0 >= 2)
        #expect(mistakes.first?.arguments["problem"]?.isEmpty == false)
    }

    @Test func refusesBytesThatAreNoUTF8() {
        let mistakes = MistakeList()
        #expect(YAMLReader.read([0x61, 0x3A, 0x20, 0xE9], file: "f", mistakes: mistakes) == nil)
        #expect(mistakes.mistakes.map(\.code) == [.notUTF8])
    }

    @Test func refusesBombs() {
        // Each line doubles the one before. If aliases were followed, there would be 2^60 nodes.
        // Keys must not be followed either when they are compared.
        var bomb = "a0: &a0 [x, x]\n"
        for level in 1...60 { bomb += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        #expect(read(bomb).1.map(\.code) == [.anchor])
        #expect(read(bomb + "? *a60\n: 1\n").1.map(\.code) == [.anchor])
        #expect(read(String(repeating: "[", count: 100_000)).1.map(\.code) == [.tooBig])
        #expect(read("a: " + String(repeating: "[", count: 500) + String(repeating: "]", count: 500)).1.map(\.code) == [.tooBig])
        #expect(read("a: " + String(repeating: "x", count: 2 << 20)).1.map(\.code) == [.tooBig])
        #expect(read("a: [" + String(repeating: "1,", count: 150_000) + "]").1.first?.code == .tooBig)
    }

    /// Reading any file ends in a tree, or in mistakes with their places.
    @Test(arguments: 0..<40) func survivesMutilatedFiles(_ seed: UInt64) throws {
        var random = SeededNumbers(seed)
        let names = SamplePack.valid.keys.filter { $0.hasPrefix("pits/") && !$0.contains("texts") }.sorted()
        let inserts = [
            "&a ", "*a", "a: 1\n", "\n", "  ", "{", "}", "[", "]", "'", "\"", ": ", "- ", "? ", "!x ", "#", "|", "\u{0}", "\t", "ñ",
            "---\n", ",",
        ]
        for turn in 0..<25 {
            let name = names.randomElement(using: &random) ?? names[0]
            var bytes = Array((SamplePack.valid[name] ?? "").utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let spot = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[spot] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: spot)
                case 2: bytes.insert(contentsOf: Array((inserts.randomElement(using: &random) ?? "").utf8), at: spot)
                default:
                    // A line is repeated, which often makes a key occur twice.
                    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                    bytes.insert(contentsOf: Array(((lines.randomElement(using: &random) ?? "") + "\n").utf8), at: 0)
                }
            }
            let found = MistakeList()
            let node = YAMLReader.read(bytes, file: name, mistakes: found)
            #expect(node != nil || !found.isEmpty)
            if turn == 0, let text = String(validating: bytes, as: UTF8.self) {
                _ = try SamplePack().adding(name, text).mistakes()
            }
        }
    }

    @Test func textWithAnAmpersandIsNoAnchor() {
        let (node, mistakes) = read("a: R&D\nb: x &y\nc: |\n  SELECT a &b, *c\nd: '&e'\n")
        #expect(mistakes.isEmpty)
        #expect(node?.text("b") == "x &y" && node?.text("d") == "&e")
    }

    @Test func aBrokenFileHidesWhatFollowsFromIt() throws {
        // The file pits.yaml is broken. Other mentions of pits must not be reported as mistakes.
        let mistakes = try SamplePack().replacing("fields:", with: "fields: [", in: "pits/entities/pits.yaml").mistakes()
        #expect(mistakes.map(\.code) == [.yaml])
        #expect(mistakes.first?.file == "pits/entities/pits.yaml")
    }

    @Test func missingAndForeignFilesAreReported() throws {
        #expect(try SamplePack().removing("pits/pack.yaml").mistakes().map(\.code) == [.missingFile])
        let text = try SamplePack().removing("pits/texts/en.yaml").mistakes()
        #expect(text.map(\.code) == [.missingFile] && text.first?.file == "pits/texts/en.yaml")
        let folder = try SamplePack().adding("pits/entitys/x.yaml", "a: 1").mistakes()
        #expect(folder.map(\.code) == [.unknownFile] && folder.first?.arguments["nearest"] == "entities")
        for name in [
            "pits/entities/x.yml", "pits/texts/fr.yaml", "pits/entities.yaml", "core/pack.yaml", "core/jobs/x.yaml",
            "pits/rules/x.sql",
        ] {
            let mistakes = try SamplePack().adding(name, "a: 1").mistakes()
            #expect(mistakes.map(\.code) == [.unknownFile], "\(name)")
        }
        #expect(
            try SamplePack().adding("pits/texts/it.yaml", SamplePack.valid["pits/texts/es.yaml"] ?? "").mistakes().map(\.code) == [
                .unknownFile
            ])
    }

    @Test func linksAreNotFollowed() throws {
        try SamplePack().inFolder { folder in
            let link = folder.appendingPathComponent("pits/entities/extra.yaml")
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/etc/hostname")
            let failure = #expect(throws: PackFailure.self) { try PackLoader.load("pits", from: folder) }
            #expect(failure?.mistakes.map(\.code) == [.unknownFile])
        }
    }
}
