import Databases
import GRDB
import Model

/// Writes the paths of the photo files that an import stored into the photos' rows.
struct ImportedPhotos {
    private let application: ImportApplication

    init(_ application: ImportApplication) { self.application = application }

    func attach(_ photos: PhotoAttacher, _ noted: (ImportedPhoto, PhotoAttachment) throws -> Void) throws {
        var refused: [String: Set<String>] = [:]
        func withoutRow(_ photo: ImportedPhoto) throws {
            if refused[photo.entity] == nil { refused[photo.entity] = try self.refused(photo.entity) }
            try noted(photo, refused[photo.entity]?.contains(photo.id) == true ? .refusedRow : .noSuchRow)
        }
        let list = try PreparedStatement(
            application.db, "SELECT entity, id, path, sha256, bytes FROM staging.photos ORDER BY n")
        while try list.step() {
            let photo = ImportedPhoto(
                entity: list.text(0) ?? "", id: list.text(1) ?? "", localPath: list.text(2) ?? "",
                sha256: list.text(3) ?? "", bytes: list.integer(4))
            guard let importer = try application.importer(of: photo.entity), let row = try importer.existing(photo.id)
            else {
                try withoutRow(photo)
                continue
            }
            // For an existing row the actor needs the same permission as for changing its values.
            let isBefore = row.stamp == application.stored?.stamp
            guard try row.stamp == application.stamp || isBefore || application.mayTouch(photo.id, importer) else {
                try withoutRow(photo)
                continue
            }
            let outcome = try photos.attach(
                importer, id: photo.id, to: row.values, localPath: photo.localPath, sha256: photo.sha256,
                bytes: photo.bytes)
            if outcome == .attached, row.stamp != application.stamp {
                let after = try importer.existing(photo.id)
                try application.trail.note(
                    .photo, entity: photo.entity, id: photo.id, place: nil, row: nil,
                    before: importer.before(importer.differences(after?.values ?? [], from: row.values)),
                    states: row.states, item: nil)
            }
            // The run that completes a killed run's report also reports the photos that the killed
            // run attached.
            guard isBefore, outcome == .unchanged else {
                try noted(photo, outcome)
                continue
            }
            application.attachedBefore += 1
            try noted(photo, .attached)
        }
    }

    /// Ids of this import's rows that were quarantined.
    private func refused(_ entity: String) throws -> Set<String> {
        var sql = "SELECT json_extract(findings, '$[0].place.id') FROM staging.faults WHERE entity = ?1"
        if try Bool.fetchOne(
            application.db, sql: "SELECT EXISTS (SELECT 1 FROM staging.entities WHERE entity = ?)", arguments: [entity])
            == true
        {
            sql += """
                 UNION SELECT s.f_id FROM staging.\(StagedEntity.table(of: entity)) AS s \
                JOIN temp.import_outcomes AS o ON o.n = s.n
                WHERE o.outcome IN ('\(ImportOutcome.rejected.rawValue)', '\(ImportOutcome.waiting.rawValue)')
                """
        }
        return Set(try Optional<String>.fetchAll(application.db, sql: sql, arguments: [entity]).compactMap(\.self))
    }
}

/// Handles the records that a change set reports as deleted. A person's command removes them. A
/// record that a file reports as deleted remains, whatever the policy, and a conflict is recorded
/// for somebody to resolve. With `skip` no conflict is recorded, but the finding is still reported.
struct DeletedRecords {
    private let application: ImportApplication

    init(_ application: ImportApplication) { self.application = application }

    func note() throws {
        let (request, conflicts, trail) = (application.request, application.conflicts, application.trail)
        for row in try Row.fetchAll(
            application.db, sql: "SELECT entity, id, remote, place FROM staging.deletions ORDER BY n")
        {
            let id: String = row[1]
            guard let importer = try application.importer(of: row[0]) else { continue }
            let place = try Quarantine.place(row[3])
            guard request.origin == .file else {
                try application.remove(id, importer, raw: row[2], place: place)
                continue
            }
            var outcome = ImportOutcome.unchanged
            if let existing = try importer.existing(id) {
                guard try application.covers(id, importer, raw: row[2], place: place) else { continue }
                let policy = request.policy
                // A log of changes contains a removal at each reading, even after somebody decided
                // about it.
                let isKnown = try conflicts.knows(importer.entity.name, id, remote: row[2])
                guard try policy == .skip || isKnown
                    || application.mayContestRemoval(id, importer, raw: row[2], place: place)
                else { continue }
                var isOpen = policy == .skip
                if isOpen {
                    outcome = .skipped
                } else {
                    let conflict = try conflicts.keep(importer, id: id, local: existing.values, remote: row[2])
                    isOpen = conflict.isOpen
                    if isOpen { outcome = .conflict }
                    if let made = conflict.id {
                        try trail.note(
                            .conflict, entity: importer.entity.name, id: id, place: nil, row: nil, before: "{}",
                            states: existing.states, item: made)
                    }
                }
                if isOpen {
                    try application.findings.add(
                        Finding(
                            "EVENT-DELETED", place: place, arguments: ["record": id, "entity": importer.entity.name]))
                }
            }
            importer.counts.add(outcome)
            try request.records?(ImportRecord(entity: importer.entity.name, id: id, outcome: outcome, place: place))
        }
    }
}
