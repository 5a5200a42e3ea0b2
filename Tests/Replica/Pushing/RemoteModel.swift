import JSONReading
import Model

@testable import Replica

/// The rows of a server that compares versions before it writes, and checks references.
struct RemoteModel {
    struct Row: Equatable {
        var fields: [String: JSONValue]
        var version: String
    }

    var rows: [RowKey: Row] = [:]
    private var clock = 0

    static let references = ["project_id": "projects", "calicata_id": "calicatas"]

    static func fields(_ row: JSONValue) -> [String: JSONValue] {
        Dictionary((row.members ?? []).filter { $0.value != .null && $0.key != "updated_at" }.map { ($0.key, $0.value) }) { $1 }
    }

    private mutating func tick() -> String {
        clock += 1
        return "v\(clock)"
    }

    func json(_ key: RowKey) -> String {
        guard let row = rows[key] else { return "{}" }
        let members = row.fields.sorted { $0.key < $1.key }.map { JSONValue.Member(key: $0.key, value: $0.value) }
        return JSONValue.object(members + [JSONValue.Member(key: "updated_at", value: .string(row.version))]).description
    }

    /// Somebody else changes a row.
    mutating func edit(_ key: RowKey, _ field: String, _ value: JSONValue) {
        let version = tick()
        rows[key]?.fields[field] = value
        rows[key]?.version = version
    }

    private func isReferred(_ key: RowKey) -> Bool {
        rows.values.contains { row in Self.references.contains { $0.value == key.entity && row.fields[$0.key] == .string(key.id) } }
    }

    /// Stores a row; returns its new version.
    private mutating func store(_ fields: [String: JSONValue], _ key: RowKey) -> String {
        let version = tick()
        rows[key] = Row(fields: fields, version: version)
        return version
    }

    mutating func take(_ item: PushItem) -> PushOutcome.Result {
        let key = RowKey(entity: item.entity, id: item.rowID)
        let stated = (try? JSONValue.parse(item.payload ?? "{}")) ?? .null
        let fields = Self.fields(stated)
        for (field, target) in Self.references where item.operation != .delete {
            if let id = fields[field]?.text, rows[RowKey(entity: target, id: id)] == nil { return .failed(class: .storage, message: "no \(target)") }
        }
        guard let row = rows[key] else {
            guard item.operation == .insert else { return .gone }
            return .confirmed(version: store(fields, key))
        }
        switch item.operation {
        case .insert: return row.fields == fields ? .confirmed(version: row.version) : .contested(remote: json(key))
        case .update:
            if row.fields == fields { return .confirmed(version: row.version) }
            guard row.version == item.base else { return .contested(remote: json(key)) }
            return .confirmed(version: store(fields, key))
        case .delete:
            guard row.version == item.base else { return .contested(remote: json(key)) }
            guard !isReferred(key) else { return .failed(class: .storage, message: "is referred to") }
            rows[key] = nil
            return .confirmed(version: "")
        }
    }
}
