import Foundation
import Model

/// The contents of one form: its values, the rows of its tables, its pictures and links.
struct FormReadout {
    /// Row of the sheet in which the form begins, counted from 1.
    let number: Int
    /// The form's upper left cell.
    let start: SheetCell
    /// Values in the order of the form's definition.
    let values: [FormCell?]
    /// The cell in which each value is expected, even if it is empty; nil if the label is missing.
    let places: [SheetCell?]
    /// Rows by the table's name; nil if its heading is missing.
    let tables: [String: [FormTableScan.Row]?]
    let pictures: [FormTableScan.Row]
    let links: [FormTableScan.Row]
    /// Names of values whose labels are missing.
    let missing: [String]
    /// Labels of required values that occur more than once: the sheet may contain a second form.
    let repeated: [String: [SheetCell]]
    /// Names of values whose outer label is missing.
    let lackingOuter: [String]
    /// Cells that some part of the form read: labels, values, headings and rows.
    let read: Set<SheetCell>
    /// Whether any label was found.
    let hasLabel: Bool
    /// Whether enough labels were found to recognise a form, filled in or not.
    let looksLikeForm: Bool
    /// Cells with pictures that are neither JPEG nor PNG.
    let unknownPictures: [SheetCell]

    /// A form is recognised by this many different labels, or by all the required ones.
    private static let labelsOfAForm = 3

    /// - Parameter pictures: nil if no row of the mapping uses pictures; no picture is then opened.
    init(_ block: FormBlock, _ form: ImportMapping.Form, pictures store: FormPictures?) throws {
        let labels = LabelPattern(form.values.flatMap(\.labels))
        number = block.rows.lowerBound + 1
        start = SheetCell(row: block.rows.lowerBound, column: block.columns.lowerBound)
        var block = block
        var read: Set<SheetCell> = []
        tables = Self.readTables(of: form, in: &block, labels, &read)
        var found = FoundValues(block: block, start: start, labels: labels, required: Set(form.present))
        for value in form.values { found.read(value) }
        let photos = FormPhotos(block: block, below: LabelPattern(form.picturesBelow))
        let pictureStore = form.rows.contains { $0.of == .pictures } ? store : nil
        (pictures, unknownPictures) = try pictureStore.map(photos.pictures) ?? ([], [])
        links = photos.links(form.rows.contains { $0.of == .links } ? store : nil)
        missing = found.missing + (pictureStore != nil && photos.lacksLabel ? ["picturesBelow"] : [])
        (values, places, repeated, lackingOuter) = (found.values, found.places, found.repeated, found.lackingOuter)
        read.formUnion(found.labelCells)
        read.formUnion(values.compactMap { $0?.place })
        if let label = block.find(LabelPattern(form.picturesBelow)) { read.insert(label) }
        for row in form.rows where row.of == .links || row.of == .pictures {
            read.formUnion((row.of == .links ? links : pictures).flatMap { $0.cells.compactMap { $0?.place } })
        }
        self.read = read
        hasLabel = found.count > 0
        let needed = form.values.count { !$0.isOptional && !$0.labels.isEmpty }
        looksLikeForm = found.count > 0 && found.count >= min(Self.labelsOfAForm, needed)
    }

    /// Reads the rows of the form's tables. The headings are then no longer cells of the block.
    ///
    /// - Parameter read: gets the cells of headings and rows.
    private static func readTables(
        of form: ImportMapping.Form, in block: inout FormBlock, _ labels: LabelPattern, _ read: inout Set<SheetCell>
    ) -> [String: [FormTableScan.Row]?] {
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
        return tables
    }
}

/// The values of a form that were found so far, in the order of its definition.
private struct FoundValues {
    let block: FormBlock
    let start: SheetCell
    /// The labels of all values.
    let labels: LabelPattern
    /// Names of the values that every form of this kind has.
    let required: Set<String>
    var values: [FormCell?] = []
    var places: [SheetCell?] = []
    var missing: [String] = []
    var lackingOuter: [String] = []
    var repeated: [String: [SheetCell]] = [:]
    var labelCells: Set<SheetCell> = []
    /// The number of labels that were found.
    var count = 0

