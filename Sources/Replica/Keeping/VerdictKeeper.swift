import Databases
import Foundation
import Model

extension ReadSession {
    /// Restricts validation to changes since the last validation of the same projects, with the
    /// same rules and access rights.
    /// - Parameters:
    ///   - program: version of the program, since another version may check differently.
    ///   - fileStamp: a text that changes when a photo's file changes.
    ///   - anew: whether to check everything despite stored findings.
    package func recallVerdicts(program: String, anew: Bool = false, fileStamp: @escaping (String) -> String) throws {
        keeper = try VerdictKeeper(self, program: program, anew: anew, fileStamp: fileStamp)
    }
}

/// The stored findings (the verdict) of an earlier validation. They determine which rows must be
/// checked once more and which findings can be reported without a check.
///
/// Only reads the replica; `Replica.keepVerdicts` stores new findings.
final class VerdictKeeper {
    /// The rows to be checked by a check.
    enum Extent {
        case all
        /// The rows in `temp.judged`; for queries, the rows that the restricted views show.
        case some
        case none
    }

    /// A verdict in the replica.
    struct Known {
        var id: Int64
        var generation: String
        var stamp: Int64
        var touched: Int64
    }

    /// The result of a check, and whether to store it.
    struct Outcome {
        var name: String
        var extent: Extent
        /// The numbers of findings before and after the check; the findings between are new.
        var findings: Range<Int>
        /// False if the check was abandoned, or depends on data whose changes are not recorded.
        var isKept: Bool
        var day: String?
    }

    let connection: SQLiteConnection
    let pack: Pack
    let findings: FindingStore
    let key: String
    /// The content stamp of the replica, and its last number in `touched_rows`, when it was read.
    let stamp: Int64
    let touched: Int64
    private(set) var known: Known?
    private(set) var outcomes: [Outcome] = []
    /// Whether anything changed since the stored verdict.
    private(set) var hasChanges = true
    /// Whether only some rows are validated.
    let isFocused: Bool
    /// Whether checks of whole tables or projects also run, if they report errors.
    private var isThorough = false

    private let views: ActorViews
    private let seesEveryProject: Bool
    private let today: String
    private let fileStamp: (String) -> String
    private var judged: JudgedRows
    /// Whether the present check is restricted to the rows in `temp.judged`.
    private(set) var judgesSome = false
    private(set) var lastExtent = Extent.all
    /// Name of the check whose opened photo files are recorded.
    private var notesFilesOf: String?

    /// If more rows changed than this, every row is checked, which takes no longer.
    static let maximumTouched = 200_000

    init(_ session: ReadSession, program: String, anew: Bool, fileStamp: @escaping (String) -> String) throws {
        self.fileStamp = fileStamp
        (connection, pack, findings, views) = (session.connection, session.pack, session.findings, session.views)
        (seesEveryProject, today) = (session.seesEveryProject, session.today)
        judged = JudgedRows(connection, views)
        let base = connection.base
        let hidden = session.hiddenFields.map { $0.entity + "." + $0.field }.sorted()
        // Other programs' writes have no content stamp, so they invalidate the verdicts.
        let foreign = try connection.integer(
            "SELECT CAST(value AS INTEGER) FROM \(base).fichero_replica WHERE key = ?1",
            [.text(ReplicaKey.foreignWrites.rawValue)])
        let place = [session.timeZone.identifier, String(seesEveryProject), String(foreign)]
        key = ([program, pack.fingerprint] + place + session.projects.map(\.id).sorted() + hidden)
            .joined(separator: "\n")
        isFocused = false
        stamp = try connection.integer("SELECT CAST(value AS INTEGER) FROM \(base).fichero_replica WHERE key = 'stamp'")
        touched = try connection.integer("SELECT max(n) FROM \(base).touched_rows")
        try createTables()
        let found = try connection.prepare(
            "SELECT id, generation, stamp, touched FROM \(base).kept_verdicts WHERE key = ?1", [.text(key)])
        guard try found.step() else { return }
        let known = Known(
            id: found.integer(0), generation: found.text(1) ?? "", stamp: found.integer(2), touched: found.integer(3))
        self.known = known
        // A stamp that decreased means another replica's tables, or a restored copy; then the
        // verdict is not used.
        guard !anew, known.stamp <= stamp, known.touched <= touched,
            try judged.collect(since: known, and: session.uncommitted?.spots ?? [], seesEveryProject: seesEveryProject)
        else {
            judged.isEverything = true
            return
        }
        hasChanges = try connection.integer("SELECT EXISTS (SELECT 1 FROM temp.touched)") == 1
    }

