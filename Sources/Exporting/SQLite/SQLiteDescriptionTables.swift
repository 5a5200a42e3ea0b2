import Databases
package import Model
import OutputFiles

/// The tables that describe an export's database: the cover, and lists of its tables and columns,
/// in the run's language.
enum SQLiteDescriptionTables {
    typealias Content = (table: DatabaseTable, rows: [[MemoryRows.Value]])

    /// The cover as rows of name, label and value. A cell of one of the cover's tables has the name
    /// `TABLE/ROW-NUMBER`, and its column's header as the label.
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
            DatabaseTable(
                SQLiteLayout.tableNames, [.init("name", .text), .init("title", .text), .init("rows", .integer)]),
            zip(layout.tables, sheets).map { [.text($0.name), .text($1.title), .integer(Int64($1.rowCount))] }
        )
    }

    static func fields(_ layout: SQLiteLayout, _ sheets: [Sheet]) -> Content {
        let columns: [DatabaseTable.Column] = [
            .init("table_name", .text), .init("position", .integer), .init("name", .text), .init("label", .text),
            .init("unit", .text), .init("kind", .text),
            .init("options", .text),
        ]
        let rows = zip(layout.tables, sheets).flatMap { table, sheet in
            zip(table.columns, sheet.columns).enumerated().map { index, pair -> [MemoryRows.Value] in
                let (made, column) = pair
                return [
                    .text(table.name), .integer(Int64(index + 1)), .text(made.name), .text(column.label),
                    column.unit.map { .text($0) } ?? .null,
                    .text(kind(column.kind)),
                    column.options.isEmpty ? .null : .text(column.options.joined(separator: "; ")),
                ]
            }
        }
        return (DatabaseTable(SQLiteLayout.fieldNames, columns), rows)
    }

    /// The name of a column's kind, which its SQLite type does not always show.
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

/// Writes an export as one database of SQLite, `STEM.sqlite`, with a table for each sheet. `about`
/// contains the cover; `tables` and `fields` contain titles, labels and units. If one table refers
/// to another, a view joins them.
///
/// Adds the finding `TEXT-CHARACTER` once for each sheet that had texts with U+0000 or bytes that
/// are not UTF-8. Throws `OutputFailure`.
package struct SQLiteWriter: ExportWriter {
    package init() {}

    package func write(
        _ document: ExportDocument, stem: String, findings: any FindingSink, progress: (Int) -> Void
    ) throws -> [WrittenFile] {
        let layout = SQLiteLayout(document.sheets)
        let file = try DatabaseFile(finalPath: stem + ".sqlite")
        var done = 0
        for (sheet, table) in zip(document.sheets, layout.tables) {
            let before = file.replaced
            done += try append(sheet, table, to: file) { progress(done + $0) }
            var changes = TextChanges()
            changes.characters = file.replaced - before
            try changes.add(sheet: sheet.title, to: findings)
        }
        for (table, rows) in [
            SQLiteDescriptionTables.about(document), SQLiteDescriptionTables.tables(layout, document.sheets),
            SQLiteDescriptionTables.fields(layout, document.sheets),
        ] {
            try file.add(table)
            for row in rows { try file.append(row) }
        }
        for view in layout.views { try file.add(view) }
        return [try file.close(rows: done)]
    }

    /// Writes one sheet's rows; returns their number.
    private func append(_ sheet: Sheet, _ table: DatabaseTable, to file: DatabaseFile, progress: (Int) -> Void) throws
        -> Int
    {
        guard !sheet.columns.isEmpty else { throw OutputFailure.noColumns(sheet: sheet.name) }
        guard sheet.columns.count <= DatabaseFile.mostColumns else {
            throw OutputFailure.tooManyColumns(
                sheet: sheet.name, count: sheet.columns.count, limit: DatabaseFile.mostColumns)
        }
        try file.add(table)
        let rows = PrefetchingRows(try sheet.open())
        var batch = RowBatch(columnCount: sheet.columns.count)
        var count = 0
        while true {
            try rows.fill(&batch)
            if batch.rowCount == 0 { break }
            try file.append(batch)
            count += batch.rowCount
            progress(count)
        }
        guard count == sheet.rowCount else {
            throw OutputFailure.rowCount(sheet: sheet.name, expected: sheet.rowCount, found: count)
        }
        return count
    }
}
