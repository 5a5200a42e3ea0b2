import Foundation
import Model
import Packs
import Testing
import Workbench

/// A name that only one system uses stands only in its pack. The program names no table, field or
/// event of a pack.
@Suite struct SystemNamesTests {
    private static let root = ProjectFolder.root

    /// Words that have another meaning in a file of the program, with the meaning for each file.
    private static let byChance = Dictionary(uniqueKeysWithValues: meanings.flatMap { $0.files.map { ($0.key, Set($0.value.split(separator: " ").map(String.init))) } })

    private static let meanings: [(why: String, files: [String: String])] = [
        (
            "The configuration's own key.",
            [
                "CommandLineTool/Setting/Configuration.swift": "orgId",
            ]
        ),
        (
            "Keys and words of the pack format, and what its mistakes quote.",
            [
                "Blocks/Kinds/PivotBlock.swift": "depth_m",
            ]
        ),
        (
            "Tables and columns of the program's own.",
            [
                "Replica/Importing/Staging/ImportStaging.swift": "photos",
                "Replica/Pushing/SentItems.swift": "sent_at",
                "Replica/Schema/ProgramTables.swift": "sent_at",
            ]
        ),
    ]

    /// Names of tables, fields and events of all packs, and other names of fields. Names that the
    /// shared core uses are left out.
    private static func names() throws -> Set<String> {
        var own: Set<String> = [], core: Set<String> = []
        for pack in try PackLoader.loadAll(from: root.appendingPathComponent("Templates")) {
            for entity in pack.entities {
                let names = [entity.name] + entity.aliases + entity.fields.flatMap { [$0.name] + $0.aliases }
                if entity.isCore { core.formUnion(names) } else { own.formUnion(names) }
            }
            guard let events = pack.events, let type = pack.entity(events.entity)?.field(events.type) else { continue }
            own.formUnion(type.vocabulary.flatMap { pack.vocabulary($0) }?.entries.flatMap { [$0.value] + $0.aliases } ?? [])
        }
        return own.subtracting(core)
    }

    /// The pack's names in a literal. An ordinary word, of which every pack has some, counts only
    /// if SQL uses it as a table.
    private static func names(in literal: String, of all: Set<String>) -> Set<String> {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let pieces = literal.utf8.split { !isLetter($0) && !digits.contains($0) && $0 != UInt8(ascii: "_") }
        let words = pieces.map { String(decoding: $0.drop { !isLetter($0) }, as: UTF8.self) }
        var found = Set(words.filter { !isWord($0) })
        if tableWords.contains(where: literal.contains) {
            found.formUnion(literal.matches(of: /\b(?:FROM|JOIN|INTO|UPDATE)\s+"?(\w+)/).map { String($0.output.1) })
        }
        return found.intersection(all)
    }

    private static let tableWords = ["FROM", "JOIN", "INTO", "UPDATE"]

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isWord(_ name: String) -> Bool { name.dropFirst().allSatisfy { $0.isASCII && $0.isLowercase } }

    private static let literals = Result {
        let folder = root.appendingPathComponent("Sources")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.sorted().map {
            let text = try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
            return (file: $0, all: SwiftLiterals(text).all)
        }
    }

    @Test("The program has no name of a pack's table, field or event, except words with another meaning in that file")
    func noNames() throws {
        let names = try Self.names()
        try #require(names.count > 100 && names.isSuperset(of: ["calicata_cortes", "photoMin", "RoomStateChanged", "ROOM_NOTE_DELETED"]))
        var found: [String: Set<String>] = [:]
        for (file, literals) in try Self.literals.get() {
            for literal in literals { found[file, default: []].formUnion(Self.names(in: literal, of: names)) }
        }
        for (file, words) in found.sorted(by: { $0.key < $1.key }) {
            let own = Self.byChance[file] ?? []
            #expect(words.subtracting(own).isEmpty, "Sources/\(file) names what belongs into a pack")
        }
        for (file, words) in Self.byChance.sorted(by: { $0.key < $1.key }) {
            #expect(words.subtracting(found[file] ?? []).isEmpty, "Sources/\(file) no longer has these: they go from the list")
        }
    }

    @Test("The program has no name of a system")
    func noSystems() throws {
        let systems = PackLoader.names(in: Self.root.appendingPathComponent("Templates"))
        try #require(systems.count > 1)
        for (file, literals) in try Self.literals.get() {
            let pieces = literals.flatMap { $0.lowercased().utf8.split { !Self.isLetter($0) } }
            let words = Set(pieces.map { String(decoding: $0, as: UTF8.self) })
            // Examples of commands in help texts name packs that come with the program.
            guard !file.hasPrefix("CommandLineTool/Commands/") else { continue }
            #expect(words.isDisjoint(with: systems), "Sources/\(file)")
        }
    }

    @Test("String literals are found in code and not in comments")
    func literals() {
        let code = ##"""
            // "comment" and /* "more" */
            /* "block" /* "within" */ "still" */ let a = "plain", b = "with \"quotes\" and \(c ? "inner" : f("deep")) end"
            let d = #"raw "text" \(no) \#("yes")"#, e = """
                lines "of" \("text")
                """
            """##
        #expect(SwiftLiterals(code).all == [
            "plain", "inner", "deep", #"with \"quotes\" and  end"#, "yes", #"raw "text" \(no) "#, "text", "\n    lines \"of\" \n    ",
        ])
    }

