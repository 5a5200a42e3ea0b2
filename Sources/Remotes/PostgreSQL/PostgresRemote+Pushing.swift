package import Model
internal import Postgres

extension PostgresRemote {
    /// Sends all items in one transaction.
    package func push(_ items: [PushItem]) throws -> [PushOutcome] {
        try connection.transaction {
            // References are checked immediately, so that only the faulty item fails.
            try connection.run("SET CONSTRAINTS ALL IMMEDIATE")
            return try items.map { PushOutcome(itemID: $0.id, result: try push($0)) }
        }
    }

    private func push(_ item: PushItem) throws -> PushOutcome.Result {
        guard let table = PushedTable(item.entity, self) else {
            return .failed(class: .schema, message: "no table \(item.entity)")
        }
        try connection.run("SAVEPOINT item")
        do {
            let result = try change(item, table)
            try connection.run("RELEASE item")
            return result
        } catch let refusal as PostgresFailure {
            guard let state = refusal.state, !refusal.isPassing else { throw refusal }
            try connection.run("ROLLBACK TO item")
            let message = refusal.arguments["message", default: ""]
            return .failed(class: PushFailureClass(state: state, message: message), message: message)
        }
    }

    /// Whether the row was deleted, and not moved to a project that the person cannot see. A server
    /// without Fichero's SQL records no deletions, so a row missing in a visible project counts as
    /// deleted.
    private func isBuried(_ item: PushItem) throws -> Bool {
        guard rows.isPrepared else {
            let seen = try item.projectID.map {
                try connection.run("SELECT FROM \(ServerRows.table(pack.project.entity)) WHERE id::text = $1", [$0])
                    .count
            }
            return item.operation == .delete && seen != 0
        }
        let found = try connection.run(
            """
            SELECT NOT is_move FROM fichero.removed_rows WHERE entity = $1 AND row_id = $2::uuid \
            ORDER BY n DESC LIMIT 1
            """,
            [item.entity, item.rowID])
        return found.count == 1 && found[row: 0, column: 0] == "t"
    }

    private func change(_ item: PushItem, _ table: PushedTable) throws -> PushOutcome.Result {
        let done: PostgresRows
        switch item.operation {
        case .insert: done = try connection.run(table.insert, [item.payload ?? "{}"])
        case .update:
            done = try connection.run(
                table.update(item.sentFields(table.fields)),
                [item.payload ?? "{}", item.rowID, item.base, table.comparesValues ? item.known : nil])
        case .delete:
            // Writers of parts wait for this lock; the next statement sees all parts that were
            // written before.
            if !table.parts.isEmpty { try connection.run(table.lock, [item.rowID]) }
            done = try connection.run(table.delete, [item.rowID, item.base, table.comparesValues ? item.known : nil])
        }
        if done.count == 1, let version = done[row: 0, column: 0].map(ArrivedValues.instant) {
            guard item.operation != .update || version != item.base || !table.isDated else {
                return .failed(class: .schema, message: PushOutcome.unmovedVersion)
            }
            return .confirmed(version: version)
        }
        // No row was changed: it does not exist, is hidden, or has another version.
        let found = try connection.run(
            table.compared, [item.payload ?? "{}", item.rowID, table.comparesValues ? item.known : nil])
        guard found.count == 1 else {
            // A missing row that the server never confirmed counts as deleted in any case.
            let isGone = try item.operation == .delete && item.base == nil || isBuried(item)
            return isGone ? .gone : .failed(class: .rls, message: "the row is hidden or gone")
        }
        // An earlier reply was lost: the server has the change already.
        if item.operation != .delete, found[row: 0, column: 1] == "t" {
            return .confirmed(version: ArrivedValues.instant(found[row: 0, column: 0] ?? ""))
        }
        // Row security refuses without an error: the row still has its base version.
        let isOther = item.operation == .delete && found[row: 0, column: 2] == "t" || found[row: 0, column: 3] == "f"
        if !isOther, let base = item.base, ArrivedValues.instant(found[row: 0, column: 0] ?? "") == base {
            return .failed(class: .rls, message: PushOutcome.refusedInSilence(item.operation))
        }
        return .contested(remote: table.json(found, from: 4))
    }
}

