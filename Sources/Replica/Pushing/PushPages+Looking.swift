import Model

extension PushPages {
    /// SQL condition on an item `p`, its queue item `q` and its wait `w`: something may hold it, and
    /// is looked at closely. A look at a long queue, of which little is held, is quick by this.
    ///
    /// SQLite asks item by item, so that it sees what the items before have left on the lists.
    static func mayBeHeld(in lists: PushLists, _ pack: Pack) -> String {
        let entities = pack.entities.filter { !IndexPlan.logs.contains($0.name) }
        let stuck = lists.table("stuck")
        let references = entities.compactMap { entity -> String? in
            let found = entity.fields.compactMap { field in
                field.references.map { "EXISTS (SELECT 1 FROM \(stuck) AS s WHERE s.entity = \(SQLText.literal($0)) AND s.row_id \(condition(field)) AND s.is_missing)" }
            }
            return found.isEmpty ? nil : "WHEN \(SQLText.literal(entity.name)) THEN \(found.joined(separator: " OR "))"
        }
        let refers = references.isEmpty ? "false" : "CASE p.entity \(references.joined(separator: " ")) END"
        return """
            (w.due_at IS NOT NULL OR p.row_id IS NULL OR coalesce(p.entity, '') NOT IN (\(entities.map { SQLText.literal($0.name) }.joined(separator: ", ")))
              OR coalesce(q.operation, '') NOT IN ('INSERT', 'UPDATE', 'DELETE')
              OR EXISTS (SELECT 1 FROM main.conflicts WHERE entity_type = p.entity AND entity_id = p.row_id AND resolution_status = 'open')
              OR EXISTS (SELECT 1 FROM \(stuck) AS s WHERE s.entity = p.entity AND s.row_id = p.row_id)
              OR EXISTS (SELECT 1 FROM \(lists.table("hanging")) AS h WHERE h.entity = p.entity AND h.row_id = p.row_id)
              OR json_valid(q.payload_json) AND \(refers))
            """
    }

    /// A list is kept as the text of a JSON array.
    private static func condition(_ field: Field) -> String {
        let value = "json_extract(q.payload_json, \(SQLText.literal("$.\"\(field.name)\"")))"
        return field.type == .list ? "IN (SELECT value FROM json_each(CASE WHEN json_valid(\(value)) THEN \(value) END))" : "= \(value)"
    }
}
