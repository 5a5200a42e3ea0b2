import Model

/// A value of the section's row with its label, as a template asks for it.
struct FieldItem: Sendable {
    let value: ReportValue
    let label: ReportText?
    /// How many of the block's columns the field takes.
    let span: Int
    /// Shown where there is no value; nil shows a dash.
    let empty: ReportText?
    /// Whether the field is left out, with its label, where there is no value.
    let hidesEmpty: Bool

    static let object = BlockObject(
        name: "reportItem", about: "A value with its label.",
        keys: ReportValue.keys(.section) + [
            .optional("label", .text(.section), "Key of the label's text; the column's own by default."),
            .optional("span", .integer(1...6), "How many columns it takes; 1 by default."),
            .optional("empty", .text(.section), "Text that stands where there is no value."),
            .optional("hideEmpty", .boolean, "Whether it is left out where there is no value."),
        ], exactlyOne: ReportValue.oneOf, needs: ("label", unless: "column"))

    init?(_ template: PackNode) {
        guard let value = ReportValue(template) else { return nil }
        self.value = value
        label = template.reportText("label")
        span = template.integer("span") ?? 1
        empty = template.reportText("empty")
        hidesEmpty = template.isTrue("hideEmpty")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> FieldsContent.Item? {
        guard let row else { return nil }
        var cell = try context.cell(value, row)
        let column = context.column(value, of: row.columns.query)
        let label = context.text(label, row) ?? column.map { context.label($0) } ?? ""
        if cell.isEmpty {
            if hidesEmpty { return nil }
            cell = .text(context.text(empty, row) ?? "—")
        } else if let unit = column?.unit {
            cell.text += " " + unit
        }
        return FieldsContent.Item(label: label, cell: cell, span: span)
    }
}
