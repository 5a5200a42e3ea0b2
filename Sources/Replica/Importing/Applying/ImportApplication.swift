// Long file: the steps of one transaction, in their order.

import Databases
import Foundation
import GRDB
import Model

/// Applies a filled staging area to the replica, within the caller's transaction. Each step is one
/// statement for all rows of an entity. Rows are handled one by one only if they differ from an
/// existing row, have a dangling reference, or have a photo's file.
final class ImportApplication {
    let db: Database
    let pack: Pack
    let request: ImportRequest
    let findings: any FindingSink
    let id: String
    let stamp: Int64
    let time: String
    let changes: ChangeLog
    let trail: ImportTrail
    let quarantine: Quarantine
    let conflicts: ConflictKeeper
    let bases: RowBases
    private let photos: PhotoAttacher
    private let outcomes: PreparedStatement
    private var importers: [String: EntityImporter] = [:]
    /// Entities with staged rows, in the order in which they first appeared.
    private(set) var staged: [EntityRows] = []
    /// Outcomes of rows that belong to no known table.
    private var unknown = ImportCounts()
    /// Objects that the registered SQL functions use.
    private let answers: [ImportFunctions.ProjectAnswer]
    let judge: Judge
    /// Nil if no person was erased in this replica.
    private let erased: ErasedArrivals?
    /// Handles acknowledgements in rows of a sync partner's package; nil for an ordinary file.
    private var acknowledgements: Acknowledgements?
    private var rejected = 0
    /// Whether all rejections so far were for lack of permission.
    private var isForbidden = true
    private static let forbidding: Set = [
        "CHANGE-PROJECT", "CHANGE-TRANSITION", "CHANGE-NEW-STATE", "CHANGE-ACT", "CHANGE-DELETE", "CHANGE-EDIT",
        "CHANGE-OWN-ROLE", "CHANGE-OWN-MOVE", "CHANGE-NOT-OWN", "CHANGE-EDITOR", "CHANGE-OTHER-FIELD",
        "IMPORT-NOT-ALLOWED",
    ]
    private(set) var conflictEnd: ConflictEnd?
    /// Rows that a person removed, by entity.
    var removed: [String: Int] = [:]
    /// Source of ids for queue items and log entries, each id greater than the one before.
    let ids: RisingIDs
    /// The same source's import that a killed run had committed; nil if there is none.
    let stored: StoredImport?
    /// Photos that the killed run had attached.
    var attachedBefore = 0

    init(_ db: Database, pack: Pack, request: ImportRequest, findings: any FindingSink, stored: StoredImport? = nil)
        throws
    {
        self.db = db
        self.stored = stored
        self.pack = pack
        var request = request
        // A reason that consists of white space counts as no reason.
        if request.reason?.allSatisfy(\.isWhitespace) == true { request.reason = nil }
        self.request = request
        self.findings = findings
        id = UUIDv7.make(at: request.startedAt)
        time = Timestamp.format(request.startedAt)
        stamp = try ReplicaKey.nextStamp(db)
        ids = RisingIDs(at: request.startedAt)
        answers = try ImportFunctions.register(on: db, pack: pack, ids: ids)
        changes = try ChangeLog(
            db, pack: pack, actorID: request.actor.id, environment: request.environment, now: request.startedAt,
            ids: ids, stamp: stamp)
        quarantine = try Quarantine(db, importID: id, now: request.startedAt)
        conflicts = try ConflictKeeper(db, changes: changes, now: request.startedAt)
        bases = try RowBases(db, changeID: id)
        photos = PhotoAttacher(db, stamp: stamp)
        trail = try ImportTrail(db, importID: id)
        for table in Self.temporary + Judge.temporary + ChangeScope.temporary { try db.execute(sql: table) }
        judge = try Judge(db, pack: pack, request: request)
        erased = try ErasedArrivals(db, pack: pack)
        outcomes = try PreparedStatement(db, "INSERT INTO temp.import_outcomes (n, outcome, changes) VALUES (?, ?, ?)")
    }

    static let temporary = [
        // Outcomes of staged rows that are neither new nor unchanged.
        "CREATE TEMP TABLE import_outcomes (n INTEGER PRIMARY KEY, outcome TEXT NOT NULL, changes TEXT)",
        "CREATE TEMP TABLE import_duplicates (n INTEGER PRIMARY KEY)",
        """
        CREATE TEMP TABLE import_updated (entity TEXT, row_id TEXT, n INTEGER, before TEXT, states TEXT, details \
        TEXT, PRIMARY KEY (entity, row_id)) WITHOUT ROWID
        """,
        """
        CREATE TEMP TABLE import_dangling (entity TEXT, row_id TEXT, field TEXT, is_update INTEGER, PRIMARY KEY \
        (entity, row_id)) WITHOUT ROWID
        """,
    ]

