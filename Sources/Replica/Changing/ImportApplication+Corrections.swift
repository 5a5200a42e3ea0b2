import GRDB
import Model

/// What a person's change does to existing rows: corrections, additions and removals, as far as the
/// role permits.
extension ImportApplication {
    /// Applies a person's correction, also to rows that the remote has confirmed and, with a
    /// reason, to closed ones; not to rows in conflict.
    func correct(_ match: EntityRows.Match, to merged: [MemoryRows.Value], _ rows: EntityRows) throws -> ImportOutcome {
        var refusal: Judge.Refusal?
        if match.existing.syncState == .conflict, try conflictEnd?.isOf(rows.importer.entity.name, match.id) != true { refusal = ("CHANGE-CONFLICT", [:]) }
        let isGivingWay = try conflictEnd?.isGivingWay(rows.importer, match.id, to: merged) ?? false
        if refusal == nil, !isGivingWay {
            refusal = try judge.judgeCorrection(conflictEnd?.states(rows.importer, of: match.id) ?? rows.importer.states(of: match.id))
        }
        if refusal == nil {
            let outcome = try change(match, to: merged, rows, isNoted: true)
            // If the row moves to another owner, that owner's state is checked too.
            let owner = rows.importer.entity.projectPath?.parts.first.flatMap { rows.importer.entity.position(ofField: $0) }
            if let owner, !isGivingWay, merged[owner] != match.existing.values[owner] { refusal = try judge.judgeCorrection(rows.importer.states(of: match.id)) }
            if refusal == nil { return outcome }
            // The change is noted already. With the refusal, the whole set is taken back.
            try db.execute(sql: "DELETE FROM temp.import_outcomes WHERE n = ?", arguments: [match.n])
        }
        guard let refusal else { return .unchanged }
        try rejectStaged(rows, n: match.n, refusal.code, field: "id", key: rows.name(of: match.id)) { _ in refusal.arguments }
        return .rejected
    }

    /// Judges a person's additions: to add a part to a record is to change the record.
    func judgeAdditions(_ rows: EntityRows) throws {
        guard rows.importer.entity.states == nil, !IndexPlan.logs.contains(rows.importer.entity.name) else { return }
        for id in try rows.newIDs() {
            guard let refusal = try judge.judgeCorrection(rows.importer.states(of: id)), let n = try rows.firstStaged(id) else { continue }
            try rejectStaged(rows, n: n, refusal.code, field: "id", key: rows.name(of: id)) { _ in refusal.arguments }
        }
    }

    /// Removes a row, with its parts, on a person's command.
    func remove(_ id: String, _ importer: EntityImporter, raw: String, place: Place) throws {
        let removal = RowRemoval(self, judge: judge)
        if let refusal = try removal.refusal(importer, id) {
            var found = place
            (found.table, found.id, found.key) = (importer.entity.name, id, try removal.name(importer.entity, id))
            let finding = Finding(refusal.code, place: found, arguments: refusal.arguments)
            try reject(entity: importer.entity.name, raw: raw, place: place, findings: [finding], around: nil)
            return
        }
        for gone in try removal.remove(importer, id) { removed[gone, default: 0] += 1 }
    }

    /// Whether the change takes a row away that the remote has deleted already.
    func isGivingWay(_ importer: EntityImporter, _ id: String) throws -> Bool {
        try conflictEnd?.isGivingWay(importer, id, to: nil) ?? false && judge.covers(id, importer.entity)
    }

    /// Whether the change ends the row's conflict.
    func isDeciding(_ entity: String, _ id: String) throws -> Bool { try conflictEnd?.isOf(entity, id) == true }
}
