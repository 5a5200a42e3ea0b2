import Databases
import Foundation
import GRDB
import Model

/// The staged rows of one entity, applied to its table by statements that handle all rows at once.
final class EntityRows {
    /// A staged row and the replica's row with the same id.
    struct Match {
        var n: Int64
        /// Numbers of the row's place in the source, and of the row's position in that place.
        var place: Int64
        var row: Int64?
        var id: String
        /// A value is nil if the source does not contain the field.
        var values: [MemoryRows.Value?]
        var existing: EntityImporter.Existing
    }

    /// A new or updated row with a dangling reference.
    struct Dangling {
        var n: Int64
        var id: String
        var field: String
        var value: String
        var isUpdate: Bool
    }

    let importer: EntityImporter
    let total: Int
    private(set) var duplicates = 0
    /// Number of rows that `judge` refused.
    private(set) var refused = 0
    private(set) var inserted = 0
    let db: Database
    let pack: Pack
    let staged: String
    let table: String
    /// New rows have greater rowids than this.
    let before: Int64
    /// For each shape number, which fields rows of this shape contain.
    let shapes: [Int64: [Bool]]
    /// Fields that the actor's role may not see: existing rows keep their values in them, whatever
    /// the source contains.
    private let hidden: Set<Int>
    private var undo: PreparedStatement?

    var entity: Entity { importer.entity }
    private var columns: [String] { entity.fields.map(StagedEntity.column) }
    private var undoTable: String { "temp." + SQLText.name("import_undo_" + entity.name) }

    init(_ db: Database, importer: EntityImporter, pack: Pack, actor: Model.Actor) throws {
        self.db = db
        hidden = Set(importer.entity.fields.indices.filter { !actor.sees(importer.entity.fields[$0], of: pack) })
        self.importer = importer
        self.pack = pack
        staged = "staging." + StagedEntity.table(of: importer.entity.name)
        table = "main." + SQLText.name(importer.entity.name)
        total =
            try Int.fetchOne(
                db, sql: "SELECT rows FROM staging.entities WHERE entity = ?", arguments: [importer.entity.name]) ?? 0
        before = try Int64.fetchOne(db, sql: "SELECT coalesce(max(rowid), 0) FROM \(table)") ?? 0
        var shapes: [Int64: [Bool]] = [:]
        let rows = try Row.fetchAll(
            db, sql: "SELECT number, fields FROM staging.shapes WHERE entity = ?", arguments: [importer.entity.name])
        for row in rows { shapes[row[0]] = (row[1] as String).map { $0 == "1" } }
        self.shapes = shapes
    }

    /// Lets `judge` check which rows may be applied; stores the number of refused rows.
    func judge(by judge: Judge) throws {
        refused = try judge.judge(self)
    }

    /// The rows that were refused, with the reason, in source order.
    func refusals() throws -> [(n: Int64, code: String, field: String, arguments: [String: String])] {
        guard refused > 0 else { return [] }
        return try Row.fetchAll(
            db,
            sql:
                """
                SELECT n, code, field, arguments FROM temp.import_refused WHERE n IN (SELECT n FROM \(staged)) \
                ORDER BY n
                """
        ).map {
            (
                $0[0], $0[1], $0[2],
                try JSONDecoder().decode([String: String?].self, from: Data(($0[3] as String).utf8)).compactMapValues(
                    \.self)
            )
        }
    }

    /// SQL condition: the staged row was not refused.
    func accepted(_ n: String) -> String { refused == 0 ? "true" : "\(n) NOT IN (SELECT n FROM temp.import_refused)" }

