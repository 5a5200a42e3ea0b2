import Databases
import GRDB
import Model

/// Returns the rows of the logs that the remote does not have, in pages of one table each. Log rows
/// have no queue items; their sync state shows that they wait.
///
/// Logs only grow at their end, so the order of their rows is the order of events. Only the row of
/// an export changes later, when a new version supersedes the export.
struct LogPages {
    /// The logs' tables in sending order: exports precede the document versions that refer to them.
    static let tables = ["exports", "document_versions", "activity_logs"]
    /// SQL condition: the row waits to be sent.
    static let waits = "sync_state IN ('local_only', 'pending_upload', 'error')"

    private let db: Database
    private let pack: Pack
    private let lists: PushLists

    init(_ db: Database, pack: Pack, _ hold: PushHold) throws {
        (self.db, self.pack) = (db, pack)
        lists = try PushLists(db, hold)
    }

    /// SQL text that adds the actor's log rows of no project or of an unknown one, which nobody
    /// else would send.
    static func ownOfNone(_ entity: Entity, _ actor: String, _ pack: Pack) -> String {
        guard entity.field("actor_id") != nil else { return "" }
        return
            """
             OR (project_id IS NULL OR project_id NOT IN (SELECT id FROM main.\(SQLText.name(pack.project.entity)))) \
            AND actor_id = \(actor)
            """
    }

    static func id(of key: RowKey) -> String { "\(key.entity)/\(key.id)" }

    /// The log row that an item's id refers to; nil for the id of a queue item.
    static func key(of item: String) -> RowKey? {
        guard let slash = item.firstIndex(of: "/"), tables.contains(String(item[..<slash])) else { return nil }
        return RowKey(entity: String(item[..<slash]), id: String(item[item.index(after: slash)...]))
    }

    /// The next rows of some projects, or of all (nil), and the actor's rows of no project. Tables
    /// that the actor's role may not write are skipped: their rows wait for somebody who may.
    func items(of projects: [String]?, by actor: Model.Actor, after: PushPosition?, most: Int) throws -> [PushItem] {
        var (first, start) = (0, Int64.min)
        if case .log(let entity, let row)? = after { (first, start) = (Self.tables.firstIndex(of: entity) ?? 0, row) }
        for name in Self.tables[first...] {
            if let entity = pack.entity(name), actor.role.maySend(entity) {
                let page = try items(entity, projects, actor.id, after: start, most: most)
                if !page.isEmpty { return page }
            }
            start = .min
        }
        return []
    }

    private func items(_ entity: Entity, _ projects: [String]?, _ actorID: String, after start: Int64, most: Int) throws
        -> [PushItem]
    {
        let reader = try RowReader(db, pack: pack, entity: entity)
        let time = ["created_at", "started_at"].first { entity.field($0) != nil }.map(SQLText.name) ?? "NULL"
        let scope =
            entity.field("project_id") == nil
            ? "true"
            : "(?2 IS NULL OR project_id IN (SELECT value FROM json_each(?2))\(Self.ownOfNone(entity, "?3", pack)))"
        let rows = try PreparedStatement(
            db,
            """
            SELECT rowid, id, \(time), sync_state = 'error', remote_updated_at FROM main.\(SQLText.name(entity.name))
            WHERE rowid > ?1 AND \(Self.waits) AND \(scope) ORDER BY rowid
            """)
        try rows.bind(start, at: 1)
        if entity.field("project_id") != nil { try rows.bind(projects.map { try Quarantine.json($0) }, at: 2) }
        if scope.contains("?3") { try rows.bind(actorID, at: 3) }
        var page: [PushItem] = []
        while page.count < most, try rows.step() {
            guard let id = rows.text(1), let values = try reader.values(of: id) else { continue }
            let key = RowKey(entity: entity.name, id: id), base = rows.text(4)
            let payload = base == nil ? reader.givenJSON(values) : reader.json(values)
            if try PushPages.references(of: entity, payload).contains(where: { try isMissing($0) }) {
                try lists.note(Self.id(of: key), of: entity.name, heldFor: .reference)
                try lists.stick(key, item: Self.id(of: key), .held, isMissing: true)
                continue
            }
            try lists.stick(key, item: Self.id(of: key), .offered, isMissing: true)
            page.append(
                PushItem(
                    id: Self.id(of: key), entity: entity.name, rowID: id, operation: base == nil ? .insert : .update,
                    payload: payload, base: base,
                    attempts: rows.integer(3) == 1 ? 1 : 0, queuedAt: rows.text(2) ?? "",
                    position: .log(entity: entity.name, row: rows.integer(0))))
        }
        rows.reset()
        return page
    }

    /// Whether the remote lacks a row because the row's item was not sent.
    private func isMissing(_ key: RowKey) throws -> Bool {
        guard pack.entity(key.entity) != nil else { return false }
        if try lists.stuck(key)?.isMissing == true { return true }
        return try !IndexPlan.logs.contains(key.entity) && !lists.waiting(key).isEmpty && lists.version(of: key) == nil
    }
}
