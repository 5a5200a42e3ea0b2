package import Foundation
import GRDB
package import Model

extension Replica {
    /// Imports rows in one transaction: `body` hands them to the session; when it throws, when more rows are rejected than the
    /// request allows, or in a dry run, nothing stays. Memory does not grow with the rows.
    ///
    /// Every finding, those given to `reject` among them, also goes to `findings`. Throws what `body` throws, `ActorFailure`,
    /// `ImportFailure.tooMany` and `ReplicaFailure`.
    package func importRows(
        _ request: ImportRequest, findings: any FindingSink, finishedAt: () -> Date = { Date() }, _ body: (ImportSession) throws -> Void
    ) throws -> ImportReport {
        try request.actor.ensure(may: .import)
        do {
            return try queue.writeWithoutTransaction { db in
                var report: ImportReport?
                try db.inTransaction(.immediate) {
                    // A transaction that was rolled back took its temporary tables with it; this is for whatever else there was.
                    try PendingRows.drop(db)
                    let session = try ImportSession(db, pack: pack, request: request, findings: findings)
                    try body(session)
                    report = try session.finish(at: finishedAt())
                    return request.isDryRun ? .rollback : .commit
                }
                if !request.isDryRun { try PendingRows.drop(db) }
                guard let report else { throw ReplicaFailure.internal(path: path, code: "no report") }
                return report
            }
        } catch {
            throw ReplicaFailure.translated(error, path: path)
        }
    }
}

