import Databases
import GRDB
import JSONReading
import Model

/// Returns the queue in pages, without the items that must be held back.
///
/// A page ends before an item that needs the reply to another item of the page: a second item of
/// one row, a part of a new row, the deletion of a row whose parts the page deletes.
struct PushPages {
    private let db: Database
    private let pack: Pack
    private let lists: PushLists
    /// Whether the pass only finds out which items are held back, and returns none.
    private let isLooking: Bool

    init(_ db: Database, pack: Pack, _ hold: PushHold, isLooking: Bool = false) throws {
        (self.db, self.pack, self.isLooking) = (db, pack, isLooking)
        lists = try PushLists(db, hold)
    }

    /// The next items of some projects; nil: all items, also those of no project.
    func items(of projects: [String]?, after: PushPosition?, most: Int) throws -> [PushItem] {
        let rows = try queue(of: projects, after: after)
        var page = Page()
        while page.items.count < most, try rows.step() {
            guard var item = Self.item(rows), let entity = pack.entity(item.entity),
                !IndexPlan.logs.contains(entity.name)
            else {
                if let id = rows.text(1) { try lists.note(id, of: rows.text(2), heldFor: .unknown) }
                continue
            }
            let key = RowKey(entity: item.entity, id: item.rowID)
            let references = references(of: item, key, entity)
            if page.mustEnd(before: item, key, references) { break }
            item.base = try lists.version(of: key)
            if item.operation == .insert, item.base != nil { item.operation = .update }
            let isMissing = item.base == nil && item.operation != .delete
            let due = try rows.text(8).flatMap { try lists.hasItem(key, after: rows.integer(9)) ? nil : $0 }
            if let reason = try reason(item, key, references, isDue: due == nil) {
                try lists.note(item.id, of: item.entity, heldFor: reason, until: reason == .waiting ? due : nil)
                try lists.stick(key, item: item.id, .held, isMissing: isMissing)
            } else if isLooking {
                continue
            } else {
                if item.operation != .insert { item.known = try lists.known(key, version: item.base) }
                // The insertion of this new row failed, so this change is sent as the insertion.
                if item.operation == .update, isMissing, try lists.stuck(key) != nil { item.operation = .insert }
                try lists.stick(key, item: item.id, .offered, isMissing: isMissing)
                page.add(item, key, references, isMissing: isMissing)
            }
            if item.operation == .delete { for reference in references { try lists.hang(reference, on: item.id) } }
        }
        rows.reset()
        return page.items
    }

    /// The items that may be sent together.
    private struct Page {
        private(set) var items: [PushItem] = []
        /// The rows of the page, and whether the remote lacks them.
        private var offered: [RowKey: Bool] = [:]
        /// The rows to which the page's deletions refer.
        private var hanging: Set<RowKey> = []

        /// Whether an item needs the reply to another item of the page.
        func mustEnd(before item: PushItem, _ key: RowKey, _ references: [RowKey]) -> Bool {
            if offered[key] != nil { return true }
            return item.operation == .delete
                ? hanging.contains(key) : references.contains { offered[$0] == true }
        }

        mutating func add(_ item: PushItem, _ key: RowKey, _ references: [RowKey], isMissing: Bool) {
            items.append(item)
            offered[key] = isMissing
            if item.operation == .delete { hanging.formUnion(references) }
        }
    }

    /// The queue in its order, with the columns that `item` reads.
    private func queue(of projects: [String]?, after: PushPosition?) throws -> PreparedStatement {
        let rows = try PreparedStatement(
            db,
            """
            SELECT p.stamp, p.id, p.entity, p.row_id, q.operation, q.payload_json, q.retry_count, q.created_at, \
            w.due_at, w.stamp, p.project_id
            FROM \(lists.table("items")) AS p CROSS JOIN main.sync_queue AS q ON q.rowid = p.item
              LEFT JOIN main.push_waits AS w ON w.item_id = p.id AND w.tried_at <= ?4 AND ?4 < w.due_at
            WHERE (p.stamp, p.id) > (?1, ?2) AND (?3 IS NULL OR p.project_id IN (SELECT value FROM json_each(?3)))
              \(isLooking ? "AND " + Self.mayBeHeld(in: lists, pack) : "") ORDER BY p.stamp, p.id
            """)
        if case .item(let stamp, let id)? = after {
            try rows.bind([.integer(stamp), .text(id)])
        } else {
            try rows.bind([.integer(.min), .text("")])
        }
        try rows.bind(projects.map { try Quarantine.json($0) }, at: 3)
        try rows.bind(lists.hold.now, at: 4)
        return rows
    }

    /// The other rows that the remote must have before it accepts an item.
    private func references(of item: PushItem, _ key: RowKey, _ entity: Entity) -> [RowKey] {
        let references = item.payload.map { Self.references(of: entity, $0) }?.filter { $0 != key } ?? []
        guard item.operation != .delete, let id = item.projectID else { return references }
        // The remote accepts no row of a project that it does not have, so the project counts as a
        // reference.
        let project = RowKey(entity: pack.project.entity, id: id)
        return project == key || references.contains(project) ? references : references + [project]
    }

