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
        for row in rows where row.text(column) != nil { tally.add(row, column, for: total) }
        return tally.cell(
            total, decimals: described.type == .integer && total != .mean ? 0 : described.decimals, values)
    }
}

/// The kind of a column's aggregation.
package enum ReportTotal: String, Sendable, CaseIterable {
    case sum, count, mean, minimum = "min", maximum = "max"
    /// The number of different values.
    case distinct

    /// Whether the result is a number of rows or values, and has no decimals.
    var counts: Bool { self == .count || self == .distinct }
}

/// Aggregates numbers.
struct Tally {
    private var sum = 0.0
    private var weights = 0.0
    private var weighted = 0.0
    private var numbers = 0
    private var rows = 0
    private var least = Double.infinity
    private var greatest = -Double.infinity
    private var different: Set<String> = []

    /// - Parameters:
    ///   - column: the column of the row that is aggregated; nil: the rows are only counted.
    ///   - weight: the column that says how much the row counts in a mean; nil: all count the same.
    mutating func add(_ row: ReportRow, _ column: String?, weight: String? = nil, for total: ReportTotal) {
        guard total != .distinct else {
            if let value = column.flatMap({ row.text($0) }) { different.insert(value) }
            return
        }
        add(column.flatMap { row.number($0) }, weight: weight.map { row.number($0) ?? 0 } ?? 1)
    }

    mutating func add(_ number: Double?, weight: Double = 1) {
        rows += 1
        guard let number else { return }
        numbers += 1
        sum += number
        weighted += number * weight
        weights += weight
        least = min(least, number)
        greatest = max(greatest, number)
    }

    func value(_ total: ReportTotal) -> Double? {
        if total == .count { return Double(rows) }
        if total == .distinct { return Double(different.count) }
        guard numbers > 0 else { return nil }
        return switch total {
        case .sum: sum
        case .mean: mean
        case .minimum: least
        case .maximum: greatest
        case .count, .distinct: nil
        }
    }

    /// Nil where nothing has a weight.
    private var mean: Double? {
        guard weights > 0 else { return nil }
        // A weighted mean of rates must be printed as the quotient of the two sums that it is.
        return weights == Double(numbers) ? weighted / weights : (weighted / weights * 1e9).rounded() / 1e9
    }

    func cell(_ total: ReportTotal, decimals: Int?, _ values: ValueText) -> ReportCell {
        guard let value = value(total) else { return .empty }
        // A sum of tenths has no more digits than its terms; additional digits are binary noise.
        let decimals = total.counts ? 0 : decimals ?? (total == .mean ? 2 : nil)
        let clean = decimals == nil ? (value * 1e9).rounded() / 1e9 : value
        return ReportCell(.number(clean, decimals: decimals), text: values.number(clean, decimals))
    }
}
