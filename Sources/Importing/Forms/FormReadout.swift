import Model

/// The contents of one form: its values, the rows of its tables, its pictures and links.
struct FormReadout {
    /// Row of the sheet in which it begins, counted from 1.
    let number: Int
    /// Its upper left cell.
    let start: SheetCell
    /// Values in the order of the form's definition.
    let values: [FormCell?]
    /// The cell of each value, also where it is empty; nil where its label is missing.
    let places: [SheetCell?]
    /// Rows by the table's name; nil where its heading is missing.
    let tables: [String: [FormTableScan.Row]?]
    let pictures: [FormTableScan.Row]
    let links: [FormTableScan.Row]
    /// Names of values whose labels are missing.
    let missing: [String]
    /// Labels of required values that occur more than once: there may be more than one form.
    let repeated: [String: [SheetCell]]
    /// Names of values whose outer label is missing.
    let lackingOuter: [String]
    /// Cells that some part of the form read: labels, values, headings and rows.
    let read: Set<SheetCell>
    /// Whether any label was found.
    let hasLabel: Bool
    /// Whether enough labels were found for a form, filled in or not.
    let looksLikeForm: Bool
    /// Cells with pictures that are neither JPEG nor PNG.
    let unknownPictures: [SheetCell]

    /// This many different labels make a form, or all the required ones.
    private static let labelsOfAForm = 3

    /// - Parameter pictures: nil where no row of the mapping uses pictures; then none is opened.
    init(_ block: FormBlock, _ form: ImportMapping.Form, pictures store: FormPictures?) throws {
        let labels = LabelPattern(form.values.flatMap(\.labels))
        number = block.rows.lowerBound + 1
        start = SheetCell(row: block.rows.lowerBound, column: block.columns.lowerBound)
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
        var places: [SheetCell?] = []
        var found = 0
        for value in form.values {
            switch value.place {
            case .cell(let cell):
                let cell = SheetCell(row: start.row + cell.row, column: start.column + cell.column)
                values.append(block.value(at: cell))
                places.append(cell)
            case .label(let names, let side, let outer):
                let label = block.find(LabelPattern(names), within: LabelPattern(outer))
                let lacksOuter = !outer.isEmpty && block.find(LabelPattern(outer)) == nil
                if let label {
                    found += 1
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
                places.append(label.map { block.place(beside: $0, side) })
            }
        }
        let photos = FormPhotos(block: block, below: LabelPattern(form.picturesBelow))
        let overlaid = form.rows.contains { $0.of == .pictures } ? store : nil
        (pictures, unknownPictures) = try overlaid.map(photos.pictures) ?? ([], [])
        if overlaid != nil, photos.lacksLabel { missing.append("picturesBelow") }
        links = photos.links(form.rows.contains { $0.of == .links } ? store : nil)
        read.formUnion(values.compactMap { $0?.place })
        if let label = block.find(LabelPattern(form.picturesBelow)) { read.insert(label) }
        for row in form.rows where row.of == .links || row.of == .pictures {
            read.formUnion((row.of == .links ? links : pictures).flatMap { $0.cells.compactMap { $0?.place } })
        }
        (self.read, self.lackingOuter) = (read, lackingOuter)
        (self.values, self.places, self.missing, self.repeated, self.tables) = (values, places, missing, repeated, tables)
        hasLabel = found > 0
        let needed = form.values.count { !$0.isOptional && !$0.labels.isEmpty }
        looksLikeForm = found > 0 && found >= min(Self.labelsOfAForm, needed)
    }
}
