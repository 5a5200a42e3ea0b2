import Databases
import GRDB
package import Model

/// Records in `touched_rows` the changes that content stamps do not show: deleted rows, rows that
/// changed without a newer stamp (Fichero set a bookkeeping column, or an undo restored an old
/// row), and former references of rows.
///
/// Temporary triggers of the writing connection record the changes, so code that writes rows cannot
/// forget to do so. Only validation uses these entries: they show which stored results are
/// outdated, and which rows a transaction changed.
enum TouchedRows {
    static func watch(_ db: Database, pack: Pack) throws {
        for entity in watched(in: pack) {
            let table = "main." + SQLText.name(entity.name)
            let gone = references(of: entity).map { note(entity, $0, "OLD.\(SQLText.name($0)) IS NOT NULL") }
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER \(SQLText.name("touched_delete " + entity.name)) AFTER DELETE ON \(table) BEGIN
                      \(note(entity)); \(gone.map { $0 + ";" }.joined(separator: " "))
                    END;
                    CREATE TEMP TRIGGER \(SQLText.name("touched_update " + entity.name)) AFTER UPDATE ON \(table)
                    WHEN NEW.content_stamp <= OLD.content_stamp BEGIN \(note(entity)); END;
                    """)
            let moves = references(of: entity).map { field in
                (changed: "OLD.\(SQLText.name(field)) IS NOT NEW.\(SQLText.name(field))", field)
            }
            guard !moves.isEmpty else { continue }
            let notes = moves.map {
                note(entity, $0.1, "OLD.\(SQLText.name($0.1)) IS NOT NULL AND \($0.changed)") + ";"
            }
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER \(SQLText.name("touched_move " + entity.name)) AFTER UPDATE OF \
                    \(SQLText.names(moves.map(\.1))) ON \(table)
                    WHEN \(moves.map(\.changed).joined(separator: " OR ")) BEGIN \(notes.joined(separator: " ")) END
                    """)
        }
    }

    /// Records a row that is restored with an old stamp, as when an undo restores a removed row.
    static func noteReturn(of id: String, to entity: Entity, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO touched_rows (entity, field, row_id) VALUES (?, '', ?)", arguments: [entity.name, id])
    }

    /// Tables whose changes are recorded. The other tables are logs, which grow with every run. A
    /// check that reads one of them is therefore always run in full.
    static func watched(in pack: Pack) -> [Entity] { pack.entities.filter { !IndexPlan.logs.contains($0.name) } }

    /// Fields that contain the id of one row.
    static func references(of entity: Entity) -> [String] {
        entity.fields.filter { $0.references != nil && $0.type != .list }.map(\.name)
    }

    /// The statement by which a trigger adds a row, or its former reference, to `touched_rows`.
    private static func note(_ entity: Entity, _ field: String = "", _ condition: String = "1") -> String {
        let id = field.isEmpty ? "OLD.id" : "OLD." + SQLText.name(field)
        return
            """
            INSERT INTO touched_rows (entity, field, row_id) SELECT \(SQLText.literal(entity.name)), \
            \(SQLText.literal(field)), \(id) WHERE \(condition)
            """
    }
}

/// Counts the rows that other programs write into tables on which stored verdicts depend.
///
/// Triggers in the file count the rows. They never run in Fichero's connections (`SQLiteSetup`), so
/// they count only other programs' writes. Only a program that wants to hide its writes would drop
/// them.
enum ForeignWrites {
    private static let events = ["INSERT", "UPDATE", "DELETE"]
    private static let verdicts = ["kept_verdicts", "kept_checks", "kept_findings", "kept_files", "finding_acceptances"]

    /// The triggers of a table, in exactly the text that SQLite stores.
    private static func triggers(on table: String) -> [String] {
        events.map { event in
            """
            CREATE TRIGGER \(SQLText.name("foreign_\(event.lowercased()) \(table)")) AFTER \(event) \
            ON \(SQLText.name(table)) BEGIN
              UPDATE fichero_replica SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE key = \(key);
            END
            """
        }
    }

    private static var key: String { SQLText.literal(ReplicaKey.foreignWrites.rawValue) }

