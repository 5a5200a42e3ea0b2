import GRDB
import Model

/// Sums of a numeric field: over one table of a source, and over the replica's rows that were
/// imported from it.
///
/// The caller supplies the sum over the source, from an independent count.
package struct ImportSum: Sendable, Hashable, Codable {
    package struct Side: Sendable, Hashable, Codable {
        /// Rows with a value.
        package var count: Int
        package var sum: Double

        package init(count: Int, sum: Double) { (self.count, self.sum) = (count, sum) }
    }

    package var entity: String
    package var field: String
    package var file: String?
    package var sheet: String?
    package var mapping: String?
    /// Count and sum of the source column, from an independent count; nil if that count does not
    /// cover the column.
    package var source: Side?
    /// Sum of the source's rows that produced no record: faulty, left out, or repeated rows.
    package var leftOut = Side(count: 0, sum: 0)
    /// Every row that could be converted.
    package var converted: Side
    /// The replica's values of the rows that are new, updated or unchanged.
    package var replica: Side
    /// The source's values in rows that are in conflict or that were rejected when applied.
    package var aside: Side

    package enum Check: Sendable { case agrees, differs, uncovered }

    /// Whether the sums agree: `converted` = `replica` + `aside`, and `source` = `converted` +
    /// `leftOut`.
    package var check: Check {
        guard Self.areSame(converted, replica, aside) else { return .differs }
        return source.map { Self.areSame($0, converted, leftOut) ? .agrees : .differs } ?? .uncovered
    }

    /// Compares with a relative tolerance of one millionth, because sums of decimals are rounded.
    private static func areSame(_ whole: Side, _ one: Side, _ other: Side) -> Bool {
        whole.count == one.count + other.count && abs(whole.sum - one.sum - other.sum) <= 1e-6 * max(1, abs(whole.sum))
    }

    /// Sums of a field for which no row has a value.
    package init(entity: String, field: String, file: String?, sheet: String?, mapping: String?) {
        let none = Side(count: 0, sum: 0)
        self.init(
            entity: entity, field: field, file: file, sheet: sheet, mapping: mapping, converted: none, replica: none,
            aside: none)
    }

    fileprivate init(
        entity: String, field: String, file: String?, sheet: String?, mapping: String?, converted: Side, replica: Side,
        aside: Side
    ) {
        (self.entity, self.field, self.file, self.sheet, self.mapping) = (entity, field, file, sheet, mapping)
        (self.converted, self.replica, self.aside) = (converted, replica, aside)
    }
}

extension EntityRows {
    /// Computes the sums of all numeric fields in one statement; leaves out fields without any
    /// value.
    func sums() throws -> [ImportSum] {
        let fields = importer.entity.fields.filter { $0.type == .integer || $0.type == .decimal }
        guard !fields.isEmpty else { return [] }
        let columns = fields.flatMap { field -> [String] in
            let (here, there) = ("s." + StagedEntity.column(field), "t." + SQLText.name(field.name))
            let came = "CASE WHEN coalesce(o.outcome, 'updated') = 'updated' AND \(here) IS NOT NULL THEN \(there) END"
            let aside = "CASE WHEN coalesce(o.outcome, 'updated') <> 'updated' THEN \(here) END"
            return [
                "count(\(here))", "total(\(here))", "count(\(came))", "total(\(came))", "count(\(aside))",
                "total(\(aside))",
            ]
        }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT p.place, \(columns.joined(separator: ", ")) FROM \(staged) AS s JOIN staging.places AS p \
                ON p.number = s.place
                  LEFT JOIN \(table) AS t ON t.id = s.f_id LEFT JOIN temp.import_outcomes AS o ON o.n = s.n
                GROUP BY s.place ORDER BY s.place
                """)
        return try rows.flatMap { row -> [ImportSum] in
            let place = try Quarantine.place(row[0])
            return fields.enumerated().compactMap { index, field -> ImportSum? in
                func side(_ offset: Int) -> ImportSum.Side {
                    .init(count: row[1 + 6 * index + offset], sum: row[2 + 6 * index + offset])
                }
                guard side(0).count > 0 else { return nil }
                return ImportSum(
                    entity: importer.entity.name, field: field.name, file: place.file, sheet: place.sheet,
                    mapping: place.mapping, converted: side(0),
                    replica: side(2), aside: side(4))
            }
        }
    }
}
