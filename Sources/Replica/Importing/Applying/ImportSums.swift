import GRDB
import Model

/// What a numeric field sums up to in one table of a source, and in the replica's rows that came of it.
package struct ImportSum: Sendable, Hashable, Codable {
    package struct Side: Sendable, Hashable, Codable {
        /// Rows with a value.
        package var count: Int
        package var sum: Double
    }

    package var entity: String
    package var field: String
    package var file: String?
    package var sheet: String?
    /// Every row that could be converted.
    package var source: Side
    /// The replica's values of the rows that are new, updated or unchanged.
    package var replica: Side
    /// What the source says in rows that are in conflict or were rejected when they were applied.
    package var aside: Side

    /// Whether source and replica agree, but for what was set aside; to a millionth, since a sum of decimals is rounded.
    package var agrees: Bool {
        let difference = source.sum - replica.sum - aside.sum
        return source.count == replica.count + aside.count && abs(difference) <= 1e-6 * max(1, abs(source.sum))
    }
}

extension EntityRows {
    /// One statement for all numeric fields; fields that no row fills are left out.
    func sums() throws -> [ImportSum] {
        let fields = importer.entity.fields.filter { $0.type == .integer || $0.type == .decimal }
        guard !fields.isEmpty else { return [] }
        let columns = fields.flatMap { field -> [String] in
            let (here, there) = ("s." + StagedEntity.column(field), "t." + SQLText.name(field.name))
            let came = "CASE WHEN coalesce(o.outcome, 'updated') = 'updated' AND \(here) IS NOT NULL THEN \(there) END"
            let aside = "CASE WHEN coalesce(o.outcome, 'updated') <> 'updated' THEN \(here) END"
            return ["count(\(here))", "total(\(here))", "count(\(came))", "total(\(came))", "count(\(aside))", "total(\(aside))"]
        }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT p.place, \(columns.joined(separator: ", ")) FROM \(staged) AS s JOIN staging.places AS p ON p.number = s.place
                  LEFT JOIN \(table) AS t ON t.id = s.f_id LEFT JOIN temp.import_outcomes AS o ON o.n = s.n
                GROUP BY s.place ORDER BY s.place
                """)
        return try rows.flatMap { row -> [ImportSum] in
            let place = try Quarantine.place(row[0])
            return fields.enumerated().compactMap { index, field -> ImportSum? in
                func side(_ offset: Int) -> ImportSum.Side { .init(count: row[1 + 6 * index + offset], sum: row[2 + 6 * index + offset]) }
                guard side(0).count > 0 else { return nil }
                return ImportSum(
                    entity: importer.entity.name, field: field.name, file: place.file, sheet: place.sheet, source: side(0), replica: side(2),
                    aside: side(4))
            }
        }
    }
}