    static func dropTemporary(_ db: Database) throws {
        let names = try String.fetchAll(
            db,
            sql:
                """
                SELECT name FROM sqlite_temp_schema WHERE type = 'table' AND (name LIKE 'import\\_%' ESCAPE '\\' \
                OR name = 'change_scope')
                """
        )
        for name in names { try db.execute(sql: "DROP TABLE temp.\(SQLText.name(name))") }
    }

    /// Applies everything in this order: the import's row, to which all other rows refer; findings
    /// from reading; rows; dangling references; deletions reported by the source; photos; queue
    /// items and log entries; completion of the import's row.
    func run(
        photos noted: (ImportedPhoto, PhotoAttachment) throws -> Void, finishedAt: () -> Date
    ) throws -> ImportAccount {
        try Administrators(db, pack: pack).keepOne { try apply(telling: noted, finishedAt) }
    }

    private func apply(telling noted: (ImportedPhoto, PhotoAttachment) throws -> Void, _ finishedAt: () -> Date) throws
        -> ImportAccount
    {
        try trail.begin(request, stamp: stamp)
        try trail.noteSources(request)
        conflictEnd = try ConflictEnd(self)
        if let terms = request.exchange { acknowledgements = try Acknowledgements(self, terms) }
        try closeRetried()
        try erased?.leaveOutOfImport(findings)
        try reportFaults()
        for name in try String.fetchAll(db, sql: "SELECT entity FROM staging.entities ORDER BY n") {
            guard let importer = try importer(of: name) else { continue }
            let rows = try EntityRows(db, importer: importer, pack: pack, actor: request.actor)
            staged.append(rows)
            try apply(rows)
        }
        try DanglingRows(self).remove(from: staged)
        try DeletedRecords(self).note()
        try ImportedPhotos(self).attach(photos, noted)
        for rows in staged { try rows.log(request, time: time, stamp: stamp) }
        if request.believesStates, let queue = staged.first(where: { $0.importer.entity.name == "sync_queue" }) {
            try DeviceQueue(db, queue).takeOver()
        }
        try conflictEnd?.record(time: time)
        if request.joins, let projects = staged.first(where: { $0.importer.entity.name == pack.project.entity }) {
            try Joining(self).join(projects)
        }
        try logUpdates()
        try ChangeEvents(self)?.write(staged)
        try acknowledgements?.finish()
        try reportRecords()
        // Only an imported file closes quarantined rows; a person's change concerns the record
        // itself.
        if request.origin == .file {
            try RejectResolution(db: db, importID: id, sha256: request.sha256).resolve(staged, trail)
        }
        // A person's change is applied completely or not at all.
        if request.origin == .person, rejected > 0 { throw ChangeFailure.refused(count: rejected, mayNot: isForbidden) }
        try checkApproved()
        let report = try finish(at: finishedAt())
        if let profiles = staged.first(where: { $0.importer.entity.name == "profiles" }) {
            try StandIns(db, pack: pack).replace(after: profiles.before, changes)
        }
        return report
    }

    // MARK: Findings from reading

    private func closeRetried() throws {
        for reject in try String.fetchAll(db, sql: "SELECT id FROM staging.retried ORDER BY id") {
            try db.execute(
                sql: "UPDATE rejects SET state = 'corrected' WHERE id = ? AND state = 'open'", arguments: [reject])
            if db.changesCount == 1 {
                try trail.note(
                    .retry, entity: "rejects", id: reject, place: nil, row: nil, before: "{}", states: "{}", item: nil)
            }
        }
    }

    private func reportFaults() throws {
        let notes = try PreparedStatement(db, "SELECT finding FROM staging.notes ORDER BY n")
        while try notes.step() {
            try findings.add(JSONDecoder().decode(Finding.self, from: Data((notes.text(0) ?? "").utf8)))
        }
        for row in try Row.fetchAll(db, sql: "SELECT entity, count FROM staging.filtered") {
            try importer(of: row[0])?.counts.add(.filtered, row[1])
        }
        let faults = try PreparedStatement(
            db, "SELECT entity, raw, place, findings, around FROM staging.faults ORDER BY n")
        while try faults.step() {
            let found = try Quarantine.findings(faults.text(3) ?? "")
            try reject(
                entity: faults.text(0), raw: faults.text(1) ?? "", place: Quarantine.place(faults.text(2) ?? ""),
                findings: found, around: faults.text(4))
        }
    }

