import Databases
import Model

/// The tables in an export's database that describe it: the cover, its tables and their columns, in
/// the run's language.
enum SQLiteWords {
    typealias Content = (table: DatabaseTable, rows: [[MemoryRows.Value]])

    /// The cover as rows of name, label and value. A line of one of its tables has the table's name
    /// and a number.
    static func about(_ document: ExportDocument) -> Content {
        let cover = document.cover
        var lines = [("title", "", cover.title), ("subtitle", "", cover.subtitle)]
        if let banner = cover.environmentBanner { lines.append(("environment_banner", "", banner)) }
        if let banner = cover.draftBanner { lines.append(("draft_banner", "", banner)) }
        lines += cover.lines.map { ($0.name, $0.label, $0.value) }
        for table in cover.tables {
            for (number, row) in table.rows.enumerated() {
                lines += zip(table.headers, row).map { ("\(table.name)/\(number + 1)", $0, $1) }
            }
        }
        return (
            DatabaseTable(SQLiteLayout.about, ["name", "label", "value"].map { .init($0, .text) }),
            lines.map { [.text($0.0), .text($0.1), .text($0.2)] })
    }

    static func tables(_ layout: SQLiteLayout, _ sheets: [Sheet]) -> Content {
        (
            DatabaseTable(SQLiteLayout.tableNames, [.init("name", .text), .init("title", .text), .init("rows", .integer)]),
            zip(layout.tables, sheets).map { [.text($0.name), .text($1.title), .integer(Int64($1.rowCount))] })
    }

    static func fields(_ layout: SQLiteLayout, _ sheets: [Sheet]) -> Content {
        let columns: [DatabaseTable.Column] = [
            .init("table_name", .text), .init("position", .integer), .init("name", .text), .init("label", .text), .init("unit", .text), .init("kind", .text),
            .init("options", .text),
        ]
        let rows = zip(layout.tables, sheets).flatMap { table, sheet in
            zip(table.columns, sheet.columns).enumerated().map { index, pair -> [MemoryRows.Value] in
                let (made, column) = pair
                return [
                    .text(table.name), .integer(Int64(index + 1)), .text(made.name), .text(column.label), column.unit.map { .text($0) } ?? .null,
                    .text(kind(column.kind)), column.options.isEmpty ? .null : .text(column.options.joined(separator: "; ")),
                ]
            }
        }
        return (DatabaseTable(SQLiteLayout.fieldNames, columns), rows)
    }

    /// The kind of a value, where its type in the database does not state it.
    private static func kind(_ kind: SheetColumn.Kind) -> String {
        switch kind {
        case .text: "text"
        case .integer: "integer"
        case .decimal: "decimal"
        case .boolean: "boolean"
        case .date: "date"
        case .time: "time"
        case .dateTime: "datetime"
        case .link: "link"
        }
    }
}