    /// Creates the triggers that a replica does not have yet.
    static func watch(_ db: Database, pack: Pack) throws {
        let present = Set(try String.fetchAll(db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'trigger'"))
        let missing = (TouchedRows.watched(in: pack).map(\.name) + verdicts).flatMap(triggers).filter {
            !present.contains($0)
        }
        guard try !missing.isEmpty || ReplicaKey.value(of: .foreignWrites, db) == nil else { return }
        try db.inTransaction(.immediate) {
            // While the triggers were missing, other programs' writes were not counted.
            try db.execute(sql: "DELETE FROM kept_verdicts")
            try db.execute(sql: "INSERT OR IGNORE INTO fichero_replica (key, value) VALUES (\(key), '0')")
            for trigger in missing { try db.execute(sql: trigger) }
            return .commit
        }
    }

    /// Kind and name of a trigger or view in the file that Fichero did not create.
    static func foreignCode(_ db: Database) throws -> String? {
        let found = try Row.fetchAll(
            db, sql: "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE type IN ('trigger', 'view')")
        let other = found.first { !triggers(on: $0["tbl_name"]).contains($0["sql"]) }
        return other.map { "\($0["type"] as String) \($0["name"] as String)" }
    }

    static func count(_ db: Database) throws -> Int {
        try ReplicaKey.value(of: .foreignWrites, db).flatMap { Int($0) } ?? 0
    }
}

extension ReadSession {
    /// If `field` is empty: the row `id` of `entity`. Otherwise: the row `id` to which some row of
    /// `entity` refers, or did refer, through `field`.
    package struct Spot: Sendable, Hashable {
        package var entity: String
        package var field: String
        package var id: String

        package init(entity: String, field: String = "", id: String) {
            (self.entity, self.field, self.id) = (entity, field, id)
        }
    }

    /// Restricts validation to these rows and the rows whose findings depend on them, including the
    /// records of parts. Checks of whole projects do not run.
    package func lookAt(_ spots: [Spot]) throws {
        keeper = try VerdictKeeper(self, about: spots)
    }

    /// Restricts validation to some records with their parts. Includes every check that can find an
    /// error in them, even checks of whole tables or projects.
    ///
    /// - Parameter records: ids by table.
    func lookAt(records: [String: Set<String>]) throws {
        var spots: [Spot] = []
        for (name, ids) in records {
            spots += ids.sorted().map { Spot(entity: name, id: $0) }
            let list = MemoryRows.Value.text(try Quarantine.json(ids.sorted()))
            for part in pack.records(rootedAt: name).flatMap(\.parts) {
                guard let entity = pack.entity(part.entity) else { continue }
                let isOfThese = "IN (SELECT value FROM json_each(?1))"
                let query =
                    part.isList
                    ? """
                    SELECT DISTINCT j.value FROM \(SQLText.name(name)) AS r,
                      \(Self.items(of: "r." + SQLText.name(part.by.description))) AS j WHERE r.id \(isOfThese)
                    """
                    : """
                    SELECT p.id FROM \(SQLText.name(entity.name)) AS p
                    WHERE \(ReferenceSQL(part.by, from: entity, in: pack).condition("p", isOfThese))
                    """
                let found = try connection.prepare(query, [list])
                while try found.step() { spots.append(Spot(entity: entity.name, id: found.text(0) ?? "")) }
            }
        }
        keeper = try VerdictKeeper(self, about: spots, thoroughly: true)
    }

    /// The rows to which the given rows refer now, such as the records of parts. Their findings
    /// depend on the given rows too.
    package func references(of rows: [(entity: Entity, id: String)]) throws -> [Spot] {
        var spots: [Spot] = []
        for (entity, id) in rows {
            let fields = TouchedRows.references(of: entity)
            guard !fields.isEmpty else { continue }
            let row = try connection.prepare(
                "SELECT \(SQLText.names(fields)) FROM \(connection.base).\(SQLText.name(entity.name)) WHERE id = ?1",
                [.text(id)])
            guard try row.step() else { continue }
            for (column, field) in fields.enumerated() {
                if let target = row.text(column) { spots.append(Spot(entity: entity.name, field: field, id: target)) }
            }
        }
        return spots
    }
}
