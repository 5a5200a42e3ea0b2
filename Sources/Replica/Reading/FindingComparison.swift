import Databases
import JSONReading
package import Model

/// Counts of findings compared with an earlier validation: findings that remain, are new, or no
/// longer occur.
package struct FindingComparison: Sendable, Hashable, Codable {
    /// The earlier run.
    package var run: String
    package var asOf: String
    package var new: Int
    package var mended: Int
    package var remaining: Int
}

/// Distinguishes new findings from old ones. A finding is identified by its fingerprint; findings
/// with the same fingerprint are identified by their order.
extension FindingStore {
    /// Compares with the stored findings of a run. Only projects that both runs examined count.
    /// Findings are excluded if their code's rule was hidden or timed out (`unjudged`), or if their
    /// field is hidden (`hidden`: table and field).
    package func compare(
        with earlier: KeptValidation, projects: [String], unjudged: Set<String>,
        hidden: [(entity: String, field: String)]
    ) throws -> FindingComparison {
        try numberOccurrences()
        try connection.execute(
            """
            CREATE TEMP TABLE earlier (
              fingerprint TEXT NOT NULL, n INTEGER NOT NULL, code TEXT NOT NULL, severity TEXT NOT NULL, tbl TEXT, \
            row_id TEXT, key TEXT,
              field TEXT, arguments TEXT NOT NULL, spot TEXT, PRIMARY KEY (fingerprint, n)) WITHOUT ROWID;
            CREATE TEMP TABLE compared_projects (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
            """)
        for project in Set(projects).intersection(earlier.projects).sorted() {
            try connection.run("INSERT INTO temp.compared_projects (id) VALUES (?1)", [.text(project)])
        }
        let codes = unjudged.sorted().map(SQLText.literal).joined(separator: ", ")
        let fields = hidden.map { "(\(SQLText.literal($0.entity)), \(SQLText.literal($0.field)))" }.joined(
            separator: ", ")
        try connection.run(
            """
            INSERT INTO temp.earlier SELECT fingerprint, n, code, severity, tbl, row_id, key, field, arguments, spot
            FROM \(connection.base).run_findings WHERE run_id = ?1
              AND (project_id IS NULL OR project_id IN (SELECT id FROM temp.compared_projects)) \
            AND code NOT IN (\(codes))
              AND (field IS NULL OR \(fields.isEmpty ? "1" : "(tbl, field) NOT IN (VALUES \(fields))"))
            """, [.text(earlier.run)])
        let compared = "(project_id IS NULL OR project_id IN (SELECT id FROM temp.compared_projects))"
        return FindingComparison(
            run: earlier.run, asOf: earlier.asOf,
            new: try Int(
                connection.integer("SELECT count(*) FROM temp.findings WHERE \(compared) AND \(comparisonFilter(.new))")
            ),
            mended: try Int(connection.integer("SELECT count(*) FROM (\(Self.mended))")),
            remaining: try Int(
                connection.integer("SELECT count(*) FROM temp.findings WHERE \(comparisonFilter(.remaining))")))
    }

    /// After `compare`: calls the body for each finding of the earlier run that no longer occurs.
    package func forEachMended(_ body: (Finding) throws -> Void) throws {
        let statement = try connection.prepare(
            "SELECT \(Self.columns), NULL FROM (\(Self.mended)) ORDER BY \(Self.order), n")
        while try statement.step() { try body(Self.finding(statement)) }
    }

    /// Numbers the findings of the same fingerprint, in the order in which they were found.
    func numberOccurrences() throws {
        try locate()
        try connection.execute(
            """
            UPDATE temp.findings SET occurrence = numbered.k
            FROM (SELECT n, row_number() OVER (PARTITION BY fingerprint ORDER BY n) AS k FROM temp.findings) AS numbered
            WHERE numbered.n = findings.n;
            CREATE INDEX IF NOT EXISTS temp.findings_fingerprint ON findings (fingerprint, occurrence);
            """)
    }