/// The SQL statements that change one table. They use the columns that the server has. Values are
/// sent as one JSON object, which the server converts.
///
/// A server without Fichero's SQL may have no trigger that gives a changed row a new version. So
/// the push writes the version, and the change is made only if the row also has the values on which
/// it is based.
private struct PushedTable {
    let fields: [Field]
    let table: String
    /// SQL queries of the parts that the server would delete with a row. The parts known to the
    /// author were deleted before; any other part blocks the deletion.
    let parts: [String]
    /// Whether a row is compared by the values on which the change is based, and not by its version
    /// alone.
    let comparesValues: Bool
    private let version: String
    /// Columns that are arrays on the server and JSON in the replica.
    private let arrays: Set<String>
    /// Whether the server reports when a row changed.
    let isDated: Bool
    /// Whether the push writes the version.
    private var writesVersion: Bool { comparesValues && isDated }

    init?(_ name: String, _ remote: PostgresRemote) {
        guard let entity = remote.pack.centralEntities.first(where: { $0.name == name }),
            let there = remote.columns[name], there.contains("id")
        else { return nil }
        fields = entity.centralFields.map { entity.fields[$0] }.filter {
            there.contains($0.name) && $0.name != "updated_at"
        }
        let table = ServerRows.table(name)
        self.table = table
        parts = remote.pack.parts(deletedWith: entity).filter { remote.columns[$0.entity.name] != nil }.map { part in
            "SELECT FROM \(ServerRows.table(part.entity.name)) AS p WHERE p.\(ServerRows.name(part.field.name)) = t.id"
        }
        comparesValues = !remote.rows.isPrepared
        version = remote.rows.version(of: entity, "t")
        isDated = remote.rows.isDated(entity)
        arrays = remote.rows.arrays[name] ?? []
    }

    private static func isJSON(_ field: Field) -> Bool { [.json, .point, .polygon, .list].contains(field.type) }
    private static func column(_ field: Field, _ row: String) -> String { row + "." + ServerRows.name(field.name) }
    private func isArray(_ field: Field) -> Bool { arrays.contains(field.name) }
    /// Expression for a field's value: a JSON column arrives as a text within the object.
    private func arrived(_ field: Field, _ row: String) -> String {
        Self.isJSON(field) && !isArray(field) ? "(\(Self.column(field, row)) #>> '{}')" : Self.column(field, row)
    }

    private func names(_ fields: [Field]) -> String {
        (fields.map { ServerRows.name($0.name) } + (writesVersion ? ["updated_at"] : [])).joined(separator: ", ")
    }
    private func values(_ fields: [Field], _ version: String) -> String {
        (fields.map { arrived($0, "r") + (Self.isJSON($0) && !isArray($0) ? "::json" : "") }
            + (writesVersion ? [version] : [])).joined(separator: ", ")
    }
    private func record(_ parameter: Int, _ row: String) -> String {
        let own = "$\(parameter)::jsonb"
        // An array is sent as a text with JSON, and the server reads that JSON.
        let lists = arrays.sorted().map { name in
            let key = ServerRows.literal(name)
            return
                """
                 || CASE WHEN jsonb_typeof(\(own) -> \(key)) = 'string' \
                THEN jsonb_build_object(\(key), (\(own) ->> \(key))::jsonb) ELSE '{}' END
                """
        }
        return "json_populate_record(NULL::\(table), "
            + (lists.isEmpty ? "$\(parameter)::json" : "(\(own)\(lists.joined()))::json") + ") AS \(row)"
    }

