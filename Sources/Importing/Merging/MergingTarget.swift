import Foundation
package import Model

/// Stands before another target: tells of new rows that look like others, and merges those of which somebody decided so. References to
/// a merged row lead to the row that stays; the merged row itself is counted as filtered.
package final class MergingTarget: ImportTarget {
    /// What the replica knows of rows that can be alike.
    package struct Known: Sendable, Hashable {
        package var id: String
        package var name: String
        package var parameters: String?
        /// Value of the reference within which rows are compared.
        package var scope: String?

        package init(id: String, name: String, parameters: String?, scope: String?) {
            (self.id, self.name, self.parameters, self.scope) = (id, name, parameters, scope)
        }
    }

    /// How alike two rows are, from 0 to 1; below a limit any lower number will do.
    package typealias Likeness = (_ first: Known, _ second: Known, _ least: Double) -> Double

    private let target: any ImportTarget
    private let pack: Pack
    private let decisions: Decisions
    private let likeness: Likeness
    private var known: [String: [Known]] = [:]
    private let load: (Entity) throws -> [Known]
    /// Rows that became others, by entity.
    private var merged: [String: [String: String]] = [:]

    /// - Parameter load: the replica's rows of an entity, asked for once.
    package init(
        _ target: any ImportTarget, pack: Pack, decisions: Decisions, load: @escaping (Entity) throws -> [Known],
        likeness: @escaping Likeness
    ) {
        (self.target, self.pack, self.decisions, self.load, self.likeness) = (target, pack, decisions, load, likeness)
    }

    package func store(_ row: ImportedRow) throws -> ImportOutcome {
        guard let entity = pack.entity(row.entity) else { return try target.store(row) }
        var row = row
        redirect(&row, entity)
        guard let alike = entity.alike, let id = Self.text(row, "id", entity), let name = Self.text(row, alike.name, entity) else {
            return try target.store(row)
        }
        let own = Known(id: id, name: name, parameters: Self.text(row, alike.parameters ?? "", entity), scope: Self.text(row, alike.within ?? "", entity))
        var others = try known[entity.name] ?? load(entity)
        defer { known[entity.name] = others }
        guard !others.contains(where: { $0.id == id }) else { return try target.store(row) }
        switch decisions.decision(entity.name, id: id, name: name) {
        case .merge(let stays):
            let matches = others.filter { $0.id == stays.lowercased() || ($0.name.lowercased() == stays.lowercased() && $0.scope == own.scope) }
            guard matches.count == 1 else {
                throw ImportFailure.decisions(path: row.place.file ?? "", reason: "\(name) → \(stays): \(matches.count)")
            }
            merged[entity.name, default: [:]][id] = matches[0].id
            try target.filter(entity: entity.name, count: 1)
            return .filtered
        case .keep: break
        case nil: try tell(own, others, alike, row)
        }
        others.append(own)
        return try target.store(row)
    }

    private func tell(_ own: Known, _ others: [Known], _ alike: Entity.Alike, _ row: ImportedRow) throws {
        let scored = others.filter { alike.within == nil || $0.scope == own.scope }.map { ($0, likeness(own, $0, alike.above)) }
        guard let (best, score) = scored.max(by: { $0.1 < $1.1 }), score > alike.above else { return }
        var place = row.place
        (place.table, place.id, place.field) = (row.entity, own.id, alike.name)
        try target.note(Finding(
            code: "IMPORT-ALIKE", severity: .warning, place: place,
            arguments: ["name": own.name, "other": best.name, "likeness": String(Int((score * 100).rounded(.down)))]))
    }

    private func redirect(_ row: inout ImportedRow, _ entity: Entity) {
        guard !merged.isEmpty else { return }
        for (index, field) in entity.fields.enumerated() {
            guard let reference = field.references, let map = merged[reference], let text = Self.text(row, field.name, entity), let stays = map[text]
            else { continue }
            if row.ordered != nil { row.ordered?[index] = .text(stays) } else { row.values[field.name] = .text(stays) }
        }
    }

    /// The text of a field; nil where the row has none.
    private static func text(_ row: ImportedRow, _ name: String, _ entity: Entity) -> String? {
        let value: MemoryRows.Value?
        if let ordered = row.ordered {
            guard let index = entity.fields.firstIndex(where: { $0.name == name }) else { return nil }
            value = ordered[index]
        } else {
            value = row.values[name]
        }
        if case .text(let text)? = value { return text }
        return nil
    }

    package func reject(entity: String?, raw: String, place: Place, findings: [Finding]) throws {
        try target.reject(entity: entity, raw: raw, place: place, findings: findings)
    }

    package func filter(entity: String, count: Int) throws { try target.filter(entity: entity, count: count) }
    package func delete(_ deletion: ImportedDeletion) throws -> ImportOutcome { try target.delete(deletion) }
    package func note(_ finding: Finding) throws { try target.note(finding) }
    package func begin(table: Int) throws -> Int { try target.begin(table: table) }
}