    // MARK: Rows

    private func apply(_ rows: EntityRows) throws {
        let importer = rows.importer
        let isBook =
            importer.entity.writer == .fichero || (importer.entity.writer == .claims && !request.believesStates)
        if isBook { return try leaveOut(rows) }
        try rows.judge(by: judge)
        for refusal in try rows.refusals() {
            try rejectStaged(rows, n: refusal.n, refusal.code, field: refusal.field) { _ in refusal.arguments }
        }
        try acknowledgements?.take(rows)
        if !request.believesStates, request.exchange == nil, let stated = try rows.firstWithStates() {
            try findings.add(
                finding(
                    "IMPORT-STATES", rows, stated.n, id: stated.id,
                    arguments: [
                        "name": importer.entity.name, "count": String(stated.count), "role": request.actor.role.name,
                    ]))
        }
        let inserted = try rows.insert(
            stamp: stamp, sources: trail, believesStates: request.believesStates, exchange: request.exchange)
        try judge.noteNew(rows)
        importer.counts.add(.imported, inserted)
        if inserted > 0 {
            try judgeParts(rows)
            try tellDoubled(rows)
        }
        if let finding = judge.unsendable(importer.entity, importer.counts.imported) { try findings.add(finding) }
        guard inserted + rows.refused < rows.total else { return }
        for n in try rows.findDuplicates() {
            try rejectDuplicate(rows, n)
        }
        let matches = try rows.matches()
        var different = 0
        while try matches.step() {
            let match = rows.match(matches)
            let outcome = try outcome(of: match, rows)
            if outcome != .unchanged { different += 1 }
            // A rejected row is counted when it is quarantined.
            if outcome != .rejected { importer.counts.add(outcome) }
            if outcome == .unchanged { importer.counts.add(.unchanged, -1) }
        }
        matches.reset()
        importer.counts.add(.unchanged, rows.total - inserted - rows.refused - rows.duplicates - different)
    }

    /// Checks new parts of closed records: adding a part changes the record, so it needs a reason.
    private func judgeParts(_ rows: EntityRows) throws {
        let importer = rows.importer
        guard request.origin == .file else { return try judgeAdditions(rows) }
        for part in try judge.barredParts(of: importer.entity, after: rows.before, stamp: stamp) {
            if part.isOnlyClosed, let reason = request.reason {
                guard let values = try importer.existing(part.id)?.values else { continue }
                let details =
                    "{\"after\":\(importer.reader.json(values)),\"before\":{},\"reason\":\(RowJSON.quoted(reason))}"
                try changes.logEntry(
                    "row_added_to_closed", of: importer.entity.name, id: part.id,
                    project: importer.reader.project(of: values), details: details)
                continue
            }
            guard let n = try rows.firstStaged(part.id) else { continue }
            let refusal = judge.refusal(of: part)
            try rows.remove(part.id)
            importer.counts.add(.imported, -1)
            try rejectStaged(rows, n: n, refusal.code, field: "id") { _ in refusal.arguments }
        }
    }

