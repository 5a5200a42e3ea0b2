import Foundation
import Model

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
            rows.append(row(at: picture.cell, name: name, path: picture.entry, type: facts.type, facts.sha256, facts.bytes, facts.said))
        }
        return (rows, unknown)
    }

    /// Links to files; one to a page of the web or a place in the workbook has no path.
    ///
    /// - Parameter store: nil where no row of the mapping wants any.
    func links(_ store: FormPictures?) -> [FormTableScan.Row] {
        block.sheet.links.filter { block.contains($0.cell) }.map { cell, target in
            let path = Self.path(of: target)
            let name = path?.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
            return row(at: cell, name: name, path: path, type: name.flatMap(Self.type), nil, nil, path.flatMap { store?.said(byLink: $0) } ?? [:])
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

    private func row(
        at cell: SheetCell, name: String?, path: String?, type: String?, _ sha256: String? = nil, _ bytes: Int? = nil, _ said: [Entity.FileFact: String] = [:]
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
