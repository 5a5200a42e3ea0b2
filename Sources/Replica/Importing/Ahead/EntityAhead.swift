import GRDB
import Model

/// The statements by which new rows of one entity go into the replica while their source is still read, each with its queue item.
///
/// SQLite copies every page that a statement for several rows touches and that was changed before, so that it could take back the statement
/// alone. Rows whose ids lie all over their index come one by one, which needs none of that; rows and items of the queue whose ids rise come
/// with one statement for a batch; log entries, which have an index by record, with one for all when the source has been read.
final class EntityAhead {
    let entity: Entity
    /// Positions in the entity's fields of a batch's columns.
    let fields: [Int]
    private(set) var inserted = 0
    /// Whether a row waits for what it belongs to, so that nobody knows its project yet: it is queued at the end.
    private(set) var hasWaiting = false
    /// Whether a row refers to one that was not there, which may have come later.
    private(set) var hasDoubts = false
    private let lent: LentBatch
    private let insert: PreparedStatement
    private let insertAll: PreparedStatement
    private let greatest: PreparedStatement
    private let isGreater: PreparedStatement
    private let queue: PreparedStatement
    private let wait: PreparedStatement
    private let project: Project
    /// Columns that refer to other rows, with what finds those.
    private let references: [(column: Int, target: PreparedStatement)]
    private var facts = LentBatch.Facts()

    /// Where the project of a row stands.
    private enum Project {
        case none
        /// In this column.
        case own(Int)
        /// With what this column leads to.
        case parent(Int, PreparedStatement)
    }

    /// Creates the table of row numbers that the statements walk.
    static let numbers = [
        "CREATE TEMP TABLE import_numbers (i INTEGER PRIMARY KEY)",
        """
        INSERT INTO temp.import_numbers WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(mostRows - 1)) SELECT i FROM n
        """,
    ]
    /// Rows of a batch that are lent at once.
    private static let mostRows = 1024

