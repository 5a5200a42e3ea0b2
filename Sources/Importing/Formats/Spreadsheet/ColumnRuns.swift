/// What columns say for cells that say nothing of their own, kept as runs of columns that are equal: a few for any number of columns.
struct ColumnRuns<Value: Equatable> {
    private var ends: [Int] = []
    private var values: [Value] = []

    /// The column, counted from zero, at which the next run begins.
    var end: Int { ends.last ?? 0 }

    /// Says it of all columns from the last run's end up to `end`.
    mutating func extend(to end: Int, _ value: Value) {
        guard end > self.end else { return }
        if values.last == value {
            ends[ends.count - 1] = end
        } else {
            ends.append(end)
            values.append(value)
        }
    }

    /// Nil behind the last run.
    subscript(column: Int) -> Value? {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > column { high = middle } else { low = middle + 1 }
        }
        return low < values.count ? values[low] : nil
    }
}
