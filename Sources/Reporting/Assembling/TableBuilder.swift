import Model

/// Tables of a query's rows: groups with subtotals, totals, rows that stand out; and pivots.
struct TableBuilder {
    let context: ReportContext

    /// Nil when there are no rows and nothing is said instead.
    func table(_ table: ReportBlock.Table, _ row: ReportRow?) throws -> TableContent? {
        guard let query = context.query(table.query) else { return nil }
        let rows = try context.rows(table.query, for: row)
        let title = context.text(table.title, row)
        if rows.isEmpty {
            guard let empty = context.text(table.empty, row) else { return nil }
            return TableContent(title: title, columns: [], rows: [], empty: empty)
        }
        var cells = try rows.map { row in try table.columns.map { column in try self.cell(column, row) } }
        let shown = table.columns.indices.filter { index in
            !table.columns[index].hidesEmpty || cells.contains { !$0[index].isEmpty }
        }
        cells = cells.map { row in shown.map { row[$0] } }
        let columns = shown.map { index in
            let column = context.column(table.columns[index].value, of: query)
            return TableContent.Column(
                label: context.heading(table.columns[index].label, table.columns[index].value, of: query),
                isNumeric: cells.contains { $0[shown.firstIndex(of: index) ?? 0].isNumber }, width: table.columns[index].width,
                decimals: column?.type == .integer ? 0 : column?.decimals)
        }
        let names = shown.map { index -> String? in
            switch table.columns[index].value {
            case .column(let name), .code(let name): name
            case .expression, .text: nil
            }
        }
        var body = Body(context: context, table: table, names: names, columns: columns)
        for (row, cells) in zip(rows, cells) { try body.add(row, cells) }
        return TableContent(title: title, columns: columns, rows: body.finish(), empty: nil)
    }

    private func cell(_ column: ReportBlock.Column, _ row: ReportRow) throws -> ReportCell {
        var cell = try context.cell(column.value, row)
        if let section = column.link, !cell.isEmpty, let id = row.text("id") { cell.link = .anchor("\(section)/\(id)") }
        return cell
    }

    /// Rows by one column, columns by another, in the order in which their values come; totals at the end of both.
    func pivot(_ pivot: ReportBlock.Pivot, _ row: ReportRow?) throws -> TableContent? {
        guard let query = context.query(pivot.query), let down = query.column(pivot.rows), let across = query.column(pivot.columns) else { return nil }
        let rows = try context.rows(pivot.query, for: row)
        let title = context.text(pivot.title, row)
        if rows.isEmpty {
            guard let empty = context.text(pivot.empty, row) else { return nil }
            return TableContent(title: title, columns: [], rows: [], empty: empty)
        }
        let value = pivot.value.flatMap { query.column($0) }
        let decimals = pivot.total == .count ? 0 : value?.decimals
        var heads: [String] = [], sides: [String] = []
        var sums: [String: [String: Tally]] = [:], headTotals: [String: Tally] = [:], sideTotals: [String: Tally] = [:]
        var whole = Tally()
        for row in rows {
            let head = name(row, across), side = name(row, down)
            if headTotals[head] == nil { heads.append(head) }
            if sideTotals[side] == nil { sides.append(side) }
            let number = value.flatMap { row.number($0.name) }
            sums[side, default: [:]][head, default: Tally()].add(number)
            headTotals[head, default: Tally()].add(number)
            sideTotals[side, default: Tally()].add(number)
            whole.add(number)
        }
        let words = context.head.words("total")
        func cell(_ tally: Tally?) -> ReportCell { tally.map { $0.cell(pivot.total, decimals: decimals, context.values) } ?? .empty }
        var body = sides.map { side in
            TableContent.Row(.data, [.text(side)] + heads.map { cell(sums[side]?[$0]) } + [cell(sideTotals[side])])
        }
        body.append(TableContent.Row(.total, [.text(words)] + heads.map { cell(headTotals[$0]) } + [cell(whole)]))
        let columns = [TableContent.Column(label: context.label(down), isNumeric: false, width: nil, decimals: nil)]
            + (heads + [words]).map { TableContent.Column(label: $0, isNumeric: true, width: nil, decimals: decimals) }
        return TableContent(title: title, columns: columns, rows: body, empty: nil)
    }

    private func name(_ row: ReportRow, _ column: ReportColumn) -> String {
        let cell = context.values.cell(row.value(column.name), column)
        return cell.isEmpty ? context.head.words("none") : cell.text
    }

    /// Puts the rows of a table together, opening and closing groups.
    private struct Body {
        let context: ReportContext
        let table: ReportBlock.Table
        /// Column names of the shown columns; nil for expressions and texts.
        let names: [String?]
        let columns: [TableContent.Column]
        private var rows: [TableContent.Row] = []
        /// The values of the open groups, outermost first.
        private var open: [String] = []
        /// Tallies by level: 0 the whole table, then each open group.
        private var tallies: [[Tally]]

        init(context: ReportContext, table: ReportBlock.Table, names: [String?], columns: [TableContent.Column]) {
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
                    guard let name, table.totals[name] != nil else { continue }
                    tallies[level][index].add(row.number(name))
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
                rows.append(TableContent.Row(.subtotal(level: open.count), totals(tally, label: context.head.words("subtotal", ["group": value]))))
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
            if !table.totals.isEmpty { rows.append(TableContent.Row(.total, totals(tallies[0], label: context.head.words("total")))) }
            return rows
        }
    }
}

/// Numbers taken together.
struct Tally {
    private var sum = 0.0
    private var numbers = 0
    private var rows = 0
    private var least = Double.infinity
    private var greatest = -Double.infinity

    mutating func add(_ number: Double?) {
        rows += 1
        guard let number else { return }
        numbers += 1
        sum += number
        least = min(least, number)
        greatest = max(greatest, number)
    }

    func value(_ total: ReportBlock.Total) -> Double? {
        if total == .count { return Double(rows) }
        guard numbers > 0 else { return nil }
        return switch total {
        case .sum: sum
        case .mean: sum / Double(numbers)
        case .minimum: least
        case .maximum: greatest
        case .count: Double(rows)
        }
    }

    func cell(_ total: ReportBlock.Total, decimals: Int?, _ values: ValueText) -> ReportCell {
        guard let value = value(total) else { return .empty }
        // A sum of tenths has no more digits than its parts; what it gains is binary noise.
        let decimals = total == .count ? 0 : decimals ?? (total == .mean ? 2 : nil)
        let clean = decimals == nil ? (value * 1e9).rounded() / 1e9 : value
        return ReportCell(.number(clean, decimals: decimals), text: values.number(clean, decimals))
    }
}