    @Test("Names are found inside literals, and ordinary words only if they stand alone or name a table", arguments: [
        ("photo_ids", ["photo_ids"]), ("SELECT a, photo_ids FROM b", ["photo_ids"]), ("levels", []), ("the levels of it", []),
        ("SELECT 1 FROM levels WHERE 1", ["levels"]), ("photo_idsx", []), ("RoomStateChanged!", ["RoomStateChanged"]),
    ])
    func found(literal: String, expected: [String]) {
        #expect(Self.names(in: literal, of: ["photo_ids", "levels", "RoomStateChanged"]) == Set(expected))
    }
}

/// The string literals of Swift code. A literal inside an interpolation comes before the one around
/// it.
private struct SwiftLiterals {
    private(set) var all: [String] = []
    private let code: [UInt8]
    private var next = 0

    private static let slash = UInt8(ascii: "/"), quote = UInt8(ascii: "\""), hash = UInt8(ascii: "#")
    private static let opened = UInt8(ascii: "("), closed = UInt8(ascii: ")")
    private static let lineComment = Array("//".utf8), blockStart = Array("/*".utf8), blockEnd = Array("*/".utf8)

    init(_ text: String) {
        code = Array(text.utf8)
        scan(untilClosed: false)
    }

    private func stands(_ mark: [UInt8], at place: Int? = nil) -> Bool {
        let place = place ?? next
        guard place + mark.count <= code.count else { return false }
        for index in mark.indices where code[place + index] != mark[index] { return false }
        return true
    }

    /// - Parameter untilClosed: whether this is an interpolation, which a bracket ends.
    private mutating func scan(untilClosed: Bool) {
        var depth = 0
        while next < code.count {
            let byte = code[next]
            if byte == Self.slash, stands(Self.lineComment) {
                while next < code.count, code[next] != UInt8(ascii: "\n") { next += 1 }
            } else if byte == Self.slash, stands(Self.blockStart) {
                skipBlock()
            } else if byte == Self.quote || byte == Self.hash, let marks = opening() {
                literal(marks)
            } else {
                if byte == Self.opened { depth += 1 }
                if byte == Self.closed {
                    if depth == 0, untilClosed { return }
                    depth -= 1
                }
                next += 1
            }
        }
    }

    private mutating func skipBlock() {
        var depth = 0
        repeat {
            if stands(Self.blockStart) {
                (depth, next) = (depth + 1, next + 2)
            } else if stands(Self.blockEnd) {
                (depth, next) = (depth - 1, next + 2)
            } else {
                next += 1
            }
        } while depth > 0 && next < code.count
    }

    /// The quotation marks around a literal that begins here, and the mark before an escaped
    /// character.
    private func opening() -> (open: [UInt8], close: [UInt8], escape: [UInt8])? {
        let hashes = Array(code[next...].prefix { $0 == Self.hash })
        let three = [Self.quote, Self.quote, Self.quote]
        let quote = stands(three, at: next + hashes.count) ? three : [Self.quote]
        guard stands(quote, at: next + hashes.count) else { return nil }
        return (hashes + quote, quote + hashes, [UInt8(ascii: "\\")] + hashes)
    }

    private mutating func literal(_ marks: (open: [UInt8], close: [UInt8], escape: [UInt8])) {
        next += marks.open.count
        var text: [UInt8] = []
        while next < code.count, !stands(marks.close) {
            guard stands(marks.escape) else {
                text.append(code[next])
                next += 1
                continue
            }
            let after = next + marks.escape.count
            if after < code.count, code[after] == Self.opened {
                next = after + 1
                scan(untilClosed: true)
                next += 1
            } else {
                text += code[next..<min(code.count, after + 1)]
                next = after + 1
            }
        }
        next += marks.close.count
        all.append(String(decoding: text, as: UTF8.self))
    }
}
