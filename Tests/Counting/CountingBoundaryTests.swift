import Foundation
import Testing
import Workbench

/// The count is evidence only if it shares no code with the readers that it is compared with.
@Suite struct CountingBoundaryTests {
    private let root = ProjectFolder.root

    @Test("Counting imports only C libraries, Foundation and Model, and nothing of the readers")
    func imports() throws {
        let folder = root.appendingPathComponent("Sources/Counting")
        var imported: Set<String> = []
        var files = 0
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) where file.pathExtension == "swift" {
            files += 1
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                if let index = words.firstIndex(of: "import"), index <= 1, index + 1 < words.count { imported.insert(String(words[index + 1])) }
            }
        }
        #expect(files > 10)
        #expect(imported.isSubset(of: ["Foundation", "Model", "CISAL", "CLibXML2", "GRDBSQLite", "Glibc"]), "\(imported)")
    }

    @Test("The target Counting does not depend on the rooms of the readers")
    func dependencies() throws {
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let line = try #require(manifest.split(separator: "\n").first { $0.contains("stage(\"Counting\"") })
        // It does not depend on the decompression that the readers use either.
        for name in ["Importing", "Zipping", "JSONReading", "Spreadsheets", "Patterns", "CZlib"] { #expect(!line.contains(name)) }
        for name in ["CISAL", "CLibXML2"] { #expect(line.contains(name)) }
    }
}
