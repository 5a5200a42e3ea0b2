/// How rows of a table say that the other side has them: by values of their fields, where the pack
/// names some.
package struct Acknowledgement: Sendable, Hashable {
    /// The values by the fields' positions.
    package var values: [Int: MemoryRows.Value]
    /// The field with the time at which the other side got it.
    package var time: Int?

    /// Nil: the pack names no fields of this table.
    package init?(_ entity: Entity, in pack: Pack) {
        guard let log = pack.events else { return nil }
        let stated: [String: String]
        if entity.name == log.entity {
            stated = log.acknowledged
        } else if let files = log.files, entity.name == files.entity {
            stated = files.values
            time = files.time.flatMap { entity.position(ofField: $0) }
        } else {
            return nil
        }
        values = [:]
        for (name, text) in stated {
            guard let position = entity.position(ofField: name) else { continue }
            values[position] = Self.value(text, entity.fields[position].type)
        }
        guard !values.isEmpty else { return nil }
    }

    private static func value(_ text: String, _ type: FieldType) -> MemoryRows.Value {
        switch type {
        case .boolean: .integer(text == "true" ? 1 : 0)
        case .integer: Int64(text).map { .integer($0) } ?? .text(text)
        case .decimal: Double(text).map { .real($0) } ?? .text(text)
        default: .text(text)
        }
    }

    /// Positions that say something about the exchange, and nothing about the record.
    package var positions: Set<Int> { Set(values.keys).union(time.map { [$0] } ?? []) }

    /// Whether a row says so: one field at least, and none of them the contrary.
    package func isStated(_ row: [MemoryRows.Value?]) -> Bool {
        var isStated = false
        for (position, value) in values {
            guard let found = row[position], found != .null else { continue }
            guard found == value else { return false }
            isStated = true
        }
        return isStated
    }
}
