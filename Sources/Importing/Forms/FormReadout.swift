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
    /// Names of values whose outer label is not there.
    let lackingOuter: [String]
    /// Cells that some part of the form read: labels, values, headings and rows.
    let read: Set<SheetCell>
    /// Whether any label is.
    let hasLabel: Bool
    /// Cells with pictures that are neither JPEG nor PNG.
    let unknownPictures: [SheetCell]

    /// - Parameter pictures: nil where no row of the mapping wants any: then none is opened.
    init(_ block: FormBlock, _ form: ImportMapping.Form, pictures store: FormPictures?) throws {
        let labels = LabelPattern(form.values.flatMap(\.labels))
        number = block.rows.lowerBound + 1
        var block = block
        var read: Set<SheetCell> = []
        var lackingOuter: [String] = []
        var tables: [String: [FormTableScan.Row]?] = [:]
        for table in form.tables {
            let scan = FormTableScan(block: block, table: table, labels: labels)
            let heading = scan.heading()
            let rows = heading.map(scan.rows)
            tables[table.name] = .some(rows)
            for row in rows ?? [] { read.formUnion(row.cells.compactMap { $0?.place }) }
            if let heading { read.formUnion(scan.cells(of: heading)) }
            read.formUnion(block.filled.filter { block.isLabel($0, LabelPattern(table.until)) })
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
                let lacksOuter = !outer.isEmpty && block.find(LabelPattern(outer)) == nil
                if let label {
                    hasLabel = true
                    read.insert(label)
                } else if !value.isOptional {
                    if lacksOuter { lackingOuter.append(value.name) } else { missing.append(value.name) }
                }
                if !lacksOuter, let start = block.find(LabelPattern(outer)) { read.insert(start) }
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
        read.formUnion(values.compactMap { $0?.place })
        if let label = block.find(LabelPattern(form.picturesBelow)) { read.insert(label) }
        for row in form.rows where row.of == .links || row.of == .pictures {
            read.formUnion((row.of == .links ? links : pictures).flatMap { $0.cells.compactMap { $0?.place } })
        }
        (self.read, self.lackingOuter) = (read, lackingOuter)
        (self.values, self.missing, self.repeated, self.hasLabel, self.tables) = (values, missing, repeated, hasLabel, tables)
    }
}
