internal import JSONReading
package import Model
internal import Web

extension SupabaseRemote {
    /// Sends one request for each item; each request is a separate transaction.
    package func push(_ items: [PushItem]) throws -> [PushOutcome] {
        try items.map { item in PushOutcome(itemID: item.id, result: try push(item)) }
    }

    private func push(_ item: PushItem) throws -> PushOutcome.Result {
        guard let entity = pack.centralEntities.first(where: { $0.name == item.entity }),
            !entity.fields(among: columns).isEmpty
        else {
            return .failed(class: .schema, message: "no table \(item.entity)")
        }
        do {
            return try RestChange(item, entity, self).make()
        } catch let refusal as SupabaseFailure {
            guard let state = refusal.state, !refusal.isPassing else { throw refusal }
            let message = refusal.arguments["message", default: ""]
            return .failed(class: PushFailureClass(state: state, message: message), message: message)
        }
    }
}

/// One change, made through PostgREST by compare and swap.
///
/// A server without Fichero's SQL may have no trigger that gives a changed row a new version. So
/// the push writes the version, and the change is made only if the row also has the values on which
/// it is based.
private struct RestChange {
    private let item: PushItem
    private let entity: Entity
    private let remote: SupabaseRemote
    /// The fields that the server has, without the version.
    private let fields: [Field]
    private let payload: [JSONValue.Member]
    /// The server's last known row, if the change compares its values; else empty.
    private let known: [JSONValue.Member]
    /// The columns that give a row its version.
    private let times: [String]
    /// Whether the request's address also compares numbers and empty values as texts. If not, it
    /// leaves them out: the server may have more digits, or values that a replica cannot store.
    private let isComparedByText: Bool

    init(_ item: PushItem, _ entity: Entity, _ remote: SupabaseRemote, isComparedByText: Bool = true) throws {
        (self.item, self.entity, self.remote, self.isComparedByText) = (item, entity, remote, isComparedByText)
        let fields = entity.fields(among: remote.columns).map { entity.fields[$0] }.filter { $0.name != "updated_at" }
        self.fields = fields
        func members(_ text: String?) throws -> [JSONValue.Member] {
            try text.flatMap { try JSONValue.stored($0).members }?.filter { member in
                fields.contains { $0.name == member.key }
            } ?? []
        }
        payload = try members(item.payload)
        known = try remote.isPrepared ? [] : members(item.known)
        times =
            remote.isPrepared
            ? ["updated_at"] : SupabaseRemote.times.filter { remote.columns[entity.name]?.contains($0) ?? false }
    }

    func make() throws -> PushOutcome.Result {
        let touched: WebAnswer
        switch item.operation {
        case .insert:
            touched = try ask(
                .post, [("on_conflict", "id")], ["resolution=ignore-duplicates", "return=representation"], body(payload)
            )
        case .update:
            guard try isKnown() else { return try untouched() }
            let sent = Set(item.sentFields(fields).map(\.name))
            touched = try ask(
                .patch, swapped, ["return=representation"], body(payload.filter { sent.contains($0.key) }))
        case .delete:
            if let deleted = try deletedAtOnce() {
                touched = deleted
            } else {
                // A part that is added after this check is deleted too: only a function on the
                // server can check and delete at once.
                guard try !hasParts() else { return try untouched() }
                guard try isKnown() else { return try untouched() }
                touched = try ask(.delete, swapped, ["return=representation"], nil)
            }
        }
        guard let row = try remote.server.rows(touched, ["id"] + times).first else {
            return try isComparedByText && isStill()
                ? RestChange(item, entity, remote, isComparedByText: false).make() : untouched()
        }
        let version = version(row.dropFirst())
        guard item.operation != .update || version != item.base || !isDated else {
            return .failed(class: .schema, message: PushOutcome.unmovedVersion)
        }
        return .confirmed(version: version)
    }

    /// Whether the row still has the values on which the change is based, as a replica stores them.
    private func isStill() throws -> Bool {
        guard item.operation != .insert, !known.isEmpty, let there = try current() else { return false }
        return known.allSatisfy { isEqual($0, there.values[$0.key] ?? "null") }
    }

