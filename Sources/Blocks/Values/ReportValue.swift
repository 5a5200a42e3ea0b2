import Model

/// A value in a template: a column of the row, or the result of an expression or a text.
enum ReportValue: Sendable {
    case column(String)
    /// A column's value as stored, not as the text of its vocabulary.
    case code(String)
    case expression(Expression, QueryColumn)
    /// A pattern or a text with `{column}`.
    case text(ReportText)

    /// Reads a column's name alone, or an object with these keys.
    init?(_ template: PackNode) {
        if let name = template.text ?? template.text("column") {
            self = template.isTrue("code") ? .code(name) : .column(name)
        } else if let expression = template.expression("value") {
            self = .expression(
                expression,
                QueryColumn(
                    name: "", type: template.word("type", FieldType.self) ?? .text,
                    decimals: template.integer("decimals"), unit: template.text("unit")))
        } else if let text = template.reportText("text") {
            self = .text(text)
        } else {
            return nil
        }
    }

    /// The column's name; nil if the value is not a column.
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

    /// Keys of which exactly one must be present.
    static let oneOf = ["column", "value", "text"]

    /// A value without a label: the block defines its meaning.
    static func object(_ scope: BlockKey.Scope) -> BlockObject {
        BlockObject(name: "reportValue", about: "A value of a row.", keys: keys(scope), exactlyOne: oneOf)
    }
}

/// A column of a block's rows, with a heading.
struct ValueColumn: Sendable {
    let value: ReportValue
    let label: ReportText?
    /// Share of the width; nil: sized to the content.
    let width: Double?
    /// Whether the column is left out if no row has a value.
    let hidesEmpty: Bool
    /// The repeated section (`each`) whose page for the row is the link's target. The row's `id`
    /// must be that of the section's row.
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
                .optional(
                    "width", .number,
                    "Where every column has one, its share of the width; else times the width that its contents want."),
                .optional("hideEmpty", .boolean, "Whether it is left out where no row has a value."),
                .optional("link", .section, "Section (`each`) whose pages for the row's id are opened."),
            ], exactlyOne: ReportValue.oneOf, needs: ("label", unless: "column"))
    }
}

/// A position in a drawing's units: metres of a plan, values of a plot's axes.
package struct Position: Sendable, Hashable {
    package var x: Double
    package var y: Double
}

/// The cells of some rows, without the columns that `hidesEmpty` hides.
struct ShownColumns {
    /// The indexes of the columns that remain.
    let places: [Int]
    let cells: [[ReportCell]]

    init(_ columns: [ValueColumn], cells: [[ReportCell]]) {
        let places = columns.indices.filter { index in
            !columns[index].hidesEmpty || cells.contains { !$0[index].isEmpty }
        }
        self.places = places
        self.cells = cells.map { row in places.map { row[$0] } }
    }

    /// Whether any cell of a remaining column is a number.
    func isNumeric(_ place: Int) -> Bool { cells.contains { $0[place].isNumber } }
}

/// One value, formatted for display and in the form for a workbook.
package struct ReportCell: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case empty
        case text(String)
        /// `decimals` is the displayed number of decimals; nil: as many as the number has.
        case number(Double, decimals: Int?)
        /// `yyyy-MM-dd`
        case date(String)
        /// An instant in UTC, as stored.
        case instant(String)
    }

    package enum Link: Sendable, Hashable {
        /// The anchor of a section.
        case anchor(String)
        case address(String)
    }

    package var value: Value
    /// The displayed text without the unit, in the run's language and the office's time zone.
    package var text: String
    package var link: Link?
    package var tone: ReportTone?

    package init(_ value: Value, text: String, link: Link? = nil, tone: ReportTone? = nil) {
        self.value = value
        self.text = text
        self.link = link
        self.tone = tone
    }

    package static let empty = ReportCell(.empty, text: "")
    package static func text(_ text: String, tone: ReportTone? = nil) -> ReportCell {
        ReportCell(text.isEmpty ? .empty : .text(text), text: text, tone: tone)
    }

    package var isEmpty: Bool { value == .empty }
    package var isNumber: Bool {
        if case .number = value { true } else { false }
    }
    /// Whether a workbook may break it into several lines: numbers and days stay on one line.
    package var mayWrap: Bool {
        switch value {
        case .empty, .text: true
        case .number, .date, .instant: false
        }
    }
}

/// The highlighting of a row or cell.
package enum ReportTone: String, Sendable, CaseIterable {
    case strong, muted, warning, danger, good
}

/// One row of a query, as blocks read it.
struct ReportRow: Sendable {
    let columns: ReportRowColumns
    let batch: RowBatch
    let row: Int

    /// A column's value; null for an unknown column, which the template's check rules out.
    func value(_ name: String) -> MemoryRows.Value {
        guard let column = columns.places[name] else { return .null }
        return batch.value(row, column)
    }

    /// The column's number, which may also be written in a text; nil if there is none.
    func number(_ name: String) -> Double? {
        switch value(name) {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        case .text(let text): Double(text)
        case .null: nil
        }
    }

    /// The column as a text; nil when it is empty.
    func text(_ name: String) -> String? {
        switch value(name) {
        case .text(let text): text.isEmpty ? nil : text
        case .integer(let integer): String(integer)
        case .real(let real): String(real)
        case .null: nil
        }
    }

    func isTrue(_ program: ExpressionProgram) -> Bool {
        var machine = ExpressionMachine()
        return machine.truth(of: program, cells: batch.cells, at: row * batch.columnCount, text: batch.text) == .yes
    }

    func result(of program: ExpressionProgram) -> MemoryRows.Value {
        var machine = ExpressionMachine()
        return machine.result(of: program, cells: batch.cells, at: row * batch.columnCount, text: batch.text)
    }

    /// Every column, as parameters for a query.
    var parameters: [String: MemoryRows.Value] {
        columns.places.mapValues { batch.value(row, $0) }
    }
}

/// The columns of a query by name.
struct ReportRowColumns: Sendable {
    let query: ReportQuery
    let places: [String: Int]

    init(_ query: ReportQuery) {
        self.query = query
        places = Dictionary(query.columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// Compiles an expression over the columns; the template's check has already checked its types.
    func program(_ expression: Expression) throws -> ExpressionProgram {
        try ExpressionProgram(expression) { places[$0.description] }
    }
}
