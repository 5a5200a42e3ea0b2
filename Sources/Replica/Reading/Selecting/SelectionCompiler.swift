import Foundation
package import Model

/// Compiles a selection request into one statement that inserts every record left out, with its
/// reason, into `temp.left_out`.
struct SelectionCompiler {
    private let root: Entity
    private let pack: Pack
    private let timeZone: TimeZone
    private let today: String
    /// The schema of the replica's tables.
    private let base: String
    private var joins: PathJoins
    /// The text fields to search for words.
    private var searched: [FieldPath] = []
    /// For each reason: the condition under which it applies, and SQL for the deciding value.
    private var reasons: [(reason: LeftOutReason, condition: String, detail: String)] = []
    private(set) var bindings: [MemoryRows.Value] = []

    init(root: Entity, pack: Pack, timeZone: TimeZone, today: String, base: String) {
        self.root = root
        self.pack = pack
        self.timeZone = timeZone
        self.today = today
        self.base = base
        joins = PathJoins(from: root, pack: pack)
    }

    private mutating func bind(_ text: String) -> String {
        bindings.append(.text(text))
        return "?\(bindings.count)"
    }

    mutating func add(_ kind: RecordKind, _ request: SelectionRequest, hasRemote: Bool) throws {
        if !request.states.isEmpty { try addStates(kind, request.states) }
        if request.from != nil || request.to != nil { try addDates(kind, request) }
        if let circle = request.near { try addPlace(kind, circle) }
        if let words = request.words { try addWords(kind, words) }
        if let filter = request.filter { try addFilter(filter) }
        // Last, so that records excluded by the request are not reported as unsynced.
        addSync(request, hasRemote: hasRemote)
    }

    /// The sync states that a request accepts. Default: synced if a remote is configured, otherwise
    /// all states without a conflict or error.
    static func allowedStates(_ request: SelectionRequest, hasRemote: Bool) -> [SyncState] {
        request.syncStates ?? (hasRemote ? [.synced] : SyncState.allCases.filter { $0 != .conflict && $0 != .error })
    }

    private mutating func addSync(_ request: SelectionRequest, hasRemote: Bool) {
        let allowed = Self.allowedStates(request, hasRemote: hasRemote)
        let ranks = allowed.compactMap { ReadSession.ranks.firstIndex(of: $0) }.map(String.init).joined(separator: ", ")
        let synced = ReadSession.ranks.count - 1
        let names = ReadSession.ranks.enumerated().map { "WHEN \($0) THEN '\($1.rawValue)'" }.joined(separator: " ")
        reasons.append(
            (
                .syncState, "coalesce(u.rank, \(synced)) NOT IN (\(ranks.isEmpty ? "-1" : ranks))",
                "CASE coalesce(u.rank, \(synced)) \(names) END"
            ))
    }

    private mutating func addStates(_ kind: RecordKind, _ states: [String]) throws {
        guard let path = kind.state, let field = pack.field(at: path, from: root) else {
            throw SelectionFailure.recordWithoutState(kind.name)
        }
        let known = field.vocabulary.flatMap { pack.vocabulary($0) }?.values ?? []
        for state in states where !known.isEmpty && !known.contains(state) {
            throw SelectionFailure.unknownState(state, known: known)
        }
        let column = joins.column(path)
        let list = states.map { bind($0) }.joined(separator: ", ")
        reasons.append(
            (
                .state, "(\(column) IS NULL OR \(column) NOT IN (\(list)))\(unlessMarked(path, column, list))",
                "coalesce(\(column), '')"
            ))
    }

    /// A mark that Fichero set does not affect the selection: a marked record counts as if it were
    /// still in the previous state.
    private func unlessMarked(_ path: FieldPath, _ column: String, _ states: String) -> String {
        guard path.parts.count == 1, let machine = root.states, machine.field == path.parts[0],
            let move = machine.exported
        else { return "" }
        return """
             AND NOT (\(column) = \(SQLText.literal(move.to)) AND EXISTS (SELECT 1 FROM \(base).own_marks AS m
              WHERE m.entity = \(SQLText.literal(root.name)) AND m.row_id = t0.id AND m.from_state IN (\(states))))
            """
    }

    /// Days are days in the office's time zone: an instant counts for the day on the office's
    /// clock.
    private mutating func addDates(_ kind: RecordKind, _ request: SelectionRequest) throws {
        guard let path = kind.date, let field = pack.field(at: path, from: root) else {
            throw SelectionFailure.recordWithoutDate(kind.name)
        }
        let column = joins.column(path)
        var conditions = ["\(column) IS NULL"]
        if let from = request.from {
            conditions.append("\(column) < \(bind(field.type == .datetime ? midnight(from, plusDays: 0) : from))")
        }
        if let to = request.to {
            conditions.append(
                field.type == .datetime ? "\(column) >= \(bind(midnight(to, plusDays: 1)))" : "\(column) > \(bind(to))")
        }
        reasons.append((.date, "(\(conditions.joined(separator: " OR ")))", "coalesce(\(column), '')"))
    }

    /// The instant at which an office day begins, as stored but without its last character. The
    /// texts of all instants of the first second, with decimals (`…:00.5Z`) or without (`…:00Z`),
    /// sort after it.
    private func midnight(_ day: String, plusDays: Int) -> String {
        guard let first = StoredTime.day(Array(day.utf8).span) else { return day }
        let date = OfficeClock.instant(showing: TimeInterval((first.sinceEpoch + plusDays) * 86_400), in: timeZone)
        return String(Timestamp.format(date).dropLast())
    }

