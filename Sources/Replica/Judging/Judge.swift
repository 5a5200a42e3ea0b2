import GRDB
import Model

/// Decides which staged rows of a change set are refused, before any of them is applied. It uses
/// statements over all rows of an entity, for any actor and origin. Refused rows are listed in
/// `temp.import_refused`.
///
/// Each entity is checked just before its rows are applied, parents first, so that rows created
/// earlier by the same set can be looked up.
struct Judge {
    let db: Database
    let pack: Pack
    let request: ImportRequest
    let scope: ChangeScope

    static let temporary = [
        """
        CREATE TEMP TABLE import_refused (n INTEGER PRIMARY KEY, code TEXT NOT NULL, field TEXT NOT NULL, arguments \
        TEXT NOT NULL)
        """
    ]

    /// Reason for a refusal, as a finding reports it.
    typealias Refusal = (code: String, arguments: [String: String])
    /// The state of a row, or of one of its owners.
    typealias RowState = (machine: StateMachine, state: String)

    init(_ db: Database, pack: Pack, request: ImportRequest) throws {
        (self.db, self.pack, self.request) = (db, pack, request)
        scope = try ChangeScope(db, pack: pack, actor: request.actor)
    }

    var role: Role { request.actor.role }

    /// Checks the staged rows of an entity; returns the number of refused rows.
    func judge(_ rows: EntityRows) throws -> Int {
        let entity = rows.importer.entity
        // Checked first: other refusals contain the record's name, which must stay hidden if the
        // record is out of scope.
        try judgeScope(entity, rows)
        try judgeNew(entity, rows)
        try judgeWriter(entity, rows)
        try judgeEditors(entity, rows)
        try judgeOwnProfile(entity, rows)
        try judgeOwn(entity, rows)
        try judgeOwners(entity, rows)
        try judgeStates(entity, rows)
        try judgeActs(entity, rows)
        try judgeNumbers(entity, rows)
        try judgeKeys(entity, rows)
        try judgeReferences(entity, rows)
        try judgeRepeats(entity, rows)
        return try Int.fetchOne(
            db, sql: "SELECT count(*) FROM temp.import_refused WHERE n IN (SELECT n FROM \(rows.staged))") ?? 0
    }

    /// Adds new projects of this set to the scope.
    func noteNew(_ rows: EntityRows) throws {
        if rows.importer.entity.name == pack.project.entity { try scope.add(rows.newIDs()) }
    }

    // MARK: Statements

    /// FROM clause: staged rows `s` with their shapes `h`, and the existing rows `t` that they
    /// change.
    func joined(_ rows: EntityRows, _ join: String = "LEFT JOIN") -> String {
        "\(rows.staged) AS s JOIN staging.shapes AS h ON h.number = s.shape \(join) \(rows.table) AS t ON t.id = s.f_id"
    }

    /// SQL condition: a row contains a field, even if its value is empty.
    func isStated(_ field: Field, _ entity: Entity) -> String {
        "substr(h.fields, \((entity.position(ofField: field.name) ?? 0) + 1), 1) = '1'"
    }

    /// SQL condition: a row contains a field with another value than the existing row.
    func isChanged(_ field: Field, _ entity: Entity) -> String {
        "(\(isStated(field, entity)) AND s.\(StagedEntity.column(field)) IS NOT t.\(SQLText.name(field.name)))"
    }

    /// SQL condition: the set may change the row instead of recording a conflict. A file never
    /// changes a row that is in conflict or that the remote has confirmed.
    var changeable: String {
        request.origin == .person
            ? "true" : "t.own_mark = 0 AND t.sync_state NOT IN ('synced', 'pending_download', 'conflict')"
    }

    /// - Parameters:
    ///   - arguments: SQL of the values that the message quotes.
    ///   - rows: the text after FROM; `s` is the staged row.
    func refuse(_ code: String, field: String, _ arguments: [String: String], _ rows: String) throws {
        let json = arguments.sorted { $0.key < $1.key }.map { "\(SQLText.literal($0.key)), CAST(\($0.value) AS TEXT)" }
            .joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.import_refused (n, code, field, arguments)
                SELECT s.n, \(SQLText.literal(code)), \(SQLText.literal(field)), json_object(\(json)) FROM \(rows)
                """)
    }
}

extension EntityImporter.Existing {
    /// The opposite of `changeable`, for one row.
    var isProtected: Bool {
        isOwnMark || syncState == .synced || syncState == .pendingDownload || syncState == .conflict
    }
}

/// Checks of repeats: the parts of a record that are on the same line of the file as the record.
extension Judge {
    /// Refuses the parts of a rejected record. Otherwise they would become parts of another record
    /// with the same key in the replica.
    func judgeRepeats(_ entity: Entity, _ rows: EntityRows) throws {
        let hasRepeats =
            """
            SELECT EXISTS (SELECT 1 FROM staging.places WHERE is_repeat AND number IN (SELECT place \
            FROM \(rows.staged)))
            """
        guard request.origin == .file, try Bool.fetchOne(db, sql: hasRepeats) == true else { return }
        for field in entity.fields where field.type != .list {
            guard let owner = field.references, owner != entity.name else { continue }
            let isStaged =
                try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM staging.entities WHERE entity = ?)", arguments: [owner])
                == true
            try refuseRepeats(rows, by: field, of: owner, isStaged: isStaged)
        }
    }

    /// - Parameter isStaged: whether any row of the owner's entity could be read.
    private func refuseRepeats(_ rows: EntityRows, by field: Field, of owner: String, isStaged: Bool) throws {
        let reference = "s." + StagedEntity.column(field)
        let isOut =
            """
            (o.n IN (SELECT n FROM temp.import_duplicates) OR o.n IN (SELECT n FROM temp.import_refused \
            WHERE code = 'IMPORT-REJECTED-PARENT'))
            """
        let owners = "staging.\(StagedEntity.table(of: owner)) AS o JOIN staging.places AS q ON q.number = o.place"
        // A row that could not be converted has no id.
        let unread = """
            SELECT NULL AS id, json_extract(place, '$.line') AS line, json_extract(place, '$.file') AS file \
            FROM staging.faults
            WHERE entity = \(SQLText.literal(owner))
            """
        let lost = isStaged ? unread + " UNION SELECT o.f_id, o.line, q.file FROM \(owners) WHERE \(isOut)" : unread
        let isKept =
            isStaged
            ? "(\(reference), s.line, l.file) IN (SELECT o.f_id, o.line, q.file FROM \(owners) WHERE NOT \(isOut))"
            : "false"
        try refuse(
            "IMPORT-REJECTED-PARENT", field: field.name, ["target": SQLText.literal(owner), "line": "s.line"],
            """
            \(rows.staged) AS s JOIN staging.places AS l ON l.number = s.place AND l.is_repeat
            JOIN (\(lost)) AS x ON x.line = s.line AND x.file = l.file
            WHERE (x.id = \(reference) OR x.id IS NULL AND \(reference) IN (SELECT id \
            FROM main.\(SQLText.name(owner)))) AND NOT \(isKept)
            """)
    }
}
