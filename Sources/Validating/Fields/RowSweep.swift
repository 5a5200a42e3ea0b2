import Expressions
import Model

/// The first look at a batch: which cells and which rules of its rows need a second look?
///
/// Pure: it knows the plan and the batch and nothing else, so that it can be done on another thread while the next batch is read.
struct RowSweep {
    private let plan: EntityPlan
    private var machine = ExpressionMachine()

    init(_ plan: EntityPlan) {
        self.plan = plan
    }

    /// Puts what needs a second look into `suspects`, in order of rows: the row in the upper half, the index of the check, or of the
    /// rule after the checks, in the lower.
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
