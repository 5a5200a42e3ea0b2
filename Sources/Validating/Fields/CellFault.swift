import JSONReading
import Model
import Patterns

/// A fault of a cell that did not pass the first look. The second look is exact and decides alone;
/// it may be slow.
struct CellFault {
    var code: String
    /// The value to quote, not yet shortened or hidden.
    var value: String?
    var arguments: [String: String] = [:]

    /// Every fault of a cell with a value; empty when the second look finds it correct.
    static func faults(of batch: RowBatch, _ row: Int, _ check: FieldCheck, _ field: Field, _ plan: EntityPlan)
        -> [CellFault]
    {
        let cell = batch.cell(row, check.column)
        let value = batch.description(row, check.column) ?? ""
        guard isOfType(field.type, cell, batch.text) else {
            return [CellFault(code: "FIELD-TYPE", value: value, arguments: ["type": field.type.rawValue])]
        }
        switch field.type {
        case .integer, .decimal:
            let number = cell.kind == .integer ? Double(cell.integer) : cell.real
            var faults: [CellFault] = []
            if number < check.minimum || number > check.maximum {
                let shown = cell.kind == .integer ? value : Quotation.number(number)
                faults.append(
                    CellFault(
                        code: "FIELD-RANGE", value: shown,
                        arguments: [
                            "minimum": Quotation.minimum(field.minimum), "maximum": Quotation.maximum(field.maximum),
                            "unit": field.unit ?? "",
                        ]))
            }
            let shown = Array(value.utf8)
            return faults + wordFaults(shown, 0..<shown.count, check, plan)
        case .text:
            var faults: [CellFault] = []
            let length = TextLength.scalars(batch.text.span, cell.range)
            if length < check.minimumLength || length > check.maximumLength {
                faults.append(CellFault(
                    code: "FIELD-LENGTH",
                    arguments: [
                        "length": String(length), "minimum": String(check.minimumLength),
                        "maximum": field.maximumLength.map(String.init) ?? "∞",
                    ]))
            }
            return faults + wordFaults(batch.text, cell.range, check, plan)
        case .list:
            return listFaults(batch.text, cell.range, check, plan)
        case .boolean, .date, .time, .datetime, .uuid, .json, .point, .polygon:
            return []
        }
    }

    private static func isOfType(_ type: FieldType, _ cell: RowBatch.Cell, _ text: [UInt8]) -> Bool {
        switch cell.kind {
        case .null: return true
        case .integer: return type == .integer || type == .decimal || type == .boolean && (0...1).contains(cell.integer)
        case .real: return type == .decimal && cell.real.isFinite
        case .text: break
        }
        guard String(validating: text[cell.range], as: UTF8.self) != nil else { return false }
        return switch type {
        case .text: true
        case .uuid: UUIDText.isCanonical(text.span.extracting(cell.range))
        case .date: StoredTime.isDate(text.span.extracting(cell.range))
        case .time: StoredTime.isTime(text.span.extracting(cell.range))
        case .datetime: StoredTime.isInstant(text.span.extracting(cell.range))
        case .json: JSONScan.isValue(text, cell.range)
        case .point: JSONScan.isPoint(text, cell.range)
        case .polygon: JSONScan.isPolygon(text, cell.range)
        case .list: JSONScan.isList(text, cell.range) { _, _ in }
        case .integer, .decimal, .boolean: false
        }
    }

    /// The faults of a text that does not match its vocabulary or pattern.
    private static func wordFaults(_ text: [UInt8], _ range: Range<Int>, _ check: FieldCheck, _ plan: EntityPlan)
        -> [CellFault]
    {
        var faults: [CellFault] = []
        let value = String(decoding: text[range], as: UTF8.self)
        if check.vocabulary >= 0, !plan.vocabularies[check.vocabulary].contains(text.span, range) {
            let vocabulary = plan.vocabularies[check.vocabulary].vocabulary
            faults.append(CellFault(
                code: "FIELD-VOCABULARY", value: value,
                arguments: ["vocabulary": vocabulary.name, "values": Quotation.list(vocabulary.values)]))
        }
        if check.pattern >= 0 {
            let pattern = plan.patterns[check.pattern]
            let outcome = pattern.matchesWhole(text, in: range)
            if outcome != .matched {
                var arguments = ["pattern": Quotation.shortened(pattern.source)]
                // The match was abandoned, so the cell has not passed.
                if outcome == .tooCostly { arguments["note"] = "too-costly" }
                faults.append(CellFault(code: "FIELD-PATTERN", value: value, arguments: arguments))
            }
        }
        return faults
    }

    private static func listFaults(_ text: [UInt8], _ range: Range<Int>, _ check: FieldCheck, _ plan: EntityPlan)
        -> [CellFault]
    {
        guard let items = try? JSONValue.parse(text[range]).items else {
            return [
                CellFault(
                    code: "FIELD-TYPE", value: String(decoding: text[range], as: UTF8.self), arguments: ["type": "list"]
                )
            ]
        }
        return items.compactMap(\.text).flatMap { item -> [CellFault] in
            let bytes = Array(item.utf8)
            if check.holdsIDs, !UUIDText.isCanonical(bytes.span) {
                return [CellFault(code: "FIELD-TYPE", value: item, arguments: ["type": FieldType.uuid.rawValue])]
            }
            return wordFaults(bytes, 0..<bytes.count, check, plan)
        }
    }
}
