import Foundation
package import Model

/// Wraps another target. It reports new rows that resemble other rows. If a person has decided so,
/// it merges a new row into another row. References to the merged row are redirected to the
/// remaining row; the merged row counts as filtered.
package final class MergingTarget: ImportTarget {
    /// A row of the replica, with the values that are compared.
    package struct Known: Sendable, Hashable {
        package var id: String
        package var name: String
        package var parameters: String?
        /// Value of the reference within which rows are compared: rows with different values never
        /// match.
        package var scope: String?

        package init(id: String, name: String, parameters: String?, scope: String?) {
            (self.id, self.name, self.parameters, self.scope) = (id, name, parameters, scope)
        }
    }

    /// The similarity of two rows, from 0 to 1. If it is below `least`, the function may return any
    /// number below `least`.
    package typealias Similarity = (_ first: Known, _ second: Known, _ least: Double) -> Double

    private let target: any ImportTarget
    private let pack: Pack
    private let decisions: Decisions
    private let likeness: Similarity
    private var known: [String: [Known]] = [:]
    private let load: (Entity) throws -> [Known]
    /// Ids of merged rows and of the rows that replaced them, by entity.
    private var merged: [String: [String: String]] = [:]

    /// - Parameter load: returns the replica's rows of an entity; called once for each entity.
    package init(
        _ target: any ImportTarget, pack: Pack, decisions: Decisions, load: @escaping (Entity) throws -> [Known],
        likeness: @escaping Similarity
    ) {
        (self.target, self.pack, self.decisions, self.load, self.likeness) = (target, pack, decisions, load, likeness)
    }

    package func begin(table: Int) throws -> Int { try target.begin(table: table) }

    package func store(_ stretch: inout ImportedStretch) throws {
        for index in stretch.batches.indices {
            guard let entity = pack.entity(stretch.batches[index].entity) else { continue }
            if let alike = entity.alike {
                stretch.batches[index] = try judged(redirected(stretch.batches[index], entity), entity, alike)
            } else if !merged.isEmpty {
                stretch.batches[index] = redirected(stretch.batches[index], entity)
            }
        }
        try target.store(&stretch)
    }

    /// The batch without the rows that are merged into other rows.
    private func judged(_ batch: ImportedBatch, _ entity: Entity, _ alike: Entity.Alike) throws -> ImportedBatch {
        var result = ImportedBatch(
            entity: batch.entity, fields: batch.fields, place: batch.place,
            raw: RawCells(headings: batch.raw.headings, isText: batch.raw.isText))
        result.takeRest(of: batch)
        func text(_ row: Int, _ name: String?) -> String? {
            name.flatMap { entity.position(ofField: $0) }.flatMap { batch.column(ofField: $0) }.flatMap {
                batch.rows.string(row, $0)
            }
        }
        for row in 0..<batch.rows.rowCount {
            guard let id = text(row, "id"), let name = text(row, alike.name) else {
                result.append(row, of: batch)
                continue
            }
            let own = Known(id: id, name: name, parameters: text(row, alike.parameters), scope: text(row, alike.within))
            var others = try known[entity.name] ?? load(entity)
            defer { known[entity.name] = others }
            if others.contains(where: { $0.id == id }) {
                result.append(row, of: batch)
                continue
            }
            switch decisions.decision(entity.name, id: id, name: name) {
            case .merge(let stays):
                let matches = others.filter {
                    $0.id == stays.lowercased() || ($0.name.lowercased() == stays.lowercased() && $0.scope == own.scope)
                }
                guard matches.count == 1 else {
                    throw ImportFailure.decisions(
                        path: batch.place.file ?? "", reason: "\(name) → \(stays): \(matches.count)")
                }
                merged[entity.name, default: [:]][id] = matches[0].id
                result.filter()
                continue
            case .keep: break
            case nil: result.notes += noted(own, others, alike, batch.place(of: row))
            }
            others.append(own)
            result.append(row, of: batch)
        }
        return result
    }

    private func noted(_ own: Known, _ others: [Known], _ alike: Entity.Alike, _ place: Place) -> [Finding] {
        let scored = others.filter { alike.within == nil || $0.scope == own.scope }.map {
            ($0, likeness(own, $0, alike.above))
        }
        guard let (best, score) = scored.max(by: { $0.1 < $1.1 }), score > alike.above else { return [] }
        var place = place
        (place.id, place.field) = (own.id, alike.name)
        return [Finding(
            "IMPORT-ALIKE", place: place,
            arguments: ["name": own.name, "other": best.name, "likeness": String(Int((score * 100).rounded(.down)))])]
    }

    /// The batch with its references redirected to the remaining rows.
    private func redirected(_ batch: ImportedBatch, _ entity: Entity) -> ImportedBatch {
        var changes: [Int: [Int: MemoryRows.Value]] = [:]
        for (column, position) in batch.fields.enumerated() {
            guard let reference = entity.fields[position].references, let map = merged[reference] else { continue }
            for row in 0..<batch.rows.rowCount {
                if let stays = batch.rows.string(row, column).flatMap({ map[$0] }) {
                    changes[row, default: [:]][column] = .text(stays)
                }
            }
        }
        return batch.replacing(changes)
    }
}

/// A person's decisions about new rows that resemble existing rows. The table has the columns
/// `entity`, `new` and `existing`; the latter two contain a row's name or id. If `existing`
/// contains `keep`, the new row is a different thing.
package struct Decisions: Sendable {
    package enum Decision: Sendable, Hashable {
        case keep
        /// Name or id of the remaining row.
        case merge(into: String)
    }

    private var byEntity: [String: [String: Decision]] = [:]

    package init() {}

    /// Throws `ImportFailure.decisions`, and the errors of reading the table.
    package init(path: String, pack: Pack) throws {
        let file = try TableFiles.open(path: path)
        guard let table = file.tables.first(where: { !$0.isHidden }) else {
            throw ImportFailure.decisions(path: path, reason: "no table")
        }
        let heading = try HeadingSearch(table).heading(wanting: ["entity", "new", "existing"])
        guard let entity = heading["entity"], let new = heading["new"], let existing = heading["existing"] else {
            throw ImportFailure.decisions(path: path, reason: "entity, new, existing")
        }
        var found: [String: [String: Decision]] = [:]
        try table.forEachRow(after: heading) { row in
            guard !row.isBlank else { return }
            guard let name = row.text(entity), let subject = row.text(new), let target = row.text(existing) else {
                throw ImportFailure.decisions(path: path, reason: "\(row.number): entity, new, existing")
            }
            guard let described = pack.entity(name), described.alike != nil else {
                throw ImportFailure.decisions(path: path, reason: "\(row.number): \(name)")
            }
            let decision: Decision = target.lowercased() == "keep" ? .keep : .merge(into: target)
            let key = Self.key(subject)
            if let other = found[name]?[key], other != decision {
                throw ImportFailure.decisions(path: path, reason: "\(row.number): \(subject)")
            }
            found[name, default: [:]][key] = decision
        }
        byEntity = found
    }

    package func decision(_ entity: String, id: String, name: String) -> Decision? {
        byEntity[entity]?[Self.key(id)] ?? byEntity[entity]?[Self.key(name)]
    }

    package var isEmpty: Bool { byEntity.isEmpty }

    private static func key(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    }
}
