import Blocks
import Model
import Spreadsheets

extension PhotosContent: SheetDrawable {
    func draw(with pen: inout SheetPen) throws { try pen.draw(self) }
    var leastColumns: Int { min(columns, 12) }
}

extension SheetPen {
    /// The distance between a picture and the edge of its cell, in points.
    private static let margin = 3.0

    mutating func draw(_ content: PhotosContent) throws {
        if let title = content.title {
            if !content.photos.isEmpty { keepTogether(plan.points(onPaper: content.millimetres) + 50) }
            try draw(title: title, level: 3)
        }
        guard !content.photos.isEmpty else {
            if let empty = content.empty { try draw(text: empty, .note) }
            return
        }
        let columns = max(min(content.columns, grid.count), 1)
        let spans = grid.spans([Double](repeating: 1, count: columns))
        let height = min(plan.points(onPaper: content.millimetres), Self.highest - 2 * Self.margin - 1)
        var rest = content.photos[...]
        while !rest.isEmpty {
            let line = Array(rest.prefix(columns))
            rest = rest.dropFirst(columns)
            // A row of wide pictures is lower, which saves paper.
            let highest = zip(line, spans).map { photo, span in
                    photo.picture.map {
                        Self.size(of: $0, width: grid.points(of: span) - 2 * Self.margin, height: height).height
                    } ?? 30
            }.max() ?? height
            let captionHeight =
                zip(line, spans).map { self.height(Self.text(below: $0), span: $1, styles.caption) }.max() ?? 12
            keepTogether(highest + 2 * Self.margin + captionHeight + 2)
            let pictures = try addRows(height: highest + 2 * Self.margin)
            let captions = try addRows(height: captionHeight)
            for (photo, span) in zip(line, spans) { try draw(photo, span, pictures, captions, highest) }
        }
        try addRows(height: 6)
    }

    private func draw(
        _ photo: PhotosContent.Photo, _ span: Range<Int>, _ rows: Range<Int>, _ captions: Range<Int>, _ highest: Double
    ) throws {
        if let picture = photo.picture {
            try put(.text(""), rows: rows, span: span, styles.frame)
            let room = grid.points(of: span) - 2 * Self.margin
            let size = Self.size(of: picture, width: room, height: highest)
            var link: LinkAddress?
            if case .address(let address) = photo.link { link = LinkAddress(address) }
            try insert(
                picture, row: rows.lowerBound, column: span.lowerBound, x: Self.margin + (room - size.width) / 2,
                y: Self.margin + (highest - size.height) / 2, width: size.width, height: size.height,
                Self.text(below: photo), link: link)
        } else {
            try put(.text(photo.missing ?? ""), rows: rows, span: span, styles.missing, link: photo.link)
        }
        // LibreOffice does not wrap a text with a link. So only a link to another sheet, which a
        // picture cannot have, is on the caption.
        try put(
            .text(Self.text(below: photo)), rows: captions, span: span, styles.caption,
            link: photo.picture != nil && isAnchor(photo.link) ? photo.link : nil)
    }

    /// A sheet shows the stamp as text above the caption, so that it is readable and searchable.
    private static func text(below photo: PhotosContent.Photo) -> String {
        [photo.stamp, photo.caption].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func isAnchor(_ link: ReportCell.Link?) -> Bool {
        if case .anchor = link { true } else { false }
    }

    private static func size(of picture: ReportPicture, width: Double, height: Double) -> (
        width: Double, height: Double
    ) {
        let scale = min(width / Double(picture.width), height / Double(picture.height))
        return (Double(picture.width) * scale, Double(picture.height) * scale)
    }
}
