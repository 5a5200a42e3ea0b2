import Foundation
import Model
import Patterns

/// One pass over the rows of an entity, with every field check and row rule on each batch as it
/// arrives.
///
/// A first look checks a batch column by column, so that a check's data are in the cache for all
/// rows. Cells that are not certainly correct then get a second, exact look, row by row. A correct
/// cell costs a few comparisons of numbers or bytes, and no memory. A second thread does the first
/// look while the next batch is read; everything that uses the source runs on this thread.
struct RowPass {
    private let plan: EntityPlan
    private let writer: FindingWriter
    private let quotation: Quotation
    private var machine = ExpressionMachine()
    private var parameters: ParameterPass?
    private var sweep: RowSweep
    private var suspects: [UInt64] = []

    init(_ plan: EntityPlan, pack: Pack, source: any ValidationSource, writer: FindingWriter, seconds: Double) {
        self.plan = plan
        self.writer = writer
        quotation = Quotation(pack: pack)
        sweep = RowSweep(plan)
        if !plan.parameters.isEmpty || !plan.schemas.isEmpty {
            parameters = ParameterPass(plan, pack: pack, source: source, writer: writer, seconds: seconds)
        }
    }

    /// Checks all rows; returns their number.
    mutating func run(_ rows: any RowSource, progress: (Int) -> Void) throws -> Int {
        var filling = RowBatch(columnCount: rows.columnCount)
        var swept = filling
        var thread: SweepThread?
        var count = 0
        var isAtEnd = false
        while !isAtEnd {
            try rows.fill(&filling)
            isAtEnd = filling.rowCount == 0
            count += filling.rowCount
            if thread == nil, !filling.isFull {
                // For few rows a thread costs more than it saves.
                sweep.findSuspects(in: filling, into: &suspects)
                try judge(filling)
            } else {
                let current = thread ?? SweepThread(plan, columnCount: rows.columnCount)
                thread = current
                if !isAtEnd { try current.submit(&filling) }
                while current.waiting == SweepThread.depth || isAtEnd && current.waiting > 0 {
                    try current.take(&swept, &suspects)
                    try judge(swept)
                }
            }
            if !isAtEnd { progress(count) }
        }
        return count
    }

    /// The second look at the suspects of the first.
    private mutating func judge(_ batch: RowBatch) throws {
        var next = 0
        for row in 0..<batch.rowCount {
            while next < suspects.count, suspects[next] >> 32 == UInt64(row) {
                let index = Int(suspects[next] & 0xFFFF_FFFF)
                if index < plan.checks.count {
                    try explain(plan.checks[index], batch, row)
                } else {
                    try add(plan.rules[index - plan.checks.count], batch, row)
                }
                next += 1
            }
            if parameters != nil { try parameters?.judge(batch, row) } else if next == suspects.count { return }
        }
    }

    // MARK: findings

    /// Adds the findings for the faults of a cell.
    private mutating func explain(_ check: FieldCheck, _ batch: RowBatch, _ row: Int) throws {
        let cell = batch.cell(row, check.column)
        let isMissing = cell.kind == .null || cell.kind == .text && TextLength.isBlank(batch.text.span, cell.range)
        let isRequired = isMissing && isRequired(check, batch, row)
        if cell.kind == .null, !isRequired { return }
        let field = plan.entity.fields[check.field]
        if isRequired {
            try writer.add("FIELD-REQUIRED", entity: plan.entity, id: batch.description(row, 0), field: field.name)
            return
        }
        for fault in CellFault.faults(of: batch, row, check, field, plan) {
            var arguments = fault.arguments
            if let value = fault.value { arguments["value"] = quotation.quote(value, of: field) }
            try writer.add(
                fault.code, entity: plan.entity, id: batch.description(row, 0), field: field.name, arguments: arguments)
        }
    }

    private mutating func isRequired(_ check: FieldCheck, _ batch: RowBatch, _ row: Int) -> Bool {
        if check.isRequired { return true }
        guard check.requiredWhen >= 0 else { return false }
        let condition = plan.conditions[check.requiredWhen]
        return machine.truth(of: condition, cells: batch.cells, at: row * batch.columnCount, text: batch.text) == .yes
    }

    private func add(_ rule: RowRule, _ batch: RowBatch, _ row: Int) throws {
        var arguments: [String: String] = [:]
        for argument in rule.arguments {
            guard let column = argument.column else {
                arguments[argument.name] = Pack.hiddenValue
                continue
            }
            arguments[argument.name] = quotation.quote(batch, row, column, of: argument.field) ?? ""
        }
        try writer.add(
            rule.code, severity: rule.severity, entity: plan.entity, id: batch.description(row, 0), field: rule.field,
            arguments: arguments)
    }
}

/// Runs the first look on a separate thread, in the order of submission, a few batches at a time.
///
/// Only one thread may use it. Its deinitialiser waits for the separate thread.
final class SweepThread {
    /// A batch and its suspects.
    private struct Work {
        var batch: RowBatch
        var suspects: [UInt64] = []
    }

    /// The maximum number of batches in progress.
    static let depth = 4

    private let columnCount: Int
    // Both have room for all batches in progress, so that neither thread waits for the other.
    private let filled = BoundedQueue([Work?](repeating: nil, count: depth))
    private let swept = BoundedQueue([Work?](repeating: nil, count: depth))
    /// Emptied work, for reuse.
    private var spare: [Work] = []
    /// The number of batches that were submitted and not returned yet.
    private(set) var waiting = 0

    init(_ plan: EntityPlan, columnCount: Int) {
        self.columnCount = columnCount
        let thread = Thread { [filled, swept] in Self.run(RowSweep(plan), filled, swept) }
        thread.name = "fichero.sweep"
        thread.start()
    }

    deinit { filled.cancel() }

    /// Submits a batch in exchange for an empty one. Fewer than `depth` batches must be waiting.
    func submit(_ batch: inout RowBatch) throws {
        precondition(waiting < Self.depth)
        var own = spare.popLast() ?? Work(batch: RowBatch(columnCount: columnCount))
        swap(&own.batch, &batch)
        var work = Optional(consume own)
        if try filled.give(&work) { waiting += 1 }
    }

    /// Returns the oldest batch with its suspects. At least one batch must be waiting.
    func take(_ batch: inout RowBatch, _ suspects: inout [UInt64]) throws {
        precondition(waiting > 0)
        var work: Work?
        guard try swept.take(&work), var own = work.take() else {
            preconditionFailure("the thread gives back what it got")
        }
        swap(&own.batch, &batch)
        swap(&own.suspects, &suspects)
        spare.append(own)
        waiting -= 1
    }

    private static func run(_ initial: RowSweep, _ filled: BoundedQueue<Work?>, _ swept: BoundedQueue<Work?>) {
        var sweep = initial
        do {
            var work: Work?
            while try filled.take(&work), var own = work.take() {
                sweep.findSuspects(in: own.batch, into: &own.suspects)
                work = consume own
                guard try swept.give(&work) else { break }
            }
            swept.end()
        } catch {
            swept.end(error)
        }
    }
}
