package import Model

/// A chart of a query's columns.
struct ChartBlock: Block {
    static let name = "chart"
    static let keys: [BlockKey] = [
        .title, .query, .required("kind", .word(of: ChartContent.Kind.self), "Which chart."),
        .required("category", .column(.query), "The column along the axis."),
        .required("values", .values(series, .query, atLeast: 1), "The columns that are drawn, a series each."),
        .optional("split", .column(.query), "A column whose values make a series each."),
        .optional(
            "reversed", .boolean,
            "Whether the axis of the values points down, for depths and ranks; of bars, to the left. A pie has none."),
        .height,
    ]

    private static let series = BlockObject(
        name: "reportSeries", about: "A column that is drawn.",
        keys: [
            .required("column", .column(.query), "The column."),
            .optional(
                "label", .text(.section), "Key of the series' title, or a pattern; the column's label by default."),
        ])

    /// A column with the title of its series; nil: the column's label.
    private struct Series {
        var column: String
        var label: ReportText?

        init?(_ template: PackNode) {
            guard let column = template.text ?? template.text("column") else { return nil }
            self.column = column
            label = template.reportText("label")
        }
    }

    private let title: ReportText?
    private let kind: ChartContent.Kind
    private let query: String
    private let category: String
    private let values: [Series]
    /// A column that divides the rows into series, one for each of its values; nil: none.
    private let split: String?
    private let isReversed: Bool
    private let height: Double

    init?(_ template: PackNode) {
        guard let kind = template.word("kind", ChartContent.Kind.self), let query = template.text("query"),
            let category = template.text("category")
        else { return nil }
        title = template.reportText("title")
        self.kind = kind
        self.query = query
        self.category = category
        values = template.items("values").compactMap(Series.init)
        split = template.text("split")
        isReversed = template.isTrue("reversed")
        height = template.height ?? 70
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> ChartContent? {
        guard let query = context.query(self.query), let category = query.column(self.category) else { return nil }
        let rows = try context.rows(self.query, for: row)
        let title = context.text(self.title, row, totalsOf: rows, query)
        if rows.isEmpty {
            return ChartContent(
                title: title, kind: kind, categories: [], series: [], millimetres: ChartContent.emptyHeight)
        }
        func name(_ row: ReportRow, _ column: QueryColumn) -> String {
            let cell = context.values.cell(row.value(column.name), column)
            return cell.isEmpty ? context.head.words("none") : cell.text
        }
        var categories: [String] = []
        var places: [String: Int] = [:]
        var series: [String: [Int: Double]] = [:], order: [String] = []
        var inks: [String: (place: Int, tint: Tint?)] = [:]
        // A vocabulary gives the series their tints only if one column is drawn. Several columns
        // with the same word would otherwise have the same colour.
        let words =
            values.count > 1
            ? nil : split.flatMap { query.column($0)?.vocabulary }.flatMap { context.pack.vocabulary($0) }
        let titles = values.map { context.text($0.label, row) }
        for row in rows {
            let place = name(row, category)
            let index = places[place] ?? categories.count
            if places[place] == nil {
                places[place] = index
                categories.append(place)
            }
            for (value, title) in zip(values, titles) {
                guard let column = query.column(value.column) else { continue }
                let part = split.flatMap { query.column($0) }.map { name(row, $0) }
                let label =
                    part == nil && title == nil
                    ? context.label(column) : [part, title].compactMap(\.self).joined(separator: " · ")
                if series[label] == nil {
                    order.append(label)
                    inks[label] = words.flatMap { words in split.flatMap { row.text($0) }.flatMap { words.ink(of: $0) }
                    }
                }
                series[label, default: [:]][index, default: 0] += row.number(value.column) ?? 0
            }
        }
        let drawn = order.map { label in
            ChartContent.Series(name: label, values: categories.indices.map { series[label]?[$0] }, ink: inks[label])
        }
        return chart(title, categories, drawn, of: query, context)
    }

    private func chart(
        _ title: String?, _ categories: [String], _ series: [ChartContent.Series], of query: ReportQuery,
        _ context: ReportContext
    ) -> ChartContent {
        let measured = values.first.flatMap { query.column($0.column) }
        let heights = kind == .bars ? Self.heights(ofBars: categories.count, each: series.count) : 0...height
        return ChartContent(
            title: title, kind: kind, isReversed: isReversed, categories: categories, series: series,
            decimals: measured?.type == .integer ? 0 : measured?.decimals,
            measure: measure(measured, of: query, context),
            millimetres: min(max(height, heights.lowerBound), heights.upperBound),
            leastMillimetres: heights.lowerBound)
    }

    /// The heights of bars in millimetres: in less, not each has its name; in more, a few would be beams.
    private static func heights(ofBars categories: Int, each series: Int) -> ClosedRange<Double> {
        let count = Double(categories), each = Double(series), axis = series > 1 ? 21.0 : 15
        return count * max(3.1, 2.6 * each) + axis...count * max(10, 5 * each) + axis
    }

    /// The title of the value axis; for several columns, the unit that they share.
    private func measure(_ column: QueryColumn?, of query: ReportQuery, _ context: ReportContext) -> String {
        guard let column else { return "" }
        return values.count > 1
            ? column.unit ?? "" : context.heading(values.first?.label, .column(column.name), of: query)
    }
}

package struct ChartContent: BlockContent {
    package enum Kind: String, Sendable, CaseIterable {
        case columns, bars, stacked, line, pie
    }

    package struct Series: Sendable {
        package var name: String
        package var values: [Double?]
        /// For a word of a vocabulary with tints: its position in the vocabulary and its tint. They
        /// are the same in every chart and on plans.
        package var ink: (place: Int, tint: Tint?)?
    }

    package var title: String?
    package var kind: ChartContent.Kind
    /// Whether the axis of the values points down, or to the left.
    package var isReversed = false
    package var categories: [String]
    package var series: [Series]
    package var decimals: Int?
    /// Label and unit of the measured quantity.
    package var measure = ""
    /// Whether a pie is a ring, with its total in the middle.
    package var isRing = false
    package var millimetres: Double?
    /// The height below which names are left out, in millimetres.
    package var leastMillimetres = 0.0

    /// The height of the title, and of the words that nothing is drawn, in millimetres.
    static let emptyHeight = 14.0
}