    /// Whether the server reports when a row changed.
    private var isDated: Bool { times.contains("updated_at") }

    private func version(_ values: ArraySlice<String?>) -> String {
        values.compactMap(\.self).first { !$0.hasSuffix("infinity") }.map(ArrivedValues.instant) ?? RestRows.unversioned
    }

    // MARK: Comparing

    /// Filters for the values on which the change is based, as many as fit into an address.
    private var swapped: [(name: String, value: String)] {
        var filters = [("id", "eq." + item.rowID)]
        if remote.isPrepared {
            filters.append(("updated_at", item.base.map { "eq." + $0 } ?? "is.null"))
        } else if isDated, let base = item.base {
            let undated = "updated_at.is.null,updated_at.eq.infinity,updated_at.eq.-infinity"
            filters.append(("or", base == RestRows.unversioned ? "(\(undated))" : "(updated_at.eq.\(base),\(undated))"))
        }
        return filters + known.filter(isComparable).map { ($0.key, filter($0)) }
    }

    /// An address has at most some thousand characters; PostgreSQL cannot compare its type json.
    private func isComparable(_ member: JSONValue.Member) -> Bool {
        guard let field = field(member.key), field.name != "id" else { return false }
        if !isComparedByText, field.type.expressionType != .text { return false }
        if member.value == .null { return true }
        guard !Self.isJSON(field) else { return false }
        return (member.value.text ?? "").utf8.count <= 100
    }

    private func filter(_ member: JSONValue.Member) -> String {
        switch member.value {
        case .null: "is.null"
        case .number(let digits) where field(member.key)?.type == .boolean: digits == "0" ? "is.false" : "is.true"
        case .bool(let value): value ? "is.true" : "is.false"
        default: "eq." + (member.value.text ?? member.value.description)
        }
    }

    /// Compares, directly before the change, the values for which the address has no room.
    private func isKnown() throws -> Bool {
        let long = known.filter { !isComparable($0) && $0.key != "id" }
        guard !long.isEmpty, let row = try current() else { return true }
        return long.allSatisfy { isEqual($0, row.values[$0.key] ?? "null") }
    }

    // MARK: Asking

    private func ask(
        _ method: WebRequest.Method, _ query: [(name: String, value: String)], _ preferences: [String], _ body: String?
    ) throws -> WebAnswer {
        let selected = (["id"] + times).joined(separator: ",")
        return try remote.server.ask(
            .init(
                method: method, path: entity.name, query: query + [("select", selected)], preferences: preferences,
                body: body))
    }

    private static func isJSON(_ field: Field) -> Bool { [.json, .point, .polygon, .list].contains(field.type) }
    private func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    private func body(_ sent: [JSONValue.Member]) -> String {
        // PostgreSQL replaces `now` by its time.
        let stamp = remote.isPrepared || !isDated ? [] : [JSONValue.Member(key: "updated_at", value: .string("now"))]
        return JSONValue.object(
            sent.map { member in
                guard let field = field(member.key), Self.isJSON(field), let text = member.value.text,
                    let value = try? JSONValue.stored(text)
                else { return member }
                return .init(key: member.key, value: value)
            } + stamp
        ).description
    }

    /// The reply of the function that checks a record's parts and deletes the record in one step;
    /// nil: the row has no parts, or the server lacks the function.
    private func deletedAtOnce() throws -> WebAnswer? {
        guard remote.isPrepared, !parts.isEmpty else { return nil }
        let selected = (["id"] + times).joined(separator: ",")
        do {
            return try remote.server.call(
                "delete_" + entity.name, [("record", item.rowID), ("version", item.base)], query: [("select", selected)]
            )
        } catch let failure as SupabaseFailure where failure.isRefused(SupabaseRemote.unknownFunction) {
            return nil
        }
    }

