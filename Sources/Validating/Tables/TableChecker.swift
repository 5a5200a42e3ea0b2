import Model

/// Runs checks over tables and adds findings for the rows that they return. A check that takes too
/// long becomes a finding, and the next check is run.
struct TableChecker {
    private let pack: Pack
    private let source: any ValidationSource
    private let writer: FindingWriter
    private let seconds: Double
    private let quotation: Quotation

    /// The number of rows whose condition is read in one query.
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
        /// The check reads a field hidden from the actor.
        case hidden
    }

    /// Runs a check, within its time limit and the actor's permissions.
    func judge(_ check: TableCheck) throws -> Outcome {
        do {
            try judgeWithinTime(check)
            return .judged
        } catch QueryRefusal.hiddenField {
            return .hidden
        } catch let refusal as QueryRefusal {
            throw ValidatingError.query(rule: check.name, isForbidden: refusal == .notAllowed)
        } catch let timeout as QueryTimeout {
            try writer.add(
                "RULE-TIMEOUT", entity: check.entity, id: nil, field: check.field,
                arguments: ["rule": check.name, "seconds": Quotation.number(timeout.seconds)])
            return .timedOut
        }
    }

    private func judgeWithinTime(_ check: TableCheck) throws {
        let columns = ["id"] + check.arguments.map(\.column)
        let rows = try source.offenders(check.question, columns: columns, seconds: seconds)
        var condition = try check.when.map { try Condition($0, check, pack, source) }
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
                    try add(check, batch, row, id)
                }
                start = end
            }
        }
    }

    private func add(_ check: TableCheck, _ batch: RowBatch, _ row: Int, _ id: String?) throws {
        var arguments = check.constants
        for (index, argument) in check.arguments.enumerated() {
            let value = quotation.quote(batch, row, index + 1, of: argument.field) ?? argument.missing
            arguments[argument.name] = arguments[argument.name].map { $0 + " / " + value } ?? value
        }
        try writer.add(
            check.code, severity: check.severity, entity: check.entity, id: id, field: check.field, arguments: arguments
        )
    }
}

/// A rule's `when` over the rows of a query. Their values are read by id, and the expression is
/// evaluated as in other checks.
private struct Condition {
    private let program: ExpressionProgram
    private let entity: Entity
    private let paths: [FieldPath]
    private var machine = ExpressionMachine()

    init(
        _ expression: Expression, _ check: TableCheck, _ pack: Pack, _ source: any ValidationSource
    ) throws(ValidatingError) {
        var paths: [FieldPath] = []
        for path in expression.fieldPaths where !paths.contains(path) { paths.append(path) }
        let compiled: ExpressionProgram
        do {
            compiled = try ExpressionProgram(expression, over: check.entity, of: pack, by: source) { path in
                paths.firstIndex(of: path).map { $0 + 1 }
            }
        } catch {
            throw .unknownName(owner: check.name, name: error.path.description)
        }
        if let lost = paths.first(where: { !pack.leads($0, from: check.entity) }) {
            throw .unknownName(owner: check.name, name: lost.description)
        }
        program = compiled
        (entity, self.paths) = (check.entity, paths)
    }

    /// The ids of the rows for which the condition is true.
    mutating func idsThatHold(among ids: [String], _ source: any ValidationSource, _ seconds: Double) throws -> Set<
        String
    > {
        var holding: Set<String> = []
        try source.forEachRow(of: entity, ids: Set(ids).sorted(), paths: paths, seconds: seconds) { batch, row in
            if machine.truth(of: program, cells: batch.cells, at: row * batch.columnCount, text: batch.text) == .yes,
                let id = batch.description(row, 0) {
                holding.insert(id)
            }
        }
        return holding
    }
}
