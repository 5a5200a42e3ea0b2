import JSONReading
package import Model

/// Rows as a person states them by a command: they take the road of every row.
package final class StatedRows: Source {
    package struct Row: Sendable {
        package var entity: String
        package var id: String
        /// By the names of fields; nil: nothing is to stand there.
        package var values: [(field: String, value: String?)]
        package var isDeletion = false
        /// What people know it by, where its own key would tell them nothing.
        package var name: String?

        package init(entity: String, id: String, values: [(field: String, value: String?)] = [], isDeletion: Bool = false, name: String? = nil) {
            (self.entity, self.id, self.values, self.isDeletion, self.name) = (entity, id, values, isDeletion, name)
        }
    }

    package let tables: [SourceTable]
    package var photos: [SourcePhoto] { [] }
    package let findings: [Finding] = []

    /// Parents come before children, as in the pack.
    ///
    /// - Parameter name: what stands for the file in places: the command.
    package init(_ rows: [Row], named name: String, pack: Pack) {
        tables = pack.entities.compactMap { entity in
            let own = rows.filter { $0.entity == entity.name }
            guard !own.isEmpty else { return nil }
            return SourceTable(made: own.map { Self.row($0, of: entity, name) }, of: entity.name, file: name, pack: pack)
        }
    }

    private static func row(_ row: Row, of entity: Entity, _ name: String) -> SourceRow {
        let members = [JSONValue.Member(key: "id", value: .string(row.id))] + row.values.map { field, value in
            JSONValue.Member(key: field, value: value.map { json($0, entity.field(field)) } ?? .null)
        }
        return SourceRow(value: .object(members), isDeletion: row.isDeletion, file: name)
    }

    /// A value as people write it, for a field of its type.
    private static func json(_ text: String, _ field: Field?) -> JSONValue {
        switch field?.type {
        case .integer, .decimal, .boolean, .json, .list, .point, .polygon: (try? JSONValue.parse(text)) ?? .string(text)
        default: .string(text)
        }
    }
}
