import Model

/// Rows that are rejected one by one, with what a finding says of each.
extension ImportApplication {
    /// Returns the row's id in the quarantine.
    ///
    /// - Parameter key: the row's name, where its own would not do.
    @discardableResult
    func rejectStaged(
        _ rows: EntityRows, n: Int64, _ code: String, field: String, key: String? = nil, arguments: (_ id: String) -> [String: String]
    ) throws -> String? {
        guard let row = try rows.staged(n) else { return nil }
        var place = row.place
        // The name of a record in a project that is not the actor's stays hidden.
        let name = try key ?? (code == "CHANGE-PROJECT" ? nil : rows.name(ofStaged: n, id: row.id))
        (place.table, place.id, place.key, place.field, place.origin) = (rows.importer.entity.name, row.id, name, field, nil)
        let finding = Finding(code, place: place, arguments: arguments(row.id))
        try note(n, .rejected)
        return try reject(entity: rows.importer.entity.name, raw: row.raw, place: row.place, findings: [finding], around: row.around)
    }

    func finding(_ code: String, _ rows: EntityRows, _ n: Int64, id: String, arguments: [String: String] = [:]) throws -> Finding {
        var place = try rows.staged(n)?.place ?? Place()
        (place.table, place.id, place.key, place.origin) = (rows.importer.entity.name, id, try rows.name(ofStaged: n, id: id), nil)
        return Finding(code, place: place, arguments: arguments)
    }

    /// Rejects a repeated id: the first of its rows counts. If the id is nowhere in the row, it was
    /// made from the key, and the finding names the key instead.
    func rejectDuplicate(_ rows: EntityRows, _ n: Int64) throws {
        guard let row = try rows.staged(n), row.place.mapping != nil, !row.raw.lowercased().contains(row.id), let first = try rows.firstStaged(row.id),
            let place = try rows.staged(first)?.place, let key = try rows.name(of: row.id)
        else {
            try rejectStaged(rows, n: n, "IMPORT-DUPLICATE", field: "id") { ["value": $0] }
            return
        }
        let isElsewhere = place.sheet != row.place.sheet || place.file != row.place.file
        let sheet = isElsewhere ? (place.sheet ?? place.file ?? "") + " " : ""
        let values = try rows.differences(n, from: first)
        try rejectStaged(rows, n: n, "IMPORT-SAME-KEY", field: rows.importer.entity.key.last ?? "id", key: key) { _ in
            [
                "name": key, "first": sheet + (place.line.map(String.init) ?? "?"), "line": row.place.line.map(String.init) ?? "?",
                "values": values.isEmpty ? "=" : values.prefix(5).joined(separator: "; ") + (values.count > 5 ? "; …" : ""),
            ]
        }
    }

    /// Whether a row is in one of the actor's projects; if not, it is rejected.
    func covers(_ id: String, _ importer: EntityImporter, raw: String, place: Place) throws -> Bool {
        guard try !judge.covers(id, importer.entity) else { return true }
        var found = place
        (found.table, found.id) = (importer.entity.name, id)
        let finding = Finding("CHANGE-PROJECT", place: found, arguments: ["actor": request.actor.email])
        try reject(entity: importer.entity.name, raw: raw, place: place, findings: [finding], around: nil)
        return false
    }
}
