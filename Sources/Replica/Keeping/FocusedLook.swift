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

    /// Restricts validation to some records with their parts, by every check that can find an error
    /// of theirs: also by those that judge whole tables or projects.
    ///
    /// - Parameter records: ids by table.
    func lookAt(records: [String: Set<String>]) throws {
        var spots: [Spot] = []
        for (name, ids) in records {
            spots += ids.sorted().map { Spot(entity: name, id: $0) }
            let list = MemoryRows.Value.text(try Quarantine.json(ids.sorted()))
            for part in pack.records.filter({ $0.root == name }).flatMap(\.parts) {
                guard let entity = pack.entity(part.entity) else { continue }
                let isOfThese = "IN (SELECT value FROM json_each(?1))"
                let query =
                    part.isList
                    ? """
                    SELECT DISTINCT j.value FROM \(SQLText.name(name)) AS r,
                      \(Self.items(of: "r." + SQLText.name(part.by.description))) AS j WHERE r.id \(isOfThese)
                    """
                    : """
                    SELECT p.id FROM \(SQLText.name(entity.name)) AS p
                    WHERE \(ReferenceSQL(part.by, from: entity, in: pack).condition("p", isOfThese))
                    """
                let found = try connection.prepare(query, [list])
                while try found.step() { spots.append(Spot(entity: entity.name, id: found.text(0) ?? "")) }
            }
        }
        keeper = try VerdictKeeper(self, about: spots, thoroughly: true)
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
