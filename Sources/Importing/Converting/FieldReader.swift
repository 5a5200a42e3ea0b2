import Foundation
import Model

/// Reads one field of an entity from an external table: from the row's cells to the value that the
/// replica stores.
final class FieldReader {
    let converter: CellConverter
    let isKey: Bool
    private let text: TextReader
    private let values: MappedValues
    /// Columns whose cells need no conversion, and the decimal mark of their numbers. Nil for keys,
    /// and for values that need conversions.
    private let plain: (places: [Int], point: UInt8)?
    /// The text from which the value was made, while the row is being read.
    private(set) var bytes: [UInt8] = []
    /// Columns of a value that comes from a single cell; the first filled one is used.
    private let places: [Int]

    var field: Field { converter.field }
    /// The text formatted for display: for a reference, the referenced row's key instead of its id.
    var shown: String { text.shown ?? String(decoding: bytes, as: UTF8.self) }

    init(_ plan: ValuePlan, _ converter: CellConverter, isKey: Bool, _ values: MappedValues) {
        (self.converter, self.isKey, self.values) = (converter, isKey, values)
        text = TextReader(plan, field: converter.field.name, values)
        plain = isKey ? nil : Self.plain(plan, converter.field.type)
        places = if case .column(let places, _) = plan { places } else { [] }
    }

    /// The cell of the value, in A1 form.
    func cell(_ batch: borrowing ForeignBatch, _ row: Int) -> String? {
        let foreign = values.foreign(batch, row)
        return foreign.first(places).flatMap { foreign.cellName($0.column) }
    }

    private static func plain(_ plan: ValuePlan, _ type: FieldType) -> (places: [Int], point: UInt8)? {
        guard case .column(let places, let conversions) = plan else { return nil }
        switch conversions.drop(while: { $0 == .trim && type == .decimal }) {
        case []: return (places, UInt8(ascii: "."))
        case [.decimalComma] where type == .decimal: return (places, UInt8(ascii: ","))
        case [.decimalPoint] where type == .decimal: return (places, UInt8(ascii: "."))
        default: return nil
        }
    }

    /// Appends the value of a row; returns false, and appends nothing, for a row without a value or
    /// with a problem.
    func append(
        _ batch: borrowing ForeignBatch, _ row: Int, to rows: inout RowBatch, _ problems: inout RowProblems
    ) throws -> Bool {
        bytes.removeAll(keepingCapacity: true)
        if let plain {
            var isCertain = true
            if let place = values.place(plain.places, batch, row, isCertain: &isCertain) {
                let cell = batch.cell(row, place)
                if field.type != .decimal, cell.kind != .error {
                    return convert(batch.text.span.extracting(cell.range), to: &rows, &problems)
                }
                if cell.kind == .text || cell.kind == .number,
                    let real = PlainForm.decimal(
                        batch.text.span.extracting(cell.range),
                        point: cell.kind == .number ? UInt8(ascii: ".") : plain.point)
                {
                    rows.append(real)
                    return true
                }
            } else if isCertain {
                return false
            }
        }
        do {
            guard try text.append(batch, row, to: &bytes) else { return false }
        } catch let fault as MappingFault {
            problems.faults.append(fault)
            return false
        }
        if isKey, field.type == .date || field.type == .datetime {
            bytes = Array(converter.keyText(String(decoding: bytes, as: UTF8.self)).utf8)
        }
        let bytes = bytes
        return convert(bytes.span, to: &rows, &problems)
    }

    private func convert(_ bytes: Span<UInt8>, to rows: inout RowBatch, _ problems: inout RowProblems) -> Bool {
        do throws(ValueConversion.Misfit) {
            try converter.append(.text, bytes, to: &rows)
            return true
        } catch {
            problems.misfits.append((field, error))
            return false
        }
    }
}

/// Why a row cannot be imported.
struct RowProblems {
    var faults: [MappingFault] = []
    /// Values that were converted as the mapping defines, but do not fit their field.
    var misfits: [(field: Field, value: ValueConversion.Misfit)] = []

    var isEmpty: Bool { faults.isEmpty && misfits.isEmpty }
}

