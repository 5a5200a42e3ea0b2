import Foundation
import GRDB
package import Model

/// A photo whose file lies in the store beside the replica.
package struct ImportedPhoto: Sendable, Hashable {
    package var entity: String
    package var id: String
    /// Where it lies, as its row is to say.
    package var localPath: String
    package var sha256: String
    package var bytes: Int64

    package init(entity: String, id: String, localPath: String, sha256: String, bytes: Int64) {
        (self.entity, self.id, self.localPath, self.sha256, self.bytes) = (entity, id, localPath, sha256, bytes)
    }
}

/// Takes the rows of one import into its staging area. Lives within `Replica.importRows`.
package final class ImportSession: ImportTarget {
    private let staging: ImportStaging
    private let pack: Pack
    private let request: ImportRequest
    private var rejected: Int
    /// The entity of the last row, for rows of one table come together.
    private var entity: Entity?
    /// The types of its fields: a look at them for every row copies nothing.
    private var types: [FieldType] = []

    init(_ staging: ImportStaging, pack: Pack, request: ImportRequest) throws {
        self.staging = staging
        self.pack = pack
        self.request = request
        rejected = try staging.faultCount
        try staging.forgetPhotos()
        try ensureFew()
    }

    /// Whether rows that a killed run had taken are here.
    package var isResumed: Bool { staging.isResumed }

    package func begin(table: Int) -> Int { staging.begin(table: table) }

    package func store(_ row: ImportedRow) throws -> ImportOutcome {
        guard let entity = entity(row.entity) else {
            return try reject(row, "IMPORT-UNKNOWN-ENTITY", arguments: ["name": row.entity])
        }
        let given = row.ordered ?? entity.fields.map { row.values[$0.name] }
        guard case .text(let id)?? = given.first, !id.isEmpty else { return try reject(row, "IMPORT-NO-ID") }
        var values = given
        for (index, type) in types.enumerated() {
            guard let value = given[index] else { continue }
            guard let stored = EntityImporter.stored(value, as: type) else {
                let field = entity.fields[index]
                return try reject(row, id: id, "FIELD-TYPE", field: field.name, arguments: ["value": shown(value, field), "type": field.type.rawValue])
            }
            values[index] = stored
        }
        try staging.store(row, values, of: entity)
        return .imported
    }

    package func delete(_ deletion: ImportedDeletion) throws -> ImportOutcome {
        try staging.delete(deletion)
        return .unchanged
    }

    /// Its values are of the fields' types, and none is without an id: whoever makes batches sees to that.
    package func store(_ batch: inout ImportedBatch, of entity: Entity) throws {
        guard let entity = self.entity(entity.name), entity.name == batch.entity else { return try storeSingly(&batch, of: entity) }
        try staging.store(&batch, of: entity)
    }

    package func filter(entity: String, count: Int) throws {
        try staging.filter(entity: entity, count: count)
    }

    package func reject(entity: String?, raw: String, place: Place, findings: [Finding]) throws {
        try staging.reject(entity: entity, raw: raw, place: place, findings: findings)
        rejected += 1
        try ensureFew()
    }

    package func note(_ finding: Finding) throws {
        try staging.note(finding)
    }

    /// Where a photo's file lies, its hash and its size: set in those of these columns that its entity has and that are empty.
    package func attachPhoto(_ photo: ImportedPhoto) throws {
        try staging.photo(photo)
    }

    /// Before a rejected row is tried again: it no longer waits. If it cannot go in, the quarantine keeps it anew.
    package func closeReject(_ id: String) throws {
        try staging.retried(id)
    }

    private func ensureFew() throws {
        if let limit = request.maximumErrors, rejected > limit { throw ImportFailure.tooMany(count: rejected, limit: limit) }
    }

    private func entity(_ name: String) -> Entity? {
        if let entity, entity.name == name { return entity }
        guard let found = pack.entity(name) else { return nil }
        entity = found
        types = found.fields.map(\.type)
        return found
    }

    private func reject(
        _ row: ImportedRow, id: String? = nil, _ code: String, field: String? = nil, arguments: [String: String] = [:]
    ) throws -> ImportOutcome {
        var place = row.place
        (place.table, place.id, place.field) = (row.entity, id ?? place.id, field ?? place.field)
        let finding = Finding(code: code, severity: FindingCatalogue.severity(of: code) ?? .error, place: place, arguments: arguments)
        try reject(entity: row.entity, raw: row.raw, place: row.place, findings: [finding])
        return .rejected
    }

    /// Only what everybody may see stands in a message.
    private func shown(_ value: MemoryRows.Value, _ field: Field) -> String {
        guard field.privacy == pack.privacyClasses.first else { return "•••" }
        return String((value.shown ?? "").prefix(80))
    }
}

extension MemoryRows.Value {
    /// As people would write it; nil for nothing.
    var shown: String? {
        switch self {
        case .null: nil
        case .integer(let integer): String(integer)
        case .real(let real): real.description
        case .text(let text): text
        }
    }
}
