import Databases
import GRDB
import Model

/// The staged rows of one entity: the pack's columns, typed as in the replica, and each row's place
/// in the source.
final class StagedEntity {
    let entity: Entity
    /// Name of the table within the staging file, quoted.
    let table: String
    private let db: Database
    var database: Database { db }
    /// The statement for rows with these fields; rows of one table usually have the same fields.
    private var insert: (fields: [Int], statement: PreparedStatement)?
    private let count: PreparedStatement
    private let shape: PreparedStatement
    private let shapeNumber: PreparedStatement
    /// Numbers of the shapes seen so far (`number(of:_:)`).
    private var shapeNumbers: [[Bool]: Int64] = [:]

    static func table(of entity: String) -> String { SQLText.name("rows_" + entity) }

    /// Columns for a row's place, system columns and normalized name. The raw row is stored as JSON
    /// text, or as a `RawCells` blob whose column names are stored with the place.
    static let facts = [
        "n", "place", "shape", "line", "position", "pointer", "sync_state", "local_version", "remote_updated_at",
        "key_text",
    ]

    /// Column of a field; staged names cannot clash with those of the facts.
    static func column(_ field: Field) -> String { SQLText.name("f_" + field.name) }

    init(_ db: Database, _ entity: Entity, n: Int64) throws {
        (self.db, self.entity) = (db, entity)
        table = Self.table(of: entity.name)
        let columns = entity.fields.map { "\(Self.column($0)) \($0.type.storage)" }
        // GRDB's API may only be used on the thread that opened the file.
        func run(_ sql: String) throws { try PreparedStatement(db, sql).run() }
        try run(
            """
            CREATE TABLE IF NOT EXISTS \(table) (
              n INTEGER PRIMARY KEY, place INTEGER NOT NULL, shape INTEGER NOT NULL, line INTEGER, position \
            INTEGER, pointer TEXT,
              sync_state TEXT, local_version INTEGER, remote_updated_at TEXT, key_text TEXT,
              \(columns.joined(separator: ", ")), raw ANY NOT NULL
            ) STRICT
            """)
        // Only rows copied from a device have sync states; this index finds them without a scan of
        // all rows.
        try run(
            """
            CREATE INDEX IF NOT EXISTS \(SQLText.name("states_" + entity.name)) ON \(table) (f_id) \
            WHERE sync_state IS NOT NULL
            """
        )
        try run("INSERT OR IGNORE INTO entities (entity, n, rows) VALUES (\(SQLText.literal(entity.name)), \(n), 0)")
        // Updated with each batch, because counting at the end would read all rows once more.
        count = try PreparedStatement(db, "UPDATE entities SET rows = rows + ? WHERE entity = ?")
        shape = try PreparedStatement(db, "INSERT OR IGNORE INTO shapes (entity, fields) VALUES (?, ?)")
        shapeNumber = try PreparedStatement(db, "SELECT number FROM shapes WHERE entity = ? AND fields = ?")
    }

    /// Inserts the rows of a batch, numbered from `n`.
    func insert(_ batch: borrowing ImportedBatch, from n: Int64, place: Int64) throws {
        let statement = try statement(for: batch.fields)
        let shapes = try batch.shapes.map { try number(of: $0, batch.fields) }
        let (cells, text, raw) = (batch.rows.cells.span, batch.rows.text.span, batch.raw.bytes.span)
        let width = batch.rows.columnCount
        let hasStates = !batch.states.isEmpty
        try statement.bind(place, at: 2)
        let name = entity.keyText.flatMap { entity.position(ofField: $0.name) }.flatMap {
            batch.fields.firstIndex(of: $0)
        }
        for fact in 6...10 { try statement.bind(.null, at: fact) }
        for row in 0..<batch.rows.rowCount {
            try statement.bind(n + Int64(row), at: 1)
            try statement.bind(shapes[batch.shape(of: row)], at: 3)
            let line = batch.lines[row].map { MemoryRows.Value.integer(Int64($0)) } ?? .null
            try statement.bind(line, at: 4)
            if let pointer = batch.pointer(of: row) {
                try statement.bind(line == .null ? Self.position(pointer) : line, at: 5)
                try statement.bind(pointer, at: 6)
            } else {
                try statement.bind(line, at: 5)
            }
            if hasStates {
                let states = batch.states[row]
                try statement.bind(states?.sync?.rawValue, at: 7)
                try statement.bind(states?.version.map { .integer($0) } ?? .null, at: 8)
                try statement.bind(states?.remoteUpdatedAt, at: 9)
            }
            if let name { try bindName(cells[row * width + name], text, statement) }
            try statement.run(
                binding: cells.extracting(row * width..<(row + 1) * width), text: text, from: 11,
                raw: raw.extracting(batch.raw.range(of: row)),
                isText: batch.raw.isText)
        }
        try note(rows: batch.rows.rowCount)
    }

