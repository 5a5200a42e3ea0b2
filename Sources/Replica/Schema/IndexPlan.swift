import Digests
import Model

/// The indexes that a table needs, derived from the pack's declarations of look-ups, orders and
/// counts.
///
/// No index is unique: incomplete and duplicate rows must be importable, so that validation can
/// report them.
struct IndexPlan {
    let pack: Pack

    /// Tables in which Fichero only records events; they are not uploaded through the queue.
    static let logs: Set<String> = ["activity_logs", "sync_queue", "conflicts", "exports", "document_versions"]
    /// The logs to which each change of any row adds an entry. To keep writing fast, they only have
    /// the indexes that the pack declares. A search for a deleted project's or person's entries
    /// scans these tables, which is rare.
    private static let trails: Set<String> = ["activity_logs", "sync_queue"]
    /// The condition for the rows that a selection of synced records must examine. Queries must
    /// contain it word for word, so that SQLite uses the partial indexes.
    static let unsynced = "sync_state <> 'synced'"

    func indexes(of entity: Entity) -> [TableSchema.Index] {
        var candidates = keys(of: entity) + recordColumns(of: entity) + orders(of: entity) + entity.indexes
        // The stamp index finds rows that changed since a verdict. Stamps only grow, so new entries
        // are appended at the index's end.
        if !Self.logs.contains(entity.name) {
            candidates += [[SystemColumn.syncState.rawValue], [SystemColumn.contentStamp.rawValue]]
        }
        let (references, optional) = references(of: entity)
        candidates = references + candidates
        let whole = withoutPrefixes(candidates.map(withoutRepetition))
        return whole.map { columns in
            TableSchema.Index(name: name(entity, columns), columns: columns, condition: nil)
        } + optional.filter { field in !whole.contains { $0.first == field } }.map { field in
                TableSchema.Index(
                    name: name(entity, [field, "given"]), columns: [field],
                    condition: SQLText.name(field) + " IS NOT NULL")
        } + unsyncedIndexes(of: entity) + keyTextIndexes(of: entity)
    }

    /// Index of names whose normalized form differs from the name: there are few, so this index is
    /// cheap.
    private func keyTextIndexes(of entity: Entity) -> [TableSchema.Index] {
        guard entity.keyText != nil, !Self.logs.contains(entity.name) else { return [] }
        let columns = [entity.keyScope, KeyText.column].compactMap(\.self)
        return [
            TableSchema.Index(name: name(entity, columns), columns: columns, condition: KeyText.column + " IS NOT NULL")
        ]
    }

    /// The name of the index for finding an entity's rows that changed since a given stamp.
    static func stampIndex(of entity: Entity) -> String { "ix_\(entity.name)_\(SystemColumn.contentStamp.rawValue)" }

    private func name(_ entity: Entity, _ columns: [String]) -> String {
        (["ix", entity.name] + columns).joined(separator: "_")
    }

    /// Indexes for finding the rows that refer to a deleted row. If a reference is optional, rows
    /// without it need no entry.
    private func references(of entity: Entity) -> (required: [[String]], optional: [String]) {
        guard !Self.trails.contains(entity.name) else { return ([], []) }
        let fields = entity.fields.filter { $0.references != nil && $0.type != .list }
        return (fields.filter(\.isRequired).map { [$0.name] }, fields.filter { !$0.isRequired }.map(\.name))
    }

    private func keys(of entity: Entity) -> [[String]] {
        let uniques: [[String]] = entity.fields.compactMap { field in
            switch field.uniqueness {
            case nil: nil
            case .replica: [field.name]
            case .within(let scope): [scope, field.name]
            }
        }
        return [(entity.keyScope.map { [$0] } ?? []) + entity.key] + uniques
    }

    /// State and date of records, within the project if the row itself refers to it.
    private func recordColumns(of entity: Entity) -> [[String]] {
        var fields: [String] = entity.states.map { [$0.field] } ?? []
        for record in pack.records {
            guard let root = pack.entity(record.root) else { continue }
            for path in [record.state, record.date].compactMap(\.self) {
                if let (owner, field) = pack.ownerAndField(at: path, from: root), owner.name == entity.name {
                    fields.append(field.name)
                }
            }
        }
        return fields.map { localProject(of: entity) + [$0] }
    }

    /// The orders in which exports and numberings read the table. Each index has the local fields
    /// at the end of an order, after the preceding reference. The id makes the order total. With
    /// the stamp, a fingerprint can be computed from the index alone.
    private func orders(of entity: Entity) -> [[String]] {
        let orders =
            pack.exports.flatMap(\.sheets).filter { $0.entity == entity.name }.map(\.order)
            + pack.numberings.filter { $0.entity == entity.name }.map(\.order)
        return orders.compactMap { order in
            let ending = ["id", SystemColumn.contentStamp.rawValue]
            guard let last = order.lastIndex(where: { !$0.isLocal }) else {
                return localProject(of: entity) + order.compactMap(\.parts.first) + ending
            }
            let local = order[(last + 1)...].compactMap(\.parts.first)
            return local.isEmpty ? nil : order[last].parts.prefix(1) + local + ending
        }
    }