    /// Creates a keeper for a validation of some rows only: only checks that depend on these rows
    /// run, and no verdict is stored.
    init(_ session: ReadSession, about rows: [ReadSession.Spot], thoroughly isThorough: Bool = false) throws {
        self.isThorough = isThorough
        fileStamp = { _ in "" }
        (connection, pack, findings, views) = (session.connection, session.pack, session.findings, session.views)
        (seesEveryProject, today) = (session.seesEveryProject, session.today)
        judged = JudgedRows(connection, views)
        (key, stamp, touched) = ("", 0, 0)
        isFocused = true
        try createTables()
        try judged.focus(on: rows)
    }

    private func createTables() throws {
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS judged (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
            CREATE TEMP TABLE IF NOT EXISTS touched (entity TEXT NOT NULL, field TEXT NOT NULL, id TEXT NOT NULL, \
            PRIMARY KEY (entity, field, id)) WITHOUT ROWID;
            CREATE TEMP TABLE IF NOT EXISTS dropped (name TEXT NOT NULL, row_id TEXT NOT NULL, PRIMARY KEY (name, \
            row_id)) WITHOUT ROWID;
            CREATE TEMP TABLE IF NOT EXISTS opened (
              name TEXT NOT NULL, row_id TEXT NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, PRIMARY KEY (name, \
            row_id)) WITHOUT ROWID;
            DELETE FROM temp.touched; DELETE FROM temp.dropped; DELETE FROM temp.opened;
            """)
    }

    // MARK: one check

    func judge(_ reach: CheckReach, known tell: ([Finding]) throws -> Void, body: () throws -> Bool) throws {
        let query = try queryReach(reach)
        var outcome = Outcome(
            name: reach.name, extent: .all, findings: 0..<0, isKept: query?.isSteady ?? true,
            day: reach.asksForToday ? today : query?.day)
        if isFocused {
            outcome.extent = try judged.find(reach, reads: query?.tables ?? [], verdict: 0)
            // A check of whole tables or projects reveals little about a few rows, and is slow.
            if outcome.extent == .all, !isThorough || isMild(reach.name) { outcome.extent = .none }
        } else if outcome.isKept, try isKnown(reach.name, day: outcome.day) {
            outcome.extent = try judged.find(reach, reads: query?.tables ?? [], verdict: known?.id ?? 0)
            if reach.opensFiles, outcome.extent != .all {
                outcome.extent = try judged.addChangedFiles(reach, verdict: known?.id ?? 0, stampOf: fileStamp)
            }
        }
        lastExtent = outcome.extent
        let narrowed = outcome.extent == .some ? judged.narrowings : []
        if outcome.extent == .some, !isFocused {
            try narrow(narrowed) { try drop(reach, isNarrowed: !narrowed.isEmpty) }
        }
        if outcome.extent != .all, !isFocused { try reportKnown(reach.name, tell) }
        let before = findings.total
        if outcome.extent != .none {
            judgesSome = outcome.extent == .some && narrowed.isEmpty
            notesFilesOf = reach.opensFiles ? reach.name : nil
            defer { (judgesSome, notesFilesOf) = (false, nil) }
            try narrow(narrowed) { outcome.isKept = try body() && outcome.isKept }
        }
        outcome.findings = before..<findings.total
        outcomes.append(outcome)
    }

    /// Whether a check is a rule that reports no errors.
    private func isMild(_ name: String) -> Bool {
        pack.rules.first { $0.code == name }.map { $0.severity != .error } ?? false
    }

    /// Runs a body while the views of some entities show only some of their rows.
    private func narrow(_ narrowed: [JudgedRows.Narrowing], _ body: () throws -> Void) throws {
        for one in narrowed { try replaceView(one.entity, only: one.condition) }
        try body()
        for one in narrowed { try replaceView(one.entity, only: nil) }
    }

    func noteFile(row: String, path: String, stamp: String) throws {
        guard let name = notesFilesOf else { return }
        try connection.run(
            "INSERT OR IGNORE INTO temp.opened (name, row_id, path, stamp) VALUES (?1, ?2, ?3, ?4)",
            [.text(name), .text(row), .text(path), .text(stamp)])
    }

    /// The dependencies of a check's query; nil for checks that are not queries.
    private func queryReach(_ reach: CheckReach) throws -> (tables: Set<String>, isSteady: Bool, day: String?)? {
        guard case .query(let sql, _, _) = reach.kind else { return nil }
        // A query that cannot be compiled is reported when its check runs.
        guard let found = try? connection.reach(of: "SELECT id FROM (\(sql)\n)") else { return ([], false, nil) }
        // These functions use the clock if they have no time argument.
        let usesTimes = !found.functions.isDisjoint(with: Self.clockFunctions)
        let asksClock = usesTimes && sql.lowercased().contains(Self.clock.regex)
            || found.functions.contains { $0.hasPrefix("current_") || $0 == "timediff" }
        let noted = Set(TouchedRows.watched(in: pack).map(\.name))
        let isSteady =
            !asksClock && found.functions.isDisjoint(with: Self.restlessFunctions) && found.tables.isSubset(of: noted)
        return (found.tables, isSteady, usesTimes || ReportParameters.names(in: sql).contains("today") ? today : nil)
    }

    private static let clock = CachedRegex(/now|(date|time|julianday|unixepoch)\s*\(\s*\)|strftime\s*\(\s*'[^']*'\s*\)/)
    private static let clockFunctions: Set = ["date", "time", "datetime", "julianday", "strftime", "unixepoch"]
    private static let restlessFunctions: Set = [
        "random", "randomblob", "changes", "total_changes", "last_insert_rowid",
    ]

    private func isKnown(_ name: String, day: String?) throws -> Bool {
        guard let known, !judged.isEverything else { return false }
        let sql =
            """
            SELECT EXISTS (SELECT 1 FROM \(connection.base).kept_checks WHERE verdict = ?1 AND name = ?2 \
            AND day IS ?3)
            """
        return try connection.integer(sql, [.integer(known.id), .text(name), day.map { .text($0) } ?? .null]) == 1
    }

    /// Marks the rows with stored findings or files that are checked once more.
    private func drop(_ reach: CheckReach, isNarrowed: Bool) throws {
        let isJudged = isNarrowed
            ? """
                EXISTS (SELECT 1 FROM \(SQLText.name(reach.entity)) AS r WHERE r.id = k.row_id)
                OR EXISTS (SELECT 1 FROM temp.touched AS t WHERE t.entity = \(SQLText.literal(reach.entity)) \
                AND t.field = '' AND t.id = k.row_id)
                """
            : "EXISTS (SELECT 1 FROM temp.judged AS j WHERE j.id = k.row_id)"
        for table in ["kept_findings", "kept_files"] {
            try connection.run(
                """
                INSERT OR IGNORE INTO temp.dropped (name, row_id)
                SELECT k.name, k.row_id FROM \(connection.base).\(table) AS k WHERE k.verdict = ?1 AND k.name = ?2 \
                AND (\(isJudged))
                """, [.integer(known?.id ?? 0), .text(reach.name)])
        }
    }

    private func reportKnown(_ name: String, _ tell: ([Finding]) throws -> Void) throws {
        let kept = try connection.prepare(
            """
            SELECT code, severity, tbl, row_id, NULL, field, arguments, spot, NULL \
            FROM \(connection.base).kept_findings AS k
            WHERE verdict = ?1 AND name = ?2 AND NOT EXISTS (SELECT 1 FROM temp.dropped AS d WHERE d.name = k.name \
            AND d.row_id = k.row_id)
            ORDER BY row_id, n
            """, [.integer(known?.id ?? 0), .text(name)])
        var batch: [Finding] = []
        while try kept.step() {
            batch.append(FindingStore.finding(kept))
            if batch.count == 400 {
                try tell(batch)
                batch.removeAll(keepingCapacity: true)
            }
        }
        if !batch.isEmpty { try tell(batch) }
    }

    private func replaceView(_ entity: Entity, only condition: String?) throws {
        try connection.execute("DROP VIEW temp.\(SQLText.name(entity.name))")
        try connection.execute(views.creation(entity, allProjects: seesEveryProject, only: condition))
    }
}
