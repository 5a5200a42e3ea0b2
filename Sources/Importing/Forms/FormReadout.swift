import Foundation
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

/// Pictures and links of a form as rows with the columns `FormTarget.photoColumns`.
struct FormPhotos {
    let block: FormBlock
    let below: LabelPattern

    private var own: [SheetDetails.Picture] { block.sheet.pictures.filter { block.contains($0.cell) } }

    /// Whether there are pictures, and not the label below which they are photos.
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
            rows.append(row(at: picture.cell, name: name, path: picture.entry, type: facts.type, facts.sha256, facts.bytes))
        }
        return (rows, unknown)
    }

    /// Links to files; one to a page of the web or a place in the workbook has no path.
    var links: [FormTableScan.Row] {
        block.sheet.links.filter { block.contains($0.cell) }.map { cell, target in
            let path = Self.path(of: target)
            let name = path?.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
            return row(at: cell, name: name, path: path, type: name.flatMap(Self.type))
        }
    }

    /// A link's target as a path, with the codes of an address undone.
    static func path(of target: String) -> String? {
        var text = target.removingPercentEncoding ?? target
        if text.lowercased().hasPrefix("file:") { text = String(text.dropFirst(5).drop { $0 == "/" }) }
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        // `C:\` is a disk, `https:` is not.
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

    private func row(at cell: SheetCell, name: String?, path: String?, type: String?, _ sha256: String? = nil, _ bytes: Int? = nil) -> FormTableScan.Row {
        func text(_ value: String?) -> FormCell? { value.map { FormCell(kind: .text, text: $0, place: cell) } }
        let caption = block.value(at: cell)
        return FormTableScan.Row(
            number: cell.row + 1,
            cells: [
                text(name), text(path), caption, text(cell.name), text(type), text(sha256),
                bytes.map { FormCell(kind: .number, text: String($0), place: cell) },
            ])
    }
}
