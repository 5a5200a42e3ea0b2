import Model

/// Values of the section's row with their labels, side by side.
struct FieldsBlock: Block {
    static let name = "fields"
    static let keys: [BlockKey] = [
        .optional("columns", .integer(1...6), "How many stand side by side; 2 by default."),
        .required("items", .values(FieldItem.object, .section, atLeast: 1), "The values with their labels."),
    ]

    private let columns: Int
    private let items: [FieldItem]

    init?(_ template: PackNode) {
        columns = template.integer("columns") ?? 2
        items = template.items("items").compactMap(FieldItem.init)
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> FieldsContent? {
        FieldsContent(columns: columns, items: try items.compactMap { try $0.content(row, context) })
    }
}

/// Labels with values, `columns` pairs side by side.
package struct FieldsContent: BlockContent {
    package struct Item: Sendable {
        package var label: String
        /// The value with its unit.
        package var cell: ReportCell
        package var span: Int

        package init(label: String, cell: ReportCell, span: Int) {
            self.label = label
            self.cell = cell
            self.span = span
        }
    }

    package var columns: Int
    package var items: [Item]

    package init(columns: Int, items: [Item]) {
        self.columns = columns
        self.items = items
    }
}
