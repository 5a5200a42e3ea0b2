import Model

/// SQL along a path of references, from a row to one above it: from a stratum's sample by
/// `corte_id.calicata_id` to the pit. A path of one step is the field itself.
///
/// Every question about the record of a part goes through here or through `PathJoins`, so that a part
/// may be any number of steps below its root.
struct ReferenceSQL {
    /// The tables on the way, each with the field that leads on.
    private let steps: [(table: String, field: String)]

    /// - Parameter schema: where the tables on the way are; nil: the views of what the actor sees.
    init(_ path: FieldPath, from entity: Entity, in pack: Pack, schema: String? = nil) {
        steps = zip(pack.owners(along: path, from: entity), path.parts).map { owner, part in
            ((schema.map { $0 + "." } ?? "") + SQLText.name(owner.name), SQLText.name(part))
        }
    }

    /// The id at the end of the path, of a row with this alias.
    func value(_ row: String) -> String {
        steps.dropFirst().reduce("\(row).\(steps.first?.field ?? "id")") { id, step in "(SELECT \(step.field) FROM \(step.table) WHERE id = \(id))" }
    }

    /// A condition on a row with this alias: that the id at the end of the path is as `end` says, such
    /// as `= t0.id` or `IN (…)`. Rows are found from the end, by the indexes of references.
    func condition(_ row: String, _ end: String) -> String {
        let inner = steps.dropFirst().reversed().reduce(end) { end, step in "IN (SELECT id FROM \(step.table) WHERE \(step.field) \(end))" }
        return "\(row).\(steps.first?.field ?? "id") \(inner)"
    }
}
