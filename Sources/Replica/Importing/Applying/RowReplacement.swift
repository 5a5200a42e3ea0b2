import Foundation
import GRDB
import Model

/// Replaces a row that was made here by one that stands for the same under another id: whatever
/// named the first names the second from then on. It stays so when the change that brought the
/// second is undone.
struct RowReplacement {
    private let db: Database
    private let pack: Pack
    private let changes: ChangeLog

    /// Tables of the program that name projects, and those that name people.
    private static let (withProjects, withPeople) = (["export_numbers", "line_records", "run_findings", "finding_acceptances"], ["pipeline_runs", "finding_acceptances", "import_details"])

    init(_ db: Database, pack: Pack, _ changes: ChangeLog) { (self.db, self.pack, self.changes) = (db, pack, changes) }

    /// - Parameters:
    ///   - action: for the log.
    ///   - before: what the log keeps of the old row, as a JSON object.
    ///   - finally: done right before the old row goes.
    func replace(_ old: String, by new: String, of entity: Entity, action: String, before: String, finally: () throws -> Void = {}) throws {
        let both: StatementArguments = [new, old]
        try rename("activity_logs", ["details"], both)
        // Done first, because the actor may be the one who is replaced.
        try changes.logEntry(action, of: entity.name, id: new, project: entity.name == pack.project.entity ? new : nil, details: "{\"after\":{},\"before\":\(before)}")
        try dropDoubledMembers(of: entity, both)
        for other in pack.entities {
            for field in other.fields where field.references == entity.name && field.type != .list {
                let column = SQLText.name(field.name)
                try db.execute(sql: "UPDATE main.\(SQLText.name(other.name)) SET \(column) = ?1 WHERE \(column) = ?2", arguments: both)
            }
        }
        let (column, tables) = entity.name == "profiles" ? ("actor_id", Self.withPeople) : ("project_id", entity.name == pack.project.entity ? Self.withProjects : [])
        for table in tables { try db.execute(sql: "UPDATE OR IGNORE main.\(table) SET \(column) = ?1 WHERE \(column) = ?2", arguments: both) }
        try db.execute(sql: "DELETE FROM main.sync_queue WHERE entity_type = ? AND entity_id = ?", arguments: [entity.name, old])
        try rename("sync_queue", ["payload_json"], both)
        for table in ["row_bases", "own_bases"] { try rename(table, ["row"], both) }
        // What an undo would put back names the new row too.
        try rename("import_removals", ["row"], both)
        try rename("import_changes", ["before"], both)
        try rename("rejects", ["raw"], both)
        try db.execute(sql: "UPDATE main.sent_items SET project_id = ?1 WHERE project_id = ?2", arguments: both)
        try db.execute(sql: "UPDATE main.activity_logs SET entity_id = ?1 WHERE entity_type = ?3 AND entity_id = ?2", arguments: both + [entity.name])
        try rename("conflicts", ["local_payload", "remote_payload"], both)
        // Files that were registered and not sent go where the other project's go.
        for table in ["exports", "document_versions"] where pack.entity(table) != nil { try rename(table, ["storage_path"], both) }
        try finally()
        try db.execute(sql: "DELETE FROM main.\(SQLText.name(entity.name)) WHERE id = ?", arguments: [old])
    }

    private func rename(_ table: String, _ columns: [String], _ both: StatementArguments) throws {
        for column in columns { try db.execute(sql: "UPDATE OR IGNORE main.\(table) SET \(column) = replace(\(column), ?2, ?1) WHERE instr(\(column), ?2) > 0", arguments: both) }
    }

    /// Nobody is twice a member of one project.
    private func dropDoubledMembers(of entity: Entity, _ both: StatementArguments) throws {
        guard let members = pack.entity("project_members"), let own = members.fields.first(where: { $0.references == entity.name })?.name else { return }
        let other = own == "profile_id" ? "project_id" : "profile_id"
        try db.execute(
            sql: "DELETE FROM main.project_members WHERE \(own) = ?2 AND \(other) IN (SELECT \(other) FROM main.project_members WHERE \(own) = ?1)", arguments: both)
        try db.execute(
            sql: "DELETE FROM main.sync_queue WHERE entity_type = 'project_members' AND operation IS NOT 'DELETE' AND entity_id NOT IN (SELECT id FROM main.project_members)")
    }
}
