import Model

/// The first look at a batch: the cells, and the rules of its rows, that need a second look.
///
/// It knows only the plan and the batch, so that another thread can do it while the next batch is
/// read.
struct RowSweep {
    private let plan: EntityPlan
    private var machine = ExpressionMachine()

    init(_ plan: EntityPlan) {
        self.plan = plan
    }

    /// Adds what needs a second look to `suspects`, in order of rows. The row is in the upper half,
    /// and the index of the check, or of the rule after the checks, in the lower.
    mutating func findSuspects(in batch: RowBatch, into suspects: inout [UInt64]) {
        suspects.removeAll(keepingCapacity: true)
        ColumnSweep(batch, plan).findSuspects(into: &suspects)
        for (index, rule) in plan.rules.enumerated() {
            let mark = UInt64(plan.checks.count + index)
            machine.forEachRow(of: batch, breaking: rule.require, when: rule.when) { suspects.append(UInt64($0) << 32 | mark) }
        }
        suspects.sort()
    }
}
