import GRDB
import Model

/// How similar rows are, by what the pack declares for their entity; the same measure as
/// `name_similarity` and `parameter_similarity`.
package enum RowSimilarity {
    /// The lesser of both similarities, from 0 to 1; a value below `least` may be any lower number.
    /// Parameters are compared if both rows have an object of them.
    package static func of(
        _ first: (name: String, parameters: String?), _ second: (name: String, parameters: String?), least: Double
    ) -> Double {
        let names = NameSimilarity.of(NameSimilarity.Name(first.name), NameSimilarity.Name(second.name), least: least)
        guard names > least else { return names }
        guard let one = ParameterSimilarity.values(first.parameters ?? "{}"), let other = ParameterSimilarity.values(second.parameters ?? "{}") else {
            return names
        }
        return min(names, ParameterSimilarity.of(one, other))
    }
}

extension Replica {
    /// Every row of an entity: its id and the values of some fields as text, nil for null.
    package func texts(of entity: String, fields: [String]) throws -> [(id: String, values: [String?])] {
        guard let description = pack.entity(entity), fields.allSatisfy({ description.field($0) != nil }) else { return [] }
        let columns = fields.isEmpty ? "" : ", " + fields.map { "CAST(\(SQLText.name($0)) AS TEXT)" }.joined(separator: ", ")
        return try read { db in
            try Row.fetchAll(db, sql: "SELECT id\(columns) FROM \(SQLText.name(entity)) ORDER BY id").map { row in
                (id: row[0], values: fields.indices.map { row[$0 + 1] as String? })
            }
        }
    }
}