    /// Whether the row has parts that the server would delete with it. The parts known to the
    /// author were deleted before; any other part blocks the deletion.
    private func hasParts() throws -> Bool {
        try parts.contains { part in
            let query = [("select", "id"), (part.field.name, "eq." + item.rowID), ("limit", "1")]
            return try !remote.server.rows(
                remote.server.ask(.init(method: .get, path: part.entity.name, query: query)), ["id"]
            ).isEmpty
        }
    }

    /// The tables whose rows the server would delete with the row.
    private var parts: [(entity: Entity, field: Field)] {
        remote.pack.parts(deletedWith: entity).filter { !$0.entity.fields(among: remote.columns).isEmpty }
    }

    /// The server's present row: its version, and its values in the form of `ArrivedValues.json`.
    private func current() throws -> (version: String, stated: String?, values: [String: String])? {
        let answer = try remote.server.ask(
            .init(
                method: .get, path: entity.name,
                query: [
                    ("select", (times.map { "row_\($0):\($0)" } + fields.map(\.selected)).joined(separator: ",")),
                    ("id", "eq." + item.rowID),
                ]))
        guard let row = try remote.server.rows(answer, times.map { "row_" + $0 } + fields.map(\.name)).first else {
            return nil
        }
        let stated = row.prefix(times.count).compactMap(\.self).first
        let values = zip(fields, row.dropFirst(times.count)).map { ($0.name, ArrivedValues.json($1, $0.type)) }
        return (version(row.prefix(times.count)), stated, Dictionary(uniqueKeysWithValues: values))
    }

    /// No row was changed: it does not exist, is hidden, or has another version.
    private func untouched() throws -> PushOutcome.Result {
        guard let there = try current() else {
            // A missing row that the server never confirmed counts as deleted in any case.
            let isGone = try item.operation == .delete && item.base == nil || isBuried()
            return isGone ? .gone : .failed(class: .rls, message: "the row is hidden or gone")
        }
        // An earlier reply was lost: the server has the change already.
        if item.operation != .delete, payload.allSatisfy({ isEqual($0, there.values[$0.key] ?? "null") }) {
            return .confirmed(version: there.version)
        }
        // Row security refuses without an error: the row still has its base version.
        let isOther =
            try item.operation == .delete && hasParts()
            || !known.allSatisfy { isEqual($0, there.values[$0.key] ?? "null") }
        if !isOther, let base = item.base, there.version == base {
            return .failed(class: .rls, message: PushOutcome.refusedInSilence(item.operation))
        }
        let version = remote.isPrepared ? there.stated : there.version
        let members =
            [("updated_at", ArrivedValues.json(version, .datetime))]
            + fields.map { ($0.name, there.values[$0.name] ?? "null") }
        return .contested(
            remote: "{" + members.map { JSONValue.string($0).description + ":" + $1 }.joined(separator: ",") + "}")
    }

    /// Whether the server has a value of the change. It may store JSON in another form.
    private func isEqual(_ member: JSONValue.Member, _ there: String) -> Bool {
        let here = here(member)
        guard here != there, let field = field(member.key), Self.isJSON(field) else { return here == there }
        func content(_ quoted: String) -> JSONValue? {
            (try? JSONValue.stored(quoted))?.text.flatMap { try? JSONValue.parse($0).ordered }
        }
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

    /// Whether the row was deleted, and not moved to a project that the person cannot see. A server
    /// without Fichero's SQL records no deletions, so a row missing in a visible project counts as
    /// deleted.
    private func isBuried() throws -> Bool {
        guard remote.isPrepared else {
            guard item.operation == .delete, let project = item.projectID else { return item.operation == .delete }
            let seen = try remote.server.ask(
                .init(
                    method: .get, path: remote.pack.project.entity, query: [("select", "id"), ("id", "eq." + project)]))
            return try !remote.server.rows(seen, ["id"]).isEmpty
        }
        let answer = try remote.server.ask(
            .init(
                method: .get, path: "removed_rows",
                query: [
                    ("select", "is_move"), ("entity", "eq." + item.entity), ("row_id", "eq." + item.rowID),
                    ("order", "n.desc"), ("limit", "1"),
                ],
                schema: "fichero"))
        return try remote.server.rows(answer, ["is_move"]).first?[0] == "false"
    }
}
