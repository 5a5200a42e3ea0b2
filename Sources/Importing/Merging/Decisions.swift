import Foundation
package import Model

/// Decisions of a person about rows that resemble others: a table with the columns `entity`, `new`
/// and `existing`, each row named by name or id; `keep` in `existing` means that the new row is a
/// different thing.
package struct Decisions: Sendable {
    package enum Decision: Sendable, Hashable {
        case keep
        /// Name or id of the row that is kept.
        case merge(into: String)
    }

    private var byEntity: [String: [String: Decision]] = [:]

    package init() {}

    /// Throws `ImportFailure.decisions`, and what reading the table throws.
    package init(path: String, pack: Pack) throws {
        let file = try TableFiles.open(path: path)
        guard let table = file.tables.first(where: { !$0.isHidden }) else { throw ImportFailure.decisions(path: path, reason: "no table") }
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

    private static func key(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() }
}
