import Model

/// A pivot table: a row for each value of one column, a column for each value of another, in the
/// order in which the values occur. Each cell has a count or a total, and the last row and column
/// have totals.
struct PivotBlock: Block {
    static let name = "pivot"
    static let keys: [BlockKey] = [
        .title, .query, .required("rows", .column(.query), "The column down the side."),
        .required("columns", .column(.query), "The column across."),
        .optional("value", .column(.query), "The column that is totalled; rows are counted without it."),
        .optional("total", .word(of: ReportTotal.self), "sum by default."),
        .optional("weight", .column(.query), "The column that says how much a row counts in a mean."), .empty,
    ]

    private let title: ReportText?
    private let query: String
    private let rows: String
    private let columns: String
    /// The column that is totalled; nil counts rows.
    private let value: String?
    private let total: ReportTotal
    private let weight: String?
    private let empty: ReportText?

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let rows = template.text("rows"),
            let columns = template.text("columns")
        else { return nil }
        title = template.reportText("title")
        self.query = query
        self.rows = rows
        self.columns = columns
        value = template.text("value")
        total = value == nil ? .count : template.word("total", ReportTotal.self) ?? .sum
        weight = template.text("weight")
        empty = template.reportText("empty")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> TableContent? {
        guard let query = context.query(self.query), let down = query.column(self.rows),
            let across = query.column(columns)
        else { return nil }
        let rows = try context.rows(self.query, for: row)
        let title = context.text(self.title, row, totalsOf: rows, query)
        if rows.isEmpty {
            return context.text(empty, row).map { TableContent(title: title, columns: [], rows: [], empty: $0) }
        }
        let value = self.value.flatMap { query.column($0) }
        let decimals = total.counts ? 0 : value?.decimals
        var heads: [String] = [], sides: [String] = []
        var sums: [String: [String: Tally]] = [:], headTotals: [String: Tally] = [:], sideTotals: [String: Tally] = [:]
        var whole = Tally()
        for row in rows {
            let head = name(row, across, context), side = name(row, down, context)
            if headTotals[head] == nil { heads.append(head) }
            if sideTotals[side] == nil { sides.append(side) }
            func add(to tally: inout Tally) { tally.add(row, value?.name, weight: weight, for: total) }
            add(to: &sums[side, default: [:]][head, default: Tally()])
            add(to: &headTotals[head, default: Tally()])
            add(to: &sideTotals[side, default: Tally()])
            add(to: &whole)
        }
        let words = context.head.words("total")
        func cell(_ tally: Tally?) -> ReportCell {
            tally.map { $0.cell(total, decimals: decimals, context.values) } ?? .empty
        }
        var body = sides.map { side in
            TableContent.Row(.data, [.text(side)] + heads.map { cell(sums[side]?[$0]) } + [cell(sideTotals[side])])
        }
        body.append(TableContent.Row(.total, [.text(words)] + heads.map { cell(headTotals[$0]) } + [cell(whole)]))
        let columns = [TableContent.Column(label: context.label(down), isNumeric: false, width: nil, decimals: nil)]
            + (heads + [words]).map { TableContent.Column(label: $0, isNumeric: true, width: nil, decimals: decimals) }
        return TableContent(title: title, columns: columns, rows: body, empty: nil)
    }

    private func name(_ row: ReportRow, _ column: QueryColumn, _ context: ReportContext) -> String {
        let cell = context.values.cell(row.value(column.name), column)
        return cell.isEmpty ? context.head.words("none") : cell.text
    }
}

/// A box with a heading and a sentence that summarises a query's rows, such as their number or the
/// greatest depth.
struct SummaryBlock: Block {
    static let name = "summary"
    static let keys: [BlockKey] = [
        .title, .query,
        .required(
            "text", .totals(of: "query"),
            "Key of a text, or a pattern, with totals of the rows: {count}, {max(depth_m)}."),
        .optional("one", .totals(of: "query"), "The same where there is one row."), .empty,
    ]

    private let title: ReportText?
    private let query: String
    private let text: ReportText
    /// The text for exactly one row; nil: `text`.
    private let one: ReportText?
    private let empty: ReportText?

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let text = template.reportText("text") else { return nil }
        title = template.reportText("title")
        self.query = query
        self.text = text
        one = template.reportText("one")
        empty = template.reportText("empty")
    }

    /// Nil if there are no rows, and the template has no text (`empty`) for that case.
    func content(_ row: ReportRow?, _ context: ReportContext) throws -> SummaryContent? {
        guard let query = context.query(self.query) else { return nil }
        let rows = try context.rows(self.query, for: row)
        let said = rows.isEmpty ? empty : rows.count == 1 ? one ?? text : text
        let heading = context.text(title, row, totalsOf: rows, query)
        return context.text(said, row, totalsOf: rows, query).map { SummaryContent(heading: heading, text: $0) }
    }
}

package struct SummaryContent: BlockContent, Equatable {
    package var heading: String?
    package var text: String
}
