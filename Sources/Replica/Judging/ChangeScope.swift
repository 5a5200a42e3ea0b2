import GRDB
import Model

/// The projects in which an actor may change rows: those in which the actor was a member before the
/// change set, those that the actor imported or created, and those that the set itself creates.
/// Administrators may work in all projects, since they decide who is a member.
final class ChangeScope {
    private let db: Database
    /// Whether there is any project outside the scope.
    let isLimited: Bool

    static let temporary = ["CREATE TEMP TABLE change_scope (project_id TEXT PRIMARY KEY) WITHOUT ROWID"]

    /// - Parameter change: counts only the projects that this change set created, of those that the
    ///   actor created; nil: counts all of them.
    init(_ db: Database, pack: Pack, actor: Model.Actor, broughtBy change: String? = nil) throws {
        self.db = db
        let projects = "main." + SQLText.name(pack.project.entity)
        guard !actor.role.permissions.contains(.administer) else {
            isLimited = false
            return
        }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.change_scope
                SELECT project_id FROM main.project_members WHERE profile_id = :actor AND project_id IS NOT NULL
                UNION
                SELECT p.id FROM \(projects) AS p JOIN main.import_sources AS s ON s.number = p.import_source
                JOIN main.import_details AS d ON d.import_id = s.import_id
                WHERE d.actor_id = :actor AND (:change IS NULL OR d.import_id = :change)
                """, arguments: ["actor": actor.id, "change": change])
        isLimited = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(projects) WHERE id NOT IN (SELECT project_id FROM temp.change_scope))") ?? true
    }

    func covers(_ projects: Set<String>) throws -> Bool {
        guard isLimited else { return true }
        return try Bool.fetchOne(
            db, sql: "SELECT NOT EXISTS (SELECT 1 FROM json_each(?) WHERE value NOT IN (SELECT project_id FROM temp.change_scope))",
            arguments: [try Quarantine.json(projects.sorted())]) == true
    }

    func add(_ projects: [String]) throws {
        guard isLimited else { return }
        for project in projects { try db.execute(sql: "INSERT OR IGNORE INTO temp.change_scope VALUES (?)", arguments: [project]) }
    }
}
