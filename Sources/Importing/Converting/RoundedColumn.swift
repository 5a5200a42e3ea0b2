import Model

/// A column of a source with values that lost digits: reported once, with the first example.
struct RoundedColumn {
    private var place: Place
    private var rounding: ImportedBatch.Rounding

    static func add(_ batch: borrowing ImportedBatch, to columns: inout [RoundedColumn]) {
        for (field, rounding) in batch.roundings.sorted(by: { $0.key < $1.key }) {
            var place = batch.place
            (place.field, place.line, place.pointer, place.mapping) = (field, rounding.line, rounding.pointer, nil)
            if let index = columns.firstIndex(where: {
                ($0.place.table, $0.place.file, $0.place.sheet, $0.place.field) == (place.table, place.file, place.sheet, field)
            }) {
                columns[index].rounding.count += rounding.count
            } else {
                columns.append(RoundedColumn(place: place, rounding: rounding))
            }
        }
    }

    var finding: Finding {
        Finding(
            "IMPORT-ROUNDED", place: place,
            arguments: ["count": String(rounding.count), "name": place.field ?? "", "value": rounding.text, "kept": rounding.kept])
    }
}
