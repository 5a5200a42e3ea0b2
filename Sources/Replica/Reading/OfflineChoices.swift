import GRDB
package import Model

/// A person's choice to make something available offline: a project, a folder or document of its
/// tree, or a record. For a record or document the mode applies to files; rows are synced according
/// to their table's scope.
package struct OfflineChoice: Sendable, Hashable, Codable {
    package var id: String
    package var project: String
    /// The path of a folder or document, `calicatas C-05` for a record; nil: the whole project.
    package var target: String?
    /// `available_offline` or `always_synced`.
    package var mode: String
    package var lastSyncedAt: String?
}

/// A target of an offline choice, as the central table stores it.
package struct OfflineTarget: Sendable, Hashable {
    package var projectID: String
    package var nodeID: String?
    /// `calicatas/ID` for a record; nil for anything else.
    package var path: String?
    /// The target's readable name.
    package var name: String
}

/// Reason why a target is unknown or ambiguous, or its mode is missing.
package typealias OfflineFailure = DeclaredFailure<OfflineChoice>

extension OfflineFailure {
    package static func unknown(_ name: String) -> Self { Self("OFFLINE-UNKNOWN", .noInput, ["name": name]) }
    package static func ambiguous(_ name: String, choices: [String]) -> Self {
        Self("OFFLINE-AMBIGUOUS", .usage, ["name": name, "choices": choices])
    }
    package static func noMode(_ name: String) -> Self { Self("OFFLINE-MODE", .usage, ["name": name]) }
}

extension Replica {
    /// A person's offline choices in some projects.
    package func offlineChoices(of profileID: String, projectIDs: [String]) throws -> [OfflineChoice] {
        try read { db in
            let code = SQLText.name(pack.project.code)
            return try Row.fetchAll(
                db,
                sql: """
                    \(Self.nodePaths)
                    SELECT f.id, coalesce(p.\(code), p.id), n.path, f.path, f.sync_mode, f.last_synced_at \
                    FROM file_sync_states AS f
                    JOIN \(SQLText.name(pack.project.entity)) AS p ON p.id = f.project_id LEFT JOIN paths AS n \
                    ON n.id = f.document_node_id
                    WHERE f.profile_id = ?2 ORDER BY 2, 3, 4, f.id
                    """, arguments: [try Quarantine.json(projectIDs), profileID]
            ).map { row in
                let record = try (row[3] as String?).flatMap { try recordName($0, projectIDs, db) }
                return OfflineChoice(
                    id: row[0], project: row[1], target: row[2] ?? record ?? row[3], mode: row[4] ?? "",
                    lastSyncedAt: row[5])
            }
        }
    }

    /// Finds the target with a name: a project's code, a folder's or document's path or the end of
    /// it, or a record. Throws `OfflineFailure`, `RecordFailure`.
    package func offlineTarget(named name: String, projectIDs: [String], actor: Model.Actor) throws -> OfflineTarget {
        try read { db in
            let projects = try Quarantine.json(projectIDs)
            let code = SQLText.name(pack.project.code)
            let table = SQLText.name(pack.project.entity)
            let named = try Row.fetchAll(
                db,
                sql: "SELECT id, \(code) FROM \(table) WHERE \(code) = ?1 AND id IN (SELECT value FROM json_each(?2))",
                arguments: [name, projects])
            if named.count == 1 { return OfflineTarget(projectID: named[0][0], name: name) }
            let nodes = try Row.fetchAll(
                db,
                sql: """
                    \(Self.nodePaths)
                    SELECT id, project_id, path FROM paths WHERE path = ?2 \
                    OR substr(path, -length(?2) - 1) = '/' || ?2 ORDER BY path <> ?2, path LIMIT 10
                    """, arguments: [projects, name])
            let exact = nodes.filter { $0[2] == name }
            if let node = exact.count == 1 ? exact[0] : nodes.count == 1 ? nodes[0] : nil {
                return OfflineTarget(projectID: node[1], nodeID: node[0], name: node[2])
            }
            if named.count + nodes.count > 1 {
                throw OfflineFailure.ambiguous(
                    name, choices: nodes.map { $0[2] as String } + named.map { $0[0] as String })
            }
            do {
                let (entity, id) = try RecordSearch(db: db, pack: pack, projects: projects, actor: actor).find(name)
                let reader = try RowReader(db, pack: pack, entity: entity)
                guard let values = try reader.values(of: id), let project = try reader.project(of: values) else {
                    throw OfflineFailure.unknown(name)
                }
                return OfflineTarget(projectID: project, path: entity.name + "/" + id, name: name)
            } catch let failure as RecordFailure where failure.isUnknown {
                throw OfflineFailure.unknown(name)
            }
        }
    }

    /// Id of the row for a person's offline choice of a target; nil if there is none.
    package func offlineRow(of profileID: String, _ target: OfflineTarget) throws -> String? {
        try read { db in
            try String.fetchOne(
                db,
                sql:
                    """
                    SELECT id FROM file_sync_states WHERE profile_id = ? AND project_id = ? AND document_node_id IS ? \
                    AND path IS ? ORDER BY id LIMIT 1
                    """,
                arguments: [profileID, target.projectID, target.nodeID, target.path])
        }
    }

    /// Readable name of the record in a choice's path, if the record is in these projects. Without
    /// this check, a row from a file could contain any record's path.
    private func recordName(_ path: String, _ projectIDs: [String], _ db: Database) throws -> String? {
        guard let slash = path.firstIndex(of: "/"), let entity = pack.entity(String(path[..<slash])),
            entity.projectPath != nil
        else { return nil }
        let id = String(path[path.index(after: slash)...])
        guard let project = try RowProject(of: entity, in: pack).id(ofRow: id, db), projectIDs.contains(project) else {
            return nil
        }
        return try EntityRows.name(of: id, entity, pack: pack, db).map { "\(entity.name) \($0)" }
    }

    /// Paths of the folders and documents in the projects of `?1`. The depth is limited, so a cycle
    /// in the tree does not make the query endless.
    private static let nodePaths = """
        WITH RECURSIVE paths (id, project_id, path, depth) AS (
          SELECT id, project_id, name, 1 FROM document_nodes
          WHERE parent_id IS NULL AND project_id IN (SELECT value FROM json_each(?1))
          UNION ALL
          SELECT n.id, n.project_id, p.path || '/' || n.name, p.depth + 1 FROM document_nodes AS n JOIN paths AS p \
        ON n.parent_id = p.id WHERE p.depth < 100
        )
        """
}
