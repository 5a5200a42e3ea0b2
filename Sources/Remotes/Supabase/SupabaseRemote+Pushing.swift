internal import JSONReading
package import Model
internal import Web

extension SupabaseRemote {
    /// One request for each item, which is a transaction of its own.
    package func push(_ items: [PushItem]) throws -> [PushOutcome] {
        try items.map { item in PushOutcome(itemID: item.id, result: try push(item)) }
    }

    private func push(_ item: PushItem) throws -> PushOutcome.Result {
        guard let entity = pack.centralEntities.first(where: { $0.name == item.entity }), !entity.fields(among: columns).isEmpty else {
            return .failed(class: .schema, message: "no table \(item.entity)")
        }
        do {
            return try RestChange(item, entity, self).make()
        } catch let refusal as SupabaseFailure {
            guard case .refused(_, let state, let message) = refusal, !refusal.isPassing else { throw refusal }
            return .failed(class: PushFailureClass(state: state, message: message), message: message)
        }
    }
}

/// One change, made through PostgREST: compare and swap.
private struct RestChange {
    private let item: PushItem
    private let entity: Entity
    private let remote: SupabaseRemote
    /// Those that the server has; it gives the version itself.
    private let fields: [Field]
    private let payload: [JSONValue.Member]

    init(_ item: PushItem, _ entity: Entity, _ remote: SupabaseRemote) throws {
        (self.item, self.entity, self.remote) = (item, entity, remote)
        let fields = entity.fields(among: remote.columns).map { entity.fields[$0] }.filter { $0.name != "updated_at" }
        self.fields = fields
        let written = try item.payload.flatMap { try JSONValue.parse($0).members } ?? []
        payload = written.filter { member in fields.contains { $0.name == member.key } }
    }

    func make() throws -> PushOutcome.Result {
        let touched: WebAnswer
        switch item.operation {
        case .insert:
            touched = try ask(.post, [("on_conflict", "id")], ["resolution=ignore-duplicates", "return=representation"], body)
        case .update: touched = try ask(.patch, swapped, ["return=representation"], body)
        case .delete:
            guard try !hasParts() else { return try untouched(hasParts: true) }
            touched = try ask(.delete, swapped, ["return=representation"], nil)
        }
        let rows = try remote.server.rows(touched, ["id", "updated_at"])
        if let version = rows.first?[1] { return .confirmed(version: ArrivedValues.instant(version)) }
        return try untouched()
    }

    /// The row as the change was made on it.
    private var swapped: [(name: String, value: String)] { [("id", "eq." + item.rowID), ("updated_at", item.base.map { "eq." + $0 } ?? "is.null")] }

    private func ask(
        _ method: WebRequest.Method, _ query: [(name: String, value: String)], _ preferences: [String], _ body: String?
    ) throws -> WebAnswer {
        try remote.server.ask(
            .init(method: method, path: entity.name, query: query + [("select", "id,updated_at")], preferences: preferences, body: body))
    }

    private static func isJSON(_ field: Field) -> Bool { [.json, .point, .polygon, .list].contains(field.type) }
    private func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    private var body: String {
        JSONValue.object(
            payload.map { member in
                guard let field = field(member.key), Self.isJSON(field), let text = member.value.text, let value = try? JSONValue.parse(text) else { return member }
                return .init(key: member.key, value: value)
            }
        ).description
    }

    /// Whether the server would delete rows with this one: a deletion takes what its author knew,
    /// and these were deleted before it.
    private func hasParts() throws -> Bool {
        try remote.pack.parts(deletedWith: entity).contains { part in
            guard !part.entity.fields(among: remote.columns).isEmpty else { return false }
            let query = [("select", "id"), (part.field.name, "eq." + item.rowID), ("limit", "1")]
            return try !remote.server.rows(remote.server.ask(.init(method: .get, path: part.entity.name, query: query)), ["id"]).isEmpty
        }
    }

    /// Nothing was touched: the row is not there, is hidden, or is another.
    private func untouched(hasParts: Bool = false) throws -> PushOutcome.Result {
        let selected = ["updated_at"] + fields.map { Self.isJSON($0) ? $0.name + "::text" : $0.name }
        let answer = try remote.server.ask(
            .init(method: .get, path: entity.name, query: [("select", selected.joined(separator: ",")), ("id", "eq." + item.rowID)]))
        guard let row = try remote.server.rows(answer, ["updated_at"] + fields.map(\.name)).first else {
            // A row that the server never confirmed may be deleted in any case.
            let isGone = try item.operation == .delete && item.base == nil || isBuried()
            return isGone ? .gone : .failed(class: .rls, message: "the row is hidden or gone")
        }
        let there = Dictionary(uniqueKeysWithValues: zip(fields, row.dropFirst()).map { ($0.name, ArrivedValues.json($1, $0.type)) })
        // An answer was lost: the server has it already.
        if item.operation != .delete, payload.allSatisfy({ isEqual($0, there[$0.key] ?? "null") }) {
            return .confirmed(version: ArrivedValues.instant(row[0] ?? ""))
        }
        // Row security refuses in silence: the row is as it was, and stays so.
        if !hasParts, let base = item.base, ArrivedValues.instant(row[0] ?? "") == base { return .failed(class: .rls, message: PushOutcome.refusedInSilence(item.operation)) }
        let members = [("updated_at", ArrivedValues.json(row[0], .datetime))] + fields.map { ($0.name, there[$0.name] ?? "null") }
        return .contested(remote: "{" + members.map { JSONValue.string($0).description + ":" + $1 }.joined(separator: ",") + "}")
    }

    /// Whether the server has a value of the change. It may keep JSON in a form of its own.
    private func isEqual(_ member: JSONValue.Member, _ there: String) -> Bool {
        let here = here(member)
        guard here != there, let field = field(member.key), Self.isJSON(field) else { return here == there }
        func content(_ quoted: String) -> JSONValue? { (try? JSONValue.parse(quoted))?.text.flatMap { try? JSONValue.parse($0) } }
        return content(here).map { $0 == content(there) } ?? false
    }

    /// A value of the change in the form of `ArrivedValues.json`.
    private func here(_ member: JSONValue.Member) -> String {
        guard let type = field(member.key)?.type else { return "null" }
        let text: String?
        switch member.value {
        case .null: text = nil
        case .bool(let value): text = value ? "t" : "f"
        case .number(let written): text = type == .boolean ? (written == "0" ? "f" : "t") : written
        case .string(let written): text = written
        default: text = member.value.description
        }
        return ArrivedValues.json(text, type)
    }

    /// Whether the server knows that the row was deleted, and not moved out of sight.
    private func isBuried() throws -> Bool {
        let answer = try remote.server.ask(
            .init(
                method: .get, path: "removed_rows",
                query: [("select", "is_move"), ("entity", "eq." + item.entity), ("row_id", "eq." + item.rowID), ("order", "n.desc"), ("limit", "1")],
                schema: "fichero"))
        return try remote.server.rows(answer, ["is_move"]).first?[0] == "false"
    }
}
