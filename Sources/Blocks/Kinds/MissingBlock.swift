import Model

/// The values that a query's rows lack: for each column with gaps, how many rows have none, and
/// which. Columns without gaps are left out.
struct MissingBlock: Block {
    static let name = "missing"
    static let keys: [BlockKey] = [
        .query, .required("columns", .columns(.query, atLeast: 1), "The columns that should have a value."),
        .required("label", .column(.query), "Column with the name of a row."),
        .optional("empty", .text(.section), "Text that stands where nothing is missing."),
    ]

    /// The most names of rows that one column lists.
    private static let mostNames = 12

    private let query: String
    private let columns: [String]
    private let label: String
    private let empty: ReportText?

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let label = template.text("label") else { return nil }
        self.query = query
        self.label = label
        columns = template.texts("columns")
        empty = template.reportText("empty")
    }

    /// Nil if nothing is missing, and the template has no text (`empty`) for that case.
    func content(_ row: ReportRow?, _ context: ReportContext) throws -> FieldsContent? {
        guard let query = context.query(self.query), let named = query.column(label) else { return nil }
        let rows = try context.rows(self.query, for: row)
        var items = columns.compactMap { query.column($0) }.compactMap { column -> FieldsContent.Item? in
            let lacking = rows.filter { context.values.cell($0.value(column.name), column).isEmpty }
            guard !lacking.isEmpty else { return nil }
            var names = lacking.prefix(Self.mostNames).map { row in
                let cell = context.values.cell(row.value(named.name), named)
                return cell.isEmpty ? context.head.words("none") : cell.text
            }
            if lacking.count > names.count { names.append("+ \(lacking.count - names.count)") }
            let text = "\(lacking.count) / \(rows.count): " + names.joined(separator: ", ")
            return FieldsContent.Item(label: context.label(column), cell: .text(text), span: 1)
        }
        if items.isEmpty, let said = context.text(empty, row) {
            items = [FieldsContent.Item(label: said, cell: .empty, span: 1)]
        }
        return items.isEmpty ? nil : FieldsContent(columns: 1, items: items)
    }
}
