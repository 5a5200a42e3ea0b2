import Expressions
import Model

/// One row of a query, as blocks look at it.
struct ReportRow: Sendable {
    let columns: ReportRowColumns
    let batch: RowBatch
    let row: Int

    /// A column's value; null for a name that no column has, which the template's check rules out.
    func value(_ name: String) -> MemoryRows.Value {
        guard let column = columns.places[name] else { return .null }
        return batch.value(row, column)
    }

    /// A number, also one that stands in a text; nil when there is none.
    func number(_ name: String) -> Double? {
        switch value(name) {
        case .integer(let integer): Double(integer)
        case .real(let real): real
        case .text(let text): Double(text)
        case .null: nil
        }
    }

    /// A text that says something.
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

    /// Every column, for what a query binds.
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

    /// Compiles an expression over the columns; the template's check has typed it.
    func program(_ expression: Expression) throws -> ExpressionProgram {
        try ExpressionProgram(expression) { places[$0.description] }
    }
}
