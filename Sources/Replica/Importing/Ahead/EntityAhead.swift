import GRDB
import Model

/// The statements by which new rows of one entity go into the replica while their source is still read, each with its queue item: one for
/// all rows of a batch.
///
/// Log entries come at the end, by one statement. SQLite copies every page that a statement touches and that was changed before, so that it
/// could take back the statement alone; the log's index by record is touched all over the place.
final class EntityAhead {
    let entity: Entity
    /// Positions in the entity's fields of a batch's columns.
    let fields: [Int]
    private(set) var inserted = 0
    /// Whether a row waits for what it belongs to, so that nobody knows its project yet: it is queued at the end.
    private(set) var hasWaiting = false
    private let lent: LentBatch
    private let insert: PreparedStatement
    private let queue: PreparedStatement
    private let wait: PreparedStatement
    private let isFresh: PreparedStatement
    private let greatest: PreparedStatement
    private let project: Project
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
        let names = fields.map { entity.fields[$0].name } + ["import_row", "import_source", "sync_state", "local_version", "content_stamp", "own_mark"]
        let cells = fields.indices.map { "fichero_cell(i, \($0))" }
        insert = try PreparedStatement(
            db,
            """
            INSERT INTO main.\(SQLText.name(entity.name)) (\(SQLText.names(names)))
            SELECT \(cells.joined(separator: ", ")), fichero_line(i), ?2, 'local_only', 1, \(application.stamp), 0 \(rows) ON CONFLICT (id) DO NOTHING
            """)
        let name = SQLText.literal(entity.name), time = SQLText.literal(application.time), id = "fichero_cell(i, \(fields.count - 1))"
        queue = try PreparedStatement(
            db,
            """
            INSERT INTO main.sync_queue (id, project_id, operation, entity_type, entity_id, payload_json, retry_count, created_at)
            SELECT fichero_id(), fichero_project(i), 'INSERT', \(name), \(id), fichero_payload(i), 0, \(time) \(rows) AND fichero_queued(i)
            """)
        wait = try PreparedStatement(db, "INSERT INTO temp.import_waiting (entity, row_id) VALUES (\(name), ?)")
        isFresh = try PreparedStatement(db, "SELECT rowid > ?2 FROM main.\(SQLText.name(entity.name)) WHERE id = ?1")
        greatest = try PreparedStatement(db, "SELECT coalesce(max(rowid), 0) FROM main.\(SQLText.name(entity.name))")
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
        let before = try greatestRow()
        facts.isQueued = Array(repeating: true, count: count)
        try insert.bind(Int64(count), at: 1)
        try insert.bind(source, at: 2)
        let fresh = try lent.lend(batch) { try insert.run() }
        guard fresh > 0 else { return }
        inserted += fresh
        if fresh < count { try findFresh(batch, after: before) }
        try findProjects(batch)
        lent.facts = facts
        try queue.bind(Int64(count), at: 1)
        _ = try lent.lend(batch) { try queue.run() }
    }

    private func greatestRow() throws -> Int64 {
        defer { greatest.reset() }
        return try greatest.step() ? greatest.integer(0) : 0
    }

    /// Tells which rows were new: neither in the replica nor the second of their id.
    private func findFresh(_ batch: borrowing ImportedBatch, after before: Int64) throws {
        var seen: Set<String> = []
        for row in 0..<batch.rows.rowCount {
            let id = batch.rows.string(row, fields.count - 1) ?? ""
            try isFresh.bind(id, at: 1)
            try isFresh.bind(before, at: 2)
            facts.isQueued[row] = try isFresh.step() && isFresh.integer(0) == 1 && seen.insert(id).inserted
            isFresh.reset()
        }
    }

    /// Finds the projects of the rows that are to be queued; those whose parent is not there, which may yet come, wait.
    private func findProjects(_ batch: borrowing ImportedBatch) throws {
        facts.projects.removeAll(keepingCapacity: true)
        facts.projectText.removeAll(keepingCapacity: true)
        var last: (parent: String, project: Range<Int>)?
        for row in 0..<batch.rows.rowCount {
            var place = 0..<0
            switch project {
            case .none: break
            case .own(let column): place = note(batch.rows.string(row, column))
            case .parent(let column, let query):
                guard facts.isQueued[row], let parent = batch.rows.string(row, column) else { break }
                if let last, last.parent == parent {
                    place = last.project
                    break
                }
                try query.bind(parent, at: 1)
                let found = try query.step() ? query.text(0) : nil
                query.reset()
                if let found {
                    place = note(found)
                    last = (parent, place)
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

    private func note(_ project: String?) -> Range<Int> {
        let start = facts.projectText.count
        facts.projectText.append(contentsOf: (project ?? "").utf8)
        return start..<facts.projectText.count
    }
}
