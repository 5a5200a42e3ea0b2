import JSONReading
import Model
import Schemas

/// Judges the columns of a row that a family's schema rules, and the schemas themselves where the families are the rows.
///
/// A schema is read once for each family (or text, where it stands in the row itself), by a query when it is first met,
/// so that the pass over a million instances carries no schema with each row.
struct ParameterPass {
    private let plan: EntityPlan
    private let source: any ValidationSource
    private let writer: FindingWriter
    private let seconds: Double
    private let quotation: Quotation
    private let queries: [PathQuery?]
    private var cache: [[UInt8]: ParameterCheck?] = [:]
    /// The values at hand; its memory serves one row after the other.
    private var document = JSONDocument()

    private static let cacheSize = 2000
    private static let emptyObject = Array("{}".utf8)
    /// The first of two equal keys counts.
    private static let limits = JSONLimits(allowsDuplicateKeys: true)
    /// As many mistakes of one schema as anyone reads.
    private static let mistakesTold = 20

    init(_ plan: EntityPlan, pack: Pack, source: any ValidationSource, writer: FindingWriter, seconds: Double) {
        self.plan = plan
        self.source = source
        self.writer = writer
        self.seconds = seconds
        quotation = Quotation(pack: pack)
        queries = plan.parameters.map { parameter in
            parameter.holder.flatMap { PathQuery(pack: pack, entity: $0, paths: [FieldPath(parts: [parameter.schemaField])]) }
        }
    }

    mutating func judge(_ batch: RowBatch, _ row: Int) throws {
        for index in plan.schemas.indices { try judgeSchema(plan.schemas[index].column, plan.schemas[index].field, batch, row) }
        for index in plan.parameters.indices { try judgeValues(index, batch, row) }
    }

    private func judgeSchema(_ column: Int, _ field: String, _ batch: RowBatch, _ row: Int) throws {
        let cell = batch.cell(row, column)
        // What is no JSON at all is the field check's to report.
        guard cell.kind == .text, JSONScan.isValue(batch.text, cell.range) else { return }
        for mistake in ParameterSchemaParser.parse(batch.text[cell.range]).faults.prefix(Self.mistakesTold) {
            try writer.report(
                "SCHEMA-INVALID", entity: plan.entity, id: batch.description(row, 0), field: field,
                pointer: mistake.pointer.isEmpty ? nil : Self.shortened(mistake.pointer), arguments: ["reason": Self.shortened(mistake.reason)])
        }
    }

    private mutating func judgeValues(_ index: Int, _ batch: RowBatch, _ row: Int) throws {
        let parameter = plan.parameters[index]
        guard let check = try check(index, batch, row) else { return }
        let cell = batch.cell(row, parameter.column)
        switch cell.kind {
        case .null: try document.read(Self.emptyObject)
        case .text:
            // What is no JSON at all is the field check's to report.
            guard (try? document.read(batch.text, in: cell.range, limits: Self.limits)) != nil else { return }
            guard document.tokens.first?.kind == .object else {
                let quoted = quotation.quote(document.text(0), of: parameter.field)
                try report("FIELD-TYPE", parameter, batch, row, nil, ["value": quoted, "type": "object"])
                return
            }
        case .integer, .real: return
        }
        for fault in check.faults(of: document) {
            var arguments = fault.arguments
            arguments["parameter"] = fault.parameter
            if let value = fault.value { arguments["value"] = quotation.quote(value, of: parameter.field) }
            try report(fault.code, parameter, batch, row, fault.pointer, arguments)
        }
    }

    private func report(
        _ code: String, _ parameter: ParameterColumn, _ batch: RowBatch, _ row: Int, _ pointer: String?, _ arguments: [String: String]
    ) throws {
        try writer.report(
            code, entity: plan.entity, id: batch.description(row, 0), field: parameter.field.name, pointer: pointer, arguments: arguments)
    }

    /// What judges a row by its family's schema; nil when there is none, or none to judge by.
    private mutating func check(_ index: Int, _ batch: RowBatch, _ row: Int) throws -> ParameterCheck? {
        let parameter = plan.parameters[index]
        guard let column = parameter.schemaColumn ?? parameter.holderColumn else { return nil }
        let cell = batch.cell(row, column)
        guard cell.kind == .text else { return nil }
        let key = [UInt8(truncatingIfNeeded: index)] + batch.text[cell.range]
        if let known = cache[key] { return known }
        var schema: ParameterSchema?
        if parameter.schemaColumn != nil {
            schema = ParameterSchemaParser.parse(batch.text[cell.range]).schema
        } else {
            try queries[index]?.forEach(of: [String(decoding: batch.text[cell.range], as: UTF8.self)], in: source, seconds: seconds) { found, at in
                let text = found.cell(at, 1)
                if text.kind == .text { schema = ParameterSchemaParser.parse(found.text[text.range]).schema }
            }
        }
        let check = schema.map { ParameterCheck($0, scope: parameter.scope) }
        if cache.count >= Self.cacheSize { cache.removeAll() }
        cache[key] = .some(check)
        return check
    }

    private static func shortened(_ text: String) -> String {
        text.unicodeScalars.count > 300 ? String(text.prefix(300)) + "…" : text
    }
}
