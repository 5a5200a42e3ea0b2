import GRDB
import Model

/// The staged rows of one entity: the pack's columns typed as the replica has them, and where each row stood.
final class StagedEntity {
    let entity: Entity
    /// Name of the table within the staging file, quoted.
    let table: String
    private let insert: PreparedStatement
    private var bulk: (fields: [Int], statement: PreparedStatement, shape: Int64)?
    private let shape: PreparedStatement
    private let shapeNumber: PreparedStatement
    private var lastShape: (stated: [Bool], number: Int64)?

    static func table(of entity: String) -> String { SQLText.name("rows_" + entity) }

    /// Columns of a row's place and states. The raw row is JSON as text, or `RawCells` as a blob, under the headings of its place.
    static let facts = ["n", "place", "line", "pointer", "position", "shape", "sync_state", "local_version", "remote_updated_at", "raw"]

    /// Column of a field; staged names cannot clash with those of the facts.
    static func column(_ field: Field) -> String { SQLText.name("f_" + field.name) }

    init(_ db: Database, _ entity: Entity, n: Int64) throws {
        self.entity = entity
        table = Self.table(of: entity.name)
        let columns = entity.fields.map { "\(Self.column($0)) \($0.type.storage)" }
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(table) (
                  n INTEGER PRIMARY KEY, place INTEGER NOT NULL, line INTEGER, pointer TEXT, position INTEGER, shape INTEGER NOT NULL,
                  sync_state TEXT, local_version INTEGER, remote_updated_at TEXT,
                  \(columns.joined(separator: ", ")), raw ANY NOT NULL
                ) STRICT
                """)
        // Rows copied off a device alone have states: whether there are any, and which, takes no look at the others.
        try db.execute(sql: "CREATE INDEX IF NOT EXISTS \(SQLText.name("states_" + entity.name)) ON \(table) (f_id) WHERE sync_state IS NOT NULL")
        try db.execute(sql: "INSERT OR IGNORE INTO entities (entity, n) VALUES (?, ?)", arguments: [entity.name, n])
        let names = Self.facts + entity.fields.map(Self.column)
        insert = try PreparedStatement(
            db, "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))")
        shape = try PreparedStatement(db, "INSERT OR IGNORE INTO shapes (entity, fields) VALUES (?, ?)")
        shapeNumber = try PreparedStatement(db, "SELECT number FROM shapes WHERE entity = ? AND fields = ?")
    }

    func insert(n: Int64, _ row: ImportedRow, _ values: [MemoryRows.Value?], place: Int64) throws {
        try insert.bind(.integer(n), at: 1)
        try insert.bind(.integer(place), at: 2)
        try insert.bind(row.place.line.map { .integer(Int64($0)) } ?? .null, at: 3)
        try insert.bind(row.place.pointer, at: 4)
        try insert.bind(Self.position(of: row).map { .integer(Int64($0)) } ?? .null, at: 5)
        try insert.bind(.integer(try shape(values)), at: 6)
        try insert.bind(row.syncState?.rawValue, at: 7)
        try insert.bind(row.localVersion.map { .integer($0) } ?? .null, at: 8)
        try insert.bind(row.remoteUpdatedAt, at: 9)
        try insert.bind(row.raw, at: 10)
        for (index, value) in values.enumerated() { try insert.bind(value ?? .null, at: 11 + index) }
        try insert.run()
    }

    /// What takes rows of a batch; false where it must first be made ready for their fields.
    func takes(_ batch: borrowing ImportedBatch) -> Bool { bulk?.fields == batch.fields }

    func makeReady(for batch: borrowing ImportedBatch, _ db: Database) throws {
        var stated = [MemoryRows.Value?](repeating: nil, count: entity.fields.count)
        for field in batch.fields { stated[field] = .null }
        let names = ["place", "shape", "n", "line", "position"] + batch.fields.map { Self.column(entity.fields[$0]) } + ["raw"]
        let statement = try PreparedStatement(
            db, "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))")
        bulk = (batch.fields, statement, try shape(stated))
    }

    /// Inserts the rows of a batch, numbered from `n`, after `makeReady`.
    func insert(_ batch: borrowing ImportedBatch, from n: Int64, place: Int64) throws {
        guard let bulk else { return }
        let statement = bulk.statement
        try statement.bind(place, at: 1)
        try statement.bind(bulk.shape, at: 2)
        let (cells, text, raw) = (batch.rows.cells.span, batch.rows.text.span, batch.raw.bytes.span)
        let width = batch.rows.columnCount
        for row in 0..<batch.rows.rowCount {
            let line = Int64(batch.lines[row])
            try statement.bind(n + Int64(row), at: 3)
            try statement.bind(line, at: 4)
            try statement.bind(line, at: 5)
            try statement.run(
                binding: cells.extracting(row * width..<(row + 1) * width), text: text, from: 6, blob: raw.extracting(batch.raw.range(of: row)))
        }
    }

    /// Where a row stood in its place: its line, or `/calicatas/17` → 17, where a list's items are counted from nought.
    static func position(of row: ImportedRow) -> Int? {
        row.place.line ?? row.place.pointer.flatMap { $0.split(separator: "/").last.flatMap { Int($0) } }
    }

    /// Which fields the row states: nothing said is something else than nothing there.
    private func shape(_ values: [MemoryRows.Value?]) throws -> Int64 {
        let stated = values.map { $0 != nil }
        if let lastShape, lastShape.stated == stated { return lastShape.number }
        let fields = String(stated.map { $0 ? "1" : "0" })
        try shape.bind(entity.name, at: 1)
        try shape.bind(fields, at: 2)
        try shape.run()
        try shapeNumber.bind(entity.name, at: 1)
        try shapeNumber.bind(fields, at: 2)
        _ = try shapeNumber.step()
        let number = shapeNumber.integer(0)
        shapeNumber.reset()
        lastShape = (stated, number)
        return number
    }
}
