import Expressions
import Model

/// Runs checks over tables and reports their offenders; what takes too long becomes a finding and the next check is run.
struct TableJudge {
    private let pack: Pack
    private let source: any ValidationSource
    private let writer: FindingWriter
    private let seconds: Double
    private let quotation: Quotation

    /// Offenders whose condition is looked up in one query.
    private static let chunk = 400

    init(pack: Pack, source: any ValidationSource, writer: FindingWriter, seconds: Double) {
        self.pack = pack
        self.source = source
        self.writer = writer
        self.seconds = seconds
        quotation = Quotation(pack: pack)
    }

    enum Outcome {
        case judged, timedOut
        /// It reads a field that the actor may not see.
        case hidden
    }

    /// Judges to the end, as far as time and the actor's eyes allow.
    func judge(_ check: TableCheck) throws -> Outcome {
        do {
            try judgeWithinTime(check)
            return .judged
        } catch QueryRefusal.hiddenField {
            return .hidden
        } catch let refusal as QueryRefusal {
            throw ValidatingError.query(rule: check.name, isForbidden: refusal == .notAllowed)
        } catch let timeout as QueryTimeout {
            try writer.report(
                "RULE-TIMEOUT", entity: check.entity, id: nil, field: check.field,
                arguments: ["rule": check.name, "seconds": Quotation.number(timeout.seconds)])
            return .timedOut
        }
    }

    private func judgeWithinTime(_ check: TableCheck) throws {
        let columns = ["id"] + check.arguments.map(\.column)
        let rows = try source.query(check.sql(), columns: columns, seconds: seconds)
        var condition = try check.when.map { try Condition($0, check, pack, on: source.today) }
        var batch = RowBatch(columnCount: columns.count)
        while true {
            try rows.fill(&batch)
            if batch.rowCount == 0 { return }
            var start = 0
            while start < batch.rowCount {
                let end = min(start + Self.chunk, batch.rowCount)
                let ids = (start..<end).compactMap { batch.description($0, 0) }
                let judged = try condition?.idsThatHold(among: ids, source, seconds)
                for row in start..<end {
                    let id = batch.description(row, 0)
                    if let judged, let id, !judged.contains(id) { continue }
                    try report(check, batch, row, id)
                }
                start = end
            }
        }
    }

    private func report(_ check: TableCheck, _ batch: RowBatch, _ row: Int, _ id: String?) throws {
        var arguments = check.constants
        for (index, argument) in check.arguments.enumerated() {
            let value = quotation.quote(batch, row, index + 1, of: argument.field) ?? argument.missing
            arguments[argument.name] = arguments[argument.name].map { $0 + " / " + value } ?? value
        }
        try writer.report(check.code, severity: check.severity, entity: check.entity, id: id, field: check.field, arguments: arguments)
    }
}

/// A rule's `when` over the rows that a query returned: their values are read by id, and the expression is worked out as everywhere else.
private struct Condition {
    private let program: ExpressionProgram
    private let query: PathQuery
    private var machine = ExpressionMachine()

    init(_ expression: Expression, _ check: TableCheck, _ pack: Pack, on day: String) throws(ValidatingError) {
        var paths: [FieldPath] = []
        for path in expression.fieldPaths where !paths.contains(path) { paths.append(path) }
        let compiled: ExpressionProgram
        do {
            compiled = try ExpressionProgram(expression, on: day) { path in paths.firstIndex(of: path).map { $0 + 1 } }
        } catch {
            throw .unknownName(owner: check.name, name: error.path.description)
        }
        guard let query = PathQuery(pack: pack, entity: check.entity, paths: paths) else {
            throw .unknownName(owner: check.name, name: paths.map(\.description).joined(separator: ", "))
        }
        program = compiled
        self.query = query
    }

    mutating func idsThatHold(among ids: [String], _ source: any ValidationSource, _ seconds: Double) throws -> Set<String> {
        var holding: Set<String> = []
        try query.forEach(of: Set(ids).sorted(), in: source, seconds: seconds) { batch, row in
            if machine.truth(of: program, cells: batch.cells, at: row * batch.columnCount, text: batch.text) == .yes,
                let id = batch.description(row, 0) {
                holding.insert(id)
            }
        }
        return holding
    }
}