    /// Partial indexes of rows that are not synced. The sync state of a record is that of its least
    /// synced part, and these indexes find the few such rows without a scan.
    private func unsyncedIndexes(of entity: Entity) -> [TableSchema.Index] {
        var columns = Set<[String]>()
        for record in pack.records {
            if record.root == entity.name { columns.insert(localProject(of: entity)) }
            for part in record.parts where part.entity == entity.name && !part.isList {
                columns.insert(Array(part.by.parts.prefix(1)))
            }
        }
        return columns.filter { !$0.isEmpty }.sorted { $0.joined() < $1.joined() }.map {
            TableSchema.Index(name: name(entity, $0 + ["unsynced"]), columns: $0, condition: Self.unsynced)
        }
    }

    private func localProject(of entity: Entity) -> [String] {
        guard let path = entity.projectPath, path.isLocal, path.parts != ["id"] else { return [] }
        return path.parts
    }

    private func withoutRepetition(_ columns: [String]) -> [String] {
        var seen = Set<String>()
        return columns.filter { seen.insert($0).inserted }
    }

    /// An index that is a prefix of another index would only slow down writing; the primary key has
    /// a separate index.
    private func withoutPrefixes(_ candidates: [[String]]) -> [[String]] {
        var kept: [[String]] = []
        for (position, columns) in candidates.enumerated() where !columns.isEmpty && columns.first != "id" {
            let isCovered = candidates.enumerated().contains { other, longer in
                longer.starts(with: columns) && (longer.count > columns.count || other < position)
            }
            if !isCovered { kept.append(columns) }
        }
        return kept
    }
}

/// The columns that the replica adds to every table of a pack, after the pack's columns.
package enum SystemColumn: String, CaseIterable, Sendable {
    /// One of the six states of a local row (`SyncState`).
    case syncState = "sync_state"
    /// Grows with every local change of the row.
    case localVersion = "local_version"
    /// Time of the remote's last change of the row, by the remote's clock.
    case remoteUpdatedAt = "remote_updated_at"
    /// Number of the write transaction that last changed the row's content; marks that Fichero sets
    /// do not count.
    case contentStamp = "content_stamp"
    /// 1: the only change since the row was synced is a mark that Fichero set; the row still counts
    /// as synced.
    case ownMark = "own_mark"
    /// Number in `import_sources` of the file (and sheet) that the row was imported from; null for
    /// rows with any other origin.
    case importSource = "import_source"
    /// The row's number in that file or sheet, as a spreadsheet shows it; null if it has none.
    case importRow = "import_row"
    /// The normalized form of the row's name, if it differs from the name (`KeyText`,
    /// `Entity.keyText`); otherwise null.
    case keyText = "key_text"

    var definition: String {
        switch self {
        case .syncState:
            // The usual value of new rows is tested first: a search in a list takes SQLite longer
            // than all other checks of a row.
            "sync_state TEXT NOT NULL DEFAULT 'local_only' CHECK (sync_state = 'local_only' OR sync_state IN ("
                + SyncState.allCases.filter { $0 != .localOnly }.map { SQLText.literal($0.rawValue) }.joined(
                    separator: ", ") + "))"
        case .localVersion: "local_version INTEGER NOT NULL DEFAULT 1"
        case .remoteUpdatedAt: "remote_updated_at TEXT"
        case .contentStamp: "content_stamp INTEGER NOT NULL DEFAULT 0"
        case .ownMark: "own_mark INTEGER NOT NULL DEFAULT 0 CHECK (own_mark IN (0, 1))"
        case .importSource: "import_source INTEGER"
        case .importRow: "import_row INTEGER"
        case .keyText: "key_text TEXT"
        }
    }

    /// The storage class as `PRAGMA table_info` reports it.
    var storage: String {
        switch self {
        case .syncState, .remoteUpdatedAt, .keyText: "TEXT"
        case .localVersion, .contentStamp, .ownMark, .importSource, .importRow: "INTEGER"
        }
    }
}

/// Names and texts in SQL syntax. Names are quoted although they come from a checked pack.
package enum SQLText {
    package static func name(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    package static func names(_ names: [String]) -> String {
        names.map(name).joined(separator: ", ")
    }

    package static func literal(_ text: String) -> String {
        // A NUL character would end the statement.
        guard !text.utf8.contains(0) else { return "CAST(x'\(text.utf8.hexadecimal)' AS TEXT)" }
        return "'" + text.replacing("'", with: "''") + "'"
    }
}
