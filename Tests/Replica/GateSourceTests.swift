import Foundation
import Testing
import Workbench

/// Only the gate writes rows of entities and of the books, and one of its folders judges who may do what. The sources are checked for this.
@Suite struct GateSourceTests {
    private static let root = ProjectFolder.root
        .appendingPathComponent("Sources")
    private static let gate = ["Replica/Judging/", "Replica/Changing/", "Replica/Importing/", "Replica/Undoing/"]
    /// What brings an older replica up to date with its pack, before anybody works with it.
    private static let migration: Set = ["Replica/Schema/KeyTexts.swift", "Replica/Schema/FormerBooks.swift"]
    /// What fills databases that are made for others.
    private static let others: Set = ["Databases/DatabaseSQL.swift"]
    /// Tables that hold no row of a record and no book: how runs went, what validations found, the replica's own description.
    private static let notebooks = [
        "pipeline_runs", "run_outputs", "run_findings", "kept_", "touched_rows", "fichero_replica", "fichero_writes",
    ]

    private static func sources() throws -> [(name: String, lines: [Substring])] {
        try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }.map { name in
            let lines = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8).split(separator: "\n")
            return (name, lines.filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") })
        }
    }

    @Test func nobodyElseWritesRows() throws {
        // A statement that writes, except to a connection's own temporary tables. After it comes a table's name, or its placeholder.
        let write = /(?:INSERT (?:OR [A-Z]+ )?INTO|DELETE FROM|UPDATE)\s+(?:main\.)?([a-z_]+|"|\\\()/
        var writers: [String: Set<String>] = [:]
        for (name, lines) in try Self.sources() {
            let tables = lines.flatMap { $0.matches(of: write).map { String($0.output.1) } }.filter { $0 != "temp" && $0 != "staging" }
            if !tables.isEmpty { writers[name] = Set(tables) }
        }
        #expect(writers["Replica/Importing/Applying/EntityRows.swift"]?.contains("\\(") == true)
        #expect(writers["Replica/Changing/RegistrationChange.swift"]?.contains("exports") == true)
        for (name, tables) in writers where !Self.gate.contains(where: name.hasPrefix) && !Self.migration.contains(name) && !Self.others.contains(name) {
            let books = tables.filter { table in !Self.notebooks.contains { table == $0 || ($0.hasSuffix("_") && table.hasPrefix($0)) } }
            #expect(books.isEmpty, "\(name) writes \(books.sorted())")
        }
    }

    /// Outside `Judging`, no code checks a role's rights, memberships, moves or closed states in order to let a change through.
    @Test func nobodyElseJudges() throws {
        let question = /permissions\.contains|\.transitions\b|\.closed\b|change_scope|FROM (?:main\.)?project_members/
        // Who sees what, and what a name means, is not a judgement on a change.
        let others: Set = [
            // Refuses a permission on the judge's and on a command's behalf.
            "Replica/Opening/Actors.swift",
            // What an actor sees: conflicts, history, status, people, projects, quarantine, what prevents an undo.
            "Replica/Changing/Conflicts.swift", "Replica/Registering/History.swift", "Replica/Registering/Status.swift", "Replica/Opening/People.swift",
            "Replica/Reading/ReadSession.swift", "Replica/Importing/RejectedRows.swift", "Replica/Undoing/ImportUndo.swift",
            // Which set `last` names.
            "Replica/Undoing/UndoTarget.swift",
            // A profile takes the place of another, with its memberships.
            "Replica/Importing/Applying/StandIns.swift",
            // The name of a temporary table, to drop it.
            "Replica/Importing/Applying/ImportApplication.swift",
        ]
        let found = try Self.sources().filter { name, lines in
            name.hasPrefix("Replica/") && !name.hasPrefix("Replica/Judging/") && lines.contains { $0.firstMatch(of: question) != nil }
        }
        #expect(Set(found.map(\.name)) == others)
    }
}