    mutating func read(_ value: ImportMapping.FormValue) {
        switch value.place {
        case .cell(let cell):
            let cell = SheetCell(row: start.row + cell.row, column: start.column + cell.column)
            values.append(block.value(at: cell))
            places.append(cell)
        case .label(let names, let side, let outer):
            let label = find(value, names, within: outer)
            if let label, outer.isEmpty, required.contains(value.name) {
                let places = block.places(likeThatIn: label)
                if places.count > 1 { repeated[value.name] = places }
            }
            values.append(label.flatMap { block.value(beside: $0, side, labels: labels) })
            places.append(label.map { block.place(beside: $0, side) })
        }
    }

    /// Finds the label of a value, and notes if it or its outer label is missing.
    private mutating func find(
        _ value: ImportMapping.FormValue, _ names: [String], within outer: [String]
    ) -> SheetCell? {
        let label = block.find(LabelPattern(names), within: LabelPattern(outer))
        let outerLabel = block.find(LabelPattern(outer))
        if let label {
            count += 1
            labelCells.insert(label)
        } else if !value.isOptional {
            if !outer.isEmpty, outerLabel == nil {
                lackingOuter.append(value.name)
            } else {
                missing.append(value.name)
            }
        }
        if let outerLabel { labelCells.insert(outerLabel) }
        return label
    }
}

/// Pictures and links of a form as rows with the columns `FormTarget.photoColumns`.
struct FormPhotos {
    let block: FormBlock
    let below: LabelPattern

    /// The pictures within the form.
    private var own: [SheetDetails.Picture] { block.sheet.pictures.filter { block.contains($0.cell) } }

    /// Whether the form has pictures but lacks the label below which pictures are read.
    var lacksLabel: Bool { below.count > 0 && !own.isEmpty && block.find(below) == nil }

    func pictures(_ store: FormPictures) throws -> (rows: [FormTableScan.Row], unknown: [SheetCell]) {
        var rows: [FormTableScan.Row] = []
        var unknown: [SheetCell] = []
        let top = below.count == 0 ? block.rows.lowerBound : block.find(below)?.row ?? Int.max
        for picture in own where picture.cell.row >= top {
            guard let facts = try store.facts(of: picture.entry) else {
                unknown.append(picture.cell)
                rows.append(row(at: picture.cell, name: nil, path: nil, type: nil))
                continue
            }
            let name = String(facts.sha256.prefix(16)) + "." + facts.ending
            rows.append(
                row(
                    at: picture.cell, name: name, path: picture.entry, type: facts.type, facts.sha256, facts.bytes,
                    facts.said))
        }
        return (rows, unknown)
    }

    /// Links to files as rows; a link to a web page or a place in the workbook has no path.
    ///
    /// - Parameter store: nil if no row of the mapping uses links.
    func links(_ store: FormPictures?) -> [FormTableScan.Row] {
        block.sheet.links.filter { block.contains($0.cell) }.map { cell, target in
            let path = Self.path(of: target)
            let name = path?.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
            return row(
                at: cell, name: name, path: path, type: name.flatMap(Self.type), nil, nil,
                path.flatMap { store?.said(byLink: $0) } ?? [:])
        }
    }

    /// A link's target as a path, with percent-encoding removed.
    static func path(of target: String) -> String? {
        var text = target.removingPercentEncoding ?? target
        if text.lowercased().hasPrefix("file:") { text = String(text.dropFirst(5).drop { $0 == "/" }) }
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        // `C:\` is a drive, `https:` is not.
        let scheme = text.prefix { $0.isLetter || $0.isNumber || $0 == "+" || $0 == "." || $0 == "-" }
        guard scheme.count < 2 || !text.dropFirst(scheme.count).hasPrefix(":") else { return nil }
        return text
    }

    static func type(of name: String) -> String? {
        switch name.split(separator: ".").last.map({ $0.lowercased() }) {
        case "jpg", "jpeg": "image/jpeg"
        case "png": "image/png"
        case "heic": "image/heic"
        default: nil
        }
    }

    private func row(
        at cell: SheetCell, name: String?, path: String?, type: String?, _ sha256: String? = nil, _ bytes: Int? = nil,
        _ said: [Entity.FileFact: String] = [:]
    ) -> FormTableScan.Row {
        func text(_ value: String?) -> FormCell? { value.map { FormCell(kind: .text, text: $0, place: cell) } }
        let caption = block.value(at: cell)
        return FormTableScan.Row(
            number: cell.row + 1,
            cells: [
                text(name), text(path), caption, text(cell.name), text(type), text(sha256),
                bytes.map { FormCell(kind: .number, text: String($0), place: cell) },
            ] + [Entity.FileFact.width, .height, .latitude, .longitude, .taken].map { text(said[$0]) })
    }
}
