import Model

extension ForeignRow {
    /// A cell's text after a field's conversions; nil where nothing remains of it.
    func converted(
        _ cell: (text: String, column: Int), _ conversions: [CellConversion], _ words: ConversionWords, table: String, field: String?
    ) throws(MappingFault) -> String? {
        let kind = kind(cell.column)
        guard kind != .error else { throw fault("IMPORT-ERROR-CELL", cell, field) }
        var text = cell.text
        for conversion in conversions {
            // A file that stores binary numbers writes them with a point, whatever mark its users
            // write.
            if kind == .number, conversion.isOfText { continue }
            do {
                guard let next = try conversion.apply(text, words: words) else { return nil }
                text = next
            } catch {
                throw fault(error.code, cell, field, error.arguments)
            }
        }
        return text
    }

    private func fault(_ code: String, _ cell: (text: String, column: Int), _ field: String?, _ arguments: [String: String] = [:]) -> MappingFault {
        MappingFault(
            code: code, cell: cellName(cell.column), field: field,
            arguments: arguments.merging(["value": String(cell.text.prefix(80))]) { first, _ in first })
    }
}
