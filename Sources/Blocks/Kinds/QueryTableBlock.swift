import Model

/// A table of a query's rows, with groups and subtotals, totals, and highlighted rows.
struct QueryTableBlock: Block {
    static let name = "table"
    static let keys: [BlockKey] = [
        .title, .query, .required("columns", .values(ValueColumn.object(.query), .query, atLeast: 1), "The columns."),
        .optional("group", .columns(.query), "Columns whose values open groups."),
        .optional("totals", .words(of: ReportTotal.self, by: .query), "Columns that are totalled, and how."),
        .optional("tones", .objects(toneRule), "Rows that stand out."),
        .optional("rowHeight", .integer(5...60), "Least height of a row in millimetres, where people write or sign."),
        .optional(
            "fillsPage", .boolean,
            "Whether empty rows fill the page, for who signs without being on the list. A workbook has none."),
        .empty,
    ]

    private static let toneRule = BlockObject(
        name: "reportTone", about: "Rows that stand out.",
        keys: [
            .required("when", .condition(.query), "Condition over the query's row."),
            .required("tone", .word(of: ReportTone.self), "How they stand out."),
        ])

    private let title: ReportText?
    private let query: String
    private let columns: [ValueColumn]
    /// Columns by whose values the rows are grouped. Each group begins with a separate line and
    /// ends with subtotals.
    private let group: [String]
    /// The totalled columns, each with its kind of total.
    private let totals: [String: ReportTotal]
    private let tones: [(when: Expression, tone: ReportTone)]
    /// The least height of a row in millimetres; nil: a row is as high as its texts.
    private let rowHeight: Double?
    private let fillsPage: Bool
    /// Text shown instead of an empty table; nil: the block is left out.
    private let empty: ReportText?

