import Model

/// A placeholder for a total over all rows of a query: `{count}`, `{sum(depth_m)}`, and further
/// kinds of `ReportTotal`. For values other than numbers, such as days and texts, minimum and
/// maximum are the first and the last in order.
package struct RowTotal: Sendable {
    package let total: ReportTotal
    /// The column; nil counts the rows themselves.
    package let column: String?

    /// Whether the total is defined for numbers only.
    package var needsNumbers: Bool { total == .sum || total == .mean }

    /// Nil for a placeholder that is not a total.
    package init?(_ placeholder: String) {
        if placeholder == ReportTotal.count.rawValue {
            (total, column) = (.count, nil)
            return
        }
        guard placeholder.hasSuffix(")"), let open = placeholder.firstIndex(of: "("),
            let total = ReportTotal(rawValue: String(placeholder[..<open]))
        else { return nil }
        self.total = total
        column = String(placeholder[placeholder.index(after: open)...].dropLast())
    }

    func cell(of rows: [ReportRow], _ query: ReportQuery, _ values: ValueText) -> ReportCell {
        var tally = Tally()
        guard let column, let described = query.column(column) else {
            for _ in rows { tally.add(nil) }
            return tally.cell(total, decimals: nil, values)
        }
        switch described.type {
        case .integer, .decimal: break
        default:
            let texts = rows.compactMap { $0.text(column) }
            if total == .minimum { return texts.min().map { values.cell(.text($0), described) } ?? .empty }
            if total == .maximum { return texts.max().map { values.cell(.text($0), described) } ?? .empty }
        }
        for row in rows where row.text(column) != nil { tally.add(row.number(column)) }
        return tally.cell(
            total, decimals: described.type == .integer && total != .mean ? 0 : described.decimals, values)
    }
}

/// The kind of a column's aggregation.
package enum ReportTotal: String, Sendable, CaseIterable {
    case sum, count, mean, minimum = "min", maximum = "max"
}

/// Aggregates numbers.
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

    func value(_ total: ReportTotal) -> Double? {
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

    func cell(_ total: ReportTotal, decimals: Int?, _ values: ValueText) -> ReportCell {
        guard let value = value(total) else { return .empty }
        // A sum of tenths has no more digits than its terms; additional digits are binary noise.
        let decimals = total == .count ? 0 : decimals ?? (total == .mean ? 2 : nil)
        let clean = decimals == nil ? (value * 1e9).rounded() / 1e9 : value
        return ReportCell(.number(clean, decimals: decimals), text: values.number(clean, decimals))
    }
}
