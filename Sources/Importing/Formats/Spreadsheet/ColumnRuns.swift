/// Settings of columns for cells without their own, stored as runs of equal columns: few runs for
/// any number of columns.
struct ColumnRuns<Value: Equatable> {
    private var ends: [Int] = []
    private var values: [Value] = []

    /// The column, counted from 0, at which the next run begins.
    var end: Int { ends.last ?? 0 }

    /// Sets the value for all columns from the last run's end up to `end`.
    mutating func extend(to end: Int, _ value: Value) {
        guard end > self.end else { return }
        if values.last == value {
            ends[ends.count - 1] = end
        } else {
            ends.append(end)
            values.append(value)
        }
    }

    /// Nil beyond the last run.
    subscript(column: Int) -> Value? {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > column { high = middle } else { low = middle + 1 }
        }
        return low < values.count ? values[low] : nil
    }
}