/// The rows of one import on their way into the replica. Lives within `Replica.importRows`.
package final class ImportSession: ImportTarget {
    private let db: Database
    private let pack: Pack
    private let request: ImportRequest
    private let findings: any FindingSink
    private let id: String
    private let stamp: Int64
    private let changes: ChangeLog
    private let quarantine: Quarantine
    private let pending: PendingRows
    private let conflicts: ConflictKeeper
    private let seen: PreparedStatement
    private let photos: PhotoAttacher
    private var importers: [String: EntityImporter] = [:]
    private var unknown = ImportCounts()
    private var rejected = 0

    init(_ db: Database, pack: Pack, request: ImportRequest, findings: any FindingSink) throws {
        self.db = db
        self.pack = pack
        self.request = request
        self.findings = findings
        id = UUIDv7.make(at: request.startedAt)
        stamp = try ReplicaKey.nextStamp(db)
        changes = try ChangeLog(db, pack: pack, actorID: request.actor.id, environment: request.environment, now: request.startedAt)
        quarantine = try Quarantine(db, importID: id, now: request.startedAt)
        pending = try PendingRows(db, pack: pack)
        conflicts = try ConflictKeeper(db, changes: changes, now: request.startedAt)
        photos = PhotoAttacher(db, stamp: stamp)
        try db.execute(sql: "CREATE TEMP TABLE import_seen (entity INTEGER, row_id TEXT, PRIMARY KEY (entity, row_id)) WITHOUT ROWID")
        seen = try PreparedStatement(db, "INSERT OR IGNORE INTO temp.import_seen (entity, row_id) VALUES (?, ?)")
    }

    package func store(_ row: ImportedRow) throws -> ImportOutcome {
        guard let importer = try importer(of: row.entity) else {
            return try reject(row, "IMPORT-UNKNOWN-ENTITY", arguments: ["name": row.entity])
        }
        guard case .text(let id)? = row.values["id"], !id.isEmpty else { return try reject(row, "IMPORT-NO-ID") }
        var values: [MemoryRows.Value?] = []
        values.reserveCapacity(importer.entity.fields.count)
        for field in importer.entity.fields {
            guard let value = row.values[field.name] else {
                values.append(nil)
                continue
            }
            guard let stored = EntityImporter.stored(value, as: field.type) else {
                return try reject(row, id: id, "FIELD-TYPE", field: field.name, arguments: ["value": shown(value, field), "type": field.type.rawValue])
            }
            values.append(stored)
        }
        if !mayChange(importer.entity), try importer.existing(id).map({ !importer.isSame(values, as: $0.values) }) ?? true {
            return try reject(row, id: id, "IMPORT-NOT-ALLOWED", arguments: ["name": row.entity, "role": request.actor.role.name])
        }
        let outcome =
            try importer.insert(values, of: row, stamp: stamp)
            ? inserted(id, values, row, importer) : met(id, values, row, importer)
        if outcome != .rejected { importer.counts.add(outcome) }
        return outcome
    }

    package func filter(entity: String, count: Int) throws {
        try importer(of: entity)?.counts.add(.filtered, count)
    }

    package func reject(entity: String?, raw: String, place: Place, findings found: [Finding]) throws {
        for finding in found { try findings.report(finding) }
        try quarantine.keep(entity: entity, raw: raw, place: place, findings: found)
        try countRejected(entity)
    }

    /// Sets where a photo's file lies, its hash and its size, in those of these columns that its entity has and that are empty.
    package func attachPhoto(entity: String, id: String, localPath: String, sha256: String, bytes: Int64) throws -> PhotoAttachment {
        guard let importer = try importer(of: entity), let row = try importer.existing(id) else { return .noSuchRow }
        return try photos.attach(importer, id: id, to: row.values, localPath: localPath, sha256: sha256, bytes: bytes)
    }

    /// Before a rejected row is tried again: it no longer waits. If it cannot go in, the quarantine keeps it anew.
    package func closeReject(_ id: String) throws {
        try db.execute(sql: "UPDATE rejects SET state = 'corrected' WHERE id = ?", arguments: [id])
    }

    // MARK: One row

    private func inserted(
        _ id: String, _ values: [MemoryRows.Value?], _ row: ImportedRow, _ importer: EntityImporter
    ) throws -> ImportOutcome {
        let isLocalChange = row.syncState == nil && !IndexPlan.logs.contains(importer.entity.name)
        let complete = values.map { $0 ?? .null }
        // Nothing is open in the whole transaction: no need to look the references up one by one.
        let isOpen = try (db.hasUnresolvedReferences || !pending.isEmpty) && importer.hasUnresolvedReference(complete, pending)
        if isOpen || importer.photo.isPhoto {
            try pending.add(
                PendingRows.Row(
                    entity: importer.entity.name, id: id, isUpdate: false, isLocalChange: isLocalChange, raw: row.raw, place: row.place))
        } else if isLocalChange {
            try changes.record(.insert, "row_imported", of: importer.reader, id: id, values: complete)
        }
        return .imported
    }

    /// The replica has a row with this id.
    private func met(
        _ id: String, _ values: [MemoryRows.Value?], _ row: ImportedRow, _ importer: EntityImporter
    ) throws -> ImportOutcome {
        guard let existing = try importer.existing(id), existing.stamp != stamp, try isFirst(id, importer) else {
            return try reject(row, id: id, "IMPORT-DUPLICATE", field: "id", arguments: ["value": id])
        }
        if importer.isSame(values, as: existing.values) || IndexPlan.logs.contains(importer.entity.name) || request.policy == .skip {
            return .unchanged
        }
        if request.policy == .conflict || existing.isProtected {
            guard try conflicts.keep(importer, id: id, local: existing.values, remote: importer.json(values)) else { return .unchanged }
            try findings.report(finding("IMPORT-CONFLICT", row, id: id))
            return .conflict
        }
        let merged = importer.merged(values, over: existing.values)
        if try importer.hasUnresolvedReference(merged, pending) {
            try pending.keepForUndo(importer.entity.name, id: id)
            try importer.update(id, to: merged, from: existing.syncState, stamp: stamp)
            try pending.add(
                PendingRows.Row(entity: importer.entity.name, id: id, isUpdate: true, isLocalChange: true, raw: row.raw, place: row.place))
        } else {
            try importer.update(id, to: merged, from: existing.syncState, stamp: stamp)
            try changes.record(.update, "row_updated_by_import", of: importer.reader, id: id, values: merged)
        }
        return .updated
    }

    /// Rows that this import wrote bear its stamp; the others are noted here.
    private func isFirst(_ id: String, _ importer: EntityImporter) throws -> Bool {
        try seen.bind(.integer(importer.number), at: 1)
        try seen.bind(id, at: 2)
        return try seen.run() == 1
    }

    /// Who may work and who sees which project is not for everybody who may import records.
    private func mayChange(_ entity: Entity) -> Bool {
        (entity.name != "profiles" && entity.name != "project_members") || request.actor.role.permissions.contains(.administer)
    }

    // MARK: Rejecting

    private func reject(
        _ row: ImportedRow, id: String? = nil, _ code: String, field: String? = nil, arguments: [String: String] = [:]
    ) throws -> ImportOutcome {
        let finding = finding(code, row, id: id, field: field, arguments: arguments)
        try reject(entity: row.entity, raw: row.raw, place: row.place, findings: [finding])
        return .rejected
    }

    private func finding(
        _ code: String, _ row: ImportedRow, id: String?, field: String? = nil, arguments: [String: String] = [:]
    ) -> Finding {
        var place = row.place
        place.table = row.entity
        place.id = id ?? place.id
        place.field = field ?? place.field
        return Finding(code: code, severity: FindingCatalogue.severity(of: code) ?? .error, place: place, arguments: arguments)
    }

    private func countRejected(_ entity: String?) throws {
        if let importer = try entity.flatMap({ try importer(of: $0) }) {
            importer.counts.add(.rejected)
        } else {
            unknown.add(.rejected)
        }
        rejected += 1
        if let limit = request.maximumErrors, rejected > limit { throw ImportFailure.tooMany(count: rejected, limit: limit) }
    }

    /// Only what everybody may see stands in a message.
    private func shown(_ value: MemoryRows.Value, _ field: Field) -> String {
        guard field.privacy == pack.privacyClasses.first else { return "•••" }
        return switch value {
        case .null: ""
        case .integer(let integer): String(integer)
        case .real(let real): real.description
        case .text(let text): String(text.prefix(80))
        }
    }

    private func importer(of entity: String) throws -> EntityImporter? {
        if let importer = importers[entity] { return importer }
        guard let description = pack.entity(entity) else { return nil }
        let importer = try EntityImporter(
            db, pack: pack, entity: description, number: Int64(importers.count), reader: changes.reader(of: entity))
        importers[entity] = importer
        return importer
    }

    // MARK: The end

    /// Settles what was open and writes the import's own row and log entry.
    func finish(at time: Date) throws -> ImportReport {
        try pending.removeDangling { dangling in
            let row = dangling.row
            var place = row.place
            (place.table, place.id, place.field) = (row.entity, row.id, dangling.field)
            let finding = Finding(
                code: "FIELD-REFERENCE", severity: .error, place: place, arguments: ["value": dangling.value, "target": dangling.target])
            importers[row.entity]?.counts.add(row.isUpdate ? .updated : .imported, -1)
            try reject(entity: row.entity, raw: row.raw, place: row.place, findings: [finding])
        }
        try pending.forEachLocalChange { entity, id, isUpdate in
            try changes.record(isUpdate ? .update : .insert, isUpdate ? "row_updated_by_import" : "row_imported", of: entity, id: id)
        }
        var lines = pack.entities.compactMap { entity in
            importers[entity.name].map { ImportReport.Line(entity: entity.name, counts: $0.counts) }
        }.filter { $0.counts.read > 0 }
        if unknown.read > 0 { lines.append(ImportReport.Line(entity: "", counts: unknown)) }
        let report = ImportReport(
            id: id, source: request.source, isDryRun: request.isDryRun, lines: lines, photosAttached: photos.count)
        let counts = try Quarantine.json(lines)
        try db.execute(
            sql: "INSERT INTO imports (id, run_id, source, sha256, format, started_at, finished_at, counts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                id, request.runID, request.source, request.sha256, request.format, Timestamp.format(request.startedAt),
                Timestamp.format(time), counts,
            ])
        try changes.logEntry("import", of: "imports", id: id, project: nil, details: counts)
        return report
    }
}
