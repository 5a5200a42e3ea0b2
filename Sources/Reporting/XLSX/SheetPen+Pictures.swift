import Blocks
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

    /// Draws a picture of a given width in points, with its height on paper. Without a given height
    /// it fills the rest of the page.
    mutating func drawPicture(
        millimetres: Double?, width: Double, _ description: String, _ draw: (PictureSize) throws -> ReportPicture
    ) throws {
        let size = pictureSize(millimetres: millimetres, width: width)
        try place(draw(size), size, description)
    }

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

extension StripContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws {
        let drawings = pen.draft.drawings
        let width = min(pen.grid.width, 170 / pen.plan.scale)
        try pen.drawPicture(millimetres: millimetres, width: width, pen.draft.head.words("sheet.strip")) {
            try drawings.picture(of: self, $0)
        }
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

extension SketchContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws {
        let drawings = pen.draft.drawings
        try pen.drawPicture(millimetres: millimetres, width: pen.grid.width - 2, pen.section.title) {
            try drawings.picture(of: self, $0)
        }
    }
}

extension PlotContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws {
        let drawings = pen.draft.drawings
        try pen.drawPicture(millimetres: millimetres, width: pen.grid.width - 2, title ?? pen.section.title) {
            try drawings.picture(of: self, $0)
        }
    }
}

extension PlanContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws {
        if rooms.isEmpty, missing.isEmpty, background.isEmpty, boundary.isEmpty, let empty {
            return try pen.draw(text: empty, .note)
        }
        let drawings = pen.draft.drawings
        var notes: [String] = []
        try pen.drawPicture(millimetres: millimetres, width: pen.grid.width - 2, pen.section.title) {
            notes = try drawings.notes(of: self, $0)
            return try drawings.picture(of: self, $0)
        }
        for note in notes { try pen.draw(text: note, .note) }
    }
}
