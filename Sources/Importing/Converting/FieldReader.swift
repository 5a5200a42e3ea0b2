import Model

/// Reads one field of an entity from an external table: from the row's cells to the value that the
/// replica stores.
final class FieldReader {
    /// The result of converting a row's cells.
    enum Outcome {
        case value
        /// The row has no value for the field.
        case nothing
        case fault(MappingFault)
        /// The value was converted as the mapping defines, but does not fit the field.
        case misfit(ValueConversion.Misfit)
    }

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

    /// Appends the value of a row; nothing is appended for a row without a value, or with a fault.
    func append(_ batch: borrowing ForeignBatch, _ row: Int, to rows: inout RowBatch) throws -> Outcome {
        bytes.removeAll(keepingCapacity: true)
        if let plain {
            var isCertain = true
            if let place = values.place(plain.places, batch, row, isCertain: &isCertain) {
                let cell = batch.cell(row, place)
                if field.type != .decimal, cell.kind != .error {
                    return typed(batch.text.span.extracting(cell.range), to: &rows)
                }
                if cell.kind == .text || cell.kind == .number,
                    let real = PlainForm.decimal(
                        batch.text.span.extracting(cell.range),
                        point: cell.kind == .number ? UInt8(ascii: ".") : plain.point)
                {
                    rows.append(real)
                    return .value
                }
            } else if isCertain {
                return .nothing
            }
        }
        do {
            guard try text.append(batch, row, to: &bytes) else { return .nothing }
        } catch let fault as MappingFault {
            return .fault(fault)
        }
        if isKey, field.type == .date || field.type == .datetime {
            bytes = Array(converter.keyText(String(decoding: bytes, as: UTF8.self)).utf8)
        }
        let bytes = bytes
        return typed(bytes.span, to: &rows)
    }

    private func typed(_ bytes: Span<UInt8>, to rows: inout RowBatch) -> Outcome {
        do throws(ValueConversion.Misfit) {
            try converter.append(.text, bytes, to: &rows)
            return .value
        } catch {
            return .misfit(error)
        }
    }
}

/// For lenient targets: a value that does not fit is left out, and its row is still imported.
extension MappedConverter {
    /// Removes and returns the faults of optional values, without which the row can be imported.
    func leaveOut(_ faults: inout [MappingFault], _ misfits: inout [(Field, ValueConversion.Misfit)]) -> [MappingFault]
    {
        var left: [MappingFault] = []
        for (field, misfit) in misfits where isSpare(field) {
            left.append(MappingFault(code: "FIELD-TYPE", field: field.name, arguments: ["value": misfit.value]))
        }
        left += faults.filter { isSpare($0.field.flatMap { entity.field($0) }) }
        misfits.removeAll { isSpare($0.0) }
        faults.removeAll { isSpare($0.field.flatMap { entity.field($0) }) }
        return left
    }

    /// Whether the field is optional, and neither the id, a reference nor part of the key.
    private func isSpare(_ field: Field?) -> Bool {
        guard let field else { return false }
        return !field.isRequired && field.references == nil && field.name != "id" && !target.key.contains(field.name)
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

    /// The columns that the row being written sets; nil: all. A value left out, or a blank cell,
    /// must not erase a value from an earlier file.
    func shape(of made: borrowing ImportedBatch) -> [Bool]? {
        guard target.isLenient else { return nil }
        let row = made.rows.rowCount
        for column in stated.indices where stated[column] != (made.rows.cell(row, column).kind != .null) {
            stated[column].toggle()
        }
        return stated
    }
}
