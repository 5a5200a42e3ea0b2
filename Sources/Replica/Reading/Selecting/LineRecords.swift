import Databases
package import Model

/// A record that the last delivery on a line contained and that is not selected now.
package struct MissingRecord: Sendable, Hashable, Codable {
    package var id: String
    /// The record's readable name at that time.
    package var key: String
    /// Reason why it is left out now; nil if it was deleted.
    package var reason: LeftOutReason?
    /// The value that caused the omission.
    package var detail: String
    /// Fingerprint of the finding, used to accept the absence.
    package var fingerprint: String?
}

/// Compares the content of the last delivery on a line (`line_records`) with the present selection.
extension ReadSession {
    /// The line of the delivery before this one: the line itself once anything was delivered on it,
    /// otherwise that of the previous period.
    package func formerLine(_ line: DeliveryLine, export: String) throws -> String {
        guard let series = line.series, let selection else { return line.name }
        // Names of periods of one kind have equal lengths, and sort by time.
        let found = try connection.prepare(
            """
            SELECT max(l.line) FROM \(connection.base).line_records AS l WHERE l.project_id = ?1 AND l.export_name = ?3
              AND (l.line = ?4 OR l.line <= ?2 AND length(l.line) = length(?2) \
            AND substr(l.line, 1, length(?4) + 1) = ?4 || ' ')
            """, lineBindings(selection, line.name, export) + [.text(series)])
        return try found.step() ? found.text(0) ?? line.name : line.name
    }

    /// The first missing records, ordered by name, and their total number.
    package func missingRecords(line: String, export: String, limit: Int) throws -> (
        records: [MissingRecord], count: Int
    ) {
        guard let selection else { return ([], 0) }
        let bindings = lineBindings(selection, line, export)
        let count = try Int(connection.integer("SELECT count(*) FROM (\(missing(selection)))", bindings))
        guard count > 0 else { return ([], 0) }
        let statement = try connection.prepare(
            "\(missing(selection)) ORDER BY l.name, l.record_id LIMIT \(limit)", bindings)
        var records: [MissingRecord] = []
        while try statement.step() {
            records.append(
                MissingRecord(
                    id: statement.text(0) ?? "", key: statement.text(1) ?? "",
                    reason: statement.text(2).flatMap { LeftOutReason(rawValue: $0) },
                    detail: statement.text(3) ?? ""))
        }
        return (records, count)
    }

    /// Calls the body for each record to be added to the line's list, with its name. A missing
    /// record remains in the list until it is selected once more. The first delivery of a period
    /// copies the list of the previous period.
    ///
    /// - Parameter former: the line of the delivery before this one.
    package func forEachNew(
        inLine line: String, after former: String, export: String, _ body: (_ id: String, _ name: String) throws -> Void
    ) throws {
        guard let selection else { return }
        let bindings = lineBindings(selection, line, export)
        if former != line {
            let gone = try connection.prepare(missing(selection), lineBindings(selection, former, export))
            while try gone.step() { try body(gone.text(0) ?? "", gone.text(1) ?? "") }
        }
        var joins = PathJoins(from: selection.root, pack: pack)
        let name = RowNaming.key(of: selection.root, pack: pack, joins: &joins)
        let isNew =
            """
            NOT EXISTS (SELECT 1 FROM \(connection.base).line_records AS l WHERE \(Self.ofLine) \
            AND l.record_id = t0.id AND l.name IS \(name))
            """
        let new = try connection.prepare(
            """
            SELECT t0.id, \(name) FROM \(rootTable(selection)) AS \
            t0\(joins.sql)\(Self.filter(selectedConditions(alias: "t0") + [isNew]))
            """,
            bindings)
        while try new.step() { try body(new.text(0) ?? "", new.text(1) ?? "") }
    }

    /// The lines of an export whose last deliveries had a record, by name.
    package func lines(with id: String, export: String) throws -> [String] {
        guard let selection else { return [] }
        let statement = try connection.prepare(
            """
            SELECT l.line FROM \(connection.base).line_records AS l \
            WHERE l.project_id = ?1 AND l.export_name = ?2 AND l.record_id = ?3 ORDER BY 1
            """, [.text(selection.project.id), .text(export), .text(id)])
        var lines: [String] = []
        while try statement.step() { lines += [statement.text(0)].compactMap(\.self) }
        return lines
    }

    private static let ofLine = "l.project_id = ?1 AND l.line = ?2 AND l.export_name = ?3"

    private func lineBindings(_ selection: RecordSelection, _ line: String, _ export: String) -> [MemoryRows.Value] {
        [.text(selection.project.id), .text(line), .text(export)]
    }

    private func missing(_ selection: RecordSelection) -> String {
        """
        SELECT l.record_id, l.name, o.reason, o.detail FROM \(connection.base).line_records AS l LEFT \
        JOIN temp.left_out AS o ON o.id = l.record_id
        WHERE \(Self.ofLine) AND (o.id IS NOT NULL OR NOT EXISTS (
          SELECT 1 FROM \(rootTable(selection)) AS \
        r\(Self.filter(rootConditions(selection, alias: "r") + ["r.id = l.record_id"]))))
        """
    }
}
