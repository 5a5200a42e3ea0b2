import Databases
package import Model

/// The findings of one run in temporary tables: memory use does not grow with their number.
package final class FindingStore: FindingSink {
    /// Number of findings with one code.
    package struct Count: Sendable, Hashable, Codable {
        package var code: String
        package var severity: Severity
        package var count: Int
        /// Number of accepted findings among them.
        package var accepted = 0
        /// Number of findings that still need attention.
        package var open: Int { count - accepted }
    }

    let connection: SQLiteConnection
    let pack: Pack
    /// The day of the run in the office's time zone; acceptances that ended earlier are invalid.
    private let today: String
    private let insertion: PreparedStatement
    private var row = FindingRow()
    private var tally: [CodeAndSeverity: Int] = [:]
    /// Tables with findings, added since the last `locate`, whose row's project or name is unknown.
    private var incomplete: Set<String> = []
    private var mayHaveAccepted = false
    private let reader: Role
    /// Number of findings whose row's project and name have been looked up.
    private var located = 0
    /// The number of the last finding.
    private(set) var total = 0
    /// Whether some findings concern records outside the selection (`temp.findings_aside`).
    var setsAside = false
    /// The number of the last finding before files were written.
    private var validated: Int?

    /// - Parameter reader: the role that reads the findings. It decides whether the reason and the
    ///   author of an acceptance are shown.
    init(connection: SQLiteConnection, pack: Pack, today: String, reader: Role) throws {
        self.connection = connection
        self.pack = pack
        self.today = today
        self.reader = reader
        try connection.execute(
            """
            CREATE TEMP TABLE findings (
              n INTEGER PRIMARY KEY, code TEXT NOT NULL, severity TEXT NOT NULL, tbl TEXT, row_id TEXT, key TEXT, \
            field TEXT,
              arguments TEXT NOT NULL, spot TEXT, project_id TEXT, fingerprint TEXT NOT NULL, accepted TEXT, \
            occurrence INTEGER);
            CREATE TEMP TABLE findings_aside (n INTEGER PRIMARY KEY);
            """)
        insertion = try connection.prepare(
            """
            INSERT INTO temp.findings (code, severity, tbl, row_id, key, field, project_id, arguments, spot, \
            fingerprint)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """)
    }

    package func add(_ finding: Finding) throws { try add(finding, inProject: nil) }

    package func add(_ finding: Finding, inProject project: String?) throws {
        try row.insert(finding, project, by: insertion)
        total += 1
        tally[CodeAndSeverity(code: finding.code, severity: finding.severity), default: 0] += 1
        if let table = finding.place.table, project == nil || finding.place.key == nil { incomplete.insert(table) }
    }

    private struct CodeAndSeverity: Hashable {
        var code: String
        var severity: Severity
    }

    /// Creates the index for queries that look for the findings of rows. It is created when first
    /// needed: maintaining it would cost an insertion for every finding.
    func indexRows() throws {
        try connection.execute("CREATE INDEX IF NOT EXISTS temp.findings_row ON findings (tbl, row_id)")
    }

    static func read(_ spot: String, into place: inout Place) {
        let members = FlatJSON.read(spot)
        (place.file, place.sheet, place.cell, place.pointer) = (
            members["file"], members["sheet"], members["cell"], members["pointer"]
        )
        (place.line, place.column) = (members["line"].flatMap { Int($0) }, members["column"].flatMap { Int($0) })
    }

    /// For findings about rows, looks up the row's project and readable name if they are missing,
    /// and marks the accepted findings.
    func locate() throws {
        guard located < total else { return }
        for table in incomplete.sorted() {
            guard let entity = pack.entity(table) else { continue }
            var joins = PathJoins(from: entity, pack: pack)
            let project = entity.projectPath.map { joins.column($0) }
            let key = RowNaming.quotableKey(of: entity, pack: pack, joins: &joins)
            let row = "FROM \(SQLText.name(table)) AS t0\(joins.sql) WHERE t0.id = findings.row_id"
            let lacksProject = project == nil ? "" : "project_id IS NULL OR "
            try connection.run(
                """
                UPDATE temp.findings
                SET project_id = (SELECT \(project ?? "NULL") \(row)), key = coalesce(key, (SELECT \(key) \(row)))
                WHERE tbl = ?1 AND n > ?2 AND (\(lacksProject)key IS NULL)
                """, [.text(table), .integer(Int64(located))])
        }
        incomplete = []
        try markAccepted()
        located = total
    }

    /// Marks accepted findings. An acceptance covers exactly what was accepted: the same finding
    /// with other values counts as open.
    private func markAccepted() throws {
        let hidden = SQLText.literal(Pack.hiddenValue)
        let reason = pack.isVisible("details", of: "activity_logs", to: reader) ? "a.reason" : hidden
        let actor = pack.isVisible("email", of: "profiles", to: reader) ? "a.actor" : hidden
        let marked = try connection.run(
            """
            UPDATE temp.findings SET accepted = (
              SELECT json_object('reason', \(reason), 'actor', \(actor), 'acceptedAt', a.accepted_at, 'until', a.until)
              FROM \(connection.base).finding_acceptances AS a
              WHERE a.fingerprint = findings.fingerprint AND a.arguments = findings.arguments \
            AND a.withdrawn_at IS NULL AND a.until >= ?1
              ORDER BY a.until DESC, a.id DESC LIMIT 1)
            WHERE n > ?2 AND fingerprint IN (SELECT fingerprint FROM \(connection.base).finding_acceptances)
            """, [.text(today), .integer(Int64(located))])
        if marked > 0 { mayHaveAccepted = true }
    }

    /// Marks all later findings as produced by the writing of files. They are reported in the
    /// result and never in the files, so that a run's files do not depend on the order of writing.
    package func closeValidation() { validated = total }

    private func filter(_ project: String?) -> String {
        var conditions = setsAside ? ["n NOT IN (SELECT n FROM temp.findings_aside)"] : []
        if project != nil {
            conditions += ["(project_id IS NULL OR project_id = ?1)"] + (validated.map { ["n <= \($0)"] } ?? [])
        }
        return conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    }

    /// Codes with their counts, most serious first: for one project (including findings without a
    /// project), or for all.
    package func counts(project: String? = nil) throws -> [Count] {
        try locate()
        if project == nil, !setsAside, !mayHaveAccepted { return tallied }
        let filter = filter(project)
        let statement = try connection.prepare(
            """
            SELECT code, severity, count(*), count(accepted) FROM temp.findings \(filter) GROUP BY code, severity
            ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, code
            """, project.map { [.text($0)] } ?? [])
        var counts: [Count] = []
        while try statement.step() {
            counts.append(
                Count(
                    code: statement.text(0) ?? "", severity: Severity(rawValue: statement.text(1) ?? "") ?? .error,
                    count: Int(statement.integer(2)),
                    accepted: Int(statement.integer(3))))
        }
        return counts
    }

    /// Counts of all findings if none is accepted; a query would make SQLite sort them all.
    private var tallied: [Count] {
        tally.map { Count(code: $0.key.code, severity: $0.key.severity, count: $0.value) }
            .sorted { ($1.severity, $0.code) < ($0.severity, $1.code) }
    }

    /// Calls the body for each finding, ordered by severity, code, row's name and field. If `limit`
    /// is given, passes at most that many findings of each code. If `status` is given, passes only
    /// findings of that status, which needs a previous `compare`.
    package func forEach(
        project: String? = nil, limit: Int? = nil, status: FindingStatus? = nil, _ body: (Finding) throws -> Void
    ) throws {
        try locate()
        let statement = try ordered(project, status)
        var last = "", seen = 0
        while try statement.step() {
            let code = statement.text(0) ?? ""
            seen = code == last ? seen + 1 : 1
            last = code
            if let limit, seen > limit { continue }
            try body(Self.finding(statement))
        }
    }

    /// Findings of a project as rows of texts, created one by one as they are read.
    package func rows(project: String?, columnCount: Int, _ row: @escaping (Finding) -> [String]) throws
        -> any RowSource
    {
        try locate()
        return FindingRows(try ordered(project), columnCount: columnCount, row: row)
    }

    private func ordered(_ project: String?, _ status: FindingStatus? = nil) throws -> PreparedStatement {
        var filter = filter(project)
        if let status { filter += (filter.isEmpty ? "WHERE " : " AND ") + comparisonFilter(status) }
        return try connection.prepare(
            """
            SELECT \(Self.columns), accepted FROM temp.findings \(filter) ORDER BY \(Self.order), n
            """, project.map { [.text($0)] } ?? [])
    }

    static let columns = "code, severity, tbl, row_id, key, field, arguments, spot"
    static let order = "CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, code, key, row_id, field"

    /// Reads a finding from a statement whose columns are `columns` and the acceptance as JSON.
    static func finding(_ statement: PreparedStatement) -> Finding {
        var place = Place(
            table: statement.text(2), id: statement.text(3), key: statement.text(4), field: statement.text(5))
        if let spot = statement.text(7) { read(spot, into: &place) }
        return Finding(
            code: statement.text(0) ?? "", severity: Severity(rawValue: statement.text(1) ?? "") ?? .error,
            place: place,
            arguments: FlatJSON.read(statement.text(6) ?? ""), acceptance: statement.text(8).map(acceptance))
    }

    private static func acceptance(_ json: String) -> Acceptance {
        let members = FlatJSON.read(json)
        return Acceptance(
            reason: members["reason"] ?? "", actor: members["actor"] ?? "", acceptedAt: members["acceptedAt"] ?? "",
            until: members["until"] ?? "")
    }
}

/// The findings as rows of a sheet.
private final class FindingRows: RowSource {
    let columnCount: Int
    private let statement: PreparedStatement
    private let row: (Finding) -> [String]
    private var isAtEnd = false

    init(_ statement: PreparedStatement, columnCount: Int, row: @escaping (Finding) -> [String]) {
        self.statement = statement
        self.columnCount = columnCount
        self.row = row
    }

    func fill(_ batch: inout RowBatch) throws {
        batch.removeAll()
        while !isAtEnd, !batch.isFull {
            guard try statement.step() else {
                isAtEnd = true
                return
            }
            for text in row(FindingStore.finding(statement)) { batch.append(text) }
            batch.endRow()
        }
    }
}
