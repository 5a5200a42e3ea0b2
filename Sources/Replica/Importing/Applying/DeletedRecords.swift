import GRDB
import Model

/// Handles the records that a change set reports as deleted. A person's command removes them. A
/// record that a file reports as deleted elsewhere stays, with a conflict for somebody to decide,
/// whatever the policy; `skip` records no conflict, but reports the finding all the same.
struct DeletedRecords {
    private let application: ImportApplication

    init(_ application: ImportApplication) { self.application = application }

    func note() throws {
        let (request, conflicts, trail) = (application.request, application.conflicts, application.trail)
        for row in try Row.fetchAll(application.db, sql: "SELECT entity, id, remote, place FROM staging.deletions ORDER BY n") {
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
                var isOpen = request.policy == .skip
                if isOpen {
                    outcome = .skipped
                } else {
                    let conflict = try conflicts.keep(importer, id: id, local: existing.values, remote: row[2])
                    isOpen = conflict.isOpen
                    if isOpen { outcome = .conflict }
                    if let made = conflict.id {
                        try trail.note(
                            .conflict, entity: importer.entity.name, id: id, place: nil, row: nil, before: "{}", states: existing.states, item: made)
                    }
                }
                if isOpen {
                    try application.findings.add(Finding("EVENT-DELETED", place: place, arguments: ["record": id, "entity": importer.entity.name]))
                }
            }
            importer.counts.add(outcome)
            try request.records?(ImportRecord(entity: importer.entity.name, id: id, outcome: outcome, place: place))
        }
    }
}
