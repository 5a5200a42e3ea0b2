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
        case .delete: done = try connection.run(table.delete, [item.rowID, item.base])
        }
        if done.count == 1, let version = done[row: 0, column: 0] { return .confirmed(version: ArrivedValues.instant(version)) }
        // Nothing was touched: the row is not there, is hidden, or is another.
        let found = try connection.run(table.compared, [item.payload ?? "{}", item.rowID])
        guard found.count == 1 else {
            let isGone = try item.operation == .delete || isBuried(item)
            return isGone ? .gone : .failed(class: .rls, message: "the row is hidden or gone")
        }
        // An answer was lost: the server has it already.
        if item.operation != .delete, found[row: 0, column: 1] == "t" { return .confirmed(version: ArrivedValues.instant(found[row: 0, column: 0] ?? "")) }
        return .contested(remote: table.json(found, from: 2))
    }
}

/// The statements that change one table. Columns are those that the server has; values come as one
/// JSON object, which the server converts.
private struct PushedTable {
    let fields: [Field]
    let table: String

    init?(_ name: String, _ remote: PostgresRemote) {
        guard let entity = remote.pack.centralEntities.first(where: { $0.name == name }), let there = remote.columns[name], there.contains("id") else { return nil }
        fields = entity.centralFields.map { entity.fields[$0] }.filter { there.contains($0.name) && $0.name != "updated_at" }
        table = "public." + Self.name(name)
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
    var delete: String { "DELETE FROM \(table) WHERE id = $1::uuid AND updated_at = $2::timestamptz RETURNING updated_at" }

    /// The version of a row, whether it has the values of an item, and its values.
    var compared: String {
        let same = fields.map { field in
            let name = Self.name(field.name)
            return Self.isJSON(field) ? "t.\(name)::text IS NOT DISTINCT FROM (r.\(name) #>> '{}')" : "t.\(name) IS NOT DISTINCT FROM r.\(name)"
        }
        let columns = fields.map { "t." + Self.name($0.name) }.joined(separator: ", ")
        return "SELECT t.updated_at, \(same.joined(separator: " AND ")), t.updated_at, \(columns) FROM \(table) AS t, \(record) WHERE t.id = $2::uuid"
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