    /// Handles a staged row that differs from the replica's row with the same id.
    private func outcome(of match: EntityRows.Match, _ rows: EntityRows) throws -> ImportOutcome {
        let importer = rows.importer
        let existing = match.existing
        if IndexPlan.logs.contains(importer.entity.name) || importer.isSame(match.values, as: existing.values) {
            return .unchanged
        }
        let merged = importer.merged(match.values, over: existing.values)
        if let outcome = try acknowledgements?.outcome(of: match, merged, rows) { return outcome }
        if request.policy == .skip {
            try note(match.n, .skipped, importer.differences(merged, from: existing.values))
            return .skipped
        }
        if request.origin == .person { return try correct(match, to: merged, rows) }
        let states = try importer.states(of: match.id)
        if let refusal = judge.judgeFile(states) {
            let name = try rows.name(of: match.id)
            try rejectStaged(rows, n: match.n, refusal.code, field: "id", key: name) { _ in refusal.arguments }
            return .rejected
        }
        let state = existing.isProtected ? nil : judge.closed(states)
        if request.policy == .conflict || existing.isProtected || (state != nil && request.reason == nil) {
            guard judge.mayContest(importer.entity, importer.differences(merged, from: existing.values)) else {
                let (role, may) = (request.actor.role.name, judge.editors(of: importer.entity))
                let arguments = ["name": importer.entity.name, "role": role, "may": may]
                try rejectStaged(rows, n: match.n, "CHANGE-EDITOR", field: "id") { _ in arguments }
                return .rejected
            }
            let conflict = try conflicts.keep(
                importer, id: match.id, local: existing.values, remote: importer.json(match.values))
            guard conflict.isOpen else { return .unchanged }
            if let made = conflict.id {
                try bases.keep(importer, match.id, match.existing)
                try trail.note(
                    .conflict, entity: importer.entity.name, id: match.id, place: match.place, row: match.row,
                    before: "{}",
                    states: existing.states, item: made)
            }
            let differences = importer.differences(merged, from: existing.values)
            let fields = differences.map(\.field).filter { $0 != "updated_at" }.listed(5)
            try findings.add(
                finding(
                    state == nil ? "IMPORT-CONFLICT" : "IMPORT-CLOSED", rows, match.n, id: match.id,
                    arguments: state.map { ["state": $0] } ?? ["fields": fields]))
            try note(match.n, .conflict, differences)
            return .conflict
        }
        return try change(match, to: merged, rows, isNoted: state != nil)
    }

    /// - Parameter isNoted: whether the log entry is to contain the values before and after.
    func change(_ match: EntityRows.Match, to merged: [MemoryRows.Value], _ rows: EntityRows, isNoted: Bool) throws
        -> ImportOutcome
    {
        let importer = rows.importer
        var merged = merged
        if request.origin == .person, let time = importer.entity.position(ofField: "updated_at"),
            merged[time] == match.existing.values[time]
        {
            merged[time] = .text(self.time)
        }
        let differences = importer.differences(merged, from: match.existing.values)
        try rows.keepForUndo(match.id)
        try bases.keep(importer, match.id, match.existing)
        try importer.update(match.id, to: merged, stamp: stamp, isCorrection: request.origin == .person)
        // If anybody else sets the state, the state is no longer a mark that Fichero set.
        if let states = importer.entity.states, let exported = states.exported,
            differences.contains(where: { $0.field == states.field && $0.after == exported.to })
        {
            try db.execute(
                sql: "DELETE FROM main.own_marks WHERE entity = ? AND row_id = ?",
                arguments: [importer.entity.name, match.id])
        }
        if request.origin == .file { try tellMove(match, differences, rows) }
        let details = isNoted ? importer.trail(of: differences, reason: request.reason) : nil
        try noteUpdated(match, importer, differences, details: details)
        return .updated
    }

    /// Tells that a file puts a record under another owner, which a mistyped code does too.
    private func tellMove(_ match: EntityRows.Match, _ differences: [RowDifference], _ rows: EntityRows) throws {
        let entity = rows.importer.entity
        guard let owner = entity.projectPath?.parts.first,
            let move = differences.first(where: { $0.field == owner && owner != "id" }),
            let target = entity.field(owner)?.references.flatMap({ pack.entity($0) })
        else { return }
        let name = { (id: String?) in
            try id.map { try EntityRows.name(of: $0, target, pack: self.pack, self.db) ?? $0 } ?? ""
        }
        var told = try finding("IMPORT-MOVED", rows, match.n, id: match.id)
        told.place.field = owner
        told.arguments = ["from": try name(move.before), "to": try name(move.after)]
        try findings.add(told)
    }