    private static func item(_ row: PreparedStatement) -> PushItem? {
        guard let id = row.text(1), let entity = row.text(2), let rowID = row.text(3),
            let operation = row.text(4).flatMap(operation)
        else { return nil }
        return PushItem(
            id: id, entity: entity, rowID: rowID, operation: operation, payload: row.text(5), base: nil,
            projectID: row.text(10), attempts: Int(row.integer(6)), queuedAt: row.text(7) ?? "",
            position: .item(stamp: row.integer(0), id: id))
    }

    private static func operation(_ text: String) -> PushOperation? {
        ChangeLog.Operation(rawValue: text).flatMap { operation in
            switch operation {
            case .insert: .insert
            case .update: .update
            case .delete: .delete
            case .upload: nil
            }
        }
    }

    /// The rows to which a row refers by the fields of a payload.
    static func references(of entity: Entity, _ payload: String) -> [RowKey] {
        let fields = entity.fields.filter { $0.references != nil }
        guard !fields.isEmpty, let row = try? JSONValue.stored(payload) else { return [] }
        return fields.flatMap { field -> [RowKey] in
            guard let target = field.references, let value = row[field.name] else { return [] }
            // A list is stored as the text of a JSON array.
            let items =
                field.type == .list
                ? value.items ?? value.text.flatMap { try? JSONValue.stored($0) }?.items ?? [] : [value]
            return items.compactMap { $0.text.map { RowKey(entity: target, id: $0) } }
        }
    }

    /// Reason why an item is held back; nil: it can be sent.
    private func reason(_ item: PushItem, _ key: RowKey, _ references: [RowKey], isDue: Bool) throws -> PushHoldReason?
    {
        if try lists.hasOpenConflict(key) { return .conflict }
        if let stuck = try lists.stuck(key) {
            guard stuck.standing == .failed, try lists.failedBefore(stuck.item) else { return .earlier }
        }
        guard isDue else { return .waiting }
        guard item.operation != .delete else { return try lists.isHanging(key) ? .parts : nil }
        guard case .item(let stamp, let id) = item.position else { return nil }
        for reference in references where pack.entity(reference.entity) != nil {
            if try lists.stuck(reference)?.isMissing == true { return .reference }
            // The referenced row's item belongs to a project that is not pushed in this run.
            if !isLooking, try lists.hasEarlierItem(reference, than: stamp, id), try lists.version(of: reference) == nil
            {
                return .reference
            }
            // The referenced row is later in the queue, so this item is sent in another pass.
            if !isLooking, lists.hold.reach == nil, try lists.isBroughtLater(reference, than: stamp, id),
                try lists.version(of: reference) == nil
            {
                lists.hold.state.hasPassedBy = true
                return .reference
            }
        }
        return nil
    }
}

extension PushPages {
    /// SQL condition on an item `p`, its queue item `q` and its wait `w`: the item may have to be
    /// held back. The condition makes counting a long queue quick, as it excludes most items.
    ///
    /// SQLite evaluates it item by item, so it sees what earlier items added to the lists.
    static func mayBeHeld(in lists: PushLists, _ pack: Pack) -> String {
        let entities = pack.entities.filter { !IndexPlan.logs.contains($0.name) }
        let stuck = lists.table("stuck")
        let references = entities.compactMap { entity -> String? in
            let found = entity.fields.compactMap { field in
                field.references.map {
                    """
                    EXISTS (SELECT 1 FROM \(stuck) AS s WHERE s.entity = \(SQLText.literal($0)) \
                    AND s.row_id \(condition(field)) AND s.is_missing)
                    """
                }
            }
            return found.isEmpty ? nil : "WHEN \(SQLText.literal(entity.name)) THEN \(found.joined(separator: " OR "))"
        }
        let refers = references.isEmpty ? "false" : "CASE p.entity \(references.joined(separator: " ")) END"
        return """
            (w.due_at IS NOT NULL OR p.row_id IS NULL OR coalesce(p.entity, '') NOT IN \
            (\(entities.map { SQLText.literal($0.name) }.joined(separator: ", ")))
              OR coalesce(q.operation, '') NOT IN ('INSERT', 'UPDATE', 'DELETE')
              OR EXISTS (SELECT 1 FROM main.conflicts WHERE entity_type = p.entity AND entity_id = p.row_id \
            AND resolution_status = 'open')
              OR EXISTS (SELECT 1 FROM \(stuck) AS s WHERE s.entity = p.entity AND s.row_id = p.row_id)
              OR EXISTS (SELECT 1 FROM \(lists.table("hanging")) AS h WHERE h.entity = p.entity AND h.row_id = p.row_id)
              OR json_valid(q.payload_json) AND \(refers))
            """
    }

    /// A list is stored as the text of a JSON array.
    private static func condition(_ field: Field) -> String {
        let value = "json_extract(q.payload_json, \(SQLText.literal("$.\"\(field.name)\"")))"
        return field.type == .list
            ? "IN (SELECT value FROM json_each(CASE WHEN json_valid(\(value)) THEN \(value) END))" : "= \(value)"
    }
}