    /// Leaves out records that are not near a place. A record counts as not near if its place is
    /// unknown or hidden from the actor.
    private mutating func addPlace(_ kind: RecordKind, _ circle: Nearby) throws {
        guard let place = kind.place else { throw SelectionFailure.recordWithoutPlace(kind.name) }
        let columns = place.paths.map { joins.column($0) }.joined(separator: ", ")
        let distance = "\(place.function)(\(circle.latitude), \(circle.longitude), \(columns))"
        reasons.append(
            (
                .place, "coalesce(\(distance) > \(circle.metres), 1)",
                "CASE WHEN \(distance) IS NULL THEN '' ELSE printf('%.1f km', \(distance) / 1000) END"
            ))
    }

    /// Leaves out records without the words. The index is created for the run, from data that the
    /// actor may see, and is deleted at the end of the run.
    private mutating func addWords(_ kind: RecordKind, _ text: String) throws {
        guard !kind.texts.isEmpty else { throw SelectionFailure.recordWithoutTexts(kind.name) }
        guard let words = SearchedWords(text) else { throw SelectionFailure.noWords(text) }
        searched = kind.texts
        reasons.append(
            (
                .words,
                "t0.id NOT IN (SELECT s.id FROM temp.searched AS s WHERE s.searched MATCH \(bind(words.query)))",
                bind(text)
            ))
    }

    private mutating func addFilter(_ text: String) throws {
        let expression = try ExpressionFailure.condition(text, over: root, of: pack)
        let compiled = ExpressionSQL.compile(expression, joins: &joins, on: today, firstParameter: bindings.count + 1)
        bindings += compiled.bindings
        reasons.append((.filter, "coalesce(\(compiled.sql), 0) = 0", bind(text)))
    }

    /// The statements that create the index of the texts of a project's records, before the records
    /// are chosen.
    func preparations(of table: String, project: String) -> [String] {
        guard !searched.isEmpty else { return [] }
        var joins = PathJoins(from: root, pack: pack)
        let columns = searched.map { joins.column($0) }.joined(separator: ", "),
            names = searched.indices.map { "text_\($0)" }.joined(separator: ", ")
        return [
            "DROP TABLE IF EXISTS temp.searched",
            """
            CREATE VIRTUAL TABLE temp.searched USING fts5(id UNINDEXED, \(names), tokenize = 'unicode61 \
            remove_diacritics 2')
            """,
            """
            INSERT INTO temp.searched (id, \(names)) SELECT t0.id, \(columns) FROM \(table) AS t0\(joins.sql) \
            WHERE \(ofProject(project))
            """,
        ]
    }

    /// SQL condition: the record belongs to the project.
    private func ofProject(_ project: String) -> String {
        root.projectPath.map { ReadSession.projectCondition($0, alias: "t0", root, pack, project: project) } ?? "1"
    }

    /// Query for every reason that applies to a record, with the deciding value. The last parameter
    /// is the record's id.
    func reasons(in table: String) -> String {
        let each = reasons.enumerated().map { index, reason in
            """
            SELECT \(index) AS n, '\(reason.reason.rawValue)', \(reason.detail) FROM \(table) AS t0 \
            LEFT JOIN temp.unsynced AS u ON u.id = t0.id\(joins.sql) \
            WHERE t0.id = ?\(bindings.count + 1) AND (\(reason.condition))
            """
        }
        return each.joined(separator: " UNION ALL ") + " ORDER BY n"
    }

    func insertion(of table: String, project: String) -> String {
        let reason = reasons.map { "WHEN \($0.condition) THEN '\($0.reason.rawValue)'" }.joined(separator: " ")
        let detail = reasons.map { "WHEN \($0.condition) THEN \($0.detail)" }.joined(separator: " ")
        let conditions = reasons.map(\.condition).joined(separator: " OR ")
        return """
            INSERT INTO temp.left_out (id, reason, detail)
            SELECT t0.id, CASE \(reason) END, CASE \(detail) END
            FROM \(table) AS t0 LEFT JOIN temp.unsynced AS u ON u.id = t0.id\(joins.sql)
            WHERE \(ofProject(project)) AND (\(conditions))
            """
    }
}

extension RecordKind.Place {
    /// The SQL function of the distance in metres from a place in degrees to this place.
    fileprivate var function: String {
        switch self {
        case .degrees: "distance_m"
        case .grid: "utm_distance_m"
        }
    }
}

/// A mistake in a run's selection.
package typealias SelectionFailure = DeclaredFailure<SelectionRequest>

extension SelectionFailure {
    /// The project does not exist, or the actor is not a member; the message does not reveal which.
    package static func unknownProject(_ value: String, visible: [String]) -> Self {
        Self("PROJECT-UNKNOWN", .noInput, ["value": value, "known": visible])
    }
    package static func unknownState(_ value: String, known: [String]) -> Self {
        Self("STATE-UNKNOWN", .usage, ["value": value, "known": known])
    }
    /// A state, date, place or words were requested, but records of this kind have none.
    package static func recordWithoutState(_ record: String) -> Self {
        Self("RECORD-NO-STATE", .usage, ["record": record])
    }
    package static func recordWithoutDate(_ record: String) -> Self {
        Self("RECORD-NO-DATE", .usage, ["record": record])
    }
    package static func recordWithoutPlace(_ record: String) -> Self {
        Self("RECORD-NO-PLACE", .usage, ["record": record])
    }
    package static func recordWithoutTexts(_ record: String) -> Self {
        Self("RECORD-NO-TEXTS", .usage, ["record": record])
    }
    /// The text contains no word to look for.
    package static func noWords(_ text: String) -> Self { Self("WORDS-EMPTY", .usage, ["value": text]) }
    /// None of the requested projects has a requested record. To a user, data that the user may not
    /// see does not exist.
    package static func nothingSelected(_ name: String) -> Self { Self("SELECTION-EMPTY", .noInput, ["name": name]) }
}