    /// Adds to the stored number of rows; a negative number subtracts.
    func note(rows: Int) throws {
        try count.bind(Int64(rows), at: 1)
        try count.bind(entity.name, at: 2)
        try count.run()
    }

    /// Binds the normalized form of the row's name for comparisons, if it differs.
    private func bindName(_ cell: RowBatch.Cell, _ text: Span<UInt8>, _ statement: PreparedStatement) throws {
        try statement.bind(KeyText.stored(of: text.extracting(cell.kind == .text ? cell.range : 0..<0)), at: 10)
    }

    private func statement(for fields: [Int]) throws -> PreparedStatement {
        if let insert, insert.fields == fields { return insert.statement }
        let names = Self.facts + fields.map { Self.column(entity.fields[$0]) } + ["raw"]
        let statement = try PreparedStatement(
            db,
            """
            INSERT INTO \(table) (\(names.joined(separator: ", "))) \
            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            """
        )
        insert = (fields, statement)
        return statement
    }

    /// `/calicatas/17` → 17; items of a list are counted from zero.
    private static func position(_ pointer: String) -> MemoryRows.Value {
        pointer.split(separator: "/").last.flatMap { Int64($0) }.map(MemoryRows.Value.integer) ?? .null
    }

    /// The number of a shape, which records the fields that a row contains: a missing value differs
    /// from an empty value.
    private func number(of shape: [Bool], _ fields: [Int]) throws -> Int64 {
        var stated = [Bool](repeating: false, count: entity.fields.count)
        for (column, field) in fields.enumerated() where shape[column] { stated[field] = true }
        if let known = shapeNumbers[stated] { return known }
        let text = String(stated.map { $0 ? "1" : "0" })
        try self.shape.bind(entity.name, at: 1)
        try self.shape.bind(text, at: 2)
        try self.shape.run()
        try shapeNumber.bind(entity.name, at: 1)
        try shapeNumber.bind(text, at: 2)
        _ = try shapeNumber.step()
        let number = shapeNumber.integer(0)
        shapeNumber.reset()
        shapeNumbers[stated] = number
        return number
    }
}

// Rows of a source that replace or delete rows staged before them.

extension StagedEntity {
    /// Removes the rows that a new row replaces, and any staged deletion of its id.
    ///
    /// - Parameters:
    ///   - n: number of the new row.
    ///   - match: fields by which replaced rows are found. The new row then gets the id of the
    ///     first of those rows, because they are the same record.
    /// - Returns: the number of removed rows and deletions.
    func replace(byRow n: Int64, match: [String]) throws -> Int {
        let columns = match.isEmpty ? [Self.column(named: "id")] : match.map(Self.column(named:))
        try index(columns)
        let isSame = columns.map { "old.\($0) = new.\($0)" }.joined(separator: " AND ")
        let before = "\(table) AS old WHERE old.n < new.n AND \(isSame)"
        if !match.isEmpty {
            let id = Self.column(named: "id")
            try run(
                """
                UPDATE \(table) AS new SET \(id) = coalesce((SELECT old.\(id) FROM \(before) \
                ORDER BY old.n LIMIT 1), \(id)) WHERE new.n = ?
                """,
                n)
        }
        let rows = try run(
            """
            DELETE FROM \(table) WHERE n IN (SELECT old.n FROM \(table) AS new, \(table) AS old WHERE new.n = ? \
            AND old.n < new.n AND \(isSame))
            """,
            n)
        let deletions = try run(
            """
            DELETE FROM deletions WHERE entity = \(SQLText.literal(entity.name)) \
            AND id = (SELECT \(Self.column(named: "id")) FROM \(table) WHERE n = ?)
            """,
            n)
        try note(rows: -rows)
        return rows + deletions
    }

