package import Model

/// One act of a person, a program or a server: what one write changed, as the activity log has it.
/// Values are as stored; references also have the name of their row. What the reader may not see is
/// left out.
package struct Act: Sendable, Hashable, Codable {
    /// Changes of one kind to rows of one table.
    package struct Deed: Sendable, Hashable, Codable {
        /// The action in the activity log: `row_edited`.
        package var action: String
        package var entity: String?
        /// How many rows the deed changed, or how many files it registered.
        package var count: Int
        /// The rows in the order of the log; of more than `Act.mostRecords`, the last.
        package var records: [Record] = []
        /// What an import did to each table.
        package var tables: [Table]?
        /// Facts by name: `version`, `code`, `until`.
        package var facts: [String: String] = [:]
    }

    package struct Record: Sendable, Hashable, Codable {
        package var id: String
        /// The name by which people know the row: `HYO-2025 / C-05 / 2`. Nil: it has none.
        package var name: String?
        package var fields: [Field] = []
        package var facts: [String: String] = [:]
    }

    package struct Field: Sendable, Hashable, Codable {
        package var field: String
        package var before: String?
        package var after: String?
        package var beforeName: String?
        package var afterName: String?
    }

    package struct Table: Sendable, Hashable, Codable {
        package var entity: String
        /// The numbers of rows by what became of them: `imported`, `updated`, `conflict`, `rejected`.
        package var counts: [String: Int]
    }

    static let mostRecords = 10

    /// Time by the run's clock; `writtenAt` is by the machine's clock.
    package var time: String
    package var writtenAt: String?
    package var actorID: String?
    /// The actor's name, or address, or the end of the id, as the reader may see them.
    package var who: String?
    /// Whether the entry comes from an imported file, so that Fichero did not record it itself.
    package var isClaimed = false
    package var reason: String?
    /// The change set of the act, which `fichero undo` accepts.
    package var changeID: String?
    /// When the act was taken back.
    package var undoneAt: String?
    package var deeds: [Deed]
}

/// The acts that changed one record or its parts, newest first.
package struct RecordLife: Sendable, Hashable, Codable {
    package var entity: String
    package var id: String
    package var name: String?
    package var acts: [Act]
}

extension Replica {
    /// The newest acts. An act is shown if it changed rows of the given projects. Acts outside
    /// projects are shown to those who did them and to administrators.
    ///
    /// - Parameter isOfAll: whether the projects are all that the reader works in, and not a choice.
    package func acts(projectIDs: [String], isOfAll: Bool, limit: Int, reader: Model.Actor) throws -> [Act] {
        try read { db in
            try ActReader(db, pack: pack, reader: reader, projects: projectIDs, isOfAll: isOfAll).newest(limit)
        }
    }

    /// The acts that changed a record or its parts. The record is named as in `provenance`; a name
    /// that no record has any more is that of the deleted one.
    package func life(of name: String, projectIDs: [String], actor: Model.Actor) throws -> RecordLife {
        try read { db in
            let search = RecordSearch(db: db, pack: pack, projects: try Quarantine.json(projectIDs), actor: actor)
            let (entity, id) = try search.findAlsoDeleted(name)
            let reader = try ActReader(db, pack: pack, reader: actor, projects: projectIDs, isOfAll: true)
            return try reader.life(of: entity, id: id)
        }
    }
}
