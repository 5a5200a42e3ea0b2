/// Evaluates programs, row after row.
///
/// A row's data are borrowed for a whole batch, and the stack is reused for all rows. So a row
/// causes no reference counting and no allocation.
package struct ExpressionMachine {
    private var stack: [ExpressionValue] = []
    /// Texts made by `lower` and `upper` for the current row.
    private var made: [UInt8] = []
    /// The clock of the office whose programs run here.
    private var clock: OfficeClock?

    package init() {}

    /// The truth of an expression for a row, whose cells start at an index of a batch's cells.
    package mutating func truth(of program: ExpressionProgram, cells: [RowBatch.Cell], at base: Int, text: [UInt8])
        -> Truth
    {
        value(of: program, cells, base, text).truth
    }

    /// Calls the body with each row of a batch that breaks a rule: `when` is true or absent, and
    /// `require` is false.
    package mutating func forEachRow(
        of batch: RowBatch, breaking require: ExpressionProgram, when: ExpressionProgram?, _ body: (Int) -> Void
    ) {
        var values = takeStack(max(require.parts.depth, when?.parts.depth ?? 0))
        defer { self.stack = values }
        readClock(of: require)
        if let when { readClock(of: when) }
        let (cells, text) = (batch.cells.span, batch.text.span)
        let demand = require.parts
        var stack = values.mutableSpan
        var base = 0
        // There are two loops, because unwrapping an optional for each row would count references
        // each time.
        guard let condition = when?.parts else {
            for row in 0..<batch.rowCount {
                if demand.value(cells, base, text, &stack, &made, &clock).truth == .no { body(row) }
                base &+= batch.columnCount
            }
            return
        }
        for row in 0..<batch.rowCount {
            if condition.value(cells, base, text, &stack, &made, &clock).truth == .yes,
                demand.value(cells, base, text, &stack, &made, &clock).truth == .no
            {
                body(row)
            }
            base &+= batch.columnCount
        }
    }

    /// The value of an expression for a row, for tests and messages.
    package mutating func result(of program: ExpressionProgram, cells: [RowBatch.Cell], at base: Int, text: [UInt8])
        -> MemoryRows.Value
    {
        let value = value(of: program, cells, base, text)
        switch value.kind {
        case .null: return .null
        case .integer: return .integer(value.integer)
        case .real: return .real(value.real)
        case .rowText: return .text(String(decoding: text[value.range], as: UTF8.self))
        case .constantText: return .text(String(decoding: program.parts.constantText[value.range], as: UTF8.self))
        case .madeText: return .text(String(decoding: made[value.range], as: UTF8.self))
        }
    }

    private mutating func value(
        of program: ExpressionProgram, _ cells: [RowBatch.Cell], _ base: Int, _ text: [UInt8]
    ) -> ExpressionValue {
        var values = takeStack(program.parts.depth)
        defer { self.stack = values }
        readClock(of: program)
        var stack = values.mutableSpan
        return program.parts.value(cells.span, base, text.span, &stack, &made, &clock)
    }

    private mutating func readClock(of program: ExpressionProgram) {
        if clock == nil, let zone = program.parts.zone { clock = OfficeClock(zone) }
    }

    /// Moves the stack out of the machine, so that it and `made` can change at the same time.
    private mutating func takeStack(_ depth: Int) -> [ExpressionValue] {
        var values: [ExpressionValue] = []
        swap(&values, &stack)
        if values.count < depth { values += Array(repeating: .null, count: depth - values.count) }
        return values
    }
}
