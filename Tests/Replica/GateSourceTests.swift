import Foundation
import Testing
import Workbench

/// Only the gate writes rows of entities and of the replica's own records, and only one of its
/// folders decides who may do what. The tests search the sources for this.
@Suite struct GateSourceTests {
    private static let root = ProjectFolder.root
        .appendingPathComponent("Sources")
    private static let gate = ["Replica/Judging/", "Replica/Changing/", "Replica/Importing/", "Replica/Undoing/", "Replica/Erasing/", "Replica/Pulling/", "Replica/Pushing/"]
    /// These files bring an older replica up to date with its pack, before anybody works with it.
    private static let migration: Set = [
        "Replica/Opening/Initialising.swift", "Replica/Opening/Initialising.swift",
        "Replica/Schema/RenamedFields.swift",
    ]
    /// This room prints SQL that somebody else runs on a server.
    private static let server = "ServerSchema/"
    /// This file changes the central database, which judges by itself.
    private static let remote = "Remotes/PostgreSQL/PostgresRemote+Pushing.swift"
    /// This file fills databases that are made for others.
    private static let others: Set = ["Databases/DatabaseTable.swift"]
    /// Tables that are neither records nor logs of changes: how runs went, what validations found,
    /// and what the replica says about itself.
    private static let notebooks = [
        "pipeline_runs", "run_outputs", "run_findings", "kept_", "touched_rows", "fichero_replica", "fichero_writes",
        "ruling_packs",
    ]

    private static func sources() throws -> [(name: String, lines: [Substring])] {
        try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }.map { name in
            let lines = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8).split(separator: "\n")
            return (name, lines.filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") })
        }
    }

    @Test func nobodyElseWritesRows() throws {
        // A statement that writes, except to temporary tables of a connection. The name of a table
        // or its placeholder follows.
        let write = /(?:INSERT (?:OR [A-Z]+ )?INTO|DELETE FROM|UPDATE)\s+(?:main\.)?([a-z_]+|"|\\\()/
        var writers: [String: Set<String>] = [:]
        for (name, lines) in try Self.sources() {
            let tables = lines.flatMap { $0.matches(of: write).map { String($0.output.1) } }.filter { $0 != "temp" && $0 != "staging" }
            if !tables.isEmpty { writers[name] = Set(tables) }
        }
        #expect(writers["Replica/Importing/Applying/EntityRows.swift"]?.contains("\\(") == true)
        #expect(writers["Replica/Changing/RegistrationChange.swift"]?.contains("exports") == true)
        for (name, tables) in writers where !Self.gate.contains(where: name.hasPrefix) && !Self.migration.contains(name) && !Self.others.contains(name)
            && !name.hasPrefix(Self.server) && name != Self.remote
        {
            let books = tables.filter { table in !Self.notebooks.contains { table == $0 || ($0.hasSuffix("_") && table.hasPrefix($0)) } }
            #expect(books.isEmpty, "\(name) writes \(books.sorted())")
        }
    }

    /// Outside `Judging`, no code checks roles, memberships, moves or closed states in order to
    /// allow a change.
    @Test func nobodyElseJudges() throws {
        let question = /permissions\.contains|\.transitions\b|\.closed\b|change_scope|FROM (?:main\.)?project_members/
        // These files ask who sees what, or what a name means. This does not allow a change.
        let others: Set = [
            // This file refuses a permission for the judge and for commands.
            "Replica/Opening/Actors.swift",
            // This file asks who may take another pack, before that pack rules.
            "Replica/Schema/PinnedPack.swift",
            // This file asks who may choose the server that the replica follows.
            "Replica/Pulling/PullAccount.swift",
            // These files find out what an actor sees: conflicts, history, status, people,
            // projects, the quarantine, and what prevents an undo.
            "Replica/Changing/Conflicts.swift", "Replica/Registering/History.swift", "Replica/Registering/Status.swift",
            "Replica/Opening/Actors.swift", "Replica/Registering/ActNames.swift", "Replica/Registering/ActReader.swift",
            "Replica/Reading/ReadSession.swift", "Replica/Importing/RejectedRows.swift",
            "Replica/Undoing/ImportUndo+Obstacles.swift",
            // This file finds the change set that `last` names.
            "Replica/Undoing/UndoTarget.swift",
            // Here, one profile or project replaces another and takes over its memberships.
            "Replica/Pulling/AdoptedRows.swift",
            // So here; and a membership that the judge allowed is made, which the central database
            // takes from administrators alone.
            "Replica/Importing/Applying/StandIns.swift",
            // Here, only the name of a temporary table, or a question to the judge, fits the pattern.
            "Replica/Importing/Applying/ImportApplication.swift", "Replica/Importing/Applying/Acknowledgements.swift",
            // These files ask which rows the central database shows to somebody.
            "Replica/Pulling/PullApplication.swift", "Replica/Pulling/UnverifiedRemoteRows.swift",
        ]
        let found = try Self.sources().filter { name, lines in
            name.hasPrefix("Replica/") && !name.hasPrefix("Replica/Judging/") && lines.contains { $0.firstMatch(of: question) != nil }
        }
        #expect(Set(found.map(\.name)) == others)
    }
}
