import JSONReading
package import Model

/// Rows that a person enters with a command: they are processed like any other rows.
package final class StatedRows: Source {
    package struct Row: Sendable {
        package var entity: String
        package var id: String
        /// Values by field name; nil clears the field.
        package var values: [(field: String, value: String?)]
        package var isDeletion = false
        /// A name that people recognise, for rows whose own key would tell them nothing.
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
    /// - Parameter name: the name of the command, which takes the place of the file's name in
    ///   places.
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

    /// Parses a value in the form in which people write it, for a field of a given type.
    private static func json(_ text: String, _ field: Field?) -> JSONValue {
        switch field?.type {
        case .integer, .decimal, .boolean, .json, .list, .point, .polygon: (try? JSONValue.parse(text)) ?? .string(text)
        default: .string(text)
        }
    }
}
