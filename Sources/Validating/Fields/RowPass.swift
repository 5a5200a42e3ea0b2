import Model
import Patterns

/// One pass over the rows of an entity: every field check and row rule on each row as it comes.
///
/// A sound cell costs a few comparisons of numbers or bytes and no memory; strings are made only for findings.
struct RowPass {
    private let plan: EntityPlan
    private let writer: FindingWriter
    private let quotation: Quotation
    private var machine = ExpressionMachine()
    private var parameters: ParameterPass?

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
        let cells = batch.cells
        let text = batch.text
        // All texts at once: one by one only where there is something wrong.
        let isClean = String(validating: text, as: UTF8.self) != nil
        for row in 0..<batch.rowCount {
            let base = row &* batch.columnCount
            for check in plan.checks {
                let cell = cells[base &+ check.column]
                let isSound =
                    switch cell.kind {
                    case .null: !(check.isRequired || check.requiredWhen >= 0)
                    case .integer: isSound(integer: cell.integer, check)
                    case .real: isSound(real: cell.real, check)
                    case .text: isSound(text, cell.range, check, isClean: isClean)
                    }
                if !isSound { try explain(check, batch, row) }
            }
            for index in plan.rules.indices {
                if let when = plan.rules[index].when, machine.truth(of: when, cells: cells, at: base, text: text) != .yes { continue }
                if machine.truth(of: plan.rules[index].require, cells: cells, at: base, text: text) == .no {
                    try report(plan.rules[index], batch, row)
                }
            }
            if parameters != nil { try parameters?.judge(batch, row) }
        }
    }

    // MARK: the good path

    @inline(__always)
    private func isSound(integer: Int64, _ check: FieldCheck) -> Bool {
        switch check.type {
        case .integer, .decimal: break
        case .boolean: return integer == 0 || integer == 1
        default: return false
        }
        guard check.vocabulary < 0, check.pattern < 0 else { return false }
        if !check.hasRange { return true }
        let number = Double(integer)
        return number >= check.minimum && number <= check.maximum
    }

    @inline(__always)
    private func isSound(real: Double, _ check: FieldCheck) -> Bool {
        check.type == .decimal && real.isFinite && real >= check.minimum && real <= check.maximum && check.vocabulary < 0
            && check.pattern < 0
    }

    /// Whether a text is as it must be. What is not certain here is looked at again by `explain`, which decides.
    @inline(__always)
    private func isSound(_ text: [UInt8], _ range: Range<Int>, _ check: FieldCheck, isClean: Bool) -> Bool {
        // Nothing but spaces counts as missing; a cell cannot begin inside a character.
        guard !range.isEmpty, text[range.lowerBound] > 0x20, text[range.lowerBound] & 0xC0 != 0x80, isClean else { return false }
        switch check.type {
        case .text: break
        case .uuid: return CalendarText.isUUID(text, range)
        case .date: return CalendarText.isDate(text, range)
        case .datetime: return CalendarText.isInstant(text, range)
        case .time: return CalendarText.isTime(text, range)
        case .json: return JSONScan.isValue(text, range)
        case .point: return JSONScan.isPoint(text, range)
        case .polygon: return JSONScan.isPolygon(text, range)
        case .list: return isSoundList(text, range, check)
        case .integer, .decimal, .boolean: return false
        }
        if check.hasLength {
            // A character takes one to four bytes: most texts need no counting.
            if range.count > check.maximumLength || range.count < check.minimumLength &* 4 {
                let length = TextLength.scalars(text, range)
                if length > check.maximumLength || length < check.minimumLength { return false }
            }
        }
        if check.vocabulary >= 0, !plan.vocabularies[check.vocabulary].contains(text, range) { return false }
        if check.pattern >= 0, plan.patterns[check.pattern].matchesWhole(text, in: range) != .matched { return false }
        return true
    }

    private func isSoundList(_ text: [UInt8], _ range: Range<Int>, _ check: FieldCheck) -> Bool {
        var isSound = true
        let isList = JSONScan.isList(text, range) { item, isEscaped in
            if check.vocabulary >= 0 {
                if isEscaped || !plan.vocabularies[check.vocabulary].contains(text, item) { isSound = false }
            } else if check.holdsIDs, !CalendarText.isUUID(text, item) {
                isSound = false
            }
        }
        return isList && isSound
    }

    // MARK: findings

    private mutating func explain(_ check: FieldCheck, _ batch: RowBatch, _ row: Int) throws {
        let cell = batch.cell(row, check.column)
        let isMissing = cell.kind == .null || cell.kind == .text && TextLength.isBlank(batch.text, cell.range)
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
