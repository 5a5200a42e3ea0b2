import Foundation
import Importing
import Model
import Replica

/// Corrections as rows that a person enters: what `edit`, `add` and `delete` would be given for them.
struct CorrectionEntry {
    private let scope: RunScope
    private let project: (id: String, code: String)

    init(_ scope: RunScope, project: (id: String, code: String)) { (self.scope, self.project) = (scope, project) }

    /// - Returns: the rows, and the ids of new rows whose owner nobody knows.
    func rows(_ corrections: [Correction]) throws -> (rows: [EnteredRows.Row], unowned: Set<String>) {
        var rows: [EnteredRows.Row] = [], unowned: Set<String> = []
        // A new part may belong to a record that is new itself.
        let new = Dictionary(
            corrections.filter { $0.kind == .addition }.map { ($0.entity + " " + code(of: $0), $0.id) },
            uniquingKeysWith: { first, _ in first })
        for correction in corrections {
            guard let entity = scope.session.pack.entity(correction.entity) else { continue }
            var row = EnteredRows.Row(entity: entity.name, id: correction.id, name: correction.name)
            (row.line, row.sheet, row.isDeletion) = (correction.line, correction.table, correction.kind == .removal)
            for cell in correction.cells where cell.verdict == .changed {
                guard let field = cell.field else { continue }
                row.values.append((field.name, cell.brought.entered(for: field, in: scope.session.timeZone)))
            }
            if correction.kind == .addition {
                guard try complete(&row, of: entity, ownedBy: correction.owner, new) else {
                    unowned.insert(correction.id)
                    continue
                }
            }
            rows.append(row)
        }
        return (rows, unowned)
    }

    /// The text of the own key of a new row, without those of its owners.
    private func code(of correction: Correction) -> String {
        let own = scope.session.pack.entity(correction.entity)?.key.last
        return correction.cells.first { $0.field?.name == own }?.brought.text ?? ""
    }

    /// - Returns: whether the row's owner is known.
    private func complete(
        _ row: inout EnteredRows.Row, of entity: Entity, ownedBy owner: String?, _ new: [String: String]
    ) throws -> Bool {
        if let first = entity.projectPath?.parts.first, first != "id", let target = entity.field(first)?.references {
            guard let id = try id(of: target, named: owner, new) else { return false }
            row.give(first, id, of: entity)
        }
        row.begin(as: entity, by: scope.context.actor, at: scope.context.asOf)
        return true
    }

    private func id(of target: String, named name: String?, _ new: [String: String]) throws -> String? {
        if target == scope.session.pack.project.entity { return project.id }
        guard let name, !name.isEmpty else { return nil }
        if let made = new[target + " " + name] { return made }
        let found = try? scope.replica.record(named: name, projectIDs: [project.id], actor: scope.context.actor)
        return found?.entity.name == target ? found?.id : nil
    }
}
