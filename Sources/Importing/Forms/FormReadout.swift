import Model

/// What one form says: its values, the rows of its tables, its pictures and links.
struct FormReadout {
    /// Row of the sheet in which it begins, from one.
    let number: Int
    /// In the order of the form's values.
    let values: [FormCell?]
    /// Rows by the table's name; nil where its heading is not there.
    let tables: [String: [FormTableScan.Row]?]
    let pictures: [FormTableScan.Row]
    let links: [FormTableScan.Row]
    /// Names of values, whose labels are not there.
    let missing: [String]
    /// Labels of values that every form must have, where they stand twice and more: perhaps there are more forms than one.
    let repeated: [String: [SheetCell]]
    /// Whether any label is.
    let hasLabel: Bool
    /// Cells with pictures that are neither JPEG nor PNG.
    let unknownPictures: [SheetCell]

    /// - Parameter pictures: nil where no row of the mapping wants any: then none is opened.
    init(_ block: FormBlock, _ form: ImportMapping.Form, pictures store: FormPictures?) throws {
        let labels = LabelPattern(form.values.flatMap(\.labels))
        number = block.rows.lowerBound + 1
        var block = block
        var tables: [String: [FormTableScan.Row]?] = [:]
        for table in form.tables {
            let scan = FormTableScan(block: block, table: table, labels: labels)
            let heading = scan.heading()
            tables[table.name] = .some(heading.map(scan.rows))
            if let heading { block.exclude { scan.isHeading($0, heading) } }
        }
        var values: [FormCell?] = []
        var missing: [String] = []
        var repeated: [String: [SheetCell]] = [:]
        var hasLabel = false
        for value in form.values {
            switch value.place {
            case .cell(let cell):
                values.append(block.value(at: SheetCell(row: block.rows.lowerBound + cell.row, column: block.columns.lowerBound + cell.column)))
            case .label(let names, let side, let outer):
                let label = block.find(LabelPattern(names), within: LabelPattern(outer))
                if label != nil { hasLabel = true } else if !value.isOptional { missing.append(value.name) }
                if let label, outer.isEmpty, form.present.contains(value.name) {
                    let places = block.places(likeThatIn: label)
                    if places.count > 1 { repeated[value.name] = places }
                }
                values.append(label.flatMap { block.value(beside: $0, side, labels: labels) })
            }
        }
        let photos = FormPhotos(block: block, below: LabelPattern(form.picturesBelow))
        (pictures, unknownPictures) = try store.map(photos.pictures) ?? ([], [])
        if store != nil, photos.lacksLabel { missing.append("picturesBelow") }
        links = photos.links
        (self.values, self.missing, self.repeated, self.hasLabel, self.tables) = (values, missing, repeated, hasLabel, tables)
    }
}
