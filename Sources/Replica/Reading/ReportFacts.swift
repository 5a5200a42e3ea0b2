import Databases
import Digests
package import Model

extension ReadSession {
    /// The data that a report would read, summarised in short texts: if the facts are equal, the
    /// report's pages are equal. For every table in a query, they contain the number of rows and
    /// the sum and maximum of their content stamps. They also contain a digest of the selected
    /// records.
    package func facts(of report: ReportDefinition) throws -> [String] {
        guard let selection else { return [] }
        var facts = ["project \(selection.project.id)", "selected \(try selectedDigest())"]
        if reads("left_out", report) { facts.append("left out \(try leftOutDigest())") }
        let numbers = try connection.prepare("SELECT count(*), coalesce(sum(number), 0) FROM temp.given_numbers")
        if try numbers.step() { facts.append("numbers \(numbers.integer(0)) \(numbers.integer(1))") }
        facts += try tables(of: report).sorted().map(tableFact)
        if reads("rejected_rows", report) {
            let sums =
                """
                SELECT coalesce(sum(unicode(id) + unicode(substr(id, -3)) + 7 * unicode(substr(id, -1))), 0) \
                FROM temp.rejected_rows
                """
            facts.append(
                """
                rejects \(try connection.integer("SELECT count(*) FROM temp.rejected_rows")) \
                \(try connection.integer(sums))
                """
            )
        }
        return facts
    }

    /// Facts about a table that a query reads: number of rows, sum and maximum of their content
    /// stamps, and their sync states.
    func tableFact(_ name: String) throws -> String {
        guard let entity = pack.entity(name), let selection else { return "table \(name)" }
        let own =
            entity.projectPath.map {
                [Self.projectCondition($0, alias: "t0", entity, pack, project: selection.project.id)]
            } ?? []
        let statement = try connection.prepare(
            """
            SELECT count(*), coalesce(sum(t0.content_stamp), 0), coalesce(max(t0.content_stamp), 0), coalesce(sum(31 \
            * length(t0.sync_state) + unicode(t0.sync_state)), 0) \
            FROM \(views.everyProject(entity)) AS t0\(Self.filter(own))
            """
        )
        guard try statement.step() else { return "table \(name)" }
        return "table \(name): " + (0..<4).map { String(statement.integer($0)) }.joined(separator: " ")
    }

    func selectedDigest() throws -> String {
        let statement = try connection.prepare("SELECT id FROM temp.selected ORDER BY id")
        var digest = RowDigest()
        while try statement.step() {
            digest.add(statement.text(0) ?? "")
            digest.endRow()
        }
        return digest.text
    }

    /// Tables that the queries read, found by their names in SQL or along paths.
    private func tables(of report: ReportDefinition) -> Set<String> {
        var names: Set<String> = []
        for query in report.queries {
            switch query.source {
            case .sql(let sql): names.formUnion(pack.tables(inSQL: sql))
            case .rows(let sheet, _, let bindings):
                names.insert(sheet.entity)
                guard let entity = pack.entity(sheet.entity) else { continue }
                var paths = sheet.order + bindings.map(\.field) + pathToRecord(of: sheet)
                for column in sheet.columns {
                    switch column {
                    case .field(let path, _, _, _), .parameters(let path, _): paths.append(path)
                    case .count(let counted, let by, _, _): names.formUnion(tables(counting: counted, by: by))
                    case .number: break
                    }
                }
                for path in paths { names.formUnion(pack.owners(along: path, from: entity).map(\.name)) }
            }
        }
        return names
    }
}

/// The number of rows, and one number computed from all their texts. Equal rows in equal order give
/// an equal digest. The digest only has to detect accidental changes, not deliberate ones.
struct RowDigest {
    private var count = 0
    private var digest = QuickDigest()

    mutating func add(_ text: String) { digest.add(text) }

    /// Marks the end of a text, if a row has several.
    mutating func endText() { digest.add(0) }

    mutating func endRow() { count += 1 }

    var text: String { "\(count) \(digest.value.hexadecimal())" }
}
