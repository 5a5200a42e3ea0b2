/// How the numbers of a column are aggregated.
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
        // A sum of tenths has no more digits than its parts; additional digits are binary noise.
        let decimals = total == .count ? 0 : decimals ?? (total == .mean ? 2 : nil)
        let clean = decimals == nil ? (value * 1e9).rounded() / 1e9 : value
        return ReportCell(.number(clean, decimals: decimals), text: values.number(clean, decimals))
    }
}
