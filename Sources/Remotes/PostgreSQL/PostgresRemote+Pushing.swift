package import Model
internal import Postgres

extension PostgresRemote {
    /// All in one transaction.
    package func push(_ items: [PushItem]) throws -> [PushOutcome] {
        try connection.transaction {
            // References are checked at once, so that an item fails by itself.
            try connection.run("SET CONSTRAINTS ALL IMMEDIATE")
            return try items.map { PushOutcome(itemID: $0.id, result: try push($0)) }
        }
    }

    private func push(_ item: PushItem) throws -> PushOutcome.Result {
        guard let table = PushedTable(item.entity, self) else { return .failed(class: .schema, message: "no table \(item.entity)") }
        try connection.run("SAVEPOINT item")
        do {
            let result = try change(item, table)
            try connection.run("RELEASE item")
            return result
        } catch let refusal as PostgresFailure {
            guard case .refused(let state, let message) = refusal, !refusal.isPassing else { throw refusal }
            try connection.run("ROLLBACK TO item")
            return .failed(class: PushFailureClass(state: state, message: message), message: message)
        }
    }

    /// Whether the server knows that the row was deleted, and not moved out of sight.
    private func isBuried(_ item: PushItem) throws -> Bool {
        let found = try connection.run(
            "SELECT NOT is_move FROM fichero.removed_rows WHERE entity = $1 AND row_id = $2::uuid ORDER BY n DESC LIMIT 1", [item.entity, item.rowID])
        return found.count == 1 && found[row: 0, column: 0] == "t"
    }

    private func change(_ item: PushItem, _ table: PushedTable) throws -> PushOutcome.Result {
        let done: PostgresRows
        switch item.operation {
        case .insert: done = try connection.run(table.insert, [item.payload ?? "{}"])
        case .update: done = try connection.run(table.update, [item.payload ?? "{}", item.rowID, item.base])
        case .delete:
            // Whoever adds a part waits for this, and the next statement sees who came before.
            if !table.parts.isEmpty { try connection.run(table.lock, [item.rowID]) }
            done = try connection.run(table.delete, [item.rowID, item.base])
        }
        if done.count == 1, let version = done[row: 0, column: 0] { return .confirmed(version: ArrivedValues.instant(version)) }
        // Nothing was touched: the row is not there, is hidden, or is another.
        let found = try connection.run(table.compared, [item.payload ?? "{}", item.rowID])
        guard found.count == 1 else {
            // A row that the server never confirmed may be deleted in any case.
            let isGone = try item.operation == .delete && item.base == nil || isBuried(item)
            return isGone ? .gone : .failed(class: .rls, message: "the row is hidden or gone")
        }
        // An answer was lost: the server has it already.
        if item.operation != .delete, found[row: 0, column: 1] == "t" { return .confirmed(version: ArrivedValues.instant(found[row: 0, column: 0] ?? "")) }
        // Row security refuses in silence: the row is as it was, and stays so.
        let hasParts = item.operation == .delete && found[row: 0, column: 2] == "t"
        if !hasParts, let base = item.base, ArrivedValues.instant(found[row: 0, column: 0] ?? "") == base {
            return .failed(class: .rls, message: PushOutcome.refusedInSilence(item.operation))
        }
        return .contested(remote: table.json(found, from: 3))
    }
}

/// The statements that change one table. Columns are those that the server has; values come as one
/// JSON object, which the server converts.
private struct PushedTable {
    let fields: [Field]
    let table: String
    /// SQL of the rows that the server would delete with one: a deletion takes what its author knew,
    /// and these were deleted before it.
    let parts: [String]

    init?(_ name: String, _ remote: PostgresRemote) {
        guard let entity = remote.pack.centralEntities.first(where: { $0.name == name }), let there = remote.columns[name], there.contains("id") else { return nil }
        fields = entity.centralFields.map { entity.fields[$0] }.filter { there.contains($0.name) && $0.name != "updated_at" }
        let table = "public." + Self.name(name)
        self.table = table
        parts = remote.pack.parts(deletedWith: entity).filter { remote.columns[$0.entity.name] != nil }.map { part in
            "SELECT FROM public.\(Self.name(part.entity.name)) AS p WHERE p.\(Self.name(part.field.name)) = \(table).id"
        }
    }

    private static func name(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
    private static func isJSON(_ field: Field) -> Bool { [.json, .point, .polygon, .list].contains(field.type) }

    private var names: String { fields.map { Self.name($0.name) }.joined(separator: ", ") }
    /// A JSON column arrives as a text within the object.
    private var values: String {
        fields.map { Self.isJSON($0) ? "(r.\(Self.name($0.name)) #>> '{}')::json" : "r.\(Self.name($0.name))" }.joined(separator: ", ")
    }
    private var record: String { "json_populate_record(NULL::\(table), $1::json) AS r" }

    var insert: String { "INSERT INTO \(table) (\(names)) SELECT \(values) FROM \(record) ON CONFLICT (id) DO NOTHING RETURNING updated_at" }
    var update: String {
        "UPDATE \(table) SET (\(names)) = (SELECT \(values) FROM \(record)) WHERE id = $2::uuid AND updated_at = $3::timestamptz RETURNING updated_at"
    }
    var lock: String { "SELECT FROM \(table) WHERE id = $1::uuid FOR UPDATE" }
    var delete: String {
        let alone = parts.map { " AND NOT EXISTS (\($0))" }.joined()
        return "DELETE FROM \(table) WHERE id = $1::uuid AND updated_at = $2::timestamptz\(alone) RETURNING updated_at"
    }

    /// The version of a row, whether it has the values of an item, whether it has parts, and its
    /// version and values.
    var compared: String {
        let same = fields.map { field in
            let name = Self.name(field.name)
            return Self.isJSON(field) ? "t.\(name)::text IS NOT DISTINCT FROM (r.\(name) #>> '{}')" : "t.\(name) IS NOT DISTINCT FROM r.\(name)"
        }
        let columns = fields.map { "t." + Self.name($0.name) }.joined(separator: ", ")
        let hasParts = parts.isEmpty ? "false" : parts.map { "EXISTS (\($0.replacing(table + ".id", with: "t.id")))" }.joined(separator: " OR ")
        return "SELECT t.updated_at, \(same.joined(separator: " AND ")), \(hasParts), t.updated_at, \(columns) FROM \(table) AS t, \(record) WHERE t.id = $2::uuid"
    }

    /// A row as the replica writes rows in JSON: the version first, then the fields.
    func json(_ rows: PostgresRows, from first: Int) -> String {
        let members = (["updated_at"] + fields.map(\.name)).enumerated().map { index, name in
            var text = ""
            JSONString.append(name, to: &text)
            let type = index == 0 ? FieldType.datetime : fields[index - 1].type
            return text + ":" + ArrivedValues.json(rows[row: 0, column: first + index], type)
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