    /// Inserts every staged row whose id is new; returns the number of inserted rows.
    ///
    /// - Parameters:
    ///   - believesStates: whether the sync states in the rows are accepted.
    ///   - exchange: terms of a sync partner's package, whose rows the partner already has.
    func insert(stamp: Int64, sources: ImportTrail, believesStates: Bool, exchange: ExchangeTerms? = nil) throws -> Int
    {
        let names = SQLText.names(entity.fields.map(\.name) + SystemColumn.allCases.map(\.rawValue))
        let states = SystemColumn.allCases.map { column in
            switch column {
            case .syncState where exchange != nil: "'synced'"
            case .remoteUpdatedAt where exchange != nil: SQLText.literal(exchange?.version ?? "")
            case .syncState: believesStates ? "coalesce(sync_state, 'local_only')" : "'local_only'"
            case .localVersion: believesStates ? "coalesce(local_version, 1)" : "1"
            case .remoteUpdatedAt: believesStates ? "remote_updated_at" : "NULL"
            case .contentStamp: String(stamp)
            case .ownMark: "0"
            case .importSource: "place + \(sources.offset)"
            case .importRow: "position"
            case .keyText: "key_text"
            }
        }
        let isRemoved = exchange == nil ? "" : " AND " + isNotRemoved
        let indexes = try DroppedIndexes(db, table: entity.name, newRows: total)
        try db.execute(
            sql: """
                INSERT INTO \(table) (\(names)) SELECT \((columns + states).joined(separator: ", ")) FROM \(staged) \
                WHERE \(accepted("n"))\(isRemoved) ORDER BY n
                ON CONFLICT (id) DO NOTHING
                """)
        inserted = db.changesCount
        try indexes.putBack()
        if believesStates, exchange == nil, inserted > 0 { try UnverifiedRemoteRows.note(entity, after: before, db) }
        return inserted
    }

    /// SQL condition on a staged row: the replica's record was not removed locally. A package does
    /// not restore a removed row. It may be older than the removal, or its author may not know of
    /// the removal.
    private var isNotRemoved: String {
        var removed =
            """
            SELECT entity_id FROM main.sync_queue WHERE operation = 'DELETE' AND entity_id IS NOT NULL \
            AND entity_type = \(SQLText.literal(entity.name))
            """
        if let log = pack.events {
            let types = log.kinds.filter { $0.entity == entity.name && $0.action == .delete }.map {
                SQLText.literal($0.type)
            }.joined(separator: ", ")
            removed +=
                """
                 UNION SELECT \(SQLText.name(log.record)) FROM main.\(SQLText.name(log.entity)) \
                WHERE \(SQLText.name(log.type)) IN (\(types)) AND \(SQLText.name(log.record)) IS NOT NULL
                """
        }
        return "f_id NOT IN (\(removed))"
    }

    // MARK: Rows that match existing ones

    /// Ids of the new rows, in the order of their insertion.
    func newIDs() throws -> [String] {
        try String.fetchAll(db, sql: "SELECT id FROM \(table) WHERE rowid > ? ORDER BY rowid", arguments: [before])
    }

    /// Numbers of staged rows that repeat the id of an earlier one.
    func findDuplicates() throws -> [Int64] {
        try db.execute(
            sql: """
                INSERT INTO temp.import_duplicates
                SELECT n FROM (SELECT n, row_number() OVER (PARTITION BY f_id ORDER BY n) AS position \
                FROM \(staged) WHERE \(accepted("n"))) WHERE position > 1
                """)
        duplicates = db.changesCount
        guard duplicates > 0 else { return [] }
        return try Int64.fetchAll(
            db, sql: "SELECT n FROM temp.import_duplicates WHERE n IN (SELECT n FROM \(staged)) ORDER BY n")
    }

    /// Staged rows that differ in any value from the replica's row with the same id. Identical rows
    /// are only counted.
    func matches() throws -> PreparedStatement {
        let here = entity.fields.map { "t." + SQLText.name($0.name) }
        let there = columns.map { "s." + $0 }
        return try PreparedStatement(
            db,
            """
            SELECT s.n, s.place, s.position, s.shape, t.sync_state, t.own_mark, t.content_stamp, t.local_version, \
            t.import_source, t.import_row,
              t.remote_updated_at,
              \((there + here).joined(separator: ", "))
            FROM \(staged) AS s CROSS JOIN \(table) AS t ON t.id = s.f_id
            WHERE t.rowid <= \(before) AND NOT ((\(here.joined(separator: ", "))) IS (\(there.joined(separator: ", "))))
              AND s.n NOT IN (SELECT n FROM temp.import_duplicates) AND \(accepted("s.n")) ORDER BY s.n
            """)
    }

