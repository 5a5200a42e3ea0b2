import Model
import Patterns

/// One pass over the rows of an entity: every field check and row rule on each batch as it comes.
///
/// A batch is gone through column by column, so that what a check needs is at hand for all of its rows; what is not certainly sound is
/// remembered and, row by row, looked at again with care. A sound cell costs a few comparisons of numbers or bytes and no memory.
struct RowPass {
    private let plan: EntityPlan
    private let writer: FindingWriter
    private let quotation: Quotation
    private var machine = ExpressionMachine()
    private var parameters: ParameterPass?
    /// Cells and rules to look at again: the row in the upper half, the index of the check, or of the rule after the checks, in the lower.
    private var suspects: [UInt64] = []

    init(_ plan: EntityPlan, pack: Pack, source: any ValidationSource, writer: FindingWriter, seconds: Double) {
        self.plan = plan
        self.writer = writer
        quotation = Quotation(pack: pack)
        if !plan.parameters.isEmpty || !plan.schemas.isEmpty {
            parameters = ParameterPass(plan, pack: pack, source: source, writer: writer, seconds: seconds)
        }
    }

    /// Judges all rows; returns how many there were.
    mutating func run(_ rows: any RowSource, progress: (Int) -> Void) throws -> Int {
        var batch = RowBatch(columnCount: rows.columnCount)
        var count = 0
        while true {
            try rows.fill(&batch)
            guard batch.rowCount > 0 else { return count }
            try judge(batch)
            count += batch.rowCount
            progress(count)
        }
    }

    private mutating func judge(_ batch: RowBatch) throws {
        suspects.removeAll(keepingCapacity: true)
        ColumnSweep(batch, plan).findSuspects(into: &suspects)
        for index in plan.rules.indices { judge(plan.rules[index], UInt64(plan.checks.count + index), batch) }
        suspects.sort()
        var next = 0
        for row in 0..<batch.rowCount {
            while next < suspects.count, suspects[next] >> 32 == UInt64(row) {
                let index = Int(suspects[next] & 0xFFFF_FFFF)
                if index < plan.checks.count {
                    try explain(plan.checks[index], batch, row)
                } else {
                    try report(plan.rules[index - plan.checks.count], batch, row)
                }
                next += 1
            }
            if parameters != nil { try parameters?.judge(batch, row) } else if next == suspects.count { return }
        }
    }

    private mutating func judge(_ rule: RowRule, _ index: UInt64, _ batch: RowBatch) {
        let (cells, text) = (batch.cells, batch.text)
        var base = 0
        for row in 0..<batch.rowCount {
            defer { base &+= batch.columnCount }
            if let when = rule.when, machine.truth(of: when, cells: cells, at: base, text: text) != .yes { continue }
            if machine.truth(of: rule.require, cells: cells, at: base, text: text) == .no { suspects.append(UInt64(row) << 32 | index) }
        }
    }

    // MARK: findings

    private mutating func explain(_ check: FieldCheck, _ batch: RowBatch, _ row: Int) throws {
        let cell = batch.cell(row, check.column)
        let isMissing = cell.kind == .null || cell.kind == .text && TextLength.isBlank(batch.text.span, cell.range)
        let isRequired = isMissing && isRequired(check, batch, row)
        if cell.kind == .null, !isRequired { return }
        let field = plan.entity.fields[check.field]
        if isRequired {
            try writer.report("FIELD-REQUIRED", entity: plan.entity, id: batch.description(row, 0), field: field.name)
            return
        }
        for fault in CellFault.faults(of: batch, row, check, field, plan) {
            var arguments = fault.arguments
            if let value = fault.value { arguments["value"] = quotation.quote(value, of: field) }
            try writer.report(fault.code, entity: plan.entity, id: batch.description(row, 0), field: field.name, arguments: arguments)
        }
    }

    private mutating func isRequired(_ check: FieldCheck, _ batch: RowBatch, _ row: Int) -> Bool {
        if check.isRequired { return true }
        guard check.requiredWhen >= 0 else { return false }
        let condition = plan.conditions[check.requiredWhen]
        return machine.truth(of: condition, cells: batch.cells, at: row * batch.columnCount, text: batch.text) == .yes
    }

    private func report(_ rule: RowRule, _ batch: RowBatch, _ row: Int) throws {
        var arguments: [String: String] = [:]
        for argument in rule.arguments {
            guard let column = argument.column else {
                arguments[argument.name] = Quotation.hidden
                continue
            }
            arguments[argument.name] = quotation.quote(batch, row, column, of: argument.field) ?? ""
        }
        try writer.report(
            rule.code, severity: rule.severity, entity: plan.entity, id: batch.description(row, 0), field: rule.field, arguments: arguments)
    }
}
