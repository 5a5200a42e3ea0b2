import Databases
package import Foundation
import GRDB
package import Model

/// A consistent view of a replica with an actor's access rights. It uses one read transaction from
/// the selection to the last row written, on a read-only connection. Temporary views hide data that
/// the actor may not see.
///
/// Used by one thread at a time; the rows that it opens may be read on another thread while nobody
/// else uses the session.
package final class ReadSession {
    /// A requested project of which the actor is a member.
    package struct Project: Sendable, Hashable {
        package var id: String
        package var code: String
        package var name: String
        package var organisationID: String?
    }

    let connection: SQLiteConnection
    let pack: Pack
    package let timeZone: TimeZone
    /// Requested projects that the actor may see, by code.
    package let projects: [Project]
    /// Fields that the actor's role may not see, as (entity, field).
    package let hiddenFields: [(entity: String, field: String)]
    package let findings: FindingStore

    /// The result of the last `select`.
    var selection: RecordSelection?
    /// Whether `temp.numbers` has been filled with the stored numbers.
    var hasNumbers = false

    /// The first and last day of the last selection; SQL can use them as `:from` and `:to`.
    var days: (from: String?, to: String?)
    /// The pseudonyms of this session; non-nil once an anonymous export needs them and its views
    /// exist.
    var pseudonyms: Pseudonyms?

    /// Statements of a report's queries, compiled once.
    var reportStatements: [String: PreparedStatement] = [:]

    /// Statements that look up rows by their ids, compiled once.
    private var lookups: [String: PreparedStatement] = [:]

    /// Id of the actor to whose rejected rows the session is limited; nil: everybody's, as in
    /// `Replica.rejects`.
    let rejectsOwner: String?

    let views: ActorViews
    /// Whether the session's projects are all projects of the replica.
    let seesEveryProject: Bool
    /// The day of the run in the office's time zone; queries can use it as `:today`.
    package let today: String
    /// The findings of earlier validations; nil: every row is checked (`recallVerdicts`).
    var keeper: VerdictKeeper?
    private let hidden: Set<ActorViews.Hidden>
    /// Changes of an open transaction; nil: the session shows committed data.
    let uncommitted: UncommittedRows?

    /// - Parameter codes: codes of projects; empty: all of the actor's projects.
    /// - Parameter asOf: the clock of the run: acceptances of findings that ended before its day
    ///   are invalid.
    package convenience init(
        path: String, pack: Pack, actor: Actor, projects codes: [String], timeZone: TimeZone, asOf: Date
    ) throws {
        try self.init(path: path, pack: pack, actor: actor, timeZone: timeZone, asOf: asOf, changedIn: nil) {
            connection, _ in
            try Self.visibleProjects(connection, pack, actor, codes)
        }
    }

    /// Shows projects as they will be when a transaction is committed.
    ///
    /// - Parameter ids: ids of the projects, which the actor may change.
    convenience init(
        changedIn db: Database, pack: Pack, actor: Actor, projects ids: Set<String>, timeZone: TimeZone, asOf: Date
    ) throws {
        let path = try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'") ?? ""
        try self.init(path: path, pack: pack, actor: actor, timeZone: timeZone, asOf: asOf, changedIn: db) {
            connection, source in
            try Self.projects(
                connection, pack, actor.role, in: source, "id IN (SELECT value FROM json_each(?1))",
                .text(Quarantine.json(ids.sorted())))
        }
    }

    private init(
        path: String, pack: Pack, actor: Actor, timeZone: TimeZone, asOf: Date, changedIn db: Database?,
        projects find: (SQLiteConnection, _ source: String) throws -> [Project]
    ) throws {
        self.pack = pack
        self.timeZone = timeZone
        rejectsOwner = actor.role.permissions.contains(.administer) ? nil : actor.id
        connection = try SQLiteConnection(path: path, now: asOf)
        connection.useTexts(of: pack, in: timeZone)
        var views = ActorViews(pack: pack, role: actor.role, schema: connection.schema)
        hidden = Set(views.hidden)
        hiddenFields = views.hidden.map { ($0.entity, $0.field) }
        try connection.execute("BEGIN")
        try connection.execute(Self.temporaryTables)
        let (connection, base) = (connection, connection.base)
        uncommitted = try db.map { db in
            try UncommittedRows(
                db, pack: pack,
                since: connection.integer(
                    "SELECT CAST(value AS INTEGER) FROM \(base).fichero_replica WHERE key = 'stamp'"),
                touched: connection.integer("SELECT max(n) FROM \(base).touched_rows"))
        }
        views.changed = Set(uncommitted?.tables.map(\.entity.name) ?? [])
        self.views = views
        try uncommitted?.show(on: connection, views)
        projects = try find(connection, pack.entity(pack.project.entity).map(views.source) ?? "")
        for project in projects {
            try connection.run("INSERT INTO temp.visible_projects (id) VALUES (?1)", [.text(project.id)])
        }
        let all = try connection.integer("SELECT count(*) FROM \(base).\(SQLText.name(pack.project.entity))")
        seesEveryProject = !projects.isEmpty && Int(all) == projects.count
        today = OfficeDay.text(of: asOf, in: timeZone)
        for sql in views.creation(allProjects: seesEveryProject) { try connection.execute(sql) }
        try connection.allowReading(
            tables: Set(pack.entities.map(\.name)),
            viewsAlsoRead: Set(
                ["visible_projects", "selected", "left_out", "given_numbers", "rejected_rows", "judged"]
                    + views.changedNames))
        connection.hide(Set(views.hidden.map { $0.entity + "." + $0.field }))
        findings = try FindingStore(connection: connection, pack: pack, today: today, reader: actor.role)
    }

    /// Created once: SQLite cannot drop a table while any statement of the connection is still
    /// running.
    private static let temporaryTables = """
        CREATE TEMP TABLE visible_projects (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
        CREATE TEMP TABLE unsynced (id TEXT PRIMARY KEY NOT NULL, rank INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TEMP TABLE left_out (id TEXT PRIMARY KEY NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL) \
        WITHOUT ROWID;
        CREATE TEMP TABLE selected (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
        CREATE TEMP TABLE given_numbers (numbering TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, \
        PRIMARY KEY (numbering, id)) WITHOUT ROWID;
        CREATE TEMP TABLE rejected_rows (
          id TEXT PRIMARY KEY NOT NULL, entity TEXT, file TEXT NOT NULL, sheet TEXT, line INTEGER, code TEXT, \
        created_at TEXT NOT NULL) WITHOUT ROWID;
        CREATE TEMP TABLE faulty (id TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (id, code)) WITHOUT ROWID;
        CREATE TEMP TABLE numbers (
          numbering TEXT NOT NULL, row_id TEXT NOT NULL, project_id TEXT NOT NULL, number INTEGER NOT NULL,
          PRIMARY KEY (numbering, row_id)) WITHOUT ROWID;
        """

    static func visibleProjects(
        _ connection: SQLiteConnection, _ pack: Pack, _ actor: Actor, _ codes: [String]
    ) throws -> [Project] {
        let base = connection.base
        let visible = try projects(
            connection, pack, actor.role, in: "\(base).\(SQLText.name(pack.project.entity))",
            "id IN (SELECT project_id FROM \(base).project_members WHERE profile_id = ?1)", .text(actor.id))
        guard !codes.isEmpty else { return visible }
        for wanted in codes where !visible.contains(where: { $0.code == wanted }) {
            throw SelectionFailure.unknownProject(wanted, visible: visible.map(\.code))
        }
        return visible.filter { codes.contains($0.code) }
    }

    private static func projects(
        _ connection: SQLiteConnection, _ pack: Pack, _ role: Role, in source: String, _ condition: String,
        _ value: MemoryRows.Value
    ) throws -> [Project] {
        let (code, name) = pack.projectNames(for: role)
        let organisation = pack.project.organisation.map(SQLText.name) ?? "NULL"
        let statement = try connection.prepare(
            "SELECT id, \(code), \(name), \(organisation) FROM \(source) WHERE \(condition) ORDER BY \(code), id",
            [value])
        var found: [Project] = []
        while try statement.step() {
            let id = statement.text(0) ?? ""
            found.append(
                Project(
                    id: id, code: statement.text(1) ?? id, name: statement.text(2) ?? statement.text(1) ?? id,
                    organisationID: statement.text(3)))
        }
        return found
    }
}

