import Blocks
import Drawing
import Model
import Spreadsheets

/// Pictures and drawings.
extension SheetPen {
    /// Inserts a picture. Its offset from the upper left corner of a cell, and its size, are in
    /// points.
    func insert(
        _ picture: ReportPicture, row: Int, column: Int, x: Double, y: Double, width: Double, height: Double,
        _ description: String,
        link: LinkAddress? = nil, growsWithCells: Bool = false
    ) throws {
        let kept = try draft.pictures.keep(
            picture.bytes, isPNG: picture.isPNG, width: picture.width, height: picture.height)
        try draft.book.insert(
            kept, sheet,
            at: Workbook.Placement(
                row: row, column: column, x: x / 0.75, y: y / 0.75, width: width / 0.75, height: height / 0.75,
                growsWithCells: growsWithCells),
            description: description, link: link)
    }

    mutating func draw(_ content: PictureContent) throws {
        let picture = content.picture
        let scale = min(
            plan.points(onPaper: content.millimetres) / Double(picture.height), grid.width / Double(picture.width))
        let (width, height) = (Double(picture.width) * scale, Double(picture.height) * scale)
        let rows = try addRows(height: height + 6)
        try insert(picture, row: rows.lowerBound, column: 0, x: 0, y: 3, width: width, height: height, section.title)
    }

    /// Draws content with its height on paper, in a given width in points.
    mutating func draw(_ content: some DrawnContent, width: Double, _ description: String) throws {
        let size = pictureSize(millimetres: content.millimetres, width: width)
        try place(draft.drawings.picture(of: content, size), size, description)
    }

    /// The size of a picture in points. Without a given height it fills the rest of the page.
    func pictureSize(millimetres: Double?, width: Double) -> PictureSize {
        let page = pageHeight
        let height = min(
            millimetres.map { plan.points(onPaper: $0) } ?? (left > page / 3 ? left - 24 : page - 24), page - 24)
        return PictureSize(width: width, height: height, printed: plan.scale)
    }

    mutating func place(_ picture: ReportPicture, _ size: PictureSize, _ description: String) throws {
        let rows = try addRows(height: size.height + 6)
        try insert(
            picture, row: rows.lowerBound, column: 0, x: 0, y: 3, width: size.width, height: size.height, description)
    }
}

extension PictureContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(self) }
}

/// A drawing that is on a sheet as a picture of the sheet's width.
struct DrawnOnSheet: SheetDrawable {
    let content: any DrawnContent

    func draw(with pen: inout SheetPen) throws {
        try pen.draw(content, width: pen.grid.width - 2, content.title ?? pen.section.title)
    }
}

extension StripContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws {
        try pen.draw(self, width: min(pen.grid.width, 170 / pen.plan.scale), pen.draft.head.words("sheet.strip"))
    }
}

extension ProfileContent: SheetDrawable {
    /// The height of a legend of soils on paper, in points.
    private static let legend = 100.0

    func draw(with pen: inout SheetPen) throws {
        let drawings = pen.draft.drawings
        if hasAxis {
            var size = pen.pictureSize(millimetres: millimetres, width: pen.grid.width - 2)
            // A drawing slightly reduced, with its legend below, is better than one on the next
            // page.
            let room = pen.left - Self.legend
            if size.height > room, room > size.height * 0.7 { size.height = room }
            for picture in try drawings.pictures(of: self, size) {
                pen.keepTogether(size.height + 6)
                try pen.place(picture, size, pen.section.title)
            }
        }
        for note in notes(pen.draft.head.words) { try pen.draw(text: note, .note) }
    }
}

extension PlanContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws {
        if rooms.isEmpty, missing.isEmpty, background.isEmpty, boundary.isEmpty, let empty {
            return try pen.draw(text: empty, .note)
        }
        let size = pen.pictureSize(millimetres: millimetres, width: pen.grid.width - 2)
        try pen.place(pen.draft.drawings.picture(of: self, size), size, pen.section.title)
        for note in pen.draft.drawings.notes(of: self, size) { try pen.draw(text: note, .note) }
    }
}
