import Foundation
import Testing
import Workbench

/// Rows of entities and books are written by the gate, by undo and by a few that are named here; a new writer has to be named too.
@Suite struct GateSourceTests {
    /// Beside the gate (`Importing`, `Changing`, `Undoing`) and what it stands on (`Schema`): what writes, and why.
    private static let others = [
        "Replica/Opening/Actors.swift": "the administrator whom init makes, the membership of --join",
        "Replica/Keeping/KeptVerdicts.swift": "what validations found, to tell again",
        "Replica/Keeping/TouchedRows.swift": "which rows changed without a new stamp",
        "Replica/Registering/ExportNumbers.swift": "numbers that a registered document shows",
        "Replica/Registering/FindingAcceptances.swift": "somebody's word on a finding",
        "Replica/Registering/FormerLines.swift": "the lines of what older versions registered",
        "Replica/Registering/KeptValidations.swift": "findings of the last validations",
        "Replica/Registering/Marking.swift": "Fichero's own mark on what was registered",
        "Replica/Registering/Registration.swift": "documents and their versions",
        "Replica/Registering/RunJournal.swift": "runs and their files",
    ]

    @Test func nobodyElseWritesRows() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
        // A statement that writes, but for those of a connection's own temporary tables.
        let write = /(?:INSERT (?:OR [A-Z]+ )?INTO|DELETE FROM|UPDATE)\s+(?!temp\.)(?:main\.|\\\(|[a-z_"]+ (?:SET|\(|WHERE|AS))/
        var writers: Set<String> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) where name.hasSuffix(".swift") {
            let lines = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8).split(separator: "\n")
            if lines.contains(where: { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") && $0.firstMatch(of: write) != nil }) { writers.insert(name) }
        }
        let gate = ["Replica/Importing/", "Replica/Changing/", "Replica/Undoing/", "Replica/Schema/"]
        let beside = writers.filter { name in !gate.contains { name.hasPrefix($0) } }
        #expect(beside == Set(Self.others.keys))
        #expect(writers.contains("Replica/Importing/Applying/EntityRows.swift"))
    }
}