extension ReadSession: ValidationSource {
    package func rows(of entity: String, paths: [FieldPath]) throws -> any RowSource {
        guard let described = pack.entity(entity) else { return MemoryRows(columnCount: paths.count + 1, rows: []) }
        var joins = PathJoins(from: described, pack: pack)
        let columns = ["t0.id"] + paths.map { path in
            uncommitted == nil ? joins.column(path) : PathJoins.lookedUp(path, from: described, in: pack)
        }
        // CROSS JOIN makes SQLite start from the ids in `temp.judged`, whatever the planner assumes
        // about a temporary table. With an open transaction's rows combined with committed ones, it
        // would scan the table.
        let judgesSome = keeper?.judgesSome == true, isChanged = views.changed.contains(entity)
        let judged = judgesSome && !isChanged ? "temp.judged AS judged CROSS JOIN " : ""
        let condition =
            !judgesSome ? "" : isChanged ? " WHERE t0.id IN (SELECT id FROM temp.judged)" : " WHERE t0.id = judged.id"
        let sql =
            """
            SELECT \(columns.joined(separator: ", ")) FROM \(judged)\(SQLText.name(entity)) AS \
            t0\(joins.sql)\(condition)
            """
        return StatementRows(try connection.prepareGuarded(sql), on: connection)
    }