/// The readers of what a target takes from a row.
struct TargetReaders {
    private(set) var readings: [FieldReader] = []
    /// For each reading except that of the id, the position of its field in the entity.
    private(set) var fields: [Int] = []
    private(set) var states: [(field: String, name: RowStateName, text: TextReader)] = []
    /// Readings of values that only number or name the rows.
    private(set) var counting: Set<Int> = []
    private(set) var idReading: Int?

    init(
        _ values: MappedValues, _ target: ImportMapping.Target, of entity: Entity, source: MappedSource,
        roundings: RoundedValues
    ) {
        let conversion = ValueConversion(pack: source.pack)
        for (name, plan) in values.plans where name != "id" {
            guard let index = entity.position(ofField: name), !fields.contains(index) else {
                // The loader has resolved every other name, so the name is that of a state.
                if let state = RowStateName(name) {
                    states.append((name, state, TextReader(plan, field: name, values)))
                }
                continue
            }
            // Values computed from several cells, or converted from other units, have more digits
            // than anyone needs. Their rounding is not reported.
            let ownZone = target.fields.first { $0.name == name }?.zone.flatMap { TimeZone(identifier: $0) }
            let converter = CellConverter(
                entity.fields[index], values: conversion, officeZone: ownZone ?? values.officeZone,
                roundings: plan.isOfCell ? roundings : nil)
            if case .ordinal = plan { counting.insert(readings.count) }
            // Copies of one picture may have different names; the findings of the folder list
            // these.
            if source.isOfPictures, name == entity.file[.name] { counting.insert(readings.count) }
            readings.append(FieldReader(plan, converter, isKey: target.key.contains(name), values))
            fields.append(index)
        }
        guard let plan = values.plans.first(where: { $0.name == "id" })?.plan else { return }
        idReading = readings.count
        let field = entity.fields[entity.position(ofField: "id") ?? 0]
        let converter = CellConverter(field, values: conversion, officeZone: values.officeZone)
        readings.append(FieldReader(plan, converter, isKey: true, values))
    }
}

/// For lenient targets: a value that does not fit is left out, and its row is still imported.
extension MappedConverter {
    /// Removes and returns the faults of optional values, without which the row can be imported.
    func leaveOut(_ problems: inout RowProblems) -> [MappingFault] {
        var left: [MappingFault] = []
        for (field, misfit) in problems.misfits where isSpare(field) {
            left.append(MappingFault(code: "FIELD-TYPE", field: field.name, arguments: ["value": misfit.value]))
        }
        left += problems.faults.filter { isSpare($0.field.flatMap { entity.field($0) }) }
        problems.misfits.removeAll { isSpare($0.field) }
        problems.faults.removeAll { isSpare($0.field.flatMap { entity.field($0) }) }
        return left
    }

    /// Whether a row can do without the field's value.
    private func isSpare(_ field: Field?) -> Bool {
        guard let field, !target.key.contains(field.name) else { return false }
        return entity.canLack(field)
    }

    func report(
        _ left: [MappingFault], _ batch: borrowing ForeignBatch, _ row: Int, _ line: Int, into made: inout ImportedBatch
    ) {
        var place = made.place
        place.line = line
        for fault in left {
            var told = finding(of: fault, id: String(decoding: id, as: UTF8.self), at: place)
            let cell = fault.cell ?? readings.first { $0.field.name == fault.field }?.cell(batch, row)
            told.place.cell = cell
            made.notes.append(Finding(
                "IMPORT-VALUE-LEFT-OUT", place: told.place,
                arguments: ["cell": cell ?? fault.field ?? "", "value": told.arguments["value"] ?? ""]))
        }
    }

    /// The columns that the row being written sets; nil: all. A value left out, or a blank cell of
    /// a lenient target, must not erase a value from an earlier file. What only new rows take is
    /// set in none: a new row takes every value.
    func shape(of made: borrowing ImportedBatch) -> [Bool]? {
        guard target.isLenient else { return target.onlyNew.isEmpty ? nil : stated }
        let row = made.rows.rowCount
        for column in stated.indices {
            let isSet = isForAll[column] && made.rows.cell(row, column).kind != .null
            if stated[column] != isSet { stated[column].toggle() }
        }
        return stated
    }
}
