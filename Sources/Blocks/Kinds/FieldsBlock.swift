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

/// A record's identity, at the head of its pages: code, depth, state, revision, signers.
struct IdentityBlock: Block {
    static let name = "identity"
    static let keys: [BlockKey] = [
        .required(
            "items", .values(FieldItem.object, .section, atLeast: 1),
            "The values with their labels, side by side on one line."),
        .optional(
            "draft", .condition(.section), "Where it holds, every page is stamped as a draft, and the sheet says so."),
    ]

    private let items: [FieldItem]
    private let draft: Expression?

    init?(_ template: PackNode) {
        items = template.items("items").compactMap(FieldItem.init)
        draft = template.expression("draft")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> IdentityContent? {
        IdentityContent(
            items: try items.compactMap { try $0.content(row, context) },
            isDraft: try draft.map { try context.holds($0, row) } ?? false)
    }
}

/// The identity of a section's record.
package struct IdentityContent: BlockContent {
    package var items: [FieldsContent.Item]
    /// Whether the record is not approved yet.
    package var isDraft: Bool

    package init(items: [FieldsContent.Item], isDraft: Bool) {
        self.items = items
        self.isDraft = isDraft
    }

    package var columns: Int { items.reduce(0) { $0 + $1.span } }
}

extension SectionContent {
    /// The identity at the head of each of the section's pages.
    package var identity: IdentityContent? { blocks.lazy.compactMap { $0 as? IdentityContent }.first }
}

/// A value of the section's row with its label, as requested by a template.
struct FieldItem: Sendable {
    let value: ReportValue
    let label: ReportText?
    /// The number of the block's columns that the field spans.
    let span: Int
    /// Text shown if there is no value; nil shows a dash.
    let empty: ReportText?
    /// Whether the field is left out, with its label, if it has no value.
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
