import Model

/// One row of a query, as blocks see it.
struct ReportRow: Sendable {
    let columns: ReportRowColumns
    let batch: RowBatch
    let row: Int

    /// A column's value; null for an unknown column, which the template's check rules out.
    func value(_ name: String) -> MemoryRows.Value {
        guard let column = columns.places[name] else { return .null }
        return batch.value(row, column)
    }

    /// The column as a number, also when a text contains it; nil when there is none.
    func number(_ name: String) -> Double? {
        switch value(name) {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        case .text(let text): Double(text)
        case .null: nil
        }
    }

    /// The column as a text; nil when it is empty.
    func text(_ name: String) -> String? {
        switch value(name) {
        case .text(let text): text.isEmpty ? nil : text
        case .integer(let integer): String(integer)
        case .real(let real): String(real)
        case .null: nil
        }
    }

    func isTrue(_ program: ExpressionProgram) -> Bool {
        var machine = ExpressionMachine()
        return machine.truth(of: program, cells: batch.cells, at: row * batch.columnCount, text: batch.text) == .yes
    }

    func result(of program: ExpressionProgram) -> MemoryRows.Value {
        var machine = ExpressionMachine()
        return machine.result(of: program, cells: batch.cells, at: row * batch.columnCount, text: batch.text)
    }

    /// Every column, as parameters that a query binds.
    var parameters: [String: MemoryRows.Value] {
        columns.places.mapValues { batch.value(row, $0) }
    }
}

/// The columns of a query by name.
struct ReportRowColumns: Sendable {
    let query: ReportQuery
    let places: [String: Int]

    init(_ query: ReportQuery) {
        self.query = query
        places = Dictionary(query.columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// Compiles an expression over the columns; the template's check has already typed it.
    func program(_ expression: Expression) throws -> ExpressionProgram {
        try ExpressionProgram(expression) { places[$0.description] }
    }
}