    /// SQL condition: a row has the values of another row, which was sent as JSON.
    private func isSame(_ fields: [Field], as row: String) -> String {
        let equal = fields.map { field in
            if isArray(field) {
                return "to_jsonb(\(Self.column(field, "t"))) IS NOT DISTINCT FROM to_jsonb(\(Self.column(field, row)))"
            }
            let (here, there) = (Self.column(field, "t"), arrived(field, row))
            return "\(Self.held(here, field.type)) IS NOT DISTINCT FROM \(Self.held(there, field.type))"
        }
        return equal.isEmpty ? "true" : equal.joined(separator: " AND ")
    }

    /// SQL of a value as a replica stores it. On the server it may be a number with more digits
    /// than a double has, or a text in place of a number.
    private static func held(_ value: String, _ type: FieldType) -> String {
        let text = value + "::text"
        return switch type {
        // The server may write JSON in another way: other spaces, the members in another order.
        case .json, .point, .polygon, .list: "(\(text))::jsonb"
        case .decimal:
            """
            CASE WHEN length(\(text)) <= 300 AND \(text) ~ \
            '^-?([0-9]+(\\.[0-9]+)?|[0-9](\\.[0-9]+)?e[-+]?[0-2]?[0-9]{1,2})$' THEN \(text)::float8 END
            """
        case .integer:
            """
            CASE WHEN \(text) ~ '^-?[0-9]+(\\.0*)?$' THEN CASE WHEN \(text)::numeric BETWEEN \(Int64.min) \
            AND \(Int64.max) THEN \(text)::numeric END END
            """
        case .boolean: "CASE WHEN \(text) IN ('t', 'true', '1') THEN 1 WHEN \(text) IN ('f', 'false', '0') THEN 0 END"
        case .text, .date, .time, .datetime, .uuid: value
        }
    }

    /// SQL condition: a row has the values on which a change is based; true if these are not known.
    private func isKnown(_ parameter: Int) -> String {
        """
        ($\(parameter)::json IS NULL OR EXISTS (SELECT FROM \(record(parameter, "b")) \
        WHERE \(isSame(fields, as: "b"))))
        """
    }

    var insert: String {
        """
        INSERT INTO \(table) AS t (\(names(fields))) SELECT \(values(fields, "clock_timestamp()")) \
        FROM \(record(1, "r")) ON CONFLICT (id) DO NOTHING RETURNING \(version)
        """
    }
    /// Changes some of the fields.
    func update(_ sent: [Field]) -> String {
        let next = "greatest(clock_timestamp(), t.updated_at + interval '1 microsecond')"
        return """
            UPDATE \(table) AS t SET (\(names(sent))) = (SELECT \(values(sent, next)) FROM \(record(1, "r")))
            WHERE t.id = $2::uuid AND \(version) = $3::timestamptz AND \(isKnown(4)) RETURNING \(version)
            """
    }
    var lock: String { "SELECT FROM \(table) WHERE id = $1::uuid FOR UPDATE" }
    var delete: String {
        let alone = parts.map { " AND NOT EXISTS (\($0))" }.joined()
        return
            """
            DELETE FROM \(table) AS t WHERE t.id = $1::uuid AND \(version) = $2::timestamptz \
            AND \(isKnown(3))\(alone) RETURNING \(version)
            """
    }

    /// Query for a row: its version, whether it has the item's values, whether it has parts, and
    /// whether it has the values on which the change is based. Then its version and values as JSON.
    var compared: String {
        let columns = fields.map { isArray($0) ? "to_json(\(Self.column($0, "t")))" : Self.column($0, "t") }.joined(
            separator: ", ")
        let hasParts = parts.isEmpty ? "false" : parts.map { "EXISTS (\($0))" }.joined(separator: " OR ")
        return """
            SELECT \(version), \(isSame(fields, as: "r")), \(hasParts), \(isKnown(3)), \(version), \(columns)
            FROM \(table) AS t, \(record(1, "r")) WHERE t.id = $2::uuid
            """
    }

    /// A row in the replica's JSON form: the version first, then the fields.
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