    func match(_ row: PreparedStatement) -> Match {
        let count = entity.fields.count
        let stated = shapes[row.integer(3)] ?? []
        let values = (0..<count).map { index in
            stated.indices.contains(index) && stated[index] && !hidden.contains(index) ? row.value(11 + index) : nil
        }
        var position: Int64?
        if case .integer(let number) = row.value(2) { position = number }
        return Match(
            n: row.integer(0), place: row.integer(1), row: position, id: row.text(11) ?? "", values: values,
            existing: EntityImporter.Existing(
                values: (0..<count).map { row.value(11 + count + $0) },
                syncState: row.text(4).flatMap(SyncState.init) ?? .error,
                isOwnMark: row.integer(5) == 1, stamp: row.integer(6),
                states: EntityImporter.Existing.states(row, from: 4)))
    }

    func staged(_ n: Int64) throws -> (id: String, raw: String, place: Place, around: String?)? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT s.f_id, s.raw, p.place, s.line, s.pointer, h.names FROM \(staged) AS s \
                JOIN staging.places AS p ON p.number = s.place
                  LEFT JOIN staging.headings AS h ON h.place = s.place WHERE s.n = ?
                """, arguments: [n])
        guard let row else { return nil }
        var place = try Quarantine.place(row[2])
        (place.line, place.pointer) = (row[3], row[4])
        if case .blob(let packed) = (row[1] as DatabaseValue).storage {
            let headings = try JSONDecoder().decode([String].self, from: Data((row[5] as String? ?? "[]").utf8))
            return (
                row[0], RawCells.json(Array(packed), headings: headings), place,
                RawCells.around(Array(packed), headings: headings)
            )
        }
        return (row[0], row[1], place, nil)
    }

    /// The first of the staged rows.
    func first() throws -> (n: Int64, id: String)? {
        try Row.fetchOne(db, sql: "SELECT n, f_id FROM \(staged) ORDER BY n LIMIT 1").map { ($0[0], $0[1]) }
    }

    /// Number and id of the first staged row that is new to the replica and contains a sync state,
    /// and the count of all such rows.
    func firstWithStates() throws -> (n: Int64, id: String, count: Int)? {
        let states = "FROM \(staged) WHERE sync_state IS NOT NULL AND f_id NOT IN (SELECT id FROM \(table))"
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT n, f_id, (SELECT count(*) \(states)) \(states) ORDER BY n LIMIT 1")
        else { return nil }
        return (row[0], row[1], row[2])
    }

    func numbers() throws -> [Int64] { try Int64.fetchAll(db, sql: "SELECT n FROM \(staged) ORDER BY n") }

    func firstStaged(_ id: String) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT min(n) FROM \(staged) WHERE f_id = ?", arguments: [id])
    }

    /// Removes a row that this import inserted.
    func remove(_ id: String) throws {
        try db.execute(sql: "DELETE FROM \(table) WHERE id = ? AND rowid > ?", arguments: [id, before])
    }

    func position(_ n: Int64) throws -> (place: Int64, row: Int64?)? {
        try Row.fetchOne(db, sql: "SELECT place, position FROM \(staged) WHERE n = ?", arguments: [n]).map {
            ($0[0], $0[1])
        }
    }

    /// Stores a row's present values before an update that may have to be reverted.
    func keepForUndo(_ id: String) throws {
        if undo == nil {
            try db.execute(
                sql: "CREATE TEMP TABLE \(SQLText.name("import_undo_" + entity.name)) AS SELECT * FROM \(table) WHERE 0"
            )
            undo = try PreparedStatement(db, "INSERT INTO \(undoTable) SELECT * FROM \(table) WHERE id = ?")
        }
        try undo?.bind(id, at: 1)
        try undo?.run()
    }

    // MARK: Rows with dangling references

    /// Marks new and updated rows that refer to a missing row or to a marked row, in one pass.
    /// Returns whether it marked any. The first dangling field of each row is recorded. A reference
    /// that an update did not change is ignored: it may refer to a person the actor cannot see.
    func markDangling() throws -> Bool {
        let references = entity.fields.filter { $0.type != .list && $0.references != nil }
        guard !references.isEmpty else { return false }
        let isLater = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM temp.import_dangling)") ?? false
        var found = 0
        for (rows, isUpdate) in [
            ("child.rowid > \(before)", false),
            ("child.id IN (SELECT row_id FROM temp.import_updated WHERE entity = ?1)", true),
        ] {
            let cases = references.compactMap { field -> String? in
                guard let target = field.references else { return nil }
                let reference = "child." + SQLText.name(field.name), path = SQLText.literal("$.\"\(field.name)\"")
                let isChanged =
                    """
                    EXISTS (SELECT 1 FROM temp.import_updated WHERE entity = ?1 AND row_id = child.id \
                    AND json_type(before, \(path)) IS NOT NULL)
                    """
                // A row whose update is reverted still exists, so references to it are valid.
                return """
                    WHEN (\(reference) IS NOT NULL AND \(reference) NOT IN (SELECT id FROM main.\(SQLText.name(target)))
                      OR (?2 AND \(reference) IN (
                        SELECT row_id FROM temp.import_dangling WHERE entity = \(SQLText.literal(target)) \
                    AND is_update = 0)))
                      \(isUpdate ? "AND " + isChanged : "") THEN \(SQLText.literal(field.name))
                    """
            }
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO temp.import_dangling (entity, row_id, field, is_update)
                    SELECT ?1, child.id, CASE \(cases.joined(separator: " ")) END AS "dangling", \
                    \(isUpdate ? 1 : 0) FROM \(table) AS child
                    WHERE \(rows) AND "dangling" IS NOT NULL
                    """, arguments: [entity.name, isLater])
            found += db.changesCount
        }
        return found > 0
    }

    /// The marked rows, in source order.
    func dangling() throws -> [Dangling] {
        var list: [Dangling] = []
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT min(s.n), d.field, d.row_id, d.is_update FROM temp.import_dangling AS d JOIN \(staged) AS s \
                ON s.f_id = d.row_id
                WHERE d.entity = ? GROUP BY d.row_id ORDER BY 1
                """, arguments: [entity.name])
        for row in rows {
            let value = try String.fetchOne(
                db, sql: "SELECT \(SQLText.name(row[1])) FROM \(table) WHERE id = ?", arguments: [row[2] as String])
            list.append(Dangling(n: row[0], id: row[2], field: row[1], value: value ?? "", isUpdate: row[3] == 1))
        }
        return list
    }

    /// Readable name of a row that is still in the table. The part of the name that the missing
    /// record would supply is replaced by `missing`.
    func key(_ dangling: Dangling, in missing: String?) throws -> String? {
        var joins = PathJoins(from: entity, pack: pack)
        let paths = pack.namePaths(of: entity) { pack.mayQuote($1.field($0)) }
        let columns = paths.map { path -> String in
            let isMissing = path.parts[0] == dangling.field,
                isID = pack.field(at: path, from: entity)?.references != nil
            return isMissing || isID ? "NULL" : "CAST(\(joins.column(path)) AS TEXT)"
        }
        guard !columns.isEmpty else { return missing }
        let row = try Row.fetchOne(
            db, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table) AS t0\(joins.sql) WHERE t0.id = ?",
            arguments: [dangling.id])
        let place = paths.firstIndex { $0.parts[0] == dangling.field }
        let names = paths.indices.compactMap { index -> String? in index == place ? missing : row?[index] }
        return names.isEmpty ? nil : names.joined(separator: Pack.nameSeparator)
    }

    func takeBackDangling() throws {
        let dangling = "SELECT row_id FROM temp.import_dangling WHERE entity = ? AND is_update = "
        if undo != nil {
            let names = SQLText.names(try db.columns(in: entity.name).map(\.name).filter { $0 != "id" })
            try db.execute(
                sql: """
                    UPDATE \(table) SET (\(names)) = (SELECT \(names) FROM \(undoTable) AS old \
                    WHERE old.id = \(table).id) WHERE id IN (\(dangling)1)
                    """.replacing("= \(table).id", with: "= \(SQLText.name(entity.name)).id"), arguments: [entity.name])
            try db.execute(
                sql:
                    """
                    DELETE FROM temp.import_updated WHERE entity = ? AND row_id IN (SELECT row_id \
                    FROM temp.import_dangling WHERE entity = ?)
                    """,
                arguments: [entity.name, entity.name])
        }
        try db.execute(sql: "DELETE FROM \(table) WHERE id IN (\(dangling)0)", arguments: [entity.name])
    }
}