    init?(_ template: PackNode) {
        guard let query = template.text("query") else { return nil }
        title = template.reportText("title")
        self.query = query
        columns = template.items("columns").compactMap(ValueColumn.init)
        group = template.texts("group")
        totals = template["totals"]?.dictionary { $0.text.flatMap(ReportTotal.init) } ?? [:]
        tones = template.items("tones").compactMap { tone in
            guard let when = tone.expression("when"), let word = tone.word("tone", ReportTone.self) else { return nil }
            return (when, word)
        }
        rowHeight = template.integer("rowHeight").map(Double.init)
        fillsPage = template.isTrue("fillsPage")
        empty = template.reportText("empty")
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> TableContent? {
        guard let query = context.query(self.query) else { return nil }
        let rows = try context.rows(self.query, for: row)
        let title = context.text(self.title, row, totalsOf: rows, query)
        if rows.isEmpty, !fillsPage {
            return context.text(empty, row).map { TableContent(title: title, columns: [], rows: [], empty: $0) }
        }
        let shown = ShownColumns(columns, cells: try rows.map { row in try columns.map { try cell($0, row, context) } })
        let heads = shown.places.enumerated().map { place, index in
            let column = context.column(columns[index].value, of: query)
            return TableContent.Column(
                label: context.heading(columns[index].label, columns[index].value, of: query),
                isNumeric: shown.isNumeric(place),
                width: columns[index].width, decimals: column?.type == .integer ? 0 : column?.decimals)
        }
        var body = Body(
            context: context, table: self, names: shown.places.map { columns[$0].value.columnName }, columns: heads)
        for (row, cells) in zip(rows, shown.cells) { try body.add(row, cells) }
        var table = TableContent(title: title, columns: heads, rows: body.finish(), empty: nil, rowHeight: rowHeight)
        table.fillsPage = fillsPage
        return table
    }

    private func cell(_ column: ValueColumn, _ row: ReportRow, _ context: ReportContext) throws -> ReportCell {
        var cell = try context.cell(column.value, row)
        if let section = column.link, !cell.isEmpty, let id = row.text("id") { cell.link = .anchor("\(section)/\(id)") }
        return cell
    }

    /// Builds the rows, opening and closing groups.
    private struct Body {
        let context: ReportContext
        let table: QueryTableBlock
        /// Query columns that the shown columns display; nil for expressions and texts.
        let names: [String?]
        let columns: [TableContent.Column]
        private var rows: [TableContent.Row] = []
        /// The values of the open groups, outermost first.
        private var open: [String] = []
        /// Tallies by level: 0 for the whole table, then one level for each open group.
        private var tallies: [[Tally]]

        init(context: ReportContext, table: QueryTableBlock, names: [String?], columns: [TableContent.Column]) {
            self.context = context
            self.table = table
            self.names = names
            self.columns = columns
            tallies = [names.map { _ in Tally() }]
        }

        mutating func add(_ row: ReportRow, _ cells: [ReportCell]) throws {
            try enterGroups(of: row)
            let tone = try table.tones.first { try context.holds($0.when, row) }?.tone
            rows.append(TableContent.Row(.data, cells, tone: tone))
            for level in tallies.indices {
                for (index, name) in names.enumerated() {
                    guard let name, let total = table.totals[name] else { continue }
                    tallies[level][index].add(row, name, for: total)
                }
            }
        }

        private mutating func enterGroups(of row: ReportRow) throws {
            let values = try table.group.map { name in try context.cell(.column(name), row).text }
            let same = zip(values, open).prefix { $0 == $1 }.count
            if same == values.count, open.count == values.count { return }
            close(to: same)
            for level in same..<values.count {
                let label = row.columns.query.column(table.group[level]).map { context.label($0) } ?? ""
                let value = values[level].isEmpty ? context.head.words("none") : values[level]
                var cells = [ReportCell](repeating: .empty, count: columns.count)
                if !cells.isEmpty { cells[0] = .text(label.isEmpty ? value : "\(label): \(value)") }
                rows.append(TableContent.Row(.group(level: level), cells))
                open.append(values[level])
                tallies.append(names.map { _ in Tally() })
            }
        }

        private mutating func close(to level: Int) {
            while open.count > level {
                let value = open.removeLast()
                let tally = tallies.removeLast()
                guard !table.totals.isEmpty else { continue }
                rows.append(
                    TableContent.Row(
                        .subtotal(level: open.count),
                        totals(tally, label: context.head.words("subtotal", ["group": value]))))
            }
        }

        private func totals(_ tally: [Tally], label: String) -> [ReportCell] {
            var cells = names.indices.map { index -> ReportCell in
                guard let name = names[index], let total = table.totals[name] else { return .empty }
                return tally[index].cell(total, decimals: columns[index].decimals, context.values)
            }
            if let first = cells.firstIndex(where: \.isEmpty), first == 0 { cells[0] = .text(label) }
            return cells
        }

        mutating func finish() -> [TableContent.Row] {
            close(to: 0)
            if !table.totals.isEmpty {
                rows.append(TableContent.Row(.total, totals(tallies[0], label: context.head.words("total"))))
            }
            return rows
        }
    }
}

package struct TableContent: BlockContent {
    package struct Column: Sendable {
        /// Label and unit.
        package var label: String
        package var isNumeric: Bool
        /// If every column has a width: its share of the total. Otherwise: a factor of the width
        /// that the content needs; nil: exactly that width.
        package var width: Double?
        /// Number of decimals for all numbers of the column; nil: as many as each number has.
        package var decimals: Int?

        package init(label: String, isNumeric: Bool, width: Double?, decimals: Int?) {
            self.label = label
            self.isNumeric = isNumeric
            self.width = width
            self.decimals = decimals
        }
    }

    package struct Row: Sendable {
        package enum Kind: Sendable, Hashable {
            case data
            /// Opens a group; its text is in the first cell. Nested groups have higher levels, from
            /// 0.
            case group(level: Int)
            case subtotal(level: Int)
            case total
        }

        package var kind: Kind
        package var cells: [ReportCell]
        package var tone: ReportTone?

        package init(_ kind: Kind, _ cells: [ReportCell], tone: ReportTone? = nil) {
            self.kind = kind
            self.cells = cells
            self.tone = tone
        }
    }

    package var title: String?
    package var columns: [Column]
    package var rows: [Row]
    /// Shown instead of an empty table.
    package var empty: String?
    /// The least height of a row of data in millimetres, where people write by hand; nil: as high as its texts.
    package var rowHeight: Double?
    /// Whether empty rows fill the page below the last row.
    package var fillsPage = false

    package init(title: String?, columns: [Column], rows: [Row], empty: String?, rowHeight: Double? = nil) {
        self.title = title
        self.columns = columns
        self.rows = rows
        self.empty = empty
        self.rowHeight = rowHeight
    }
}
