import JSONReading
import Model
import Schemas

/// Checks the columns of a row against a family's schema, and the schemas themselves if the rows
/// are families.
struct ParameterPass {
    private let plan: EntityPlan
    private let writer: FindingWriter
    private let quotation: Quotation
    private var schemas: FamilySchemas
    /// The family, version and parameter of the differences that have been reported.
    private var shown: Set<[String]> = []
    /// The current values; their memory is reused for each row.
    private var document = JSONDocument()

    private static let emptyObject = Array("{}".utf8)
    /// Of two equal keys, the first is used.
    private static let limits = JSONLimits(allowsDuplicateKeys: true)
    /// The maximum number of reported mistakes of a schema.
    private static let mistakesShown = 20

    init(_ plan: EntityPlan, pack: Pack, source: any ValidationSource, writer: FindingWriter, seconds: Double) {
        self.plan = plan
        self.writer = writer
        quotation = Quotation(pack: pack)
        schemas = FamilySchemas(plan, pack: pack, source: source, writer: writer, seconds: seconds)
    }

    /// Checks the schemas and the parameter values in a row.
    mutating func judge(_ batch: RowBatch, _ row: Int) throws {
        for index in plan.schemas.indices {
            try judgeSchema(plan.schemas[index].column, plan.schemas[index].field, batch, row)
        }
        for index in plan.parameters.indices { try judgeValues(index, batch, row) }
    }

    private func judgeSchema(_ column: Int, _ field: String, _ batch: RowBatch, _ row: Int) throws {
        let cell = batch.cell(row, column)
        // The field check reports values that are not JSON.
        guard cell.kind == .text, JSONScan.isValue(batch.text, cell.range) else { return }
        for mistake in ParameterSchemaParser.parse(batch.text[cell.range]).faults.prefix(Self.mistakesShown) {
            try writer.add(
                "SCHEMA-INVALID", entity: plan.entity, id: batch.description(row, 0), field: field,
                pointer: mistake.pointer.isEmpty ? nil : Quotation.shortened(mistake.pointer),
                arguments: ["reason": Self.reason(mistake)])
        }
    }

    private mutating func judgeValues(_ index: Int, _ batch: RowBatch, _ row: Int) throws {
        guard let judges = try schemas.judges(index, batch, row) else { return }
        let cell = batch.cell(row, plan.parameters[index].column)
        switch cell.kind {
        case .null: try document.read(Self.emptyObject)
        case .text:
            let isRead = (try? document.read(batch.text, in: cell.range, limits: Self.limits)) != nil
            if !isRead || document.tokens.first?.kind != .object {
                // The field check adds the finding for values that are not JSON or not UTF-8. This
                // pass adds it for JSON that the document cannot represent: half a surrogate pair,
                // or a number with too many digits.
                let isFoundElsewhere =
                    !JSONScan.isValue(batch.text, cell.range)
                    || String(validating: batch.text[cell.range], as: UTF8.self) == nil
                if !isRead, isFoundElsewhere { return }
                let parameter = plan.parameters[index]
                let value = String(decoding: batch.text[cell.range.prefix(400)], as: UTF8.self)
                let arguments = [
                    "value": quotation.quote(value, of: parameter.field), "type": isRead ? "object" : "json",
                ]
                return try add("FIELD-TYPE", parameter, batch, row, nil, arguments)
            }
        case .integer, .real: return
        }
        let faults = judges.check.faults(of: document)
        guard !faults.isEmpty || judges.today != nil else { return }
        let parameter = plan.parameters[index]
        if let today = judges.today { try compare(faults, today.faults(of: document), judges, parameter) }
        for fault in faults {
            var arguments = fault.arguments
            arguments["parameter"] = fault.parameter.isEmpty ? parameter.field.name : fault.parameter
            if let value = fault.value { arguments["value"] = quotation.quote(value, of: parameter.field) }
            try add(fault.code, parameter, batch, row, fault.pointer, arguments)
        }
    }

    /// Adds one finding for each parameter of a family and version for which the current schema
    /// gives a different result.
    private mutating func compare(
        _ captured: [ParameterFault], _ today: [ParameterFault], _ judges: FamilySchemas.Judges,
        _ parameter: JudgedParameters
    ) throws {
        guard let holder = parameter.holder, !(captured.isEmpty && today.isEmpty) else { return }
        let (before, now) = (Self.codes(captured), Self.codes(today))
        for place in Set(before.keys).union(now.keys).sorted() where before[place]?.codes != now[place]?.codes {
            guard shown.insert([judges.family, judges.version, place]).inserted else { continue }
            try writer.add(
                "SCHEMA-DIFFERENCE", entity: holder, id: judges.family, field: parameter.schemaField, pointer: place,
                arguments: [
                    "parameter": now[place]?.name ?? before[place]?.name ?? place, "version": judges.version,
                    "captured": before[place]?.codes ?? "OK", "current": now[place]?.codes ?? "OK",
                ])
        }
    }

    /// The fault codes by their parameter.
    private static func codes(_ faults: [ParameterFault]) -> [String: (name: String, codes: String)] {
        var found: [String: (name: String, codes: String)] = [:]
        for (place, group) in Dictionary(
            grouping: faults, by: { "/" + ($0.pointer ?? "").dropFirst().prefix { $0 != "/" } })
        {
            found[place] = (group.first?.parameter ?? place, Set(group.map(\.code)).sorted().joined(separator: ", "))
        }
        return found
    }

    private func add(
        _ code: String, _ parameter: JudgedParameters, _ batch: RowBatch, _ row: Int, _ pointer: String?,
        _ arguments: [String: String]
    ) throws {
        try writer.add(
            code, entity: plan.entity, id: batch.description(row, 0), field: parameter.field.name, pointer: pointer,
            arguments: arguments)
    }

    /// The mistake with its place, for readers of the message alone.
    static func reason(_ mistake: SchemaMistake) -> String {
        let text =
            mistake.pointer.isEmpty ? mistake.reason : "\(Quotation.shortened(mistake.pointer)): \(mistake.reason)"
        return text.unicodeScalars.count > 300 ? String(text.prefix(300)) + "…" : text
    }
}
