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
                "Blocks/Kinds/SummaryBlock.swift": "depth_m",
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
        var found = Set(literal.matches(of: /[A-Za-z][A-Za-z0-9_]*/).map { String($0.output) }.filter { !isWord($0) })
        found.formUnion(literal.matches(of: /\b(?:FROM|JOIN|INTO|UPDATE)\s+"?(\w+)/).map { String($0.output.1) })
        return found.intersection(all)
    }

    private static func isWord(_ name: String) -> Bool { name.dropFirst().allSatisfy { $0.isASCII && $0.isLowercase } }

    private static func sources() throws -> [(file: String, text: String)] {
        let folder = root.appendingPathComponent("Sources")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.sorted().map {
            ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    @Test("The program has no name of a pack's table, field or event, except words with another meaning in that file")
    func noNames() throws {
        let names = try Self.names()
        try #require(names.count > 100 && names.isSuperset(of: ["calicata_cortes", "photoMin", "RoomStateChanged", "ROOM_NOTE_DELETED"]))
        var found: [String: Set<String>] = [:]
        for (file, text) in try Self.sources() {
            for literal in SwiftLiterals(text).all { found[file, default: []].formUnion(Self.names(in: literal, of: names)) }
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
        for (file, text) in try Self.sources() {
            let words = Set(SwiftLiterals(text).all.flatMap { $0.lowercased().matches(of: /[a-z]+/).map { String($0.output) } })
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
    private let code: [Character]
    private var next = 0

    init(_ text: String) {
        code = Array(text)
        scan(until: nil)
    }

    private func stands(_ mark: String, at place: Int? = nil) -> Bool {
        let place = place ?? next
        return place + mark.count <= code.count && zip(mark, code[place...]).allSatisfy { $0 == $1 }
    }

    /// - Parameter end: the bracket that ends an interpolation; nil for the end of the code.
    private mutating func scan(until end: Character?) {
        var depth = 0
        while next < code.count {
            if stands("//") {
                while next < code.count, !code[next].isNewline { next += 1 }
            } else if stands("/*") {
                skipBlock()
            } else if code[next] == "\"" || code[next] == "#", let marks = opening() {
                literal(marks)
            } else {
                if code[next] == "(" { depth += 1 }
                if code[next] == ")" {
                    if depth == 0, end != nil { return }
                    depth -= 1
                }
                next += 1
            }
        }
    }

    private mutating func skipBlock() {
        var depth = 0
        repeat {
            if stands("/*") { (depth, next) = (depth + 1, next + 2) } else if stands("*/") { (depth, next) = (depth - 1, next + 2) } else { next += 1 }
        } while depth > 0 && next < code.count
    }

    /// The quotation marks around a literal that begins here, and the mark before an escaped
    /// character.
    private func opening() -> (open: String, close: String, escape: String)? {
        let hashes = String(code[next...].prefix { $0 == "#" })
        let quote = stands("\"\"\"", at: next + hashes.count) ? "\"\"\"" : "\""
        guard stands(quote, at: next + hashes.count) else { return nil }
        return (hashes + quote, quote + hashes, "\\" + hashes)
    }

    private mutating func literal(_ marks: (open: String, close: String, escape: String)) {
        next += marks.open.count
        var text = ""
        while next < code.count, !stands(marks.close) {
            guard stands(marks.escape) else {
                text.append(code[next])
                next += 1
                continue
            }
            let after = next + marks.escape.count
            if after < code.count, code[after] == "(" {
                next = after + 1
                scan(until: ")")
                next += 1
            } else {
                text += String(code[next..<min(code.count, after + 1)])
                next = after + 1
            }
        }
        next += marks.close.count
        all.append(text)
    }
}
