import Databases
package import Model

extension ReadSession {
    /// A row, or, with the name of a reference, a row that some row of the entity refers to or
    /// referred to by it.
    package struct Spot: Sendable, Hashable {
        package var entity: String
        package var field: String
        package var id: String

        package init(entity: String, field: String = "", id: String) {
            (self.entity, self.field, self.id) = (entity, field, id)
        }
    }

    /// Restricts validation to these rows and the rows whose findings depend on them, including the
    /// records of parts; checks of whole projects are left out.
    package func lookAt(_ spots: [Spot]) throws {
        keeper = try VerdictKeeper(self, about: spots)
    }

    /// The rows to which the given rows refer now, such as the records of parts, whose findings
    /// depend on them too.
    package func references(of rows: [(entity: Entity, id: String)]) throws -> [Spot] {
        var spots: [Spot] = []
        for (entity, id) in rows {
            let fields = TouchedRows.references(of: entity)
            guard !fields.isEmpty else { continue }
            let row = try connection.prepare("SELECT \(SQLText.names(fields)) FROM \(connection.base).\(SQLText.name(entity.name)) WHERE id = ?1", [.text(id)])
            guard try row.step() else { continue }
            for (column, field) in fields.enumerated() {
                if let target = row.text(column) { spots.append(Spot(entity: entity.name, field: field, id: target)) }
            }
        }
        return spots
    }
}