    /// Runs a read-only query over the plain table names; returns the named columns, in the given
    /// order.
    package func query(_ sql: String, columns: [String], seconds: Double) throws -> any RowSource {
        try reasons(sql, columns: columns, binding: [:], seconds: seconds)
    }

    /// Runs a query with values for parameters besides `:today`; without columns, each row is only
    /// counted.
    package func reasons(_ sql: String, columns: [String], binding values: [String: MemoryRows.Value], seconds: Double)
        throws -> any RowSource
    {
        // Selects the named columns in the requested order, whatever the order in the query.
        let names = columns.isEmpty ? "1" : columns.map(SQLText.name).joined(separator: ", ")
        let statement = try connection.prepareQuery("SELECT \(names) FROM (\(sql)\n)")
        try statement.reset(named: values.merging(["today": .text(today)]) { $1 })
        return StatementRows(statement, on: connection, seconds: seconds, fault: QueryRefusal.wrong)
    }

    package func offenders(_ question: TableQuery, columns: [String], seconds: Double) throws -> any RowSource {
        let judgesSome = keeper?.judgesSome == true
        let words = TableQuerySQL(pack: pack) { column in
            judgesSome ? column + " IN (SELECT id FROM temp.judged)" : nil
        }
        return try query(words.sql(question), columns: columns, seconds: seconds)
    }

    package func rows(of entity: Entity, ids: [String], paths: [FieldPath], seconds: Double) throws -> any RowSource {
        let statement = try lookup(of: entity, atLeast: ids.count, paths)
        try statement.reset(ids.map(MemoryRows.Value.text) + (ids.count..<statement.parameterCount).map { _ in .null })
        return StatementRows(statement, on: connection, seconds: seconds, fault: QueryRefusal.wrong)
    }

    /// A statement that looks up a fixed number of ids; unused parameters are null. It is compiled
    /// once for all findings.
    private func lookup(of entity: Entity, atLeast count: Int, _ paths: [FieldPath]) throws -> PreparedStatement {
        var room = 1
        while room < count { room *= 2 }
        let key = "\(room) \(entity.name) " + paths.map(\.description).joined(separator: " ")
        if let known = lookups[key] { return known }
        let words = TableQuerySQL.rows(of: entity, ids: (1...room).map { "?\($0)" }, paths: paths, in: pack)
        let names = words.columns.map(SQLText.name).joined(separator: ", ")
        let statement = try connection.prepareQuery("SELECT \(names) FROM (\(words.sql)\n)")
        lookups[key] = statement
        return statement
    }

    /// Runs a check on the rows that must be checked once more; reports stored findings.
    package func judge(_ reach: CheckReach, known: ([Finding]) throws -> Void, body: () throws -> Bool) throws {
        guard let keeper else {
            _ = try body()
            return
        }
        try keeper.judge(reach, known: known, body: body)
    }

    package func rowCount(of entity: String) throws -> Int? {
        guard keeper?.lastExtent != .all, keeper?.isFocused != true else { return nil }
        return try keeper.map { _ in Int(try connection.integer("SELECT count(*) FROM \(SQLText.name(entity))")) }
    }

    package func noteFile(row: String, path: String, stamp: String) throws {
        try keeper?.noteFile(row: row, path: path, stamp: stamp)
    }

    package func isHidden(_ field: String, of entity: String) -> Bool {
        hidden.contains(ActorViews.Hidden(entity: entity, field: field))
    }
}

extension ReadSession {
    /// SQLite's message if a query of the pack cannot be compiled; nil if it can.
    ///
    /// - Parameter columns: the columns of the query that the caller uses; empty: all.
    package func faults(inQuery sql: String, columns: [String]) -> String? {
        let names = columns.isEmpty ? "*" : columns.map(SQLText.name).joined(separator: ", ")
        return switch connection.compile(asked: "SELECT \(names) FROM (\(sql)\n)") {
        case .statement: nil
        case .nothing: "it is empty"
        case .several: "several statements"
        case .refused: "it does not only read the pack's tables"
        case .tooLarge: "too large"
        case .wrong(let reason): reason
        }
    }
}
