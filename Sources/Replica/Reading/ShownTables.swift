package import Model

/// The tables of which the files of a run have rows, besides the selected records. Findings in
/// tables of other kinds of record count only where these have them.
package struct ShownTables {
    /// Tables of which every row may be in the files: sheets of all rows, and tables that SQL names.
    package private(set) var whole: Set<String> = []
    /// Tables of which the files have the rows that the selected records lead to.
    package private(set) var reached: Set<String> = []

    /// - Parameters:
    ///   - exports: The exports that the files are made of, those in a package included.
    ///   - reports: The same of the reports.
    ///   - selected: The kind of the selected records. Exports and reports of another kind show
    ///     its records whole.
    package init(exports: [ExportDefinition], reports: [ReportDefinition], selected: RecordKind, of pack: Pack) {
        for kind in Set(exports.map(\.record) + reports.map(\.record)) where kind != selected.name {
            whole.formUnion(pack.record(kind)?.entities ?? [])
        }
        for sheet in exports.flatMap(\.sheets) {
            if let query = sheet.query { whole.formUnion(pack.tables(inSQL: query.sql)) } else { add(sheet) }
        }
        for query in reports.flatMap(\.queries) {
            switch query.source {
            case .sql(let sql): whole.formUnion(pack.tables(inSQL: sql))
            case .rows(let sheet, _, _): add(sheet)
            }
        }
    }

    private mutating func add(_ sheet: ExportSheet) {
        if sheet.rows == .project { whole.insert(sheet.entity) } else { reached.insert(sheet.entity) }
    }
}

extension Pack {
    /// Tables that SQL names.
    package func tables(inSQL sql: String) -> Set<String> {
        let words = Set(sql.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        return Set(entities.map(\.name).filter(words.contains))
    }
}