    /// Records an updated row: what it was, for `undo` and the log, and its outcome.
    func noteUpdated(
        _ match: EntityRows.Match, _ importer: EntityImporter, _ differences: [RowDifference], details: String?
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO temp.import_updated (entity, row_id, n, before, states, details)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                importer.entity.name, match.id, match.n, importer.before(differences), match.existing.states, details,
            ])
        try note(match.n, .updated, differences)
    }

    func note(_ n: Int64, _ outcome: ImportOutcome, _ differences: [RowDifference] = []) throws {
        try outcomes.bind(.integer(n), at: 1)
        try outcomes.bind(outcome.rawValue, at: 2)
        try outcomes.bind(request.wantsRecords ? Quarantine.json(differences) : nil, at: 3)
        try outcomes.run()
    }

    /// Leaves out rows of Fichero's logs: imported log entries do not describe what happened in
    /// this replica.
    private func leaveOut(_ rows: EntityRows) throws {
        rows.importer.counts.add(.filtered, rows.total)
        guard let first = try rows.first() else { return }
        try findings.add(
            finding(
                "IMPORT-BOOKS", rows, first.n, id: first.id,
                arguments: ["name": rows.importer.entity.name, "count": String(rows.total)]))
        for n in try rows.numbers() { try note(n, .filtered) }
    }

    /// Checks whether the actor may add a photo to an existing row.
    func mayTouch(_ id: String, _ importer: EntityImporter) throws -> Bool {
        try judge.mayTouch(id, importer.entity, importer.states(of: id))
    }

    /// Whether a field refers to an owner that may be in a project the actor cannot see.
    func isHidden(_ field: String, of entity: Entity) -> Bool {
        request.origin == .file && judge.scope.isLimited && entity.projectPath?.parts.first == field
    }

    // MARK: Rejecting

    @discardableResult
    func reject(entity: String?, raw: String, place: Place, findings found: [Finding], around: String?) throws -> String
    {
        for finding in found {
            try findings.add(finding)
            if !Self.forbidding.contains(finding.code) { isForbidden = false }
        }
        let kept = try quarantine.keep(
            entity: entity, raw: erased?.redacted(raw) ?? raw, place: place, findings: found,
            around: around.map { erased?.redacted($0) ?? $0 })
        if let importer = try entity.flatMap({ try importer(of: $0) }) {
            importer.counts.add(.rejected)
        } else {
            unknown.add(.rejected)
        }
        rejected += 1
        if let limit = request.maximumErrors, rejected > limit {
            throw ImportLimitFailure.tooMany(count: rejected, limit: limit)
        }
        return kept
    }

    func importer(of entity: String) throws -> EntityImporter? {
        if let importer = importers[entity] { return importer }
        guard let description = pack.entity(entity) else { return nil }
        let importer = try EntityImporter(
            db, pack: pack, entity: description, reader: changes.reader(of: entity), origin: request.origin,
            isExchange: request.exchange != nil)
        importers[entity] = importer
        return importer
    }

    // MARK: The end

    private func logUpdates() throws {
        let updated = try Row.fetchAll(
            db, sql: "SELECT entity, row_id, n, before, states, details FROM temp.import_updated ORDER BY n")
        for row in updated {
            let (entity, id): (String, String) = (row[0], row[1])
            let item =
                request.exchange != nil
                ? nil : try changes.recordUpdate(request.origin.changed, of: entity, id: id, details: row[5])
            let place = try staged.first { $0.importer.entity.name == entity }?.position(row[2])
            try trail.note(
                .update, entity: entity, id: id, place: place?.place, row: place?.row, before: row[3], states: row[4],
                item: item)
        }
    }

    private func reportRecords() throws {
        guard let tell = request.records else { return }
        for rows in staged { try rows.forEachRecord(of: request.actor, pack: pack, tell) }
        let faults = try PreparedStatement(db, "SELECT entity, place FROM staging.faults ORDER BY n")
        while try faults.step() {
            try tell(
                ImportRecord(
                    entity: faults.text(0) ?? "", outcome: .rejected, place: Quarantine.place(faults.text(1) ?? "")))
        }
    }

    /// Completes the import's row, and writes its log entry.
    private func finish(at end: Date) throws -> ImportAccount {
        var lines = pack.entities.compactMap { entity in
            importers[entity.name].map { ImportAccount.Line(entity: entity.name, counts: $0.counts) }
        }.filter { $0.counts.read > 0 }
        if unknown.read > 0 { lines.append(ImportAccount.Line(entity: "", counts: unknown)) }
        var report = ImportAccount(
            id: id, source: request.source, isDryRun: request.isDryRun, lines: lines, photosAttached: photos.count)
        if !removed.isEmpty { report.removed = removed }
        report.decision = conflictEnd?.decision.side.rawValue
        if request.wantsSums { report.sums = try staged.flatMap { try $0.sums() } }
        let counts = try removed.isEmpty ? Quarantine.json(lines) : Quarantine.json(report)
        try db.execute(
            sql: "UPDATE imports SET finished_at = ?, counts = ? WHERE id = ?",
            arguments: [Timestamp.format(end), counts, id])
        try changes.logEntry(request.origin.whole, of: "imports", id: id, project: nil, details: counts)
        // A person's command ends with the commit, even if the process dies afterwards.
        if request.origin == .person {
            try db.execute(
                sql: "UPDATE main.pipeline_runs SET state = 'done', finished_at = ? WHERE id = ?",
                arguments: [Timestamp.format(Date()), request.runID])
        }
        return report
    }
}
