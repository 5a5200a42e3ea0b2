import Model

/// A value that a template asks for: a column of the row, or the result of an expression or a text.
enum ReportValue: Sendable {
    case column(String)
    /// A column's value as stored, not as the text of its vocabulary.
    case code(String)
    case expression(Expression, QueryColumn)
    /// A pattern or a text with `{column}`.
    case text(ReportText)

    /// A column's name alone, or an object with these keys.
    init?(_ template: PackNode) {
        if let name = template.text ?? template.text("column") {
            self = template.isTrue("code") ? .code(name) : .column(name)
        } else if let expression = template.expression("value") {
            self = .expression(
                expression,
                QueryColumn(
                    name: "", type: template.word("type", FieldType.self) ?? .text, decimals: template.integer("decimals"), unit: template.text("unit")))
        } else if let text = template.reportText("text") {
            self = .text(text)
        } else {
            return nil
        }
    }

    /// The column's name, where the value is a column.
    var columnName: String? {
        switch self {
        case .column(let name), .code(let name): name
        case .expression, .text: nil
        }
    }

    static func keys(_ scope: BlockKey.Scope) -> [BlockKey] {
        [
            .optional("column", .column(scope), "A column."),
            .optional("code", .boolean, "Whether the column's value is shown as stored, not by its vocabulary's text."),
            .optional("value", .expression(scope), "What an expression makes of the row."),
            .optional("text", .text(scope), "Key of a text, or a pattern over the row."),
            .optional("type", .word(of: FieldType.self), "Type of the expression's value."),
            .optional("decimals", .integer(0...9), "Decimals of the expression's value."),
            .optional("unit", .plainText, "Unit of the expression's value."),
        ]
    }

    static let oneOf = ["column", "value", "text"]

    /// A value without a label: the block defines what it means.
    static func object(_ scope: BlockKey.Scope) -> BlockObject {
        BlockObject(name: "reportValue", about: "A value of a row.", keys: keys(scope), exactlyOne: oneOf)
    }
}

/// A column of a block's rows, with a heading of its own.
struct ValueColumn: Sendable {
    let value: ReportValue
    let label: ReportText?
    /// Share of the width; nil: sized to the content.
    let width: Double?
    /// Whether the column is left out where no row has a value.
    let hidesEmpty: Bool
    /// The section (`each`) whose page for the row is the link's target: the row's `id` is that of
    /// the section's row.
    let link: String?

    init?(_ template: PackNode) {
        guard let value = ReportValue(template) else { return nil }
        self.value = value
        label = template.reportText("label")
        width = template.number("width")
        hidesEmpty = template.isTrue("hideEmpty")
        link = template.text("link")
    }

    static func object(_ scope: BlockKey.Scope) -> BlockObject {
        BlockObject(
            name: "reportTableColumn", about: "A column of a table.",
            keys: ReportValue.keys(scope) + [
                .optional("label", .text(scope), "Key of the label's text; the column's own by default."),
                .optional("width", .number, "Where every column has one, its share of the width; else times the width that its contents want."),
                .optional("hideEmpty", .boolean, "Whether it is left out where no row has a value."),
                .optional("link", .section, "Section (`each`) whose pages for the row's id are opened."),
            ], exactlyOne: ReportValue.oneOf, needs: ("label", unless: "column"))
    }
}
