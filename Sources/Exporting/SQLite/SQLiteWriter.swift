import Databases
package import Model
import OutputFiles

/// Writes an export as one database of SQLite, `STEM.sqlite`: a table for each sheet, `about` with
/// the cover, `tables` and `fields` with the texts for people, and a view for each two tables of
/// which one refers to the other.
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
        for (table, rows) in [SQLiteWords.about(document), SQLiteWords.tables(layout, document.sheets), SQLiteWords.fields(layout, document.sheets)] {
            try file.add(table)
            for row in rows { try file.append(row) }
        }
        for view in layout.views { try file.add(view) }
        return [try file.close(rows: done)]
    }

    /// Writes one sheet's rows; returns their number.
    private func append(_ sheet: Sheet, _ table: DatabaseTable, to file: DatabaseFile, progress: (Int) -> Void) throws -> Int {
        guard !sheet.columns.isEmpty else { throw OutputFailure.noColumns(sheet: sheet.name) }
        guard sheet.columns.count <= DatabaseFile.mostColumns else {
            throw OutputFailure.tooManyColumns(sheet: sheet.name, count: sheet.columns.count, limit: DatabaseFile.mostColumns)
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
