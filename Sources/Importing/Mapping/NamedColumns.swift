import Model

/// The columns that a table's expressions refer to, and their values in one row.
final class NamedColumns {
    private let columns: [ImportMapping.Column]
    private let places: [[Int]]
    /// For each column, the plan of its lookup; nil if the row itself contains the column.
    private var others: [ValuePlan?]
    private let table: String
    private var machine = ExpressionMachine()
    private var batch: RowBatch

    /// - Parameters:
    ///   - other: opens the lookup tables of columns.
    ///   - given: the values of options that the import was given.
    init(
        _ columns: [ImportMapping.Column], heading: Heading, table: String,
        other: ((ImportMapping.Other, [CellConversion]) throws -> LookupTable)? = nil, given: [String: String] = [:]
    ) throws {
        self.columns = columns
        self.table = table
        places = columns.map { heading.places(of: $0.headings) }
        others = []
        batch = RowBatch(columnCount: columns.count, rowCapacity: 1, textCapacity: 256)
        if let other, columns.contains(where: { $0.other != nil }) {
            let scene = ValuePlan.Scene(heading: heading, columns: self, other: other, number: nil, given: given)
            others = try columns.map { try $0.other.flatMap { try ValuePlan($0, scene) } }
        }
    }

    /// A column's text, and its position if it comes from the row itself.
    private func text(_ index: Int, of row: ForeignRow, _ words: ConversionWords) throws(MappingFault) -> (
        text: String, column: Int
    )? {
        if !others.isEmpty, let plan = others[index] {
            return try plan.text(of: row, words: words, table: table).map { ($0, 0) }
        }
        guard let cell = row.first(places[index]),
            let text = try row.converted(cell, columns[index].conversions, words, table: table, field: nil)
        else {
            return nil
        }
        return (text, cell.column)
    }

    func program(of expression: Expression) throws -> ExpressionProgram {
        // The loader has resolved every name, so none can be missing.
        try ExpressionProgram(expression) { path in columns.firstIndex { $0.name == path.description } }
    }

    /// Whether an expression has no value in any row, because the table lacks all columns that it
    /// uses.
    func isSilent(_ expression: Expression) throws -> Bool {
        var used: Set<Int> = []
        let program = try ExpressionProgram(expression) { path in
            let index = columns.firstIndex { $0.name == path.description }
            if let index { used.insert(index) }
            return index
        }
        guard !used.isEmpty, used.allSatisfy({ places[$0].isEmpty && columns[$0].other == nil }) else { return false }
        batch.removeAll()
        for _ in columns { batch.appendNull() }
        batch.endRow()
        return text(of: program) == nil
    }

    /// Reads the values of a row. If a text does not fit its column's type, the column has no
    /// value, and the fault is thrown after the last column.
    func read(_ row: ForeignRow, _ words: ConversionWords) throws(MappingFault) {
        batch.removeAll()
        var fault: MappingFault?
        for index in columns.indices {
            do throws(MappingFault) {
                try append(index, of: row, words)
            } catch {
                fault = fault ?? error
                batch.appendNull()
            }
        }
        batch.endRow()
        if let fault { throw fault }
    }

    private func append(_ index: Int, of row: ForeignRow, _ words: ConversionWords) throws(MappingFault) {
        guard let (text, place) = try text(index, of: row, words) else { return batch.appendNull() }
        switch columns[index].type {
        case .integer, .boolean:
            guard let integer = columns[index].type == .boolean ? Self.truth(text) : Int64(text) else {
                throw Self.misfit(text, place, row)
            }
            batch.append(integer)
        case .decimal:
            guard let real = Double(text), real.isFinite else { throw Self.misfit(text, place, row) }
            batch.append(real)
        default: batch.append(text)
        }
    }

    private static func truth(_ text: String) -> Int64? {
        switch text {
        case "true", "1": 1
        case "false", "0": 0
        default: nil
        }
    }

    private static func misfit(_ text: String, _ column: Int, _ row: ForeignRow) -> MappingFault {
        MappingFault(
            code: "IMPORT-NO-NUMBER", cell: row.cellName(column), arguments: ["value": String(text.prefix(80))])
    }

    /// Whether a condition is true for the last row read.
    func isTrue(_ program: ExpressionProgram) -> Bool {
        machine.truth(of: program, cells: batch.cells, at: 0, text: batch.text) == .yes
    }

    /// Whether a condition is false for the last row read; it may be neither true nor false.
    func isFalse(_ program: ExpressionProgram) -> Bool {
        machine.truth(of: program, cells: batch.cells, at: 0, text: batch.text) == .no
    }

    /// The result of an expression for the last row read, as text; nil if it has none.
    func text(of program: ExpressionProgram) -> String? {
        switch machine.result(of: program, cells: batch.cells, at: 0, text: batch.text) {
        case .null: nil
        case .integer(let integer): String(integer)
        case .real(let real): real == real.rounded() && abs(real) < 1e15 ? String(Int64(real)) : String(real)
        case .text(let text): text
        }
    }
}