    init(_ application: ImportApplication, _ entity: Entity, fields: [Int], lent: LentBatch) throws {
        let db = application.db
        (self.entity, self.fields, self.lent) = (entity, fields, lent)
        let rows = "FROM temp.import_numbers WHERE i < ?1"
        let names = ["import_source", "import_row"] + fields.map { entity.fields[$0].name } + ["sync_state", "local_version", "content_stamp", "own_mark"]
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO main.\(SQLText.name(entity.name)) (\(SQLText.names(names)))
            VALUES (?, ?, \(fields.map { _ in "?" }.joined(separator: ", ")), 'local_only', 1, \(application.stamp), 0) ON CONFLICT (id) DO NOTHING
            """)
        insertAll = try PreparedStatement(
            db,
            """
            INSERT INTO main.\(SQLText.name(entity.name)) (\(SQLText.names(names)))
            SELECT ?2, fichero_line(i), \(fields.indices.map { "fichero_cell(i, \($0))" }.joined(separator: ", ")), 'local_only', 1, \(application.stamp), 0
            \(rows) ON CONFLICT (id) DO NOTHING
            """)
        greatest = try PreparedStatement(db, "SELECT coalesce(max(rowid), 0) FROM main.\(SQLText.name(entity.name))")
        isGreater = try PreparedStatement(db, "SELECT rowid > ?2 FROM main.\(SQLText.name(entity.name)) WHERE id = ?1")
        let name = SQLText.literal(entity.name), time = SQLText.literal(application.time), id = "fichero_cell(i, \(fields.count - 1))"
        queue = try PreparedStatement(
            db,
            """
            INSERT INTO main.sync_queue (id, project_id, operation, entity_type, entity_id, payload_json, retry_count, created_at)
            SELECT fichero_id(), fichero_project(i), 'INSERT', \(name), \(id), fichero_payload(i), 0, \(time) \(rows) AND fichero_queued(i)
            """)
        wait = try PreparedStatement(db, "INSERT INTO temp.import_waiting (entity, row_id) VALUES (\(name), ?)")
        references = try fields.enumerated().compactMap { column, index in
            let field = entity.fields[index]
            guard field.type != .list, let target = field.references else { return nil }
            return (column, try PreparedStatement(db, "SELECT 1 FROM main.\(SQLText.name(target)) WHERE id = ?"))
        }
        let order = fields.indices.sorted { fields[$0] < fields[$1] }
        let members = RowMembers(order.map { entity.fields[fields[$0]].name })
        facts.members = members
        facts.ordered = order.enumerated().map { place, column in (column, members.ends[place]..<members.ends[place + 1]) }
        let path = entity.projectPath?.parts ?? []
        let first = path.first.flatMap { part in fields.firstIndex { entity.fields[$0].name == part } }
        if let first, path.count > 1 {
            let query = EntityRows.project(of: entity, in: application.pack, row: "t").replacing("t." + SQLText.name(path[0]), with: "?1")
            project = .parent(first, try PreparedStatement(db, "SELECT " + query))
        } else {
            project = first.map(Project.own) ?? .none
        }
    }

    /// Inserts the rows that the replica has not.
    ///
    /// - Parameter source: the number in `import_sources` of the place where they stood.
    func apply(_ batch: borrowing ImportedBatch, source: Int64) throws {
        let count = batch.rows.rowCount
        precondition(count <= Self.mostRows)
        let fresh = try idsRise(in: batch) ? insertTogether(batch, source) : insertOneByOne(batch, source)
        guard fresh > 0 else { return }
        inserted += fresh
        try findProjects(batch)
        for (column, target) in references where !hasDoubts { try lookUp(column, target, batch) }
        try queue.bind(Int64(count), at: 1)
        _ = try lent.lend(batch, facts) { try queue.run() }
    }

    private func idsRise(in batch: borrowing ImportedBatch) -> Bool {
        let text = batch.rows.text.span, column = fields.count - 1
        for row in 1..<max(1, batch.rows.rowCount) {
            let (one, two) = (text.extracting(batch.rows.cell(row - 1, column).range), text.extracting(batch.rows.cell(row, column).range))
            var place = 0
            while place < min(one.count, two.count), one[place] == two[place] { place += 1 }
            guard place < two.count, place == one.count || one[place] < two[place] else { return false }
        }
        return true
    }

    /// Of a batch without the same id twice; how many rows were new.
    private func insertTogether(_ batch: borrowing ImportedBatch, _ source: Int64) throws -> Int {
        let count = batch.rows.rowCount
        _ = try greatest.step()
        let before = greatest.integer(0)
        greatest.reset()
        try insertAll.bind(Int64(count), at: 1)
        try insertAll.bind(source, at: 2)
        let fresh = try lent.lend(batch, LentBatch.Facts()) { try insertAll.run() }
        facts.isQueued = Array(repeating: fresh == count, count: count)
        guard fresh > 0, fresh < count else { return fresh }
        for row in 0..<count {
            try isGreater.bind(batch.rows.string(row, fields.count - 1), at: 1)
            try isGreater.bind(before, at: 2)
            facts.isQueued[row] = try isGreater.step() && isGreater.integer(0) == 1
            isGreater.reset()
        }
        return fresh
    }

    private func insertOneByOne(_ batch: borrowing ImportedBatch, _ source: Int64) throws -> Int {
        let (cells, text) = (batch.rows.cells.span, batch.rows.text.span)
        var fresh = 0
        facts.isQueued.removeAll(keepingCapacity: true)
        try insert.bind(source, at: 1)
        for row in 0..<batch.rows.rowCount {
            try insert.bind(Int64(batch.lines[row]), at: 2)
            let isFresh = try insert.run(binding: cells.extracting(row * fields.count..<(row + 1) * fields.count), text: text, from: 3) == 1
            facts.isQueued.append(isFresh)
            if isFresh { fresh += 1 }
        }
        return fresh
    }

    /// Finds the projects of the rows that are to be queued; those whose parent is not there, which may yet come, wait.
    private func findProjects(_ batch: borrowing ImportedBatch) throws {
        facts.projects.removeAll(keepingCapacity: true)
        facts.projectText.removeAll(keepingCapacity: true)
        // Of the last row, for rows of one parent come together.
        var last: (row: Int, project: Range<Int>)?
        for row in 0..<batch.rows.rowCount {
            var place = 0..<0
            switch project {
            case .none: break
            case .own(let column): place = note(batch.rows.string(row, column))
            case .parent(let column, let query):
                guard facts.isQueued[row] else { break }
                if let last, Self.isSame(batch, column, row, last.row) {
                    place = last.project
                    break
                }
                guard let parent = batch.rows.string(row, column) else { break }
                try query.bind(parent, at: 1)
                let found = try query.step() ? query.text(0) : nil
                query.reset()
                if let found {
                    place = note(found)
                    last = (row, place)
                } else {
                    facts.isQueued[row] = false
                    hasWaiting = true
                    try wait.bind(batch.rows.string(row, fields.count - 1), at: 1)
                    try wait.run()
                }
            }
            facts.projects.append(place)
        }
    }

    /// Looks up what the new rows refer to. SQLite itself would do so for each row, and for each queue item and log entry once more.
    private func lookUp(_ column: Int, _ target: PreparedStatement, _ batch: borrowing ImportedBatch) throws {
        var last: Int?
        for row in 0..<batch.rows.rowCount {
            if let last, Self.isSame(batch, column, row, last) { continue }
            guard let id = batch.rows.string(row, column) else { continue }
            try target.bind(id, at: 1)
            let isThere = try target.step()
            target.reset()
            guard isThere else { return hasDoubts = true }
            last = row
        }
    }

    /// Whether two rows have the same text in a column.
    private static func isSame(_ batch: borrowing ImportedBatch, _ column: Int, _ row: Int, _ other: Int) -> Bool {
        let (cell, before) = (batch.rows.cell(row, column), batch.rows.cell(other, column))
        guard cell.kind == .text, before.kind == .text, cell.length == before.length else { return false }
        let text = batch.rows.text.span
        for (one, two) in zip(cell.range, before.range) where text[one] != text[two] { return false }
        return true
    }

    private func note(_ project: String?) -> Range<Int> {
        let start = facts.projectText.count
        facts.projectText.append(contentsOf: (project ?? "").utf8)
        return start..<facts.projectText.count
    }
}
