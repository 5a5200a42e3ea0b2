import Foundation
import Testing
import Workbench

/// Each room begins with what it does and what it knows nothing of. A person who opens the folder reads this first.
@Suite struct RoomTests {
    private static let root = ProjectFolder.root

    private static var rooms: [String] {
        get throws {
            let sources = root.appendingPathComponent("Sources")
            return try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted().filter { room in
                // A folder whose name begins with C and that has no Swift is a C library.
                try FileManager.default.subpathsOfDirectory(atPath: sources.appendingPathComponent(room).path).contains { $0.hasSuffix(".swift") } && room != "fichero"
            }
        }
    }

    @Test(arguments: try rooms) func opensWithWhatItDoesAndKnows(_ room: String) throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("Sources/\(room)/\(room).swift"), encoding: .utf8)
        let lines = text.components(separatedBy: "\n").prefix { $0.hasPrefix("// ") }.map { $0.dropFirst(3) }
        let opening = lines.joined(separator: " ")
        #expect(opening.count >= 60 && opening.contains(/\bknows?\b/), "\(opening)")
    }

    /// What each target of the package depends on, by the names of the targets.
    private static func dependencies() throws -> [String: Set<String>] {
        let text = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let targets = text.components(separatedBy: "targets: [\n").last ?? ""
        let starts = targets.matches(of: /(stage\(|\.target\(\s*name: |\.executableTarget\(\s*name: |\.systemLibrary\(|\.plugin\(|testTarget\(|tests\(|\/\/)\s*("(\w+)")?/)
        var found: [String: Set<String>] = [:]
        for (index, start) in starts.enumerated() {
            guard let name = start.output.3, start.output.1.hasPrefix("stage") || start.output.1.contains("arget(\n") || start.output.1.hasSuffix("name: ") else { continue }
            let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : targets.endIndex
            var rest = String(targets[start.range.upperBound..<end])
            for option in ["swiftSettings:", "path:", "plugins:"] { rest = rest.components(separatedBy: option)[0] }
            let words = rest.replacing(/package: "[^"]*"/, with: "").matches(of: /"(\w+)"/).map { String($0.output.1) }
            found[String(name)] = Set(words + (start.output.1.hasPrefix("stage") ? ["Model"] : []))
        }
        return found
    }

    @Test func theTableOfRoomsIsThatOfThePackage() throws {
        let document = try String(contentsOf: Self.root.appendingPathComponent("Docs/architecture.md"), encoding: .utf8)
        var table: [String: Set<String>] = [:]
        for row in document.matches(of: /\n\| `(\w+)` \| [^|]+ \| ([^|]+) \|/) {
            let imports = row.output.2.components(separatedBy: ", ")
            table[String(row.output.1)] = imports == ["–"] ? [] : Set(imports)
        }
        let found = try Self.dependencies()
        let rooms = Set(try Self.rooms).union(["Workbench"])
        #expect(Set(table.keys) == rooms)
        for room in rooms.sorted() { #expect(table[room] == found[room], "\(room)") }
    }

    /// A room imports exactly what the package declares for it.
    @Test(arguments: try rooms) func importsWhatThePackageDeclares(_ room: String) throws {
        let folder = Self.root.appendingPathComponent("Sources/" + room)
        var imports: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            imports.formUnion(text.matches(of: /(?m)^(?:@\w+(?:\(\w+\))? )?(?:(?:package|internal|private|public) )?import (?:struct |class |func |enum )?(\w+)/).map { String($0.output.1) })
        }
        let declared = try Self.dependencies()[room] ?? []
        #expect(imports.subtracting(["Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Dispatch"]).symmetricDifference(declared) == [])
    }
}