    /// Removes the rows with an id; returns their number.
    func delete(_ id: String) throws -> Int {
        try index([Self.column(named: "id")])
        let statement = try PreparedStatement(database, "DELETE FROM \(table) WHERE \(Self.column(named: "id")) = ?")
        try statement.bind(id, at: 1)
        let rows = try statement.run()
        try note(rows: -rows)
        return rows
    }

    static func column(named name: String) -> String { SQLText.name("f_" + name) }

    private func index(_ columns: [String]) throws {
        let name = SQLText.name("match_" + entity.name + "_" + columns.joined(separator: "_").filter { $0 != "\"" })
        try PreparedStatement(
            database, "CREATE INDEX IF NOT EXISTS \(name) ON \(table) (\(columns.joined(separator: ", ")))"
        ).run()
    }

    @discardableResult private func run(_ sql: String, _ n: Int64) throws -> Int {
        let statement = try PreparedStatement(database, sql)
        try statement.bind(.integer(n), at: 1)
        return try statement.run()
    }
}

/// The places of staged rows. Rows of one file and sheet share a numbered place, which also stores
/// the names of their columns.
final class StagedPlaces {
    private struct Key: Hashable {
        var place: Place
        var sheet: String?
        /// Whether the rows are repeats within a record, and so stand on the lines of that record.
        var isRepeat: Bool
        var isLenient: Bool
    }

    private let db: Database
    private let insert: PreparedStatement
    private let headings: PreparedStatement
    private var headed: Set<Int64> = []
    private var numbers: [Key: Int64] = [:]
    private var last: (key: Key, number: Int64)?

    init(_ db: Database) throws {
        self.db = db
        insert = try PreparedStatement(
            db, """
            INSERT INTO places (number, file, sheet, place, is_repeat, is_lenient) VALUES (?, ?, ?, ?, ?, ?)
            """)
        headings = try PreparedStatement(db, "INSERT OR IGNORE INTO headings (place, names) VALUES (?, ?)")
    }

    /// Reads the places that an earlier run stored.
    func resume() throws {
        for row in try Row.fetchAll(db, sql: "SELECT number, sheet, place, is_repeat, is_lenient FROM places") {
            let key = Key(
                place: try Quarantine.place(row[2]), sheet: row[1], isRepeat: row[3] == 1, isLenient: row[4] == 1)
            numbers[key] = row[0]
        }
    }

    /// The number of the place of a batch's rows, which all belong to one list.
    func number(of batch: borrowing ImportedBatch) throws -> Int64 {
        let place = batch.place
        let key = Key(
            place: place, sheet: place.sheet ?? batch.pointer(of: 0).flatMap(Self.sheet), isRepeat: batch.isRepeat,
            isLenient: batch.isLenient)
        let number = try last.flatMap { $0.key == key ? $0.number : nil } ?? number(of: key)
        last = (key, number)
        if !batch.raw.isText, headed.insert(number).inserted {
            try headings.bind(.integer(number), at: 1)
            try headings.bind(Quarantine.json(batch.raw.headings), at: 2)
            try headings.run()
        }
        return number
    }

    private func number(of key: Key) throws -> Int64 {
        if let known = numbers[key] { return known }
        let number = Int64(numbers.count + 1)
        try insert.bind(.integer(number), at: 1)
        try insert.bind(key.place.file, at: 2)
        try insert.bind(key.sheet, at: 3)
        try insert.bind(Quarantine.json(key.place), at: 4)
        try insert.bind(.integer(key.isRepeat ? 1 : 0), at: 5)
        try insert.bind(.integer(key.isLenient ? 1 : 0), at: 6)
        try insert.run()
        numbers[key] = number
        return number
    }

    /// `Hoja 1!A12` → `Hoja 1`; `/calicatas/17` → `/calicatas`; nil if the pointer contains only
    /// the row.
    private static func sheet(_ pointer: String) -> String? {
        guard let end = pointer.utf8.lastIndex(where: { $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: "/") }) else {
            return nil
        }
        return end == pointer.utf8.startIndex ? nil : String(pointer[..<end])
    }
}
