import Model

/// A lenient target: a value that does not fit is left out, and its row comes in.
extension MappedConverter {
    /// Takes out the faults of values without which the row is still a row.
    func leaveOut(_ faults: inout [MappingFault], _ misfits: inout [(Field, ValueConversion.Misfit)]) -> [MappingFault] {
        var left: [MappingFault] = []
        for (field, misfit) in misfits where isSpare(field) {
            left.append(MappingFault(code: "FIELD-TYPE", field: field.name, arguments: ["value": misfit.value]))
        }
        left += faults.filter { isSpare($0.field.flatMap { entity.field($0) }) }
        misfits.removeAll { isSpare($0.0) }
        faults.removeAll { isSpare($0.field.flatMap { entity.field($0) }) }
        return left
    }

    private func isSpare(_ field: Field?) -> Bool {
        guard let field else { return false }
        return !field.isRequired && field.references == nil && field.name != "id" && !target.key.contains(field.name)
    }

    func report(_ left: [MappingFault], _ batch: borrowing ForeignBatch, _ row: Int, _ line: Int, into made: inout ImportedBatch) {
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

    /// The columns that the row being filled states; nil: all. A value left out, or a blank cell,
    /// must not erase what an earlier file said.
    func shape(of made: borrowing ImportedBatch) -> [Bool]? {
        guard target.isLenient else { return nil }
        let row = made.rows.rowCount
        for column in stated.indices where stated[column] != (made.rows.cell(row, column).kind != .null) { stated[column].toggle() }
        return stated
    }
}
