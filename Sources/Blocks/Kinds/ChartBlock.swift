import Model

/// A chart of a query's columns.
struct ChartBlock: Block {
    static let name = "chart"
    static let keys: [BlockKey] = [
        .title, .query, .required("kind", .word(of: ChartContent.Kind.self), "Which chart."),
        .required("category", .column(.query), "The column along the axis."),
        .required("values", .columns(.query, atLeast: 1), "The columns that are drawn."),
        .optional("split", .column(.query), "A column whose values make a series each."), .height,
    ]

    private let title: ReportText?
    private let kind: ChartContent.Kind
    private let query: String
    private let category: String
    private let values: [String]
    private let split: String?
    private let height: Double

    init?(_ template: PackNode) {
        guard let kind = template.word("kind", ChartContent.Kind.self), let query = template.text("query"), let category = template.text("category")
        else { return nil }
        title = template.reportText("title")
        self.kind = kind
        self.query = query
        self.category = category
        values = template.texts("values")
        split = template.text("split")
        height = template.height ?? 70
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> ChartContent? {
        guard let query = context.query(self.query), let category = query.column(self.category) else { return nil }
        let rows = try context.rows(self.query, for: row)
        if rows.isEmpty { return nil }
        func name(_ row: ReportRow, _ column: QueryColumn) -> String {
            let cell = context.values.cell(row.value(column.name), column)
            return cell.isEmpty ? context.head.words("none") : cell.text
        }
        var categories: [String] = []
        var places: [String: Int] = [:]
        var series: [String: [Int: Double]] = [:], order: [String] = []
        for row in rows {
            let place = name(row, category)
            let index = places[place] ?? categories.count
            if places[place] == nil {
                places[place] = index
                categories.append(place)
            }
            for value in values {
                guard let column = query.column(value) else { continue }
                let label = split.flatMap { query.column($0) }.map { name(row, $0) } ?? context.label(column)
                if series[label] == nil { order.append(label) }
                series[label, default: [:]][index, default: 0] += row.number(value) ?? 0
            }
        }
        let measured = values.first.flatMap { query.column($0) }
        return ChartContent(
            title: context.text(title, row, totalsOf: rows, query), kind: kind, categories: categories,
            series: order.map { label in (label, categories.indices.map { series[label]?[$0] }) },
            decimals: measured?.type == .integer ? 0 : measured?.decimals,
            measure: measured.map { context.heading(nil, .column($0.name), of: query) } ?? "", millimetres: height)
    }
}

package struct ChartContent: BlockContent {
    package enum Kind: String, Sendable, CaseIterable {
        case columns, bars, stacked, line, pie
    }

    package var title: String?
    package var kind: ChartContent.Kind
    package var categories: [String]
    package var series: [(name: String, values: [Double?])]
    package var decimals: Int?
    /// Label and unit of the measured quantity.
    package var measure: String
    package var millimetres: Double
}
