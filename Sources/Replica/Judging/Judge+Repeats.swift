import GRDB
import Model

/// Checks of repeats: the parts of a record that are on its own line of the file.
extension Judge {
    /// Refuses the parts of a rejected record. Without this, they would become parts of another
    /// record that has the same key.
    func judgeRepeats(_ entity: Entity, _ rows: EntityRows) throws {
        let hasRepeats = "SELECT EXISTS (SELECT 1 FROM staging.places WHERE is_repeat AND number IN (SELECT place FROM \(rows.staged)))"
        guard request.origin == .file, try Bool.fetchOne(db, sql: hasRepeats) == true else { return }
        for field in entity.fields where field.type != .list {
            guard let owner = field.references, owner != entity.name else { continue }
            let isStaged = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM staging.entities WHERE entity = ?)", arguments: [owner]) == true
            try refuseRepeats(rows, by: field, of: owner, isStaged: isStaged)
        }
    }

    /// - Parameter isStaged: whether any row of the owner's entity could be read.
    private func refuseRepeats(_ rows: EntityRows, by field: Field, of owner: String, isStaged: Bool) throws {
        let reference = "s." + StagedEntity.column(field)
        let isOut = "(o.n IN (SELECT n FROM temp.import_duplicates) OR o.n IN (SELECT n FROM temp.import_refused WHERE code = 'IMPORT-REJECTED-PARENT'))"
        let owners = "staging.\(StagedEntity.table(of: owner)) AS o JOIN staging.places AS q ON q.number = o.place"
        // A row that could not be converted has no id.
        let unread = """
            SELECT NULL AS id, json_extract(place, '$.line') AS line, json_extract(place, '$.file') AS file FROM staging.faults
            WHERE entity = \(SQLText.literal(owner))
            """
        let lost = isStaged ? unread + " UNION SELECT o.f_id, o.line, q.file FROM \(owners) WHERE \(isOut)" : unread
        let isKept = isStaged ? "(\(reference), s.line, l.file) IN (SELECT o.f_id, o.line, q.file FROM \(owners) WHERE NOT \(isOut))" : "false"
        try refuse(
            "IMPORT-REJECTED-PARENT", field: field.name, ["target": SQLText.literal(owner), "line": "s.line"],
            """
            \(rows.staged) AS s JOIN staging.places AS l ON l.number = s.place AND l.is_repeat
            JOIN (\(lost)) AS x ON x.line = s.line AND x.file = l.file
            WHERE (x.id = \(reference) OR x.id IS NULL AND \(reference) IN (SELECT id FROM main.\(SQLText.name(owner)))) AND NOT \(isKept)
            """)
    }
}
