import Databases
import GRDB
import Model

/// Uncommitted changes of a transaction: changed rows, and removed rows. With them, a session shows
/// the replica as it will be after the commit.
struct UncommittedRows {
    struct Table {
        var entity: Entity
        var rows: [[MemoryRows.Value]]
        /// Ids of these rows, and of the removed rows.
        var ids: [String]
    }

    private(set) var tables: [Table] = []
    /// The changes, in the form that a restricted validation uses.
    private(set) var spots: [ReadSession.Spot] = []

    /// - Parameters:
    ///   - stamp: the number of the last committed write.
    ///   - touched: the number of the last committed entry in `touched_rows`.
    init(_ db: Database, pack: Pack, since stamp: Int64, touched: Int64) throws {
        let notes = try Row.fetchAll(
            db, sql: "SELECT entity, field, row_id FROM main.touched_rows WHERE n > ?", arguments: [touched])
        spots = notes.map { ReadSession.Spot(entity: $0[0], field: $0[1], id: $0[2]) }
        for entity in TouchedRows.watched(in: pack) {
            let columns = Self.columns(of: entity)
            var table = Table(
                entity: entity, rows: [], ids: spots.filter { $0.entity == entity.name && $0.field.isEmpty }.map(\.id))
            let noted = try Quarantine.json(table.ids)
            let changed = try PreparedStatement(
                db,
                """
                SELECT \(SQLText.names(columns)) FROM main.\(SQLText.name(entity.name))
                WHERE content_stamp > \(stamp) OR id IN (SELECT value FROM json_each(\(SQLText.literal(noted))))
                """)
            let references = TouchedRows.references(of: entity).compactMap { name in
                columns.firstIndex(of: name).map { (name, $0) }
            }
            let identity = columns.firstIndex(of: "id") ?? 0
            while try changed.step() {
                let row = (0..<changed.columnCount).map(changed.value)
                guard case .text(let id) = row[identity] else { continue }
                table.rows.append(row)
                table.ids.append(id)
                spots.append(ReadSession.Spot(entity: entity.name, id: id))
                for (name, index) in references {
                    if case .text(let owner) = row[index] {
                        spots.append(ReadSession.Spot(entity: entity.name, field: name, id: owner))
                    }
                }
            }
            if !table.ids.isEmpty { tables.append(table) }
        }
    }

    /// The columns of a table that an actor's views use.
    private static func columns(of entity: Entity) -> [String] {
        entity.fields.map(\.name) + SystemColumn.allCases.map(\.rawValue)
    }

    /// Creates the views of these tables as they will be after the commit, under the names that
    /// `ActorViews` has for them.
    func show(on connection: SQLiteConnection, _ views: ActorViews) throws {
        for table in tables {
            let columns = SQLText.names(Self.columns(of: table.entity))
            let base = "\(connection.base).\(SQLText.name(table.entity.name))"
            let rows = SQLText.name(views.changedRows(table.entity))
            let gone = SQLText.name(views.changedIDs(table.entity))
            try connection.execute(
                """
                CREATE TEMP TABLE \(rows) AS SELECT \(columns) FROM \(base) WHERE 0;
                CREATE TEMP TABLE \(gone) (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
                CREATE TEMP VIEW \(views.source(table.entity)) AS
                  SELECT \(columns) FROM \(base) WHERE id NOT IN (SELECT id FROM temp.\(gone))
                  UNION ALL SELECT \(columns) FROM temp.\(rows);
                """)
            let places = Self.columns(of: table.entity).indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            let insertion = try connection.prepare("INSERT INTO temp.\(rows) VALUES (\(places))")
            for row in table.rows {
                try insertion.reset(row)
                _ = try insertion.step()
            }
            let noted = try connection.prepare("INSERT OR IGNORE INTO temp.\(gone) (id) VALUES (?1)")
            for id in table.ids {
                try noted.reset([.text(id)])
                _ = try noted.step()
            }
        }
    }
}