    /// Calls the body with the columns of `run_findings` after the run's id, in the order of its
    /// key.
    ///
    /// - Parameter codes: only findings with these codes; nil: all.
    func forEachToKeep(of codes: Set<String>?, _ body: ([MemoryRows.Value]) throws -> Void) throws {
        let filter = codes.map { " WHERE code IN (\($0.sorted().map(SQLText.literal).joined(separator: ", ")))" } ?? ""
        let statement = try connection.prepare(
            """
            SELECT fingerprint, occurrence, code, severity, tbl, row_id, key, field, arguments, spot, project_id \
            FROM temp.findings\(filter)
            ORDER BY fingerprint, occurrence
            """)
        while try statement.step() {
            try body((0..<statement.columnCount).map { column in
                    column == 1
                        ? .integer(statement.integer(1)) : statement.text(column).map(MemoryRows.Value.text) ?? .null
            })
        }
    }

    func comparisonFilter(_ status: FindingStatus) -> String {
        let known =
            """
            EXISTS (SELECT 1 FROM temp.earlier AS e WHERE e.fingerprint = findings.fingerprint \
            AND e.n = findings.occurrence)
            """
        return status == .new ? "NOT " + known : known
    }

    private static let mended = """
        SELECT * FROM temp.earlier AS e
        WHERE NOT EXISTS (SELECT 1 FROM temp.findings AS f WHERE f.fingerprint = e.fingerprint AND f.occurrence = e.n)
        """
}

/// A finding that is written into a table; reuses its memory, since there may be millions.
struct FindingRow {
    private var cells = RowBatch(columnCount: 10)
    private var json = JSONTextWriter(limits: .standard)
    private var fingerprint = FingerprintMaker()

    /// Runs a statement with the parameters code, severity, table, row, row's name, field, project,
    /// arguments, place in a file, fingerprint.
    mutating func insert(_ finding: Finding, _ project: String?, by statement: PreparedStatement) throws {
        cells.removeAll()
        cells.append(finding.code)
        cells.append(finding.severity.rawValue)
        cells.append(ifAny: finding.place.table)
        cells.append(ifAny: finding.place.id)
        cells.append(ifAny: finding.place.key)
        cells.append(ifAny: finding.place.field)
        cells.append(ifAny: project)
        FlatJSON.write(finding.arguments, with: &json)
        cells.append(utf8: json.bytes)
        cells.append(ifAny: Self.spot(finding.place))
        fingerprint.take(finding)
        cells.append(utf8: fingerprint.digits)
        try statement.run(binding: cells.cells.span, text: cells.text.span, from: 1)
    }

    /// A place in a file, as JSON; nil for most findings, which have none.
    private static func spot(_ place: Place) -> String? {
        guard
            place.file != nil || place.sheet != nil || place.cell != nil || place.pointer != nil || place.line != nil
                || place.column != nil
        else {
            return nil
        }
        let members = [
            "file": place.file, "sheet": place.sheet, "cell": place.cell, "pointer": place.pointer,
            "line": place.line.map(String.init),
            "column": place.column.map(String.init),
        ]
        return FlatJSON.write(members.compactMapValues(\.self))
    }
}

/// Names and texts as one JSON object, ordered by name.
enum FlatJSON {
    static func write(_ members: [String: String]) -> String {
        guard !members.isEmpty else { return "{}" }
        let sorted = members.sorted { $0.key < $1.key }.map { JSONValue.Member(key: $0.key, value: .string($0.value)) }
        return JSONValue.object(sorted).description
    }

    /// Replaces the writer's content with the JSON that the other function returns.
    static func write(_ members: [String: String], with writer: inout JSONTextWriter) {
        writer.removeAll()
        writer.write(.startObject, [UInt8]().span)
        if members.count < 2 {
            for (key, value) in members { write(key, value, with: &writer) }
        } else {
            for (key, value) in members.sorted(by: { $0.key < $1.key }) { write(key, value, with: &writer) }
        }
        writer.write(.endObject, [UInt8]().span)
    }

    private static func write(_ key: String, _ value: String, with writer: inout JSONTextWriter) {
        writer.write(.key, key.utf8Span.span)
        writer.write(.string, value.utf8Span.span)
    }

    static func read(_ text: String) -> [String: String] {
        guard text != "{}", let members = (try? JSONValue.parse(text))?.members else { return [:] }
        return Dictionary(
            members.compactMap { member in member.value.text.map { (member.key, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}
